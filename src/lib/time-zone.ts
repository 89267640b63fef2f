const DAY_MS = 24 * 60 * 60 * 1000;
/** Offsets change at multiples of it. */
const QUARTER_MS = 15 * 60 * 1000;

export const UTC = 'UTC';
/** The end of a message about a name that is not of a time zone. */
export const TIME_ZONE_EXPECTED = 'must be the IANA name of a time zone such as Europe/Berlin';

/** Is it the IANA name of a time zone, such as Europe/Berlin? */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format(0);
    return true;
  } catch {
    return false;
  }
}

/**
 * The calendar and the clock of a time zone, by the time zone data of Intl. Moments are milliseconds since 1970 UTC; a wall clock is
 * what clocks there show, as the milliseconds since 1970 at which clocks in UTC show the same.
 */
export class TimeZone {
  readonly name: string;
  readonly isUtc: boolean;
  private readonly format: Intl.DateTimeFormat | null;
  /** By day of UTC; null: the offset changes within that day. */
  private readonly offsetOfDay = new Map<number, number | null>();
  /** Of the days on which it changes, by quarter of an hour. */
  private readonly offsetOfQuarter = new Map<number, number>();
  private lastDay = NaN;
  private lastOffset: number | null = 0;

  constructor(name: string) {
    this.name = name;
    this.isUtc = name.toUpperCase() === UTC;
    this.format = this.isUtc
      ? null
      : new Intl.DateTimeFormat('en-US', {
          ...{ timeZone: name, hourCycle: 'h23', era: 'short', year: 'numeric', month: 'numeric' },
          ...{ day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
        });
  }

  /** How far clocks there are ahead of UTC at that moment, in milliseconds. */
  offsetMs(ms: number): number {
    if (this.format === null || Number.isNaN(ms)) return 0;
    const day = Math.floor(ms / DAY_MS);
    if (day !== this.lastDay) {
      this.lastOffset = this.offsetOf(day);
      this.lastDay = day;
    }
    return this.lastOffset ?? this.offsetWithinDay(Math.floor(ms / QUARTER_MS));
  }

  wallClockMs(ms: number): number {
    return ms + this.offsetMs(ms);
  }

  /**
   * The moment at which clocks there show it. Of an hour that comes twice (clocks are put back) the first, unless `which` is "later";
   * an hour that is left out (clocks are put forward) is read with the offset before it: 02:30 is then 03:30. As "compatible" and
   * "later" of Temporal.
   */
  momentMs(wallClockMs: number, which: 'earlier' | 'later' = 'earlier'): number {
    const before = wallClockMs - this.offsetMs(wallClockMs - DAY_MS);
    const after = wallClockMs - this.offsetMs(wallClockMs + DAY_MS);
    const exists = (ms: number) => this.wallClockMs(ms) === wallClockMs;
    if (which === 'later' && exists(after)) return after;
    return exists(before) || !exists(after) ? before : after;
  }

  /** Have clocks there shown the same before, in an hour that comes twice? */
  isRepeated(ms: number): boolean {
    return this.momentMs(this.wallClockMs(ms)) !== ms;
  }

  /** The first moment of the day there that a moment lies in. */
  startOfDayMs(ms: number): number {
    const start = this.momentMs(Math.floor(this.wallClockMs(ms) / DAY_MS) * DAY_MS);
    // Where clocks are put back over midnight, the first midnight begins a day that goes on until the second.
    return Math.min(start, ms);
  }

  private offsetOf(day: number): number | null {
    let offset = this.offsetOfDay.get(day);
    if (offset === undefined) {
      const [start, end] = [this.computeOffset(day * DAY_MS), this.computeOffset((day + 1) * DAY_MS)];
      offset = start === end ? start : null;
      this.offsetOfDay.set(day, offset);
    }
    return offset;
  }

  private offsetWithinDay(quarter: number): number {
    const offset = this.offsetOfQuarter.get(quarter) ?? this.computeOffset(quarter * QUARTER_MS);
    this.offsetOfQuarter.set(quarter, offset);
    return offset;
  }

  private computeOffset(ms: number): number {
    const parts = new Map(this.format!.formatToParts(ms).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    const shown = new Date(0);
    shown.setUTCFullYear(part('year'), part('month') - 1, part('day'));
    return shown.setUTCHours(part('hour'), part('minute'), part('second')) - ms;
  }
}

const zones = new Map<string, TimeZone>();

/** One instance per name, which knows its offsets. Throws RangeError where the name is not of a time zone. */
export function timeZoneNamed(name: string): TimeZone {
  const known = zones.get(name) ?? new TimeZone(name);
  zones.set(name, known);
  return known;
}
