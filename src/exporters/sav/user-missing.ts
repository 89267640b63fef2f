import type { ColumnValue } from '../../domain/dataset/columns/column-spec.ts';
import { MAX_MISSING_VALUES } from './limits.ts';
import type { NumericVariable } from './sav-variable.ts';

type UserMissing = Pick<NumericVariable, 'missing' | 'missingRange'>;

/**
 * Expresses the codes of missing values as SPSS allows: at most three; of more, the longest run without a valid code in between as a
 * range, and the first code outside the range. `missing` keeps all codes outside the range, so that the
 * writer can report the ones that it leaves out.
 */
export function userMissing(values: readonly ColumnValue[]): UserMissing {
  const codes = (missing: boolean) =>
    values.filter((value) => value.missing === missing).map(({ code }) => code);
  const missing = codes(true).sort((a, b) => a - b);
  if (missing.length === 0) return {};
  if (missing.length <= MAX_MISSING_VALUES) return { missing };
  const run = longestRun(missing, codes(false));
  const rest = missing.filter((code) => !run.includes(code));
  if (run.length < MAX_MISSING_VALUES) return { missing };
  return { missingRange: { low: run[0]!, high: run.at(-1)! }, ...(rest.length > 0 ? { missing: rest } : {}) };
}

function longestRun(missing: readonly number[], valid: readonly number[]): number[] {
  let longest: number[] = [];
  let run: number[] = [];
  for (const code of missing) {
    const last = run.at(-1);
    const isInterrupted = last !== undefined && valid.some((other) => other > last && other < code);
    run = isInterrupted ? [code] : [...run, code];
    if (run.length > longest.length) longest = run;
  }
  return longest;
}
