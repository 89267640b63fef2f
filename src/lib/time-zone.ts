const DAY_MS = 24 * 60 * 60 * 1000;
/** Offsets change only at multiples of this. */
const QUARTER_MS = 15 * 60 * 1000;

export const UTC = 'UTC';
/** The end of the message about an unknown time zone. */
export const TIME_ZONE_EXPECTED = 'must be the IANA name of a time zone such as Europe/Berlin';

/** Whether this is the IANA name of a time zone, such as Europe/Berlin. */
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
 * Converts between instants and local times with the time zone data of Intl. Instants are milliseconds since 1970 UTC. A local time is
 * given as the instant at which a clock in UTC shows it.
 */
export class TimeZone {
  readonly isUtc: boolean;
  private readonly format: Intl.DateTimeFormat | null;
  /** By day in UTC; null if the offset changes during that day. */
  private readonly offsetOfDay = new Map<number, number | null>();
  /** By quarter of an hour, for days on which the offset changes. */
  private readonly offsetOfQuarter = new Map<number, number>();
  private lastDay = NaN;
  private lastOffset: number | null = 0;

  constructor(readonly name: string) {
    this.isUtc = name.toUpperCase() === UTC;
    this.format = this.isUtc
      ? null
      : new Intl.DateTimeFormat('en-US', {
          timeZone: name,
          hourCycle: 'h23',
          era: 'short',
          year: 'numeric',
          month: 'numeric',
          day: 'numeric',
          hour: 'numeric',
          minute: 'numeric',
          second: 'numeric',
        });
  }

  /** Returns the offset from UTC at that instant, in milliseconds. */
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
   * Returns the instant of a local time. A time that occurs twice (clocks go back) gives the first instant, unless `which` is "later". A
   * time that is skipped (clocks go forward) uses the offset before the change: 02:30 becomes 03:30. Equals "compatible" and "later" of
   * Temporal.
   */
  instantMs(wallClockMs: number, which: 'earlier' | 'later' = 'earlier'): number {
    const before = wallClockMs - this.offsetMs(wallClockMs - DAY_MS);
    const after = wallClockMs - this.offsetMs(wallClockMs + DAY_MS);
    const exists = (ms: number) => this.wallClockMs(ms) === wallClockMs;
    if (which === 'later' && exists(after)) return after;
    return exists(before) || !exists(after) ? before : after;
  }

  /** Whether the local time of this instant has occurred before, because clocks went back. */
  isRepeated(ms: number): boolean {
    return this.instantMs(this.wallClockMs(ms)) !== ms;
  }

  /** Returns the first instant of the local day of an instant. */
  startOfDayMs(ms: number): number {
    const start = this.instantMs(Math.floor(this.wallClockMs(ms) / DAY_MS) * DAY_MS);
    // If clocks go back over midnight, the first midnight begins a day that lasts until the second.
    return Math.min(start, ms);
  }

  /** Returns the local day of an instant, `YYYY-MM-DD`. */
  dayOf(ms: number): string {
    return new Date(this.wallClockMs(ms)).toISOString().slice(0, 10);
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
    if (!this.format) return 0;
    const parts = new Map(this.format.formatToParts(ms).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    const localTime = new Date(0);
    localTime.setUTCFullYear(part('year'), part('month') - 1, part('day'));
    return localTime.setUTCHours(part('hour'), part('minute'), part('second')) - ms;
  }
}

const zones = new Map<string, TimeZone>();

/** Returns the shared instance of a time zone. Throws RangeError for an unknown name. */
export function getTimeZone(name: string): TimeZone {
  const known = zones.get(name) ?? new TimeZone(name);
  zones.set(name, known);
  return known;
}
