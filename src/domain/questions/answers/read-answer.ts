import {
  formatList,
  duplicateItem,
  mustBe,
  quote,
  sizeAtMost,
  unknownField,
  unknownValue,
} from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import type { Cell } from '../../columns/column-spec.ts';
import type { OtherChoice, ReadResult, StoredAnswer } from './codec.ts';
import type { Option } from '../question.ts';

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

/** Maximum length of the text of an "other" option. */
const MAX_OTHER_LENGTH = 2_000;
const LISTED_OPTIONS = 5;

interface Chosen {
  option: Option;
  other: string | null;
}
type ChoiceResult = { ok: true; chosen: Chosen } | { ok: false; problem: ErrorDetail };
type SelectionResult = { ok: true; chosen: Chosen[] } | { ok: false; problems: ErrorDetail[] };

export function findOption(options: readonly Option[], value: string): Option | undefined {
  return options.find((option) => option.value === value);
}

export function storedChoice({ option, other }: Chosen): string | OtherChoice {
  return other === null ? option.value : { value: option.value, other };
}

export function valueOfChoice(choice: string | OtherChoice): string {
  return typeof choice === 'string' ? choice : choice.value;
}

/** Returns the option_value in the input; 2 and "2" are equal. */
function optionValueOf(input: unknown): string | null {
  if (typeof input === 'string') return input;
  // Integers beyond 2^53 have lost digits and could match a wrong option.
  return typeof input === 'number' && Number.isFinite(input) && Math.abs(input) <= Number.MAX_SAFE_INTEGER
    ? String(input)
    : null;
}

function unknownOption(options: readonly Option[], value: string): string {
  const active = options.filter((option) => !option.retired);
  const accepted =
    active.length === 0 ? undefined : formatList(active, LISTED_OPTIONS, (option) => quote(option.value));
  return unknownValue(value, 'an option', { accepted });
}

// Defined outside `readChoice` to avoid allocating a closure per answer.
const fail = (message: string, field = ''): ChoiceResult => ({ ok: false, problem: { field, message } });

/** Reads one option: its value, or `{value, other}` if the option asks for a text. */
export function readChoice(
  options: readonly Option[],
  input: unknown,
  strictness: Strictness,
  takesOther = true,
): ChoiceResult {
  const withText = takesOther && isRecord(input);
  const value = optionValueOf(withText ? input.value : input);
  if (value === null) {
    if (!withText) {
      const withOther = takesOther ? ', or {"value", "other"} for an option with a text' : '';
      return fail(mustBe(`an option value${withOther}`, input));
    }
    return fail(mustBe('an option value', input.value), 'value');
  }
  const option = findOption(options, value);
  if (!option) return fail(unknownOption(options, value), withText ? 'value' : '');
  if (option.retired && strictness !== 'edit') {
    return fail(`option ${quote(value)} is no longer offered`, withText ? 'value' : '');
  }
  if (!withText) return { ok: true, chosen: { option, other: null } };

  const unknownKey = Object.keys(input).find((key) => key !== 'value' && key !== 'other');
  if (unknownKey !== undefined) return fail(unknownField(unknownKey, 'value, other'));
  if (input.other === undefined || input.other === null) {
    return { ok: true, chosen: { option, other: null } };
  }
  const typed = readTypedText(input.other, MAX_OTHER_LENGTH);
  if (!typed.ok) return fail(typed.message, 'other');
  const other = typed.text?.trim() ?? null;
  if (other !== null && !option.other) return fail(`option ${quote(value)} does not accept a text`, 'other');
  return { ok: true, chosen: { option, other } };
}

/** Reads several distinct options, of which an exclusive one must be the only one. Returns them in option order. */
export function readSelection(
  options: readonly Option[],
  input: unknown,
  strictness: Strictness,
  takesOther = true,
): SelectionResult {
  if (!Array.isArray(input)) {
    return {
      ok: false,
      problems: [{ field: '', message: mustBe('a list of option values such as ["1","3"]', input) }],
    };
  }
  if (input.length > options.length) {
    const message = sizeAtMost(options.length, 'option', input.length);
    return { ok: false, problems: [{ field: '', message }] };
  }
  const problems: ErrorDetail[] = [];
  const chosen = new Map<string, Chosen>();
  input.forEach((item: unknown, index) => {
    const result = readChoice(options, item, strictness, takesOther);
    if (!result.ok) {
      const { field, message } = result.problem;
      problems.push({ field: `[${index}]${field && `.${field}`}`, message });
    } else if (chosen.has(result.chosen.option.value)) {
      problems.push({
        field: `[${index}]`,
        message: duplicateItem(`option ${quote(result.chosen.option.value)}`),
      });
    } else {
      chosen.set(result.chosen.option.value, result.chosen);
    }
  });
  const exclusive = [...chosen.values()].find(({ option }) => option.exclusive);
  if (exclusive && chosen.size > 1) {
    const message = `option ${quote(exclusive.option.value)} must be the only choice, but ${chosen.size} are selected`;
    problems.push({ field: '', message });
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, chosen: options.flatMap((option) => chosen.get(option.value) ?? []) };
}
