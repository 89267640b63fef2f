import { useEffect, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { Dialog } from '../../../shared/client/dialog.tsx';
import { CancelButton, Form } from '../../../shared/client/form.tsx';
import { capitalize, errorMessage } from '../../../shared/client/form-errors.ts';
import { navigate } from '../../../shared/client/navigation.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { componentTexts } from '../../../shared/client/texts.ts';
import { texts } from '../../texts.ts';
import { changeApi, readApi, type Schema } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import type { SurveyEditor } from './survey-editor.ts';

const NOTICE_MS = 12_000;

type Finding = Schema<'PublishCheckProblem'>;

/** Checks the draft, lists what has to be solved, and publishes it. */
export function PublishDialog({
  editor,
  onClose,
  onSelect,
}: {
  editor: SurveyEditor;
  onClose: () => void;
  /** Leads to the question of a problem. */
  onSelect: (questionId: number) => void;
}) {
  const [check, setCheck] = useState<Schema<'PublishCheck'> | null>(null);
  const [error, setError] = useState<string | null>(null);
  useEffect(() => {
    const load = async () => {
      await editor.saving.flush();
      if (editor.saving.hasUnsaved) {
        setError(texts.editor.unsavedProblems);
        return;
      }
      try {
        const path = { id: editor.surveyId };
        setCheck((await readApi('/api/surveys/{id}/publish-check', { path })).data);
      } catch (thrown) {
        if (!(thrown instanceof ApiError)) throw thrown;
        setError(errorMessage(thrown));
      }
    };
    void load();
  }, []);

  const publish = async () => {
    const path = { id: editor.surveyId };
    const { version } = await changeApi('post', '/api/surveys/{id}/publish', { path });
    onClose();
    announce(texts.editor.published(version), {
      label: texts.editor.toCollect,
      durationMs: NOTICE_MS,
      run: () => navigate(`/surveys/${editor.surveyId}/collect`),
    });
    await reloadQueries('/api/surveys');
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
            <Findings
              title={texts.editor.publishProblems}
              findings={check.problems}
              editor={editor}
              onSelect={onSelect}
            />
          )}
          {check.warnings.length > 0 && (
            <Findings
              title={texts.editor.publishWarnings}
              findings={check.warnings}
              editor={editor}
              onSelect={onSelect}
            />
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

function Findings({
  title,
  findings,
  editor,
  onSelect,
}: {
  title: string;
  findings: readonly Finding[];
  editor: SurveyEditor;
  onSelect: (questionId: number) => void;
}) {
  const questions = editor.content.listQuestions();
  return (
    <section>
      <p>{title}</p>
      <ul class="findings">
        {findings.map((finding) => {
          const index = questions.findIndex(({ question_code: code }) => code === finding.question_code);
          const question = questions[index];
          return (
            <li key={`${finding.field} ${finding.code}`}>
              <span>{capitalize(finding.message)}</span>
              {question !== undefined && (
                <button type="button" class="button small" onClick={() => onSelect(question.question_id)}>
                  {texts.editor.goTo(texts.editor.question(index + 1).toLowerCase())}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
