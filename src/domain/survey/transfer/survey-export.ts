import { z } from 'zod';
import type { Option, Page, Question, SurveyDefinition } from '../definition.ts';
import type { PageLogic, Skip } from '../logic/logic.ts';
import { pageLogicSchema } from '../logic/logic-schema.ts';
import { MAX_OPTIONS, optionInputSchema } from '../questions/option-input.ts';
import { withoutChecksOf } from '../settings/attention-checks.ts';
import { qualitySettingsChangesSchema } from '../settings/quality-settings.ts';
import { QUESTION_TYPES } from '../questions/question-types.ts';
import { surveySettingsChangesSchema } from '../settings/survey-settings.ts';
import { withoutTranslationsOf } from '../publishing/survey-translations.ts';
import { jsonObject } from '../../../lib/json-value.ts';

export const EXPORT_FORMAT = 'canvass.survey';
export const EXPORT_VERSION = 1;
export const MAX_PAGES = 500;
export const MAX_QUESTIONS = 2_000;

const localId = z.int().positive();

const exportedQuestionSchema = z.strictObject({
  /** Ids are names within the file, for skips to point at; an import gives new ones. */
  question_id: localId.optional(),
  question_type: z.enum(QUESTION_TYPES),
  question_text: z.string().min(1).max(10_000),
  question_code: z.string().max(48).optional(),
  question_required: z.boolean().default(false),
  question_settings: jsonObject.nullish(),
  options: z.array(optionInputSchema).max(MAX_OPTIONS).default([]),
});

const exportedPageSchema = z.strictObject({
  page_id: localId.optional(),
  page_title: z.string().max(500).nullish(),
  page_description: z.string().max(5_000).nullish(),
  page_logic: pageLogicSchema.nullish(),
  questions: z.array(exportedQuestionSchema).max(MAX_QUESTIONS).default([]),
});

const exportedSurveySchema = z.strictObject({
  survey_name: z.string().trim().min(1).max(500),
  survey_description: z.string().max(10_000).nullish(),
  survey_type: z.enum(['quantitative', 'qualitative', 'mixed']).default('quantitative'),
  settings: surveySettingsChangesSchema.nullish(),
  quality_settings: qualitySettingsChangesSchema.nullish(),
  pages: z.array(exportedPageSchema).max(MAX_PAGES).default([]),
});

/** The exchange format: everything a survey asks, nothing of what was answered. */
export const surveyExportSchema = z.strictObject({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  survey: exportedSurveySchema,
});

/** What a file holds, defaults filled in. */
export type SurveyDocument = z.infer<typeof surveyExportSchema>;

/** A definition with what of the survey is not asked. */
export interface SurveyContent {
  definition: SurveyDefinition;
  surveyType: SurveyDocument['survey']['survey_type'];
  /** As they are stored: only what was chosen. */
  settings: Readonly<Record<string, unknown>>;
  qualitySettings: Readonly<Record<string, unknown>>;
}

function exportedOption(option: Option) {
  return {
    option_code: option.code,
    option_label: option.label,
    option_value: option.value,
    option_order: option.order,
    option_image: option.image,
    option_exclusive: option.exclusive,
    option_other: option.other,
    option_anchor: option.anchor,
    option_missing: option.missing,
  };
}

/** A jump to something that is not in the file (it was retired) leads nowhere and is left out. */
function keptSkips(skips: Skip[] | undefined, pages: ReadonlySet<number>, questions: ReadonlySet<number>) {
  return skips?.filter(({ action, target_id: target }) => {
    if (action === 'jump_to_page') return target !== undefined && pages.has(target);
    if (action === 'jump_to_question') return target !== undefined && questions.has(target);
    return true;
  });
}

/**
 * The survey as a file. Retired pages, questions and options are left out: they are kept for data, and a file carries none.
 * Importing the file and exporting it again gives the same file but for the ids.
 */
export function exportSurvey({ definition, surveyType, settings, qualitySettings }: SurveyContent) {
  const pages = definition.pages
    .filter((page) => !page.retired)
    .map((page) => ({ ...page, questions: page.questions.filter((question) => !question.retired) }));
  const pageIds = new Set(pages.map(({ id }) => id));
  const questionIds = new Set(pages.flatMap(({ questions }) => questions.map(({ id }) => id)));
  const withKeptSkips = <L extends PageLogic>(logic: L | null): L | null =>
    logic?.skip === undefined ? logic : { ...logic, skip: keptSkips(logic.skip, pageIds, questionIds) };

  const exportedQuestion = (question: Question) => ({
    question_id: question.id,
    question_type: question.type,
    question_text: question.text,
    question_code: question.code,
    question_required: question.required,
    question_settings: { ...question.settings, logic: withKeptSkips(question.settings.logic) },
    options: question.options.filter((option) => !option.retired).map(exportedOption),
  });
  const exportedPage = (page: Page) => ({
    page_id: page.id,
    page_title: page.title,
    page_description: page.description,
    page_logic: withKeptSkips(page.logic),
    questions: page.questions.map(exportedQuestion),
  });
  return {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    survey: {
      survey_name: definition.name,
      survey_description: definition.description,
      survey_type: surveyType,
      settings: withoutTranslationsOf(settings, (id) => !pageIds.has(id)),
      quality_settings: withoutChecksOf(qualitySettings, (id) => !questionIds.has(id)),
      pages: pages.map(exportedPage),
    },
  } as const;
}
