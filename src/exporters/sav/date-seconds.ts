/** SPSS counts seconds from the first day of the Gregorian calendar, 14 October 1582, 00:00. */
const GREGORIAN_TO_UNIX_SECONDS = 12_219_379_200;

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?Z?)?$/;
const CLOCK = /^(\d\d):(\d\d)(?::(\d\d(?:\.\d+)?))?$/;

/** Seconds as SPSS stores a date or a datetime; null for any other text. A text without a zone is read as wall clock. */
export function parseDateSeconds(text: string): number | null {
  const parts = DATE_TIME.exec(text);
  if (parts === null) return null;
  const [year, month, day, hour, minute] = parts.slice(1, 6).map((part) => Number(part ?? 0));
  const midnight = new Date(0);
  // Not Date.UTC, which takes the years 0 to 99 for 1900 to 1999.
  midnight.setUTCFullYear(year!, month! - 1, day);
  const isDay = midnight.getUTCMonth() === month! - 1 && midnight.getUTCDate() === day;
  const clock = secondsOfDay(hour!, minute!, Number(parts[6] ?? 0));
  return isDay && clock !== null ? midnight.getTime() / 1000 + GREGORIAN_TO_UNIX_SECONDS + clock : null;
}

/** Seconds since midnight, as SPSS stores a time; null for any other text. */
export function parseTimeSeconds(text: string): number | null {
  const parts = CLOCK.exec(text);
  return parts === null ? null : secondsOfDay(Number(parts[1]), Number(parts[2]), Number(parts[3] ?? 0));
}

function secondsOfDay(hour: number, minute: number, second: number): number | null {
  return hour < 24 && minute < 60 && second < 60 ? hour * 3600 + minute * 60 + second : null;
}
