import { mustBe, sizeAtMost, unknownValue } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { Cell } from '../dataset/columns/column-spec.ts';
import type { ReadResult, StoredAnswer } from './codec.ts';

/**
 * How strictly answers are checked. `answer`: submitted by a respondent. `draft`: saved in progress; it can be incomplete (min_selections,
 * min_ranked, min_length, require_all_rows, a partial email address) but must have the right form. `edit`: a researcher's correction,
 * which can be incomplete and use retired options.
 */
export type Strictness = 'answer' | 'draft' | 'edit';

/** Shown and skipped. */
export const NO_ANSWER: ReadResult = { ok: true, answer: null };

export function acceptAnswer(answer: StoredAnswer): ReadResult {
  return { ok: true, answer };
}

/** `field`: path within the answer, such as `[2]`; empty for the whole answer. */
export function rejectAnswer(message: string, field = ''): ReadResult {
  return { ok: false, problems: [{ field, message }] };
}

export function rejectAnswerForAll(problems: ErrorDetail[]): ReadResult {
  return { ok: false, problems };
}

/**
 * Whether the input means "no answer". For multiple choice and matrix questions `[]` means none ticked; their codecs check for it first.
 */
export function isNoAnswer(input: unknown): boolean {
  if (input === null || input === undefined || input === '') return true;
  if (Array.isArray(input)) return input.length === 0;
  return typeof input === 'object' && Object.keys(input).length === 0;
}

/** Whether an answer satisfies a required question: an answer with none ticked does not. A number of a part does, also 0. */
export function satisfiesRequired(answer: StoredAnswer | null): boolean {
  if (answer === null) return false;
  if (Array.isArray(answer)) return answer.length > 0;
  if (typeof answer !== 'object') return true;
  return Object.values(answer as Record<string, string | number | string[]>).some(
    (part) => typeof part === 'number' || part.length > 0,
  );
}

/** A JSON object: neither null nor a list. */
export function isRecord(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

export function unknownColumnProblem(columnCode: string, questionCode: string): ErrorDetail {
  return { field: columnCode, message: unknownValue(columnCode, `a column of question ${questionCode}`) };
}

/** Implements `fromCells` for a question with one column, whose code is the question code. */
export function editSingleCell(
  questionCode: string,
  answer: StoredAnswer | null | undefined,
  changes: ReadonlyMap<string, Cell>,
  read: (cell: Cell) => ReadResult,
): ReadResult {
  const unknownCodes = [...changes.keys()].filter((columnCode) => columnCode !== questionCode);
  if (unknownCodes.length > 0) {
    return rejectAnswerForAll(
      unknownCodes.map((columnCode) => unknownColumnProblem(columnCode, questionCode)),
    );
  }
  const cell = changes.get(questionCode);
  if (cell === undefined) return { ok: true, answer: answer ?? null };
  const result = read(cell);
  return result.ok
    ? result
    : rejectAnswerForAll(result.problems.map(({ message }) => ({ field: questionCode, message })));
}

/** Parses a 0/1 cell edited by a researcher; null: no value, undefined: invalid. */
export function readFlag(cell: Cell): boolean | null | undefined {
  if (cell === null) return null;
  if (cell === 1 || cell === '1') return true;
  return cell === 0 || cell === '0' ? false : undefined;
}

type TypedText = { ok: true; text: string | null } | { ok: false; message: string };

/** Counts characters by code point: an emoji is one. */
export function countCharacters(text: string): number {
  return [...text].length;
}

/** Reads typed text, normalized to NFC with \n line ends so that equal texts compare equal. Whitespace alone is no text (null). */
export function readTypedText(input: unknown, maxLength: number): TypedText {
  if (typeof input !== 'string') return { ok: false, message: mustBe('a text', input) };
  if (input.includes('\u0000')) return { ok: false, message: 'must not contain the character NUL (U+0000)' };
  // With the u flag, \p{Cs} matches only unpaired surrogates, which databases and files cannot store.
  if (/\p{Cs}/u.test(input)) {
    return { ok: false, message: 'contains half of a surrogate pair, which is not valid Unicode' };
  }
  const text = input.replaceAll('\r\n', '\n').normalize('NFC');
  if (text.length > maxLength && countCharacters(text) > maxLength) {
    return {
      ok: false,
      message: sizeAtMost(maxLength, 'character', countCharacters(text)),
    };
  }
  return { ok: true, text: text.trim() === '' ? null : text };
}
