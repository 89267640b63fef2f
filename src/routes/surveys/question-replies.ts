import { z } from 'zod';
import { type Option, type Page, type Question } from '../../domain/survey/definition.ts';
import { arrangementSchema } from '../../domain/survey/block-input.ts';
import { pageLogicSchema } from '../../domain/questions/logic-schema.ts';
import { type ListPage } from '../../http/reply.ts';
import { questionUnion } from '../question-schemas.ts';
import { questionSettingsSchemas } from '../../domain/questions/registry.ts';
import { toOptionFields } from '../../domain/questions/options.ts';
import { listQuestionTexts, pathName } from '../../domain/survey/translations/translatable-texts.ts';
import {
  outdatedTranslations,
  outdatedTranslationsSchema,
} from '../../domain/survey/translations/translation-sources.ts';
import { etagOf } from '../../http/object-versions.ts';

const optionSchema = z
  .strictObject({
    option_code: z.int().describe('Used by data files and statistics; never changes'),
    option_value: z.string().describe('Used by answers, filters and logic'),
    option_label: z.string(),
    option_order: z.int(),
    option_image: z.string().nullable(),
    option_exclusive: z.boolean(),
    option_other: z.boolean(),
    option_anchor: z.boolean(),
    option_missing: z.boolean(),
    retired: z.boolean(),
  })
  .meta({ id: 'Option' });

/** A question in replies, with the defaults of its settings. */
export const QUESTION_EXAMPLE = {
  question_id: 1,
  page_id: 1,
  question_type: 'single_choice',
  question_text: 'What is your gender?',
  question_code: 'Q1',
  question_required: true,
  question_settings: questionSettingsSchemas.single_choice.parse({}),
  options: [
    { option_value: 'female', option_label: 'Female' },
    { option_value: 'male', option_label: 'Male' },
  ].map((option, index) => ({
    option_code: index + 1,
    ...option,
    option_order: index + 1,
    option_image: null,
    option_exclusive: false,
    option_other: false,
    option_anchor: false,
    option_missing: false,
    retired: false,
  })),
  retired: false,
  outdated_translations: {},
  etag: 'VbPZ0xXyvWZl5Snqsy2u',
};

/** A page in replies. */
export const PAGE_EXAMPLE = {
  page_id: 1,
  page_title: 'Coffee',
  page_description: 'Think of the last seven days.',
  page_logic: null,
  block_id: null,
  shown_to_arm: null,
  page_arrangement: null,
  question_ids: [1],
  retired: false,
  etag: 'n3Yd0bW6f1QmJc7kTz2L',
};

const etagSchema = z.string().describe('Changes with every change of the object; for the header `If-Match`');

const questionShape = {
  question_id: z.int(),
  page_id: z.int(),
  question_text: z.string(),
  question_code: z.string(),
  question_required: z.boolean(),
  options: z.array(optionSchema),
  retired: z.boolean(),
  outdated_translations: outdatedTranslationsSchema,
  etag: etagSchema,
};

export const questionSchema = questionUnion('Question', questionShape, { example: QUESTION_EXAMPLE });

export const pageSchema = z
  .strictObject({
    page_id: z.int(),
    page_title: z.string().nullable(),
    page_description: z.string().nullable(),
    page_logic: pageLogicSchema.nullable(),
    block_id: z.int().nullable().describe('The block that contains the page'),
    shown_to_arm: z.string().nullable().describe('The arm of the block that sees the page; null: every arm'),
    page_arrangement: arrangementSchema.nullable().describe('Order and number of its questions'),
    question_ids: z.array(z.int()),
    retired: z.boolean(),
    etag: etagSchema.describe(
      'Changes with every change of the page, not with its questions; for the header `If-Match`',
    ),
  })
  .meta({ id: 'Page', examples: [PAGE_EXAMPLE] });

export const pageWithQuestionsSchema = pageSchema
  .extend({ questions: z.array(questionSchema) })
  .meta({ id: 'PageWithQuestions' });

const presentOption = (option: Option) => ({ ...toOptionFields(option), retired: option.retired });

/** `all` includes retired pages, questions and options. */
export type Shown = 'live' | 'all';

function visible<T extends { retired: boolean }>(items: readonly T[], shown: Shown): readonly T[] {
  return shown === 'all' ? items : items.filter((item) => !item.retired);
}

/** Question tags by the question, which is never modified: a survey is read more often than it is changed. */
const questionTags = new WeakMap<Question, string>();

/** The tag covers retired options too, so that it does not depend on what is shown. */
function questionTag(question: Question): string {
  const options = question.options.toSorted((a, b) => a.code - b.code);
  const known = questionTags.get(question) ?? etagOf({ ...question, options });
  questionTags.set(question, known);
  return known;
}

const pageTag = ({ questions: _, ...page }: Page): string => etagOf(page);

function outdatedQuestionTranslations(question: Question) {
  if (question.translationSources === undefined) return {};
  const written = new Set(listQuestionTexts(question).map(pathName));
  return outdatedTranslations(question.translationSources, (path) => written.has(path));
}

export function presentQuestion(question: Question, shown: Shown = 'live') {
  return {
    question_id: question.id,
    page_id: question.pageId,
    question_type: question.type,
    question_text: question.text,
    question_code: question.code,
    question_required: question.required,
    question_settings: question.settings,
    options: visible(question.options, shown).map(presentOption),
    retired: question.retired,
    outdated_translations: outdatedQuestionTranslations(question),
    etag: questionTag(question),
    // The compiler cannot relate the settings to the question type here.
  } as z.input<typeof questionSchema>;
}

export function presentPage(page: Page, shown: Shown = 'live') {
  return {
    page_id: page.id,
    page_title: page.title,
    page_description: page.description,
    page_logic: page.logic,
    block_id: page.blockId,
    shown_to_arm: page.arm,
    page_arrangement: page.arrangement,
    question_ids: visible(page.questions, shown).map((question) => question.id),
    retired: page.retired,
    etag: pageTag(page),
  };
}

export function presentPages(pages: readonly Page[], shown: Shown) {
  return visible(pages, shown).map((page) => ({
    ...presentPage(page, shown),
    questions: visible(page.questions, shown).map((question) => presentQuestion(question, shown)),
  }));
}

/** A list without paging. */
export function unpagedList<T>(items: T[]): ListPage<T> {
  return { items, limit: items.length, total: items.length, nextCursor: null };
}
