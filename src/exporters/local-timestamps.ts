import { getTimeZone, type TimeZone } from '../lib/time-zone.ts';

/** Moments as clocks and calendars of one place show them. */
export class LocalTimestamps {
  /** Only the day of a moment is known: it is the first moment of that day in the zone. */
  readonly daysOnly: boolean;
  private readonly zone: TimeZone;

  /** `timeZone`: its IANA name. */
  constructor(timeZone: string, daysOnly: boolean) {
    this.daysOnly = daysOnly;
    this.zone = getTimeZone(timeZone);
  }

  /** `2026-01-02T11:00:00.000+01:00`; in UTC the text that was given. */
  toIso(moment: string): string {
    if (this.zone.isUtc) return moment;
    const offset = this.zone.offsetMs(Date.parse(moment)) / 60_000;
    const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
    const minutes = Math.abs(offset);
    return `${this.toWallClock(moment)}${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
  }

  /** `2026-01-02T11:00:00.000`. */
  toWallClock(moment: string): string {
    return new Date(this.toWallClockMs(moment)).toISOString().slice(0, -1);
  }

  /**
   * The same for a file that has no place for an offset: half a millisecond more, `…T02:30:00.0005`, tells the second occurrence of an
   * hour that clocks show twice from the first. Imports read it (domain/import/read-metadata.ts), and no clock shows it.
   */
  toMarkedWallClock(moment: string): string {
    return this.toWallClock(moment) + (this.zone.isRepeated(Date.parse(moment)) ? '5' : '');
  }

  /** Milliseconds as if the clock there were one in UTC. */
  toWallClockMs(moment: string): number {
    return this.zone.wallClockMs(Date.parse(moment));
  }
}
