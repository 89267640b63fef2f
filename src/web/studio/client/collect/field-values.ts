import { ApiError } from '../../../shared/client/api.ts';
import { texts } from '../../texts.ts';
import { readTypedNumber } from '../data/typed-number.ts';

/** Returns the number in a field; null: it is empty. Text that is no number would remove the limit, since JSON has no NaN, so it is refused here. */
export function parseCount(values: ReadonlyMap<string, string>, field: string): number | null {
  const text = values.get(field)?.trim() ?? '';
  if (text === '') return null;
  const { value } = readTypedNumber(text, 0);
  if (value !== null && value >= 0 && Number.isSafeInteger(value)) return value;
  throw new ApiError('rejected', { problems: [{ field, message: texts.collect.notWhole }] });
}

/** Returns the text of a field; null: it is empty. */
export const textOrNull = (values: ReadonlyMap<string, string>, field: string): string | null =>
  values.get(field)?.trim() || null;

/** The same for a part of an address, as which `Brand tracker` is `brand-tracker`. */
export const slugOrNull = (values: ReadonlyMap<string, string>, field: string): string | null =>
  textOrNull(values, field)?.toLowerCase().replace(/\s+/g, '-') ?? null;

/** Returns the day, as YYYY-MM-DD in a time zone. */
function dayOf(ms: number, timeZone: string): string {
  // The Swedish format is that of ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(ms);
}

export const firstDayOf = (start: string, timeZone: string): string => dayOf(Date.parse(start), timeZone);

/** The time of day, as HH:MM in a time zone. */
export const timeOfDay = (moment: string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, timeStyle: 'short' }).format(Date.parse(moment));

/** The last day before an exclusive end. */
export const lastDayOf = (end: string, timeZone: string): string => dayOf(Date.parse(end) - 1, timeZone);
