import type { Cell, ColumnSpec } from '../dataset/columns/column-spec.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { AnyQuestion } from '../questions/question.ts';

/** An option with a free text: its value and the text typed. */
export interface OtherChoice {
  value: string;
  other: string;
}

/**
 * An answer as it is stored, by question type:
 * single_choice, dropdown `"2"` or OtherChoice · multiple_choice `["1", OtherChoice]` in option order · text, date a string ·
 * number, scale, slider, nps a number · matrix `{"r1": "2"}` or `{"r1": ["1","2"]}` · ranking `["3","1"]`, best first ·
 * file_upload an array of file ids. In a response, null is "shown but skipped"; an absent key is "not shown". `[]` of a multiple
 * choice, or of a row of a matrix, is an answer: shown, and none ticked. Responses stored before this distinction keep null
 * in both cases.
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

/** Converts the answers of one question type to the cells of data columns and back. */
export interface CellCodec<Q extends AnyQuestion = AnyQuestion> {
  /** Returns the columns of the question in a data file, in order. Codes are unique within a question. */
  columns(question: Q): ColumnSpec[];
  /** Returns the question as one multiple-response column, if it has that form (code = question code). */
  setColumn?(question: Q): ColumnSpec;
  /** Returns the cells, parallel to `columns(question)`. A null (skipped) or undefined (not shown) answer gives nulls. */
  toCells(question: Q, answer: StoredAnswer | null | undefined): Cell[];
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
