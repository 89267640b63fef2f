import type { ErrorDetail } from '../../../lib/errors.ts';
import { withNumbers } from '../../columns/option-numbers.ts';
import type { Cell, ColumnSpec, ColumnValue } from '../../columns/column-spec.ts';
import type { AnyQuestion, Option } from '../question.ts';

/** An option with a free text: its value and the text typed. */
export interface OtherChoice {
  value: string;
  other: string;
}

/**
 * An answer as it is stored. Each question type has one of these forms:
 * one option `"2"` or OtherChoice · several options `["1", OtherChoice]`, in option order or best first · a text or date a string ·
 * a number a number · files an array of file ids · a question with parts an object by part: choices as in a matrix, `{"r1": "2"}` or
 * `{"r1": ["1","2"]}`, or numbers, `{"1": 40}`. In a response, null is "shown but skipped"; an absent key is "not shown". `[]` of a
 * multiple choice, or of a row of a matrix, is an answer: shown, and none ticked. Responses stored before this distinction keep null
 * in both cases. `{"no_answer": "refused"}` is a reason instead of an answer, for every type: see no-answer.ts.
 */
export type StoredAnswer =
  | string
  | number
  | OtherChoice
  | (string | OtherChoice)[]
  | { [partCode: string]: string | number | string[] };

/** The answers of one response by question code. Created without a prototype, so that a code such as `constructor` is a plain key. */
export type StoredAnswers = { [questionCode: string]: StoredAnswer | null };

/** The answer read, or the problems; `field` is relative to the answer ('' is the answer itself). */
export type ReadResult = { ok: true; answer: StoredAnswer | null } | { ok: false; problems: ErrorDetail[] };

/** Returns the cells of an answer, parallel to the columns of its question. */
export type CellReader = (answer: StoredAnswer | null | undefined) => Cell[];

export type CellAsker = (answer: StoredAnswer | null, index: number) => boolean;

/** Converts the answers of one question type to the cells of data columns and back. */
export interface CellCodec<Q extends AnyQuestion = AnyQuestion> {
  /** Returns the columns of the question in a data file, in order. Codes are unique within a question. */
  columns(question: Q): ColumnSpec[];
  /** Returns the question as one multiple-response column, if it has that form (code = question code). */
  setColumn?(question: Q): ColumnSpec;
  /** Returns the cells, parallel to `columns(question)`. A null (skipped) or undefined (not shown) answer gives nulls. */
  toCells(question: Q, answer: StoredAnswer | null | undefined): Cell[];
  /** Returns `toCells` of one question, prepared for many answers. Where it is absent, `toCells` needs no preparation. */
  cellReader?(question: Q): CellReader;
  /**
   * Returns whether a respondent with this answer (null: skipped) was asked for the cell at `index`: the text of an option is asked of
   * those who chose the option. Where it is absent, respondents who were shown the question were asked for every cell.
   */
  cellAsker?(question: Q): CellAsker;
  /** Returns the cell of `setColumn(question)`. */
  toSetCell?(question: Q, answer: StoredAnswer | null | undefined): Cell;
  /**
   * Returns `answer` with some cells changed, by column code (or the set column's). Values are checked as answers of respondents are;
   * completeness (min_selections, require_all_rows etc.) is not, and retired options are allowed. A problem's `field` is the column code.
   * A null result means that no value is left; the caller decides between skipped and not shown.
   */
  fromCells(
    question: Q,
    answer: StoredAnswer | null | undefined,
    changes: ReadonlyMap<string, Cell>,
  ): ReadResult;
  /** The multiple-response sets of a question with one per row, and the cell of the set at `index`. Its columns are 0/1, row by row. */
  rowSets?: {
    columns(question: Q): ColumnSpec[];
    toCell(question: Q, answer: StoredAnswer | null | undefined, index: number): Cell;
  };
}

/** Creates a column spec with the question's code and text as defaults. */
export function questionColumn(
  question: AnyQuestion,
  column: Pick<ColumnSpec, 'type' | 'measure'> & Partial<ColumnSpec>,
): ColumnSpec {
  return {
    columnCode: question.code,
    label: question.text,
    questionId: question.id,
    source: 'question',
    values: [],
    ...(question.settings.no_answers.length > 0 && { noAnswers: question.settings.no_answers }),
    editable: true,
    retired: question.retired,
    precision: null,
    ...column,
  };
}

/** `A question – one of its parts`. */
export function joinLabels(...parts: string[]): string {
  return parts.join(' – ');
}

/**
 * Formats an option code for use in column codes. SPSS names have no minus sign, so -99 becomes m99 (unambiguous: all other codes are
 * digits).
 */
export function formatOptionCode(code: number): string {
  return code < 0 ? `m${-code}` : String(code);
}

/** `Q3_2`: the code of the column of one option. */
export function optionColumnCode(question: AnyQuestion, option: Option): string {
  return `${question.code}_${formatOptionCode(option.code)}`;
}

/** Returns options as column values, including retired ones, which still have data. */
export function optionValues(options: readonly Option[]): ColumnValue[] {
  return withNumbers(options.map(({ code, value, label, missing }) => ({ code, value, label, missing })));
}

export const FLAG_VALUES: readonly ColumnValue[] = [
  { code: 0, value: '0', number: 0, label: 'No', missing: false },
  { code: 1, value: '1', number: 1, label: 'Yes', missing: false },
];
