import { typeOf } from '../../questions/registry.ts';
import type { Page, Question } from '../definition.ts';
import { TRANSLATABLE_TEXTS } from '../../questions/question-translations.ts';
import { surveySettingsOf } from '../survey-settings.ts';

/** A text that respondents read, in the default language. */
export interface TranslatableText {
  /** Where its translations are, within the texts of a language: `['options', '3']`. */
  path: readonly string[];
  /** Where the text itself is in the object, as clients read it: `options[1].option_label`. */
  field: string;
  text: string;
}

/** The name of a text within the translations of an object: `options.3`. */
export const pathName = ({ path }: Pick<TranslatableText, 'path'>): string => path.join('.');

/** Texts of the survey's settings that respondents read; `survey_settings.translations` has them under the same key. */
const SETTINGS_TEXTS = [
  'title',
  'welcome_title',
  'welcome_text',
  'welcome_image_alt',
  'welcome_button',
  'consent_text',
  'completion_message',
  'screened_out_message',
  'over_quota_message',
  'closed_message',
  'end_title',
  'end_image_alt',
  'end_button',
] as const;

/** The question text itself is not a setting. */
const QUESTION_SETTINGS_TEXTS = TRANSLATABLE_TEXTS.filter((name) => name !== 'question_text');

/** Returns nothing if no text is written. */
const writtenText = (
  path: readonly string[],
  field: string,
  text: string | null | undefined,
): TranslatableText[] => (text === null || text === undefined || text === '' ? [] : [{ path, field, text }]);

/** Returns the texts of a survey without its pages. */
export function listSurveyTexts(
  { name, description }: { name: string; description: string | null },
  storedSettings: unknown,
): TranslatableText[] {
  const settings = surveySettingsOf(storedSettings);
  return [
    // Respondents read the title instead, if there is one.
    ...(settings.title === null ? writtenText(['survey_name'], 'survey_name', name) : []),
    ...writtenText(['survey_description'], 'survey_description', description),
    ...SETTINGS_TEXTS.flatMap((key) => writtenText([key], `survey_settings.${key}`, settings[key])),
  ];
}

/** Returns the texts of a page. Their translations belong to the survey. */
export function listPageTexts({ id, title, description }: Page): TranslatableText[] {
  const path = (name: string) => ['pages', String(id), name];
  return [
    ...writtenText(path('page_title'), 'page_title', title),
    ...writtenText(path('page_description'), 'page_description', description),
  ];
}

/** Returns the texts of a question with its options that are not retired. */
export function listQuestionTexts(question: Question): TranslatableText[] {
  const settings = question.settings as Partial<
    Record<(typeof QUESTION_SETTINGS_TEXTS)[number], string | null>
  >;
  return [
    ...writtenText(['question_text'], 'question_text', question.text),
    // Without an image or media, its description is not shown.
    ...QUESTION_SETTINGS_TEXTS.filter(
      (key) =>
        (key !== 'image_alt' || question.settings.image_url !== null) &&
        (key !== 'media_alt' || question.settings.media_url !== null),
    ).flatMap((key) => writtenText([key], `question_settings.${key}`, settings[key])),
    ...question.options.flatMap((option, index) =>
      option.retired
        ? []
        : writtenText(['options', String(option.code)], `options[${index}].option_label`, option.label),
    ),
    ...question.settings.no_answers.flatMap(({ reason, label }, index) =>
      writtenText(['no_answers', reason], `question_settings.no_answers[${index}].label`, label),
    ),
    ...typeOf(question)
      .labelGroups(question)
      .flatMap(({ name, labels }) =>
        labels.flatMap(({ key, label, path }) =>
          writtenText([name, key], `question_settings.${path}`, label),
        ),
      ),
  ];
}
