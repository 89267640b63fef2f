import { unknownValue } from '../../../lib/error-messages.ts';
import { isRecord } from '../../answers/read-answer.ts';
import { typeOf } from '../../questions/registry.ts';
import type { Page, Question, SurveyDefinition } from '../definition.ts';
import { textsIn, type TranslatedTexts, translationFor } from '../logic/localize.ts';
import { TRANSLATABLE_TEXTS } from '../questions/question-translations.ts';
import type { SurveySettings } from '../survey-settings.ts';
import type { MissingText, MissingTranslations, PublishWarning } from './publish-check.ts';

/** Typed as strings, because translations can have any keys. */
const TEXTS: readonly string[] = TRANSLATABLE_TEXTS;

/** Returns the keys of a translation, each with its allowed entries. */
function translatableKeys(question: Question): Map<string, Set<string>> {
  const groups = new Map<string, Set<string>>();
  const live = question.options.filter(({ retired }) => !retired);
  if (live.length > 0) groups.set('options', new Set(live.map(({ code }) => String(code))));
  for (const { name, labels } of typeOf(question).labelGroups(question))
    groups.set(name, new Set(labels.map(({ key }) => key)));
  return groups;
}

/** Returns translation entries with unknown keys; they are never shown. */
function unusedEntries(
  question: Question,
  translation: Record<string, unknown>,
): { at: string; message: string }[] {
  const groups = translatableKeys(question);
  return Object.entries(translation).flatMap(([key, value]) => {
    const known = groups.get(key);
    if (known !== undefined && isRecord(value)) {
      return Object.keys(value)
        .filter((entry) => !known.has(entry))
        .map((entry) => ({
          at: `${key}.${entry.slice(0, 60)}`,
          message: unknownValue(entry, `a key of the ${key} of ${question.code}`),
        }));
    }
    if (TEXTS.includes(key) && (typeof value === 'string' || value === null)) return [];
    const message = unknownValue(key, `a translatable text of ${question.code}`);
    return [{ at: key.slice(0, 60), message }];
  });
}

/** Returns warnings for translation entries that are never shown. */
export function findUnusedTranslations(definition: SurveyDefinition): PublishWarning[] {
  return definition.pages.flatMap((page, pageIndex) =>
    page.questions.flatMap((question, index) => {
      if (page.retired || question.retired) return [];
      const field = `pages[${pageIndex}].questions[${index}].question_settings.translations`;
      return Object.entries(question.settings.translations ?? {}).flatMap(([language, translation]) => {
        const found = isRecord(translation)
          ? unusedEntries(question, translation)
          : [{ at: '', message: 'must be an object of texts' }];
        return found.map(({ at, message }): PublishWarning => ({
          code: 'unknown_translation',
          message,
          field: [field, language, at].filter((part) => part !== '').join('.'),
          question_code: question.code,
        }));
      });
    }),
  );
}

/** A text that respondents read. */
interface TranslatableText extends MissingText {
  isTranslated: (language: string) => boolean;
}

/** Names and texts of the survey's settings that respondents read; `survey_settings.translations` has them under the same key. */
const SETTINGS_TEXTS = [
  'consent_text',
  'completion_message',
  'screened_out_message',
  'over_quota_message',
  'closed_message',
] as const;

/** The setting names of texts that respondents read; the question text itself is not a setting. */
const QUESTION_TEXTS = TRANSLATABLE_TEXTS.filter((name) => name !== 'question_text');

/** Returns, for each additional language, the texts without a translation. Fully translated languages are omitted. */
export function findMissingTranslations(
  definition: SurveyDefinition,
  settings: SurveySettings,
): MissingTranslations[] {
  const texts = [...surveyTexts(definition, settings), ...definition.pages.flatMap(pageTexts(settings))];
  const needed = texts.filter(({ text }) => needsTranslation(text));
  const languages = new Set(settings.languages.filter((language) => language !== settings.default_language));
  return [...languages].flatMap((language) => {
    const missing = needed.filter(({ isTranslated }) => !isTranslated(language));
    if (missing.length === 0) return [];
    return [
      { language, textCount: needed.length, missing: missing.map(({ isTranslated: _, ...text }) => text) },
    ];
  });
}

/** Whether a text contains letters outside pipes; numbers and symbols need no translation. */
const needsTranslation = (text: string): boolean => /\p{L}/u.test(text.replaceAll(/\{\{[^{}]*\}\}/g, ''));

type TextsOfLanguage = (language: string) => TranslatedTexts;

/** Returns nothing if no text is written. `key` and `group` name its translation. */
const translatableText = (
  texts: TextsOfLanguage,
  {
    field,
    written,
    key,
    group,
  }: { field: string; written: string | null | undefined; key: string; group?: string },
): TranslatableText[] =>
  written === null || written === undefined
    ? []
    : [{ field, text: written, isTranslated: (language) => texts(language).has(key, group) }];

function surveyTexts({ name, description }: SurveyDefinition, settings: SurveySettings): TranslatableText[] {
  const texts = (language: string) => textsIn(translationFor(settings.translations, language));
  return [
    ...translatableText(texts, { field: 'survey_name', written: name, key: 'survey_name' }),
    ...translatableText(texts, {
      field: 'survey_description',
      written: description,
      key: 'survey_description',
    }),
    ...SETTINGS_TEXTS.flatMap((key) =>
      translatableText(texts, { field: `survey_settings.${key}`, written: settings[key], key }),
    ),
  ];
}

function pageTexts(settings: SurveySettings) {
  return (page: Page, pageIndex: number): TranslatableText[] => {
    if (page.retired) return [];
    const texts = (language: string) => {
      const translation = translationFor(settings.translations, language) as {
        pages?: Record<string, unknown>;
      } | null;
      return textsIn(translation?.pages?.[String(page.id)]);
    };
    const at = `pages[${pageIndex}]`;
    return [
      ...translatableText(texts, { field: `${at}.page_title`, written: page.title, key: 'page_title' }),
      ...translatableText(texts, {
        field: `${at}.page_description`,
        written: page.description,
        key: 'page_description',
      }),
      ...page.questions.flatMap((question, index) => questionTexts(question, `${at}.questions[${index}]`)),
    ];
  };
}

function questionTexts(question: Question, at: string): TranslatableText[] {
  const { settings } = question;
  if (question.retired || settings.hidden) return [];
  const texts = (language: string) => textsIn(translationFor(settings.translations, language));
  const settingsTexts = settings as Partial<Record<(typeof QUESTION_TEXTS)[number], string | null>>;
  const inSettings = `${at}.question_settings`;
  const found = [
    ...translatableText(texts, {
      field: `${at}.question_text`,
      written: question.text,
      key: 'question_text',
    }),
    ...QUESTION_TEXTS.flatMap((key) =>
      translatableText(texts, { field: `${inSettings}.${key}`, written: settingsTexts[key], key }),
    ),
    ...question.options.flatMap((option, index) =>
      option.retired
        ? []
        : translatableText(texts, {
            field: `${at}.options[${index}].option_label`,
            written: option.label,
            key: String(option.code),
            group: 'options',
          }),
    ),
    ...typeOf(question)
      .labelGroups(question)
      .flatMap(({ name, labels }) =>
        labels.flatMap(({ key, label, path }) =>
          translatableText(texts, { field: `${inSettings}.${path}`, written: label, key, group: name }),
        ),
      ),
  ];
  return found.map((each) => ({ ...each, question_code: question.code }));
}
