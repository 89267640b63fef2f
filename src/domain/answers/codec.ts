import type { Cell, ColumnSpec } from '../dataset/columns/column-spec.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { Question } from '../survey/definition.ts';

/** An option that asks for a text: its value and what was typed. */
export interface OtherChoice {
  value: string;
  other: string;
}

/**
 * An answer as it is stored, by question type:
 * single_choice, dropdown `"2"` or OtherChoice · multiple_choice `["1", OtherChoice]` in option order · text, date a string ·
 * number, scale, slider, nps a number · matrix `{"r1": "2"}` or `{"r1": ["1","2"]}` · ranking `["3","1"]`, best first ·
 * file_upload an array of file ids. In a response, null is "shown but skipped"; an absent key is "not shown". `[]` of a multiple
 * choice, or of a row of a matrix, is an answer: shown, and none ticked. Responses that were stored before this distinction have null
 * in both cases, and keep it.
 */
export type StoredAnswer =
  string | number | OtherChoice | (string | OtherChoice)[] | { [rowCode: string]: string | string[] };

/**
 * The answers of one response by question code. Made without a prototype: a code such as `constructor` is then a plain key.
 */
export type StoredAnswers = { [questionCode: string]: StoredAnswer | null };

/** What was read, or what is wrong; `field` is relative to the answer ('' is the answer itself). */
export type ReadResult = { ok: true; answer: StoredAnswer | null } | { ok: false; problems: ErrorDetail[] };

/** Everything that depends on the form of a question type's answers. */
export interface AnswerCodec<Q extends Question = Question> {
  /**
   * A client's form of the answer, checked and normalised. null, '' , [] and {} are "no answer" (answer: null), but [] where options
   * are ticked: there it is an answer, unless at least one must be ticked;
   * whether one is required is not judged here. `draft`: it may be less complete than one that is handed in.
   */
  read(question: Q, input: unknown, strictness?: 'answer' | 'draft'): ReadResult;
  /** The columns of the question in a data file, in order. Codes are unique within a question. */
  columns(question: Q): ColumnSpec[];
  /** The question as one multiple-response column, where it has such a form (code = question code). */
  setColumn?(question: Q): ColumnSpec;
  /** The cells of `columns(question)`, parallel to it. `answer` null (skipped) and undefined (not shown) give nulls. */
  toCells(question: Q, answer: StoredAnswer | null | undefined): Cell[];
  /** The cell of `setColumn(question)`. */
  toSetCell?(question: Q, answer: StoredAnswer | null | undefined): Cell;
  /**
   * `answer` with some of its cells changed, by column code (or the set column's). Values are checked as in `read`; how complete
   * the answer is (min_selections, require_all_rows and the like) is not, and retired options may be used. A problem's `field`
   * is the column code. The result null says that nothing is left: whoever knows that the question was not shown keeps it so.
   */
  fromCells(
    question: Q,
    answer: StoredAnswer | null | undefined,
    changes: ReadonlyMap<string, Cell>,
  ): ReadResult;
}
