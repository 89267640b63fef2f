import { getTimeZone, UTC } from '../../../lib/time-zone.ts';
import type { ColumnSpec } from './column-spec.ts';

/**
 * Returns a date column's values in local time, as milliseconds as if in UTC: timestamps converted to the time zone of the spec, answers
 * unchanged. Use these to count by day, week or month.
 */
export function wallClockValues({ timeZone = UTC }: ColumnSpec, values: Float64Array): Float64Array {
  const zone = getTimeZone(timeZone);
  return zone.isUtc ? values : values.map((ms) => zone.wallClockMs(ms));
}
