import { formatList, quote } from '../../lib/error-messages.ts';
import type { ColumnSpec } from './column-spec.ts';

/** How the figures of a column are to be understood. */
export interface ColumnNote {
  code: 'numbers_are_values' | 'options_sometimes_absent';
  message: string;
}

/** Notes that means use numbers that are not the option codes; else none. */
export function noteNumbers({ columnCode, values }: Pick<ColumnSpec, 'columnCode' | 'values'>): ColumnNote[] {
  const other = values.find(({ code, number, missing }) => !missing && code !== number);
  if (other === undefined) return [];
  const message =
    `Means and boxes of ${columnCode} use the numbers of the option values (${quote(other.value)} is ${other.number}), ` +
    'not the option codes.';
  return [{ code: 'numbers_are_values', message }];
}

const LISTED_OPTIONS = 5;

/** Notes that a set counts options as not chosen where a version of the survey does not offer them; else none. */
export function noteAbsentOptions({
  columnCode,
  sometimesAbsent = [],
}: Pick<ColumnSpec, 'columnCode' | 'sometimesAbsent'>): ColumnNote[] {
  if (sometimesAbsent.length === 0) return [];
  const message =
    `Some versions of the survey do not offer ${formatList(sometimesAbsent, LISTED_OPTIONS, quote)} of ${columnCode}. Their respondents are in the ` +
    'base of these shares; the 0/1 columns of the options are missing for them.';
  return [{ code: 'options_sometimes_absent', message }];
}
