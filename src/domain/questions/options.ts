import { alreadyUsed, duplicateOf, duplicateItem, notAllowedFor, quote } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { type QuestionType, takesOptions, takesOtherText } from './registry.ts';
import type { Option } from './question.ts';
import type { OptionInput } from './option-input.ts';

const MAX_CODE = 2_147_483_647;

type CodesResult<T> =
  | { ok: true; coded: { item: T; code: number }[]; highestCode: number }
  | { ok: false; problems: ErrorDetail[] };

/** A new option and the existing option that it matches. */
interface MatchedInput {
  /** Index in the request, for error messages. */
  index: number;
  input: Exclude<OptionInput, string>;
  value: string;
  match: Option | undefined;
}

/** Returns the integer code of a value ("7", "-99", not "07") within 32 bits, else null. */
function codeOfValue(value: string): number | null {
  if (!/^(0|-?[1-9]\d{0,9})$/.test(value)) return null;
  const code = Number(value);
  return code >= -MAX_CODE - 1 && code <= MAX_CODE ? code : null;
}

/**
 * Assigns permanent codes to a list of options. A code that was sent is used, or refused if it is taken. Otherwise a matched option keeps
 * its code, and a new option has its value if that is an integer that no existing option has as code, else the next number that no
 * option of the question ever had.
 */
function assignOptionCodes<T extends MatchedInput>(
  matched: readonly T[],
  retired: readonly Option[],
  { highestCode, existing }: { highestCode: number; existing: readonly Option[] },
): CodesResult<T> {
  let highest = Math.max(highestCode, ...existing.map(({ code }) => code));
  const kept = new Set(retired.map(({ code }) => code));
  for (const { input, match } of matched) if (match !== undefined) kept.add(input.option_code ?? match.code);
  const ownCode = (value: string) => {
    const code = codeOfValue(value);
    return code === null || kept.has(code) ? null : code;
  };
  const known = matched.map((item) => {
    const { input, value, match } = item;
    return { item, code: input.option_code ?? match?.code ?? ownCode(value) };
  });
  for (const { code } of known) if (code !== null) highest = Math.max(highest, code);
  const coded = known.map(({ item, code }) => ({ item, code: code ?? ++highest }));

  const problems: ErrorDetail[] = [];
  const seen = new Set(retired.map(({ code }) => code));
  for (const { item, code } of coded) {
    const field = `options[${item.index}].option_code`;
    if (code > MAX_CODE)
      problems.push({
        field,
        message: `option_code must be at most ${MAX_CODE}; send an unused option_code`,
      });
    if (seen.has(code))
      problems.push({
        field,
        message: `option_code ${alreadyUsed(code, 'another option of this question')}`,
      });
    seen.add(code);
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, coded, highestCode: highest };
}

/** Returns an option under the names that the API, the columns of the database and survey files share. */
export function toOptionFields(option: Option) {
  return {
    option_code: option.code,
    option_value: option.value,
    option_label: option.label,
    option_order: option.order,
    option_image: option.image,
    option_exclusive: option.exclusive,
    option_other: option.other,
    option_anchor: option.anchor,
    option_missing: option.missing,
  };
}

export interface OptionsChange {
  type: QuestionType;
  /** Existing options, including retired ones. */
  existing: readonly Option[];
  /** The complete new list, in this order unless option_order is set. */
  input: readonly OptionInput[];
  /** Whether there are responses. Codes and values then cannot change, and omitted options are retired instead of deleted. */
  dataExist: boolean;
  /** The highest code that an option of this question ever had; 0 without options. */
  highestCode: number;
}

export type OptionsResult =
  { ok: true; options: Option[]; highestCode: number } | { ok: false; problems: ErrorDetail[] };

type FullInput = Exclude<OptionInput, string>;

/**
 * Reconciles a new list of options with the existing ones, matched by option_code, then option_value, then label. Omitted properties keep
 * their values. Problem fields look like `options[2].option_value`.
 */
export function reconcileOptions(change: OptionsChange): OptionsResult {
  const { type, existing, dataExist } = change;
  const inputs = change.input.map((input) => (typeof input === 'string' ? { option_label: input } : input));
  if (inputs.length > 0 && !takesOptions(type)) {
    return { ok: false, problems: [{ field: 'options', message: notAllowedFor(`a ${type} question`) }] };
  }
  const { matched: recognized, problems } = matchInputs(inputs, existing);
  // Clients may send back retired options; that does not restore them.
  const matched = recognized.filter(({ input, match }) => !(input.retired === true && match?.retired));
  problems.push(...valueProblems(matched, dataExist), ...flagProblems(matched, type));
  if (problems.length > 0) return { ok: false, problems };

  const sorted = sortByOrder(matched);
  const kept = new Set(matched.map(({ match }) => match));
  const retired = dataExist ? existing.filter((option) => !kept.has(option)) : [];
  const codes = assignOptionCodes(sorted, retired, change);
  if (!codes.ok) return codes;
  const last = Math.max(0, ...sorted.map(({ order }) => order));
  return {
    ok: true,
    options: [
      ...codes.coded.map(({ item, code }) => toOption(item, code)),
      ...retired.map((option, index) => ({ ...option, retired: true, order: last + 1 + index })),
    ],
    highestCode: codes.highestCode,
  };
}

function valueText(value: string | number): string {
  return String(value).normalize('NFC');
}

function matchInputs(
  inputs: readonly FullInput[],
  existing: readonly Option[],
): { matched: MatchedInput[]; problems: ErrorDetail[] } {
  const problems: ErrorDetail[] = [];
  const free = new Set(existing);
  const claim = (test: (option: Option) => boolean): Option | undefined => {
    const found = [...free].find(test);
    if (found) free.delete(found);
    return found;
  };
  const matches = new Map<number, Option>();
  const match = (index: number, test: (option: Option) => boolean) => {
    const found = matches.has(index) ? undefined : claim(test);
    if (found) matches.set(index, found);
  };
  const seen = new Set<number>();
  inputs.forEach(({ option_code: code }, index) => {
    if (code === undefined) return;
    if (seen.has(code)) {
      problems.push({
        field: `options[${index}].option_code`,
        message: duplicateItem(`option_code ${code}`),
      });
    }
    seen.add(code);
    match(index, (option) => option.code === code);
  });
  inputs.forEach(({ option_value: value }, index) => {
    if (value !== undefined) match(index, (option) => option.value === valueText(value));
  });
  inputs.forEach(({ option_value: value, option_label: label }, index) => {
    if (value === undefined) match(index, (option) => option.value === label || option.label === label);
  });
  const matched = inputs.map((input, index) => {
    const found = matches.get(index);
    const value = valueText(input.option_value ?? found?.value ?? input.option_label);
    return { index, input, value, match: found };
  });
  return { matched, problems };
}

function valueProblems(matched: readonly MatchedInput[], dataExist: boolean): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const seen = new Map<string, number>();
  matched.forEach(({ index, input, value, match }) => {
    const field = `options[${index}].option_value`;
    const first = seen.get(value);
    if (first !== undefined) {
      problems.push({ field, message: duplicateOf(`options[${first}]`, value) });
    } else seen.set(value, index);
    if (!dataExist || !match) return;
    if (match.value !== value) {
      const message = `there are responses: ${quote(match.value)} cannot become ${quote(value)}; add a new option instead`;
      problems.push({ field, message });
    }
    if (input.option_code !== undefined && input.option_code !== match.code) {
      const message = `there are responses: the code of ${quote(match.value)} stays ${match.code}`;
      problems.push({ field: `options[${index}].option_code`, message });
    }
  });
  return problems;
}

function flagProblems(matched: readonly MatchedInput[], type: QuestionType): ErrorDetail[] {
  return matched.flatMap(({ index, input }) =>
    input.option_other === true && !takesOtherText(type)
      ? [
          {
            field: `options[${index}].option_other`,
            message: notAllowedFor(`an option of a ${type} question`),
          },
        ]
      : [],
  );
}

type OrderedInput = MatchedInput & { order: number };

/** Sorts by option_order, else by index; renumbers if orders clash. */
function sortByOrder(matched: readonly MatchedInput[]): OrderedInput[] {
  const sorted = matched
    .map((item, index) => ({ ...item, order: item.input.option_order ?? index + 1 }))
    .sort((a, b) => a.order - b.order);
  const distinct = new Set(sorted.map(({ order }) => order)).size === sorted.length;
  return distinct ? sorted : sorted.map((item, index) => ({ ...item, order: index + 1 }));
}

function toOption({ input, value, match, order }: OrderedInput, code: number): Option {
  return {
    code,
    value,
    label: input.option_label,
    order,
    image: input.option_image === undefined ? (match?.image ?? null) : input.option_image,
    exclusive: input.option_exclusive ?? match?.exclusive ?? false,
    other: input.option_other ?? match?.other ?? false,
    anchor: input.option_anchor ?? match?.anchor ?? false,
    missing: input.option_missing ?? match?.missing ?? false,
    retired: false,
  };
}
