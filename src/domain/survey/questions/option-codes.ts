import { alreadyUsed } from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import type { Option } from '../definition.ts';
import type { OptionInput } from './option-input.ts';

const MAX_CODE = 2_147_483_647;

type CodesResult =
  { ok: true; codes: number[]; highestCode: number } | { ok: false; problems: ErrorDetail[] };

/** A new option and the existing option that it matches. */
export interface MatchedInput {
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
 * Assigns permanent codes to a list of options. If all values are integers, each value is its own code. Otherwise a matched option keeps
 * its code, and a new option gets the next number that no option of the question ever had. Once data exist, assigned codes never change,
 * and a new integer value is its own code only if the same holds for all options, including retired ones.
 */
export function assignOptionCodes(
  matched: readonly MatchedInput[],
  retired: readonly Option[],
  {
    dataExist,
    highestCode,
    existing,
    keepCodes = false,
  }: { dataExist: boolean; highestCode: number; existing: readonly Option[]; keepCodes?: boolean },
): CodesResult {
  const ownCodes = matched.map(({ value }) => codeOfValue(value));
  const byValue =
    ownCodes.every((code) => code !== null) &&
    retired.every(({ code, value }) => code === codeOfValue(value)) &&
    (!dataExist || existing.every(({ code, value }) => code === codeOfValue(value)));
  let highest = Math.max(highestCode, ...existing.map(({ code }) => code));
  const existingCodes = matched.map(({ input, match }, index): number | null => {
    if (keepCodes && input.option_code !== undefined) return input.option_code;
    if (byValue) return ownCodes[index]!;
    return match?.code ?? null;
  });
  for (const code of existingCodes) if (code !== null) highest = Math.max(highest, code);
  const codes = existingCodes.map((code) => code ?? ++highest);

  const problems: ErrorDetail[] = [];
  const seen = new Set(retired.map(({ code }) => code));
  codes.forEach((code, index) => {
    const field = `options[${matched[index]!.index}].option_code`;
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
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, codes, highestCode: highest };
}
