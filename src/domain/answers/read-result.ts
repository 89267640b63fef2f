import type { ErrorDetail } from '../../lib/errors.ts';
import type { Cell } from '../dataset/columns/column-spec.ts';
import type { ReadResult, StoredAnswer } from './codec.ts';
import { quote } from '../../lib/quote.ts';

/**
 * How strictly an answer is judged. `answer`: what a respondent hands in. `draft`: what is saved while they are still at it; it may
 * be less complete (min_selections, min_ranked, min_length, require_all_rows, half an e-mail address), but never of another form.
 * `edit`: a researcher's correction, which may be less complete too, and may use retired options.
 */
export type Strictness = 'answer' | 'draft' | 'edit';

/** Shown and skipped. */
export const NO_ANSWER: ReadResult = { ok: true, answer: null };

export function accept(answer: StoredAnswer): ReadResult {
  return { ok: true, answer };
}

/** `field`: the place within the answer, such as `[2]`; empty: the answer as a whole. */
export function reject(message: string, field = ''): ReadResult {
  return { ok: false, problems: [{ field, message }] };
}

export function rejectAll(problems: ErrorDetail[]): ReadResult {
  return { ok: false, problems };
}

/**
 * The forms that every question type takes for "no answer". Where several options may be ticked, `[]` says more: shown, and none ticked.
 * The codecs of a multiple choice and of a matrix look for it first.
 */
export function isNoAnswer(input: unknown): boolean {
  if (input === null || input === undefined || input === '') return true;
  if (Array.isArray(input)) return input.length === 0;
  return typeof input === 'object' && Object.keys(input).length === 0;
}

/** Whether a required question accepts the answer: none ticked is an answer, but not to a question that must be answered. */
export function satisfiesRequired(answer: StoredAnswer | null): boolean {
  if (answer === null) return false;
  if (Array.isArray(answer)) return answer.length > 0;
  if (typeof answer !== 'object') return true;
  return Object.values(answer as Record<string, string | string[]>).some((part) => part.length > 0);
}

/** A JSON object: neither null nor a list. */
export function isRecord(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

export function unknownColumnProblem(columnCode: string, questionCode: string): ErrorDetail {
  return { field: columnCode, message: `${quote(columnCode)} is not a column of question ${questionCode}` };
}

/** `fromCells` of a question that has one column, named like the question. */
export function editSingleCell(
  questionCode: string,
  answer: StoredAnswer | null | undefined,
  changes: ReadonlyMap<string, Cell>,
  read: (cell: Cell) => ReadResult,
): ReadResult {
  const unknownCodes = [...changes.keys()].filter((columnCode) => columnCode !== questionCode);
  if (unknownCodes.length > 0) {
    return rejectAll(unknownCodes.map((columnCode) => unknownColumnProblem(columnCode, questionCode)));
  }
  const cell = changes.get(questionCode);
  if (cell === undefined) return { ok: true, answer: answer ?? null };
  const result = read(cell);
  return result.ok
    ? result
    : rejectAll(result.problems.map(({ message }) => ({ field: questionCode, message })));
}

/** The cell of a 0/1 column as a researcher may write it; null: no value. Undefined: it is none of these. */
export function readFlag(cell: Cell): boolean | null | undefined {
  if (cell === null) return null;
  if (cell === 1 || cell === '1') return true;
  return cell === 0 || cell === '0' ? false : undefined;
}
