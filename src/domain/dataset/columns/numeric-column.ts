import type { Cell, ColumnSpec } from './column-spec.ts';
import { dateToText, textToDate } from './date-text.ts';
import { type MissingReason, missingReason, NOT_SHOWN, PRESENT, SKIPPED } from './missing.ts';

/** From this many rows on, columns use shared memory, which worker threads read without a copy. */
const SHARED_FROM_ROWS = 65_536;

const bufferFor = (rows: number, bytes: number): ArrayBufferLike =>
  new (rows < SHARED_FROM_ROWS ? ArrayBuffer : SharedArrayBuffer)(rows * bytes);

const noValues = (capacity: number) =>
  new Float64Array(bufferFor(capacity, Float64Array.BYTES_PER_ELEMENT)).fill(NaN);
const noStates = (capacity: number) => new Uint8Array(bufferFor(capacity, 1)).fill(NOT_SHOWN);

/** Float64 values (NaN where missing) with their missing reasons. */
class Float64Storage {
  /** Reallocated on growth, as is `states`: read the fields once per loop. */
  values: Float64Array;
  /** PRESENT or a MissingReason; PRESENT exactly where the value is not NaN. */
  states: Uint8Array;

  constructor(
    readonly spec: ColumnSpec,
    capacity: number,
  ) {
    this.values = noValues(capacity);
    this.states = noStates(capacity);
  }

  get bytes(): number {
    return this.values.byteLength + this.states.byteLength;
  }

  grow(capacity: number): void {
    const values = noValues(capacity);
    const states = noStates(capacity);
    values.set(this.values);
    states.set(this.states);
    this.values = values;
    this.states = states;
  }

  setMissing(row: number, reason: MissingReason): void {
    this.values[row] = NaN;
    this.states[row] = reason;
  }

  missing(row: number): MissingReason | null {
    return missingReason(this.states[row]);
  }

  protected setNumber(row: number, value: number): void {
    if (!Number.isFinite(value)) return this.setMissing(row, SKIPPED);
    this.values[row] = value;
    this.states[row] = PRESENT;
  }
}

/** Numbers and ranks. */
export class NumericColumn extends Float64Storage {
  readonly kind = 'numeric';

  set(row: number, cell: Cell): void {
    this.setNumber(row, cell === null || Array.isArray(cell) || cell === '' ? NaN : Number(cell));
  }

  cell(row: number): Cell {
    const value = this.values[row] ?? NaN;
    return Number.isNaN(value) ? null : value;
  }
}

/** Dates in milliseconds since 1970 UTC (midnight for a date without time); times in minutes of the day. */
export class DateColumn extends Float64Storage {
  readonly kind = 'date';

  /** Stores a text in the column's precision, or milliseconds directly. */
  set(row: number, cell: Cell): void {
    if (typeof cell === 'number') this.setNumber(row, cell);
    else
      this.setNumber(row, typeof cell === 'string' ? textToDate(cell, this.spec.precision ?? 'date') : NaN);
  }

  /** Formats metadata as a UTC timestamp, `2026-11-21T08:30:00.000Z`, and answers by their precision. */
  cell(row: number): Cell {
    const value = this.values[row] ?? NaN;
    if (Number.isNaN(value)) return null;
    if (this.spec.source === 'metadata') return new Date(value).toISOString();
    return dateToText(value, this.spec.precision ?? 'date');
  }
}
