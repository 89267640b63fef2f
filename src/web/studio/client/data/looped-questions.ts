import { loopedOptions, optionCodes } from '../../../../domain/survey/loop-codes.ts';
import type { Schema } from './api.ts';

type Survey = Pick<Schema<'SurveyWithPages'>, 'pages' | 'blocks'>;
type Page = Survey['pages'][number];
type Question = Page['questions'][number];

interface Item {
  code: string;
  label: string;
}

type Column = Pick<Schema<'Column'>, 'column_code' | 'question_id'>;

/**
 * Returns the pages with the questions that have data: one for each item of a loop, with the code that names the item (`Q5[OAT]`), and with
 * the question_id of its columns if these are given.
 */
export function pagesWithItems({ pages, blocks }: Survey, columns: readonly Column[] = []): Page[] {
  const itemsOf = new Map(
    blocks.flatMap(({ block_id: id, block_loop: loop }) =>
      loop === null ? [] : [[id, itemsOfLoop(loop, pages)] as const],
    ),
  );
  const itemsAround = (blockId: number | null): readonly Item[] | undefined => {
    const block = blocks.find(({ block_id: id }) => id === blockId);
    return block && (itemsOf.get(block.block_id) ?? itemsAround(block.parent_block_id));
  };
  return pages.map((page) => {
    const items = itemsAround(page.block_id);
    return items === undefined
      ? page
      : {
          ...page,
          questions: items.flatMap((item) =>
            page.questions.map((question) => ofItem(question, item, columns)),
          ),
        };
  });
}

function itemsOfLoop(loop: NonNullable<Schema<'Block'>['block_loop']>, pages: readonly Page[]): Item[] {
  if (loop.over === 'listed')
    return loop.items.map(({ item_code: code, item_label: label }) => ({ code, label: label ?? code }));
  const question = pages
    .flatMap(({ questions }) => questions)
    .find(({ question_code: code }) => code === loop.question_code);
  return question === undefined ? [] : itemsOfOptions(question.options);
}

/** Returns the options of a question as items of a loop. */
export function itemsOfOptions(
  options: readonly Pick<
    Question['options'][number],
    'option_code' | 'option_value' | 'option_label' | 'option_exclusive' | 'option_missing'
  >[],
): Item[] {
  const looped = loopedOptions(
    options.map((option) => ({
      code: option.option_code,
      value: option.option_value,
      label: option.option_label,
      exclusive: option.option_exclusive,
      missing: option.option_missing,
    })),
  );
  const codeOf = optionCodes(looped);
  return looped.map((option) => ({ code: codeOf(option), label: option.label }));
}

const LABEL_PIPE = /\{\{\s*item\.label\s*(?:\|[^{}|]*)?\}\}/g;

function ofItem(question: Question, { code, label }: Item, columns: readonly Column[]): Question {
  const looped = `${question.question_code}[${code}]`;
  const own = columns.find(({ column_code: each }) => each === looped || each.startsWith(`${looped}_`));
  const { report_label: short } = question.question_settings;
  const named = (text: string): string => {
    const filled = text.replace(LABEL_PIPE, () => label);
    return filled === text ? `${text} – ${label}` : filled;
  };
  return {
    ...question,
    question_id: own?.question_id ?? question.question_id,
    question_code: looped,
    question_text: named(question.question_text),
    question_settings: { ...question.question_settings, report_label: short == null ? null : named(short) },
    // The settings are those of the question's own type, which the compiler cannot follow over the union.
  } as Question;
}
