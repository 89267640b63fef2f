import { typeOf } from '../../questions/registry.ts';
import type { Page, Question, SurveyDefinition } from '../definition.ts';
import { type TranslatedTexts, textsIn, translationFor } from '../logic/localize.ts';
import type { SurveySettings } from '../settings/survey-settings.ts';
import { TRANSLATABLE_TEXTS } from '../questions/question-translations.ts';
import type { MissingText, MissingTranslations } from './publish-problem.ts';

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

const translatableText = (
  field: string,
  written: string | null | undefined,
  texts: (language: string) => TranslatedTexts,
  key: string,
  group?: string,
): TranslatableText[] =>
  written === null || written === undefined
    ? []
    : [{ field, text: written, isTranslated: (language) => texts(language).has(key, group) }];

function surveyTexts({ name, description }: SurveyDefinition, settings: SurveySettings): TranslatableText[] {
  const texts = (language: string) => textsIn(translationFor(settings.translations, language));
  return [
    ...translatableText('survey_name', name, texts, 'survey_name'),
    ...translatableText('survey_description', description, texts, 'survey_description'),
    ...SETTINGS_TEXTS.flatMap((key) => translatableText(`survey_settings.${key}`, settings[key], texts, key)),
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
      ...translatableText(`${at}.page_title`, page.title, texts, 'page_title'),
      ...translatableText(`${at}.page_description`, page.description, texts, 'page_description'),
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
    ...translatableText(`${at}.question_text`, question.text, texts, 'question_text'),
    ...QUESTION_TEXTS.flatMap((key) =>
      translatableText(`${inSettings}.${key}`, settingsTexts[key], texts, key),
    ),
    ...question.options.flatMap((option, index) =>
      option.retired
        ? []
        : translatableText(
            `${at}.options[${index}].option_label`,
            option.label,
            texts,
            String(option.code),
            'options',
          ),
    ),
    ...typeOf(question)
      .labelGroups(question)
      .flatMap(({ name, labels }) =>
        labels.flatMap(({ key, label, path }) =>
          translatableText(`${inSettings}.${path}`, label, texts, key, name),
        ),
      ),
  ];
  return found.map((each) => ({ ...each, question_code: question.code }));
}
