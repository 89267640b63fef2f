import { z } from 'zod';
import { type SamplingDesign, samplingDesignSchema } from './sampling-design.ts';
import { SURVEY_TYPES } from './status.ts';
import type { TranslationSources } from '../questions/question.ts';
import {
  armsSchema,
  arrangementSchema,
  loopSchema,
  MAX_BLOCKS,
  presentArm,
  presentLoop,
} from './block-input.ts';
import { ARM_ASSIGNMENTS, type Block, liveArms } from './blocks.ts';
import type { Page, Question, SurveyDefinition } from './definition.ts';
import type { PageLogic, Skip } from '../questions/logic-schema.ts';
import { MAX_OPTIONS, optionInputSchema } from '../questions/option-input.ts';
import { toOptionFields } from '../questions/options.ts';
import { attentionCheck, qualitySettingsChangesSchema, removeAttentionChecks } from './quality-settings.ts';
import { QUESTION_TYPES } from '../questions/registry.ts';
import {
  remapPageTranslations,
  removePageTranslations,
  surveySettingsChangesSchema,
} from './survey-settings.ts';
import { mapSourcePages, translationSourcesSchema } from './translations/translation-sources.ts';
import { settingsWithoutRetired } from './tables.ts';
import { jsonObject } from '../../lib/json-value.ts';

export const EXPORT_FORMAT = 'canvass.survey';
export const EXPORT_VERSION = 1;
export const MAX_PAGES = 500;
export const MAX_QUESTIONS = 2_000;
/** Limits the memory of a definition. Carried-forward options count for both questions. */
export const MAX_OPTIONS_OF_SURVEY = 100_000;

const localId = z.int().positive();

const exportedQuestionSchema = z.strictObject({
  question_id: localId
    .optional()
    .describe('Only in exports of older versions, whose skip rules refer to it; an import assigns new ids'),
  question_type: z.enum(QUESTION_TYPES),
  question_text: z.string().min(1).max(10_000),
  question_code: z.string().max(48).optional(),
  question_required: z.boolean().default(false),
  question_settings: jsonObject.nullish(),
  translation_sources: translationSourcesSchema.optional(),
  options: z.array(optionInputSchema).max(MAX_OPTIONS).default([]),
});

const exportedPageSchema = z.strictObject({
  page_id: localId
    .optional()
    .describe('Only in exports of older versions, whose skip rules refer to it; an import assigns new ids'),
  page_title: z.string().max(500).nullish(),
  page_description: z.string().max(5_000).nullish(),
  page_logic: jsonObject
    .nullish()
    .describe(
      'Like `page_logic` of a page; skip rules name their target as `target_question` (a code) or `target_page` (from 1)',
    ),
  block_code: z.string().max(48).nullish().describe('The block that contains the page'),
  shown_to_arm: z.string().max(40).nullish(),
  page_arrangement: arrangementSchema.nullish(),
  questions: z.array(exportedQuestionSchema).max(MAX_QUESTIONS).default([]),
});

const exportedBlockSchema = z.strictObject({
  block_code: z.string().max(48),
  block_title: z.string().max(500).nullish(),
  parent_block_code: z.string().max(48).nullish(),
  shown_to_arm: z.string().max(40).nullish(),
  block_arrangement: arrangementSchema.nullish(),
  arms: armsSchema.default([]),
  arm_assignment: z.enum(ARM_ASSIGNMENTS).default('random'),
  block_logic: jsonObject.nullish(),
  block_loop: loopSchema.nullish(),
});

/** Checks refer to questions by code; in files of older versions, by the id in the file. */
const exportedChecksSchema = z
  .array(
    z.strictObject({
      ...attentionCheck.shape,
      question_id: localId.optional(),
      question_code: z.string().max(48).optional(),
    }),
  )
  .max(100);

const exportedSurveySchema = z.strictObject({
  survey_name: z.string().trim().min(1).max(500),
  survey_description: z.string().max(10_000).nullish(),
  survey_type: z.enum(SURVEY_TYPES).default('quantitative'),
  settings: surveySettingsChangesSchema.nullish(),
  translation_sources: translationSourcesSchema.optional(),
  quality_settings: qualitySettingsChangesSchema
    .extend({ attention_checks: exportedChecksSchema.nullish() })
    .nullish(),
  pages: z.array(exportedPageSchema).max(MAX_PAGES).default([]),
  blocks: z.array(exportedBlockSchema).max(MAX_BLOCKS).default([]),
  survey_arrangement: arrangementSchema.nullish(),
  sampling_design: samplingDesignSchema
    .nullish()
    .describe('How the respondents are sampled; its columns may be added after the import'),
});

/** The exchange format: the definition of a survey without responses. */
export const surveyExportSchema = z.strictObject({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  survey: exportedSurveySchema,
});

/** The content of a file with defaults. */
export type SurveyDocument = z.infer<typeof surveyExportSchema>;

/** A definition with the survey's settings. */
export interface SurveyContent {
  definition: SurveyDefinition;
  surveyType: SurveyDocument['survey']['survey_type'];
  /** Stored settings without defaults. */
  settings: Readonly<Record<string, unknown>>;
  /** Of the translations in the settings. */
  translationSources: TranslationSources;
  qualitySettings: Readonly<Record<string, unknown>>;
  samplingDesign: SamplingDesign | null;
}

type ExportedSkip = Omit<Skip, 'target_id'> & { target_page?: number; target_question?: string };
type Exported<L extends PageLogic> = Omit<L, 'skip'> & { skip?: ExportedSkip[] | undefined };

/** Page numbers in the file and question codes, by id. */
interface References {
  pageNumbers: ReadonlyMap<number, number>;
  questionCodes: ReadonlyMap<number, string>;
}

/** Drops jumps to targets that are not in the file because they were retired. */
function exportSkips(skips: readonly Skip[], { pageNumbers, questionCodes }: References): ExportedSkip[] {
  return skips.flatMap(({ target_id: target = 0, ...skip }): ExportedSkip[] => {
    if (skip.action === 'jump_to_page') {
      const number = pageNumbers.get(target);
      return number === undefined ? [] : [{ ...skip, target_page: number }];
    }
    if (skip.action === 'jump_to_question') {
      const code = questionCodes.get(target);
      return code === undefined ? [] : [{ ...skip, target_question: code }];
    }
    return [skip];
  });
}

function exportAttentionChecks(
  settings: Readonly<Record<string, unknown>>,
  codes: ReadonlyMap<number, string>,
) {
  const kept = removeAttentionChecks(settings, (id) => !codes.has(id));
  if (!Array.isArray(kept.attention_checks)) return kept;
  const checks = (kept.attention_checks as { question_id: number }[]).flatMap(
    ({ question_id: id, ...check }) => {
      const code = codes.get(id);
      return code === undefined ? [] : { question_code: code, ...check };
    },
  );
  return { ...kept, attention_checks: checks };
}

/**
 * Exports the survey without retired pages, questions and options. References are question codes and page numbers (from 1), so importing
 * and exporting again gives the same bytes. Carried-forward options are not written.
 */
export function exportSurvey({
  definition,
  surveyType,
  settings,
  translationSources,
  qualitySettings,
  samplingDesign,
}: SurveyContent) {
  const pages = definition.pages
    .filter((page) => !page.retired)
    .map((page) => ({ ...page, questions: page.questions.filter((question) => !question.retired) }));
  const references: References = {
    pageNumbers: new Map(pages.map(({ id }, index) => [id, index + 1])),
    questionCodes: new Map(pages.flatMap(({ questions }) => questions.map(({ id, code }) => [id, code]))),
  };
  const { pageNumbers, questionCodes } = references;
  const exportedLogic = <L extends PageLogic>(logic: L | null): Exported<L> | null =>
    logic?.skip === undefined ? logic : { ...logic, skip: exportSkips(logic.skip, references) };

  const exportedQuestion = (question: Question) => ({
    question_type: question.type,
    question_text: question.text,
    question_code: question.code,
    question_required: question.required,
    question_settings: {
      ...settingsWithoutRetired(question),
      logic: exportedLogic(question.settings.logic),
    },
    ...(question.translationSources !== undefined && { translation_sources: question.translationSources }),
    options: question.options.filter((option) => !option.retired).map(toOptionFields),
  });
  const exportedPage = (page: Page) => ({
    page_title: page.title,
    page_description: page.description,
    page_logic: exportedLogic(page.logic),
    ...(page.blockId !== null && { block_code: codeOfBlock(page.blockId) }),
    ...(page.arm !== null && { shown_to_arm: page.arm }),
    ...(page.arrangement !== null && { page_arrangement: page.arrangement }),
    questions: page.questions.map(exportedQuestion),
  });
  const blocks = definition.blocks.filter(({ retired }) => !retired);
  const codeOfBlock = (blockId: number) => blocks.find(({ id }) => id === blockId)?.code;
  const exportedBlock = (block: Block) => ({
    block_code: block.code,
    block_title: block.title,
    ...(block.parentId !== null && { parent_block_code: codeOfBlock(block.parentId) }),
    ...(block.arm !== null && { shown_to_arm: block.arm }),
    block_arrangement: block.arrangement,
    arms: liveArms(block).map(presentArm),
    arm_assignment: block.assignment,
    block_logic: block.logic,
    ...(block.loop !== null && { block_loop: presentLoop(block.loop) }),
  });
  const withoutGonePages = removePageTranslations(settings, (id) => !pageNumbers.has(id));
  const sources = mapSourcePages(translationSources, (id) => pageNumbers.get(id) ?? null);
  return {
    format: EXPORT_FORMAT,
    version: EXPORT_VERSION,
    survey: {
      survey_name: definition.name,
      survey_description: definition.description,
      survey_type: surveyType,
      settings: remapPageTranslations(withoutGonePages, pageNumbers),
      ...(Object.keys(sources).length > 0 && { translation_sources: sources }),
      quality_settings: exportAttentionChecks(qualitySettings, questionCodes),
      pages: pages.map(exportedPage),
      ...(blocks.length > 0 && { blocks: blocks.map(exportedBlock) }),
      ...(definition.arrangement !== null && { survey_arrangement: definition.arrangement }),
      ...(samplingDesign !== null && { sampling_design: samplingDesign }),
    },
  } as const;
}
