import { useRef, useState } from 'preact/hooks';
import { ApiError } from '../../../shared/client/api.ts';
import { errorMessage } from '../../../shared/client/form-errors.ts';
import { Menu } from '../../../shared/client/menu.tsx';
import { announce } from '../../../shared/client/notices.tsx';
import { Section } from '../../../shared/client/page.tsx';
import { texts } from '../../texts.ts';
import { changeApi, readApi } from '../data/api.ts';
import { reloadQueries } from '../data/queries.ts';
import type { SurveyTabProps } from '../survey/survey-tab.ts';
import { readTranslations, toCsv, toXliff, TranslationFileError } from './translation-files.ts';
import {
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

type TextChange = readonly [text: TranslatableText, value: string];

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
  for (const questionId of new Set(changes.map(([text]) => text.questionId))) {
    const own = changes.filter(([text]) => text.questionId === questionId);
    const paths = own.map(([{ path }, value]) => [path, value] as const);
    if (questionId === null) {
      const { data } = await readApi('/api/surveys/{id}', { path: { id: surveyId } });
      const translations = withTexts(data.survey_settings.translations, language, paths);
      await changeApi('put', '/api/surveys/{id}', {
        path: { id: surveyId },
        body: { survey_settings: { translations } },
        ifMatch: data.etag,
      });
    } else {
      const path = { surveyId, questionId };
      const { data } = await readApi('/api/surveys/{surveyId}/questions/{questionId}', { path });
      const before: Translations = data.question_settings.translations ?? {};
      await changeApi('put', '/api/surveys/{surveyId}/questions/{questionId}', {
        path,
        body: { question_settings: { translations: withTexts(before, language, paths) } },
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
  const [chosen, setChosen] = useState<string | null>(null);
  const [isMissingOnly, setMissingOnly] = useState(false);
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
  const all = listTexts(survey).map((text) => ({ text, value: translationOf(survey, text, language) }));
  const missing = all.filter(({ value }) => value === '');
  return (
    <Section
      title={t.title}
      about={t.progress(all.length - missing.length, all.length)}
      action={<FileMenu survey={survey} language={language} all={all} canEdit={canEdit} />}
    >
      <div class="translation-options">
        <label>
          <span>{t.language}</span>
          <select class="field" value={language} onChange={(event) => setChosen(event.currentTarget.value)}>
            {targets.map((each) => (
              <option key={each} value={each}>
                {nameOf(each)}
              </option>
            ))}
          </select>
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isMissingOnly}
            onChange={(event) => setMissingOnly(event.currentTarget.checked)}
          />
          <span>{t.missingOnly(missing.length)}</span>
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
            {(isMissingOnly ? missing : all).map(({ text, value }) => (
              <TextRow
                key={`${language}-${text.key}`}
                text={text}
                value={value}
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

function TextRow({
  text,
  value,
  language,
  canEdit,
  onSave,
}: {
  text: TranslatableText;
  value: string;
  language: string;
  canEdit: boolean;
  onSave: (value: string) => Promise<void>;
}) {
  const [problem, setProblem] = useState<string | null>(null);
  const save = async (changed: string) => {
    if (changed.trim() === value) return;
    try {
      await onSave(changed.trim());
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
        {problem !== null && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
      </td>
    </tr>
  );
}

function downloadText(content: string, name: string, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Files for translators, and back. */
function FileMenu({
  survey,
  language,
  all,
  canEdit,
}: {
  survey: SurveyTabProps['survey'];
  language: string;
  all: readonly { text: TranslatableText; value: string }[];
  canEdit: boolean;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const languages = { source: survey.survey_settings.default_language, target: language };
  const rows = () =>
    all.map(({ text, value }) => ({
      key: text.key,
      place: placeOf(text),
      source: text.source,
      target: value,
    }));
  const name = `survey-${survey.survey_id}-${language}`;
  const upload = async (file: File) => {
    try {
      const found = readTranslations(await file.text(), language);
      const changes = all.flatMap(({ text, value }): TextChange[] => {
        const changed = found.get(text.key)?.trim() ?? '';
        return changed === '' || changed === value ? [] : [[text, changed]];
      });
      const unknown = [...found.keys()].filter((key) => !all.some(({ text }) => text.key === key));
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
