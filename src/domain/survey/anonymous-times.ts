import { getTimeZone } from '../../lib/time-zone.ts';

/** Returns the time zone to whose days the times of a survey's responses are rounded; null: the survey is not anonymous. */
export function dayZoneOf(settings: { anonymous: boolean; timezone: string }): string | null {
  return settings.anonymous ? settings.timezone : null;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_DAY = Date.UTC(2020, 0, 1) / DAY_MS;

/**
 * The ids of one day. Among a million responses of a day to one survey two have the same number about five times, so a writer must try again
 * with another one. With this many, ids stay exact in JavaScript until the year 2266.
 */
export const IDS_PER_DAY = 100_000_000_000;

/**
 * Returns the id of a response to an anonymous survey: the days from 2020 to its local day, and a random number below IDS_PER_DAY.
 * Ids of the same day are in no order, so that they do not show who answered before whom, and the day is shown anyway.
 */
export function anonymousResponseId(startedAt: Date, timeZone: string, random: number): number {
  const day = Math.floor(getTimeZone(timeZone).wallClockMs(startedAt.getTime()) / DAY_MS);
  return Math.max(1, day - FIRST_DAY) * IDS_PER_DAY + random;
}
