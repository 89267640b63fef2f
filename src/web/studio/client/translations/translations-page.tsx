import { useRef, useState } from 'preact/hooks';
import { downloadBlob } from '../../../shared/client/download.ts';
import { ApiError } from '../../../shared/client/api.ts';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { Menu } from '../../../shared/client/menu.tsx';
import { useAddressParameter } from '../../../shared/client/navigation.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { changeApi, readApi } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import {
  readTranslations,
  toCsv,
  toXliff,
  TranslationFileError,
  type TranslationState,
} from './translation-files.ts';
import {
  isOutdated,
  listTexts,
  type TranslatableText,
  translationOf,
  type Translations,
  withTexts,
} from './translation-table.ts';
import './translations.css';

const t = texts.translations;
const languageNames = new Intl.DisplayNames('en', { type: 'language' });
const nameOf = (language: string): string => `${languageNames.of(language) ?? language} (${language})`;

const placeOf = ({ number, part }: TranslatableText): string =>
  number === null ? t.parts[part] : `${t.question(number)} · ${t.parts[part]}`;

/** `value`: null confirms the translation, which belongs to an earlier text. */
type TextChange = readonly [text: TranslatableText, value: string | null];

interface TextWithState {
  text: TranslatableText;
  value: string;
  state: TranslationState;
}

/** Every text with its translation into a language. */
const listStates = (survey: SurveyTabProps['survey'], language: string): TextWithState[] =>
  listTexts(survey).map((text) => {
    const value = translationOf(survey, text, language);
    const translated = isOutdated(survey, text, language) ? 'outdated' : 'translated';
    return { text, value, state: value === '' ? 'missing' : translated };
  });

const countState = (all: readonly TextWithState[], state: TranslationState): number =>
  all.filter((each) => each.state === state).length;

let saving: Promise<unknown> = Promise.resolve();

/** Saves texts after those before, because they may belong to the same object. Throws ApiError. */
function saveInOrder(surveyId: number, language: string, changes: readonly TextChange[]): Promise<void> {
  const result = saving.then(() => saveTexts(surveyId, language, changes));
  saving = result.catch(() => undefined);
  return result;
}

/**
 * Saves texts in a language. The translations of each object are read and written together, and refused if someone else changed it in
 * between. Throws ApiError.
 */
async function saveTexts(surveyId: number, language: string, changes: readonly TextChange[]): Promise<void> {
  const byQuestion = new Map<number | null, TextChange[]>();
  for (const change of changes) {
    const [{ questionId }] = change;
    const own = byQuestion.get(questionId);
    if (own === undefined) byQuestion.set(questionId, [change]);
    else own.push(change);
  }
  for (const [questionId, own] of byQuestion) {
    const paths = own.flatMap(([{ path }, value]) => (value === null ? [] : [[path, value] as const]));
    const confirmed = own.flatMap(([{ path }, value]) => (value === null ? [path.join('.')] : []));
    const confirmation = confirmed.length === 0 ? {} : { confirmed_translations: { [language]: confirmed } };
    if (questionId === null) {
      const { data } = await readApi('/api/surveys/{id}', { path: { id: surveyId } });
      const translations = withTexts(data.survey_settings.translations, language, paths);
      await changeApi('put', '/api/surveys/{id}', {
        path: { id: surveyId },
        body: { survey_settings: { translations }, ...confirmation },
        ifMatch: data.etag,
      });
    } else {
      const path = { surveyId, questionId };
      const { data } = await readApi('/api/surveys/{surveyId}/questions/{questionId}', { path });
      const before: Translations = data.question_settings.translations ?? {};
      await changeApi('put', '/api/surveys/{surveyId}/questions/{questionId}', {
        path,
        body: {
          question_settings: { translations: withTexts(before, language, paths) },
          ...confirmation,
        },
        ifMatch: data.etag,
      });
    }
  }
  await reloadQueries('/api/surveys');
}

/** The texts of a survey beside their translation to one of its languages. */
export function TranslationsPage({ survey, canEdit }: SurveyTabProps) {
  const { default_language: source, languages } = survey.survey_settings;
  const targets = languages.filter((language) => language !== source);
  const addressed = useAddressParameter('language');
  const [chosen, setChosen] = useState<string | null>(addressed);
  const [isOpenOnly, setOpenOnly] = useState(false);
  const language = targets.find((each) => each === chosen) ?? targets[0];
  if (language === undefined) {
    return (
      <Section title={t.title}>
        <div class="blank">
          <p class="title">{t.noLanguages}</p>
          <p>{canEdit ? t.noLanguagesAbout : t.noLanguagesViewer}</p>
        </div>
      </Section>
    );
  }
  const all = listStates(survey, language);
  const open = all.filter(({ state }) => state !== 'translated');
  return (
    <Section
      title={t.title}
      about={t.progress(all.length - countState(all, 'missing'), all.length, countState(all, 'outdated'))}
      action={<FileMenu survey={survey} language={language} all={all} canEdit={canEdit} />}
    >
      <div class="translation-options">
        <label>
          <span>{t.language}</span>
          <select class="field" value={language} onChange={(event) => setChosen(event.currentTarget.value)}>
            {targets.map((each) => (
              <option key={each} value={each}>
                {t.languageOption(nameOf(each), countOpen(survey, each))}
              </option>
            ))}
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isOpenOnly}
            onChange={(event) => setOpenOnly(event.currentTarget.checked)}
          />
          <span>{t.openOnly(open.length)}</span>
        </label>
      </div>
      <div class="card translation-table">
        <table aria-label={t.title}>
          <thead>
            <tr>
              <th scope="col">{nameOf(source)}</th>
              <th scope="col">{nameOf(language)}</th>
            </tr>
          </thead>
          <tbody>
            {(isOpenOnly ? open : all).map(({ text, value, state }) => (
              <TextRow
                key={`${language}-${text.key}`}
                text={text}
                value={value}
                state={state}
                language={language}
                canEdit={canEdit}
                onSave={(changed) => saveInOrder(survey.survey_id, language, [[text, changed]])}
              />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

const countOpen = (survey: SurveyTabProps['survey'], language: string): number =>
  listStates(survey, language).filter(({ state }) => state !== 'translated').length;

function TextRow({
  text,
  value,
  state,
  language,
  canEdit,
  onSave,
}: {
  text: TranslatableText;
  value: string;
  state: TranslationState;
  language: string;
  canEdit: boolean;
  /** null: the translation is still right. */
  onSave: (value: string | null) => Promise<void>;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (changed: string | null) => {
    const trimmed = changed?.trim() ?? null;
    if (trimmed === value) return;
    try {
      await onSave(trimmed);
      setProblem(null);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // What was typed stays in the field.
      setProblem(errorMessage(error));
    }
  };
  return (
    <tr>
      <th scope="row">
        <span class="soft">{placeOf(text)}</span>
        <span dir="auto">{text.source}</span>
      </th>
      <td>
        <textarea
          class="field"
          aria-label={t.translationOf(text.source)}
          aria-invalid={problem !== null}
          lang={language}
          dir="auto"
          rows={text.source.length > 80 ? 3 : 1}
          defaultValue={value}
          placeholder={t.missing}
          readOnly={!canEdit}
          onBlur={(event) => void save(event.currentTarget.value)}
        />
        {state === 'outdated' && (
          <div class="outdated">
            <span class="chip wait">{t.outdated}</span>
            <span class="soft">{t.outdatedAbout}</span>
            {canEdit && (
              <button type="button" class="button small" onClick={() => void save(null)}>
                {t.stillCorrect}
              </button>
            )}
          </div>
        )}
        {problem !== null && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </td>
    </tr>
  );
}

const downloadText = (content: string, name: string, type: string): void =>
  downloadBlob(new Blob([content], { type }), name);

/** Files for translators, and back. */
function FileMenu({
  survey,
  language,
  all,
  canEdit,
}: {
  survey: SurveyTabProps['survey'];
  language: string;
  all: readonly TextWithState[];
  canEdit: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const languages = { source: survey.survey_settings.default_language, target: language };
  const rows = () =>
    all.map(({ text, value, state }) => ({
      key: text.key,
      place: placeOf(text),
      source: text.source,
      target: value,
      state,
    }));
  const name = `survey-${survey.survey_id}-${language}`;
  const upload = async (file: File) => {
    try {
      const found = readTranslations(await file.text(), language);
      const changes = all.flatMap(({ text, value, state }): TextChange[] => {
        const translation = found.get(text.key);
        const changed = translation?.text.trim() ?? '';
        if (changed === '') return [];
        if (changed !== value) return [[text, changed]];
        return state === 'outdated' && translation?.isDone === true ? [[text, null]] : [];
      });
      const known = new Set(all.map(({ text }) => text.key));
      const unknown = [...found.keys()].filter((key) => !known.has(key));
      await saveInOrder(survey.survey_id, language, changes);
      setProblem(null);
      announce(t.uploaded(changes.length, unknown.length));
    } catch (error) {
      if (error instanceof ApiError) setProblem(errorMessage(error));
      else if (error instanceof TranslationFileError) setProblem(error.message);
      else throw error;
    }
  };
  return (
    <div>
      <Menu
        label={t.files}
        button={t.files}
        buttonClass="button"
        items={[
          {
            label: t.downloadCsv,
            run: () => downloadText(toCsv(rows(), languages), `${name}.csv`, 'text/csv'),
          },
          {
            label: t.downloadXliff,
            run: () => downloadText(toXliff(rows(), languages), `${name}.xlf`, 'application/xliff+xml'),
          },
          ...(canEdit ? [{ label: t.upload, run: () => input.current?.click() }] : []),
        ]}
      />
      {canEdit && (
        <input
          ref={input}
          type="file"
          class="visually-hidden"
          tabIndex={-1}
          aria-label={t.upload}
          accept=".csv,.xlf,.xliff"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            event.currentTarget.value = '';
            if (file !== undefined) void upload(file);
          }}
        />
      )}
      {problem !== null && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}
