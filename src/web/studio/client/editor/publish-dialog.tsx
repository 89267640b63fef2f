import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { errorMessage, messageInWords } from '../../../shared/client/form-errors.ts';
import { navigate } from '../../../shared/client/navigation.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { componentTexts } from '../../../shared/client/texts.ts';
import { texts } from '../../texts.ts';
import { changeApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import { pageName } from './logic/logic-words.ts';
import { type LocatedCheck, readPublishCheck } from './publish-findings.ts';
import { pageKey, questionKey } from './survey-content.ts';
import type { SurveyEditor } from './survey-editor.ts';

const NOTICE_MS = 12_000;

type Finding = Schema<'PublishCheckProblem'> & {
  language?: string;
  outdated?: unknown[];
  missing?: unknown[];
  texts?: string[];
};

const languageNames = new Intl.DisplayNames('en', { type: 'language' });
const words = texts.editor.warnings;

/** Checks the draft, lists what has to be solved, and publishes it. */
export function PublishDialog({
  editor,
  onClose,
  onSelectQuestion,
  onSelectPage,
}: {
  editor: SurveyEditor;
  onClose: () => void;
  /** These lead to the place of a problem. */
  onSelectQuestion: (id: number) => void;
  onSelectPage: (id: number) => void;
}) {
  const [located, setLocated] = useState<LocatedCheck | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    const load = async () => {
      await editor.saving.flush();
      if (editor.saving.hasUnsaved) {
        setError(texts.editor.unsavedProblems);
        return;
      }
      try {
        setLocated(await readPublishCheck(editor.surveyId, editor.content));
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown;
        setError(errorMessage(thrown));
      }
    };
    void load();
  }, []);

  const publish = async () => {
    const path = { id: editor.surveyId };
    const { version, is_new_version: isNew } = await changeApi('post', '/api/surveys/{id}/publish', { path });
    onClose();
    const collect = () => navigate(`/surveys/${editor.surveyId}/collect`);
    await reloadQueries('/api/surveys');
    // The first version has a new link, which the author wants next.
    if (isNew && version === 1) {
      announce(texts.editor.firstPublished);
      collect();
    } else {
      announce(isNew ? texts.editor.published(version) : texts.editor.alreadyPublished(version), {
        label: texts.editor.toCollect,
        durationMs: NOTICE_MS,
        run: collect,
      });
    }
  };

  const check = located?.check ?? null;
  const placeOf = (finding: Finding) => {
    const tab = tabOf(finding, editor.surveyId);
    if (tab !== null) return tab;
    const key = located?.keyOf(finding) ?? null;
    return key === null ? null : placeWithKey(editor, key, { onSelectQuestion, onSelectPage });
  };
  return (
    <Dialog title={texts.editor.publishTitle} onClose={onClose}>
      {check === null && error === null && <p role="status">{componentTexts.loading}</p>}
      {error !== null && (
        <p class="summary" role="alert">
          {error}
        </p>
      )}
      {check !== null && (
        <>
          {check.problems.length > 0 && (
            <Findings title={texts.editor.publishProblems} findings={check.problems} placeOf={placeOf} />
          )}
          {check.warnings.length > 0 && (
            <Findings title={texts.editor.publishWarnings} findings={check.warnings} placeOf={placeOf} />
          )}
          {check.publishable && check.warnings.length === 0 && <p>{texts.editor.publishReady}</p>}
        </>
      )}
      {check?.publishable === true ? (
        <Form
          submit={texts.editor.publish}
          onSubmit={publish}
          otherButtons={<CancelButton onClose={onClose} />}
        />
      ) : (
        <div class="buttons">
          <button type="button" class="button" onClick={onClose}>
            {texts.editor.close}
          </button>
        </div>
      )}
    </Dialog>
  );
}

/** A place that a finding leads to. */
interface FindingPlace {
  name: string;
  select: () => void;
}

/** Returns the tab of the survey that has what the finding is about; null: the editor has it. */
function tabOf({ code, language }: Finding, surveyId: number): FindingPlace | null {
  switch (code) {
    case 'missing_translations':
    case 'outdated_translations': {
      const query = language === undefined ? '' : `?language=${encodeURIComponent(language)}`;
      return {
        name: texts.survey.translate,
        select: () => navigate(`/surveys/${surveyId}/translate${query}`),
      };
    }
    case 'closing_time_passed':
    case 'closing_soon':
    case 'response_limit_reached':
      return { name: texts.survey.collect, select: () => navigate(`/surveys/${surveyId}/collect`) };
    default:
      return null;
  }
}

/** The message of the API, which names its fields, or what it means in the studio. */
function inWords({
  code,
  message,
  language = '',
  missing = [],
  outdated = [],
  texts: found = [],
}: Finding): string {
  const languageName = language === '' ? '' : (languageNames.of(language) ?? language);
  switch (code) {
    case 'missing_translations':
      return words.missingTranslations(missing.length, languageName);
    case 'outdated_translations':
      return words.outdatedTranslations(outdated.length, languageName);
    case 'closing_time_passed':
      return words.closingTimePassed;
    case 'closing_soon':
      return words.closingSoon;
    case 'response_limit_reached':
      return words.responseLimitReached;
    case 'whole_amounts':
      return words.wholeAmounts;
    case 'media_without_text':
      return words.mediaWithoutText;
    case 'video_without_captions':
      return words.videoWithoutCaptions;
    case 'leftover_text':
      return words.leftoverText(found);
    default:
      return messageInWords(message);
  }
}

function placeWithKey(
  { content }: SurveyEditor,
  key: string,
  {
    onSelectQuestion,
    onSelectPage,
  }: { onSelectQuestion: (id: number) => void; onSelectPage: (id: number) => void },
): FindingPlace | null {
  const questions = content.listQuestions();
  const index = questions.findIndex(({ question_id: id }) => questionKey(id) === key);
  const question = questions[index];
  if (question !== undefined) {
    return {
      name: texts.editor.question(index + 1).toLowerCase(),
      select: () => onSelectQuestion(question.question_id),
    };
  }
  const pageIndex = content.pages.findIndex(({ page_id: id }) => pageKey(id) === key);
  const page = content.pages[pageIndex];
  return page === undefined
    ? null
    : { name: pageName(page, pageIndex, questions), select: () => onSelectPage(page.page_id) };
}

function Findings({
  title,
  findings,
  placeOf,
}: {
  title: string;
  findings: readonly Finding[];
  placeOf: (finding: Finding) => FindingPlace | null;
}) {
  return (
    <section>
      <p>{title}</p>
      <ul class="findings">
        {findings.map((finding) => {
          const place = placeOf(finding);
          return (
            <li key={`${finding.field} ${finding.code} ${finding.language ?? ''}`}>
              <span>{inWords(finding)}</span>
              {place !== null && (
                <button type="button" class="button small" onClick={place.select}>
                  {texts.editor.goTo(place.name)}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
