/** Whatever a zone changes, it changes at such a moment. */
const QUARTER_MS = 15 * 60_000;
const MAX_KEPT = 50_000;

const UTC = 'UTC';

/** Is it the name of a time zone, such as Europe/Berlin? */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format(0);
    return true;
  } catch {
    return false;
  }
}

/** Moments as clocks and calendars of one place show them. */
export class LocalMoments {
  /** Where only the day of a moment is known, a zone would turn it into another day. */
  readonly daysOnly: boolean;
  private readonly format: Intl.DateTimeFormat | null;
  private readonly offsets = new Map<number, number>();

  /** `timeZone`: its IANA name. */
  constructor(timeZone: string, daysOnly: boolean) {
    this.daysOnly = daysOnly;
    this.format =
      daysOnly || timeZone.toUpperCase() === UTC
        ? null
        : new Intl.DateTimeFormat('en-US', {
            ...{ timeZone, hourCycle: 'h23', era: 'short', year: 'numeric', month: 'numeric' },
            ...{ day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric' },
          });
  }

  /** `2026-01-02T11:00:00.000+01:00`; in UTC the text that was given. */
  iso(moment: string): string {
    if (this.format === null) return moment;
    const offset = this.offsetMs(Date.parse(moment)) / 60_000;
    const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
    const minutes = Math.abs(offset);
    return `${this.wallClock(moment)}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
  }

  /** `2026-01-02T11:00:00.000`. */
  wallClock(moment: string): string {
    return new Date(this.wallClockMs(moment)).toISOString().slice(0, -1);
  }

  /** What the clock there shows, in milliseconds as if it were UTC. */
  wallClockMs(moment: string): number {
    const ms = Date.parse(moment);
    return this.format === null ? ms : ms + this.offsetMs(ms);
  }

  private offsetMs(ms: number): number {
    const quarter = Math.floor(ms / QUARTER_MS);
    let offset = this.offsets.get(quarter);
    if (offset === undefined) {
      if (this.offsets.size >= MAX_KEPT) this.offsets.clear();
      offset = this.offsetAt(quarter * QUARTER_MS);
      this.offsets.set(quarter, offset);
    }
    return offset;
  }

  private offsetAt(ms: number): number {
    const parts = new Map(this.format!.formatToParts(ms).map(({ type, value }) => [type, value]));
    const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
    const shown = new Date(0);
    shown.setUTCFullYear(part('year'), part('month') - 1, part('day'));
    return shown.setUTCHours(part('hour'), part('minute'), part('second')) - ms;
  }
}
