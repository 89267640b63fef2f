import {
  formatList,
  duplicateItem,
  mustBe,
  quote,
  sizeAtMost,
  unknownField,
  unknownValue,
} from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import type { Option } from '../questions/question.ts';
import type { OtherChoice } from './codec.ts';
import { isRecord, readTypedText, type Strictness } from './read-result.ts';

/** Maximum length of the text of an "other" option. */
const MAX_OTHER_LENGTH = 2_000;
const LISTED_OPTIONS = 5;

export interface Chosen {
  option: Option;
  other: string | null;
}
export type ChoiceResult = { ok: true; chosen: Chosen } | { ok: false; problem: ErrorDetail };
export type SelectionResult = { ok: true; chosen: Chosen[] } | { ok: false; problems: ErrorDetail[] };

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
