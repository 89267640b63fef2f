import { z } from 'zod';
import type { Option, Page, Question } from '../../domain/survey/definition.ts';
import { pageLogicSchema } from '../../domain/survey/logic/logic-schema.ts';
import type { ListPage } from '../../http/reply.ts';
import { questionUnion } from '../question-schemas.ts';

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

export const questionSchema = questionUnion('Question', {
  question_id: z.int(),
  page_id: z.int(),
  question_text: z.string(),
  question_code: z.string(),
  question_required: z.boolean(),
  options: z.array(optionSchema),
  retired: z.boolean(),
});

export const pageSchema = z
  .strictObject({
    page_id: z.int(),
    page_title: z.string().nullable(),
    page_description: z.string().nullable(),
    page_logic: pageLogicSchema.nullable(),
    question_ids: z.array(z.int()),
    retired: z.boolean(),
  })
  .meta({ id: 'Page' });

export const pageWithQuestionsSchema = pageSchema
  .extend({ questions: z.array(questionSchema) })
  .meta({ id: 'PageWithQuestions' });

const presentOption = (option: Option) => ({
  option_code: option.code,
  option_value: option.value,
  option_label: option.label,
  option_order: option.order,
  option_image: option.image,
  option_exclusive: option.exclusive,
  option_other: option.other,
  option_anchor: option.anchor,
  option_missing: option.missing,
  retired: option.retired,
});

/** `all` includes retired pages, questions and options. */
export type Shown = 'live' | 'all';

function visible<T extends { retired: boolean }>(items: readonly T[], shown: Shown): readonly T[] {
  return shown === 'all' ? items : items.filter((item) => !item.retired);
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
    // The compiler cannot relate the settings to the question type here.
  } as z.input<typeof questionSchema>;
}

export function presentPage(page: Page, shown: Shown = 'live') {
  return {
    page_id: page.id,
    page_title: page.title,
    page_description: page.description,
    page_logic: page.logic,
    question_ids: visible(page.questions, shown).map((question) => question.id),
    retired: page.retired,
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
