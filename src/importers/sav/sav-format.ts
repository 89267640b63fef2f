import type { SourceFormat, SourceVariable } from '../../domain/import/source-file.ts';

/** SPSS's numbers of the formats that are moments. */
const DATES = new Set([20, 23, 24, 27, 28, 29, 30, 38, 39]);
const DATETIMES = new Set([22, 41]);
const TIMES = new Set([21, 25, 40]);

export function unpackFormat(packed: number): SourceFormat {
  return { type: (packed >> 16) & 255, width: (packed >> 8) & 255, decimals: packed & 255 };
}

export function variableKind({ type }: SourceFormat): Exclude<SourceVariable['kind'], 'string'> {
  if (DATES.has(type)) return 'date';
  if (DATETIMES.has(type)) return 'datetime';
  return TIMES.has(type) ? 'time' : 'number';
}

/** Seconds from the first day of the Gregorian calendar, 14 October 1582, to that of Unix. */
const GREGORIAN_TO_UNIX_SECONDS = 12_219_379_200;
/** The years 1 to 9999, in seconds as SPSS counts them. */
const FIRST_SECOND = -49_916_217_600;
const LAST_SECOND = 265_621_593_599;

const twoDigits = (value: number) => String(value).padStart(2, '0');

/**
 * Formats a date or time value as `YYYY-MM-DD`, `YYYY-MM-DDTHH:mm:ss` or `HH:mm:ss`. Preserves half a millisecond, `…:00.0005`, which our
 * exports use to mark the second occurrence of a local time. Returns values outside the calendar or the day unchanged.
 */
export function formatDateTime(kind: SourceVariable['kind'], seconds: number): string | number {
  if (kind === 'time') {
    const wholeSeconds = Math.floor(seconds);
    if (wholeSeconds < 0 || wholeSeconds >= 86_400) return seconds;
    return `${twoDigits(Math.floor(wholeSeconds / 3600))}:${twoDigits(Math.floor(wholeSeconds / 60) % 60)}:${twoDigits(wholeSeconds % 60)}`;
  }
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) return seconds;
  const halfMilliseconds = Math.round((seconds - GREGORIAN_TO_UNIX_SECONDS) * 2000);
  const text = new Date(Math.floor(halfMilliseconds / 2)).toISOString();
  if (kind === 'date') return text.slice(0, 10);
  return halfMilliseconds % 2 === 0 ? text.replace(/(\.000)?Z$/, '') : text.replace('Z', '5');
}
