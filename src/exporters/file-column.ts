import { getTimeZone, type TimeZone } from '../lib/time-zone.ts';
import type { CatalogColumn } from '../domain/dataset/column-catalog.ts';
import type { Cell, ColumnSpec } from '../domain/columns/column-spec.ts';
import { type NoAnswerChoice, noAnswerLabel } from '../domain/columns/no-answer.ts';

/** One column of a file of responses. */
export interface FileColumn {
  entry: CatalogColumn;
  header: string;
  /** Whether cells contain codes (option_values) or labels. */
  showAs: 'code' | 'label';
  /** Whether cells contain codes or labels of the reasons that respondents gave instead of an answer. */
  reasonsAs: 'code' | 'label';
}

/** Converts a cell, or the reason given instead of it. */
export type CellConverter<T> = (cell: Cell, given: NoAnswerChoice | null) => T;

/** Returns what a file shows for a reason. */
export const reasonIn = (
  choice: NoAnswerChoice,
  { reasonsAs }: Pick<FileColumn, 'reasonsAs'>,
): string | number => (reasonsAs === 'code' ? choice.code : noAnswerLabel(choice));

/** Whether the column is a timestamp of the response (ISO 8601 in UTC) and not an answer to a date question. */
export function isTimestamp({ source, type }: ColumnSpec): boolean {
  return source === 'metadata' && type === 'date';
}

/** A label for each value that has one. */
export function labelsOf({ values }: ColumnSpec): ReadonlyMap<string, string> {
  return new Map(values.map(({ value, label }) => [value, label]));
}

/** Formats timestamps in one time zone. */
export class LocalTimestamps {
  private readonly zone: TimeZone;

  /** `timeZone`: its IANA name. */
  constructor(
    readonly timeZone: string /** Timestamps are reduced to their day: each is the start of that day in the zone. */,
    readonly daysOnly: boolean,
  ) {
    this.zone = getTimeZone(timeZone);
  }

  /** `2026-01-02T11:00:00.000+01:00`; in UTC the unchanged input. */
  toIso(timestamp: string): string {
    if (this.zone.isUtc) return timestamp;
    const offset = this.zone.offsetMs(Date.parse(timestamp)) / 60_000;
    const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0');
    const minutes = Math.abs(offset);
    return `${this.toWallClock(timestamp)}${offset < 0 ? '-' : '+'}${twoDigits(minutes / 60)}:${twoDigits(minutes % 60)}`;
  }

  /** `2026-01-02T11:00:00.000`. */
  toWallClock(timestamp: string): string {
    return new Date(this.toWallClockMs(timestamp)).toISOString().slice(0, -1);
  }

  /**
   * The wall clock for a format without offsets. Half a millisecond more, `…T02:30:00.0005`, marks the second occurrence of an
   * hour that clocks show twice from the first. Imports read it (domain/import/read-cell.ts), and no clock shows it.
   */
  toMarkedWallClock(timestamp: string): string {
    return this.toWallClock(timestamp) + (this.zone.isRepeated(Date.parse(timestamp)) ? '5' : '');
  }

  /** The local wall clock in milliseconds, as if it were UTC. */
  toWallClockMs(timestamp: string): number {
    return this.zone.wallClockMs(Date.parse(timestamp));
  }
}
