import { plainText } from '../../../../domain/markdown/parse-markdown.ts';
import { loopedOptions, optionCodes } from '../../../../domain/survey/loop-codes.ts';
import type { QuestionContent } from '../question-types/question-type.ts';
import { optionsOfColumn, tableColumnsOf } from '../question-types/table-columns.ts';
import { rowsOf } from '../question-types/tables.ts';
import type { Schema } from './api.ts';
import { type LabeledQuestion, PART_SEPARATOR, questionLabel } from './question-label.ts';

type Survey = Pick<Schema<'SurveyWithPages'>, 'pages' | 'blocks'>;
type Page = Survey['pages'][number];
type Question = Page['questions'][number];

/** What is needed of a question to write it out. */
type Written = QuestionContent & LabeledQuestion & { question_id: number };

interface Item {
  code: string;
  label: string;
}

/** The place of a question in a side-by-side table. */
export interface Cell {
  /** The name of the column in figures: `Q1_use`. */
  columnName: string;
  /** The short name of the table and the label of the column. */
  columnTitle: string;
  columnLabel: string;
  rowCode: string;
  rowLabel: string;
  tableText: string;
  /** The question_id of the table. */
  tableId: number;
}

/** A question as it has data: an item of a loop, or a cell of a table. The question_id is that of the question that authors know. */
export type WrittenOut<Q> = Q & { cell?: Cell };

type Column = Pick<Schema<'Column'>, 'column_code' | 'question_id'>;

/**
 * Returns the pages with the questions that have data: one for each item of a loop, with the code that names the item (`Q5[OAT]`), and one
 * for each cell of a side-by-side table (`Q1_use_r1`), with the question_id of its columns if these are given.
 */
export function writeOutPages(
  { pages, blocks }: Survey,
  columns: readonly Column[] = [],
): (Omit<Page, 'questions'> & { questions: WrittenOut<Question>[] })[] {
  const withColumns = (question: WrittenOut<Question>): WrittenOut<Question> => {
    const code = question.question_code;
    const own =
      columns.find(({ column_code: each }) => each === code) ??
      columns.find(({ column_code: each }) => each.startsWith(`${code}_`));
    return own?.question_id == null ? question : { ...question, question_id: own.question_id };
  };
  const all = pages.flatMap(({ questions }) => questions);
  return pages.map((page) => {
    const items = itemsAround(blocks, page.block_id, all);
    return {
      ...page,
      questions:
        items === null
          ? page.questions.flatMap((question) => {
              const cells = writeOutTable(question);
              return cells.length === 0 ? [question] : cells.map(withColumns);
            })
          : items.flatMap((item) => page.questions.map((question) => withColumns(ofItem(question, item)))),
    };
  });
}

/** Returns the items of the loop around a page or block; null: there is no loop. `questions`: those of the survey. */
export function itemsAround(
  blocks: readonly Schema<'Block'>[],
  blockId: number | null,
  questions: readonly Written[],
): readonly Item[] | null {
  const block = loopAround(blocks, blockId);
  return block?.block_loop == null ? null : itemsOfLoop(block.block_loop, questions);
}

/** Returns the loop around a page or block; undefined: there is none. */
export function loopAround(
  blocks: readonly Schema<'Block'>[],
  blockId: number | null,
): Schema<'Block'> | undefined {
  const block = blocks.find(({ block_id: id }) => id === blockId);
  return block === undefined || block.block_loop !== null ? block : loopAround(blocks, block.parent_block_id);
}

function itemsOfLoop(
  loop: NonNullable<Schema<'Block'>['block_loop']>,
  questions: readonly Written[],
): Item[] {
  if (loop.over === 'listed')
    return loop.items.map(({ item_code: code, item_label: label }) => ({ code, label: label ?? code }));
  const question = questions.find(({ question_code: code }) => code === loop.question_code);
  return question === undefined ? [] : itemsOfOptions(question.options as Question['options']);
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

/** Returns the question as it is asked about an item of its loop. */
export function ofItem<Q extends Written>(question: Q, { code, label }: Item): Q {
  const { report_label: short } = question.question_settings;
  const named = (text: string): string => {
    const filled = text.replace(LABEL_PIPE, () => label);
    return filled === text ? joinParts(text, label) : filled;
  };
  return {
    ...question,
    question_code: `${question.question_code}[${code}]`,
    question_text: named(question.question_text),
    question_settings: {
      ...question.question_settings,
      report_label: typeof short === 'string' ? named(short) : null,
    },
  };
}

/** Returns the cells of a side-by-side table as questions, column by column; empty: the question is no table. */
export function writeOutTable<Q extends Written>(table: Q): WrittenOut<Q>[] {
  const { question_code: code, question_text: text, question_settings: settings } = table;
  const name = questionLabel(table);
  return tableColumnsOf(table).flatMap((column) =>
    rowsOf(table).map(({ row_code: rowCode, row_label: rowLabel }): WrittenOut<Q> => {
      const { column_code: columnCode, column_label: columnLabel } = column;
      return {
        ...table,
        question_code: `${code}_${columnCode}_${rowCode}`,
        question_type: column.column_type,
        question_text: joinParts(plainText(text, 'inline'), columnLabel, rowLabel),
        question_settings: {
          ...column.column_settings,
          hidden: settings.hidden,
          report_label: joinParts(name, columnLabel, rowLabel),
        },
        options: optionsOfColumn(column),
        cell: {
          columnName: `${code}_${columnCode}`,
          columnTitle: joinParts(name, columnLabel),
          columnLabel,
          rowCode,
          rowLabel,
          tableText: text,
          tableId: table.question_id,
        },
      };
    }),
  );
}

/** Whether the question is an item of a loop or a cell of a table, and not one that authors know. */
export const isWrittenOut = (question: WrittenOut<Pick<Written, 'question_code'>>): boolean =>
  question.cell !== undefined || question.question_code.includes('[');

const joinParts = (...parts: string[]): string => parts.join(PART_SEPARATOR);
