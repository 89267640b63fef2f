import type { SourceFormat, SourceVariable } from '../../domain/import/source-file.ts';

/**
 * The display formats with a meaning beyond a number or a text, by their number in the file. The others are 1 A, 2 AHEX, 3 COMMA, 4 DOLLAR, 5 F,
 * 6 IB, 7 PIBHEX, 8 P, 9 PIB, 10 PK, 11 RB, 12 RBHEX, 15 Z, 16 N, 17 E, 31 PCT, 32 DOT and 33 to 37 CCA to CCE: however a number is shown, the
 * file stores a double.
 */
const FORMAT = {
  DATE: 20,
  TIME: 21,
  DATETIME: 22,
  ADATE: 23,
  JDATE: 24,
  DTIME: 25,
  WKDAY: 26,
  MONTH: 27,
  MOYR: 28,
  QYR: 29,
  WKYR: 30,
  EDATE: 38,
  SDATE: 39,
  MTIME: 40,
  YMDHMS: 41,
} as const;

type NumericKind = Exclude<SourceVariable['kind'], 'string'>;

const KINDS: ReadonlyMap<number, NumericKind> = new Map<number, NumericKind>([
  [FORMAT.DATE, 'date'],
  [FORMAT.ADATE, 'date'],
  [FORMAT.EDATE, 'date'],
  [FORMAT.JDATE, 'date'],
  [FORMAT.SDATE, 'date'],
  [FORMAT.QYR, 'date'],
  [FORMAT.MOYR, 'date'],
  [FORMAT.WKYR, 'date'],
  [FORMAT.DATETIME, 'datetime'],
  [FORMAT.YMDHMS, 'datetime'],
  [FORMAT.TIME, 'time'],
  [FORMAT.DTIME, 'time'],
  [FORMAT.MTIME, 'time'],
]);

export function unpackFormat(packed: number): SourceFormat {
  return { type: (packed >> 16) & 255, width: (packed >> 8) & 255, decimals: packed & 255 };
}

/** What a number with this display format is: MONTH and WKDAY show numbers from 1 as names, so they are numbers. */
export function variableKind({ type }: SourceFormat): NumericKind {
  return KINDS.get(type) ?? 'number';
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** The names that the format shows instead of the numbers from 1; null: it shows none. */
export function namesOfFormat({ type }: SourceFormat): readonly string[] | null {
  if (type === FORMAT.WKDAY) return WEEKDAYS;
  return type === FORMAT.MONTH ? MONTHS : null;
}

/** Seconds from the first day of the Gregorian calendar, 14 October 1582, to that of Unix. */
const GREGORIAN_TO_UNIX_SECONDS = 12_219_379_200;
/** The years 1 to 9999, in seconds as SPSS counts them. */
const FIRST_SECOND = -49_916_217_600;
const LAST_SECOND = 265_621_593_599;
const DAY_MS = 86_400_000;

/**
 * Formats a value as `YYYY-MM-DD`, `YYYY-MM-DDTHH:mm:ss` or `HH:mm:ss`, with milliseconds if it has some; a date with a time of day keeps it.
 * Preserves half a millisecond, `…:00.0005`, which our exports use to mark the second occurrence of a local time. Returns the number if
 * it is outside the years 1 to 9999, or not within one day.
 */
export function formatDateTime(kind: SourceVariable['kind'], seconds: number): string | number {
  if (kind === 'time') {
    const milliseconds = Math.round(seconds * 1000);
    if (seconds < 0 || milliseconds >= DAY_MS) return seconds;
    return new Date(milliseconds)
      .toISOString()
      .slice(11)
      .replace(/(\.000)?Z$/, '');
  }
  if (!(seconds >= FIRST_SECOND && seconds <= LAST_SECOND)) return seconds;
  const halfMilliseconds = Math.round((seconds - GREGORIAN_TO_UNIX_SECONDS) * 2000);
  const milliseconds = Math.floor(halfMilliseconds / 2);
  const text = new Date(milliseconds).toISOString();
  if (kind === 'date' && milliseconds % DAY_MS === 0) return text.slice(0, 10);
  const isMarked = kind === 'datetime' && halfMilliseconds % 2 !== 0;
  return isMarked ? text.replace('Z', '5') : text.replace(/(\.000)?Z$/, '');
}
