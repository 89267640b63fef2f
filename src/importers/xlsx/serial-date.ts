const DAY_MS = 86_400_000;
export const DAY_SECONDS = 86_400;
/** 31 December 1899, the day before serial number 1. */
const EPOCH_1900_MS = Date.UTC(1899, 11, 31);
/** Serial number of 29 February 1900, which spreadsheets count although it does not exist. */
const LEAP_DAY = 60;
const EPOCH_1904_MS = Date.UTC(1904, 0, 1);
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Formats a serial number, in days, as `YYYY-MM-DD`, or `YYYY-MM-DDTHH:mm:ss` with milliseconds if it has some. Returns null where there is no such date: below 1
 * (0 in workbooks with the epoch 1904), 29 February 1900, after the year 9999.
 */
export function formatSerial(serial: number, is1904: boolean): string | null {
  const milliseconds = Math.round(serial * DAY_MS);
  if (!(milliseconds >= (is1904 ? 0 : DAY_MS))) return null;
  let unix = EPOCH_1904_MS + milliseconds;
  if (!is1904) {
    const day = Math.floor(milliseconds / DAY_MS);
    if (day === LEAP_DAY) return null;
    unix = EPOCH_1900_MS + milliseconds - (day > LEAP_DAY ? DAY_MS : 0);
  }
  if (unix > LAST_MS) return null;
  const text = new Date(unix).toISOString();
  return text.slice(11, 23) === '00:00:00.000' ? text.slice(0, 10) : text.replace(/(\.000)?Z$/, '');
}

/** The seconds of a serial number, to the millisecond. A fraction of a day stays below a day. */
export function secondsOfSerial(serial: number): number {
  const milliseconds = Math.round(serial * DAY_MS);
  return (serial < 1 && milliseconds === DAY_MS ? DAY_MS - 1 : milliseconds) / 1000;
}

const ISO = /^(?:(\d{4}-\d\d-\d\d))?(?:[T ]?(\d\d:\d\d)(?::(\d\d(?:\.\d{1,9})?))?)?Z?$/;

/** Reads a date cell in ISO 8601 (`t="d"`): returns its day and the seconds since midnight, each null where it has none; null where it is no date. */
export function parseIsoCell(text: string): { day: string | null; seconds: number | null } | null {
  const [all, day, minutes, seconds = '0'] = ISO.exec(text) ?? [];
  if (all === undefined || (day === undefined && minutes === undefined)) return null;
  if (day !== undefined && !isDay(day)) return null;
  if (minutes === undefined) return { day: day ?? null, seconds: null };
  const clock = Number(minutes.slice(0, 2)) * 3600 + Number(minutes.slice(3)) * 60 + Number(seconds);
  if (!(clock < DAY_SECONDS)) return null;
  return { day: day ?? null, seconds: Math.round(clock * 1000) / 1000 };
}

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}
