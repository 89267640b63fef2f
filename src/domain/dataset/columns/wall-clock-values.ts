import { timeZoneNamed, UTC } from '../../../lib/time-zone.ts';
import type { ColumnSpec } from './column-spec.ts';

/**
 * The values of a date column as clocks and calendars show them, in milliseconds as if these were in UTC: moments in the time zone of
 * the spec (which the catalog's has), answers as they were given. What is counted by days, weeks or months is counted by these.
 */
export function wallClockValues({ timeZone = UTC }: ColumnSpec, values: Float64Array): Float64Array {
  const zone = timeZoneNamed(timeZone);
  return zone.isUtc ? values : values.map((ms) => zone.wallClockMs(ms));
}
