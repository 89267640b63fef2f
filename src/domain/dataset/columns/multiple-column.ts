import type { Cell, ColumnSpec } from './column-spec.ts';
import { type MissingReason, missingReason, NOT_SHOWN, PRESENT, SKIPPED } from './missing.ts';

/** Any number of `spec.values` per row, one bit per option. */
export class MultipleColumn {
  readonly kind = 'multiple';
  readonly wordsPerRow: number;
  /** Option k of a row is bit k % 32 of its word floor(k / 32). Reallocated on growth, as is `states`. */
  words: Uint32Array;
  /** PRESENT or a MissingReason. */
  states: Uint8Array;
  readonly #indexOfValue: ReadonlyMap<string, number>;

  constructor(
    readonly spec: ColumnSpec,
    capacity: number,
  ) {
    this.#indexOfValue = new Map(spec.values.map(({ value }, index) => [value, index]));
    this.wordsPerRow = Math.max(1, Math.ceil(spec.values.length / 32));
    this.words = new Uint32Array(capacity * this.wordsPerRow);
    this.states = new Uint8Array(capacity).fill(NOT_SHOWN);
  }

  get bytes(): number {
    return this.words.byteLength + this.states.byteLength;
  }

  grow(capacity: number): void {
    const words = new Uint32Array(capacity * this.wordsPerRow);
    const states = new Uint8Array(capacity).fill(NOT_SHOWN);
    words.set(this.words);
    states.set(this.states);
    this.words = words;
    this.states = states;
  }

  /** Stores an array of option values; ignores unknown values. */
  set(row: number, cell: Cell): void {
    if (!Array.isArray(cell)) return this.setMissing(row, SKIPPED);
    this.setPresent(row);
    for (const value of cell) {
      const index = this.#indexOfValue.get(value);
      if (index !== undefined) this.setOption(row, index);
    }
  }

  /** Marks the row as answered with no option ticked. */
  setPresent(row: number): void {
    this.#clear(row);
    this.states[row] = PRESENT;
  }

  setOption(row: number, index: number): void {
    const word = row * this.wordsPerRow + (index >>> 5);
    this.words[word] = (this.words[word] ?? 0) | (1 << (index & 31));
  }

  setMissing(row: number, reason: MissingReason): void {
    this.#clear(row);
    this.states[row] = reason;
  }

  missing(row: number): MissingReason | null {
    return missingReason(this.states[row]);
  }

  has(row: number, index: number): boolean {
    return (((this.words[row * this.wordsPerRow + (index >>> 5)] ?? 0) >>> (index & 31)) & 1) === 1;
  }

  /** Returns the words of a row with these options (indexes in `spec.values`), for comparisons in loops. */
  wordsWith(options: readonly number[]): Uint32Array {
    const words = new Uint32Array(this.wordsPerRow);
    for (const option of options) words[option >>> 5]! |= 1 << (option & 31);
    return words;
  }

  /** `wordsWith` all options that are not flagged as missing. */
  get usableWords(): Uint32Array {
    return this.wordsWith(this.spec.values.flatMap(({ missing }, option) => (missing ? [] : [option])));
  }

  cell(row: number): Cell {
    if (this.states[row] !== PRESENT) return null;
    return this.spec.values.filter((_, index) => this.has(row, index)).map(({ value }) => value);
  }

  #clear(row: number): void {
    const start = row * this.wordsPerRow;
    this.words.fill(0, start, start + this.wordsPerRow);
  }
}

/** One option of a MultipleColumn as 0 or 1. It stores nothing; writes go through its source. */
export class BinaryColumn {
  readonly kind = 'binary';

  constructor(
    readonly spec: ColumnSpec,
    readonly source: MultipleColumn /** Index of the option in the source. */,
    readonly option: number,
  ) {}

  missing(row: number): MissingReason | null {
    return this.source.missing(row);
  }

  /** 0 or 1; NaN where missing. */
  valueAt(row: number): number {
    return this.source.missing(row) === null ? Number(this.source.has(row, this.option)) : NaN;
  }

  cell(row: number): Cell {
    const value = this.valueAt(row);
    return Number.isNaN(value) ? null : value;
  }
}
