import { requireValue } from '../../lib/require-value.ts';
import { isAbsent } from './option-absences.ts';
import type { Cell, ColumnSpec } from './column-spec.ts';
import { dateToText, textToDate } from './dates.ts';
import type { NoAnswerReason } from './no-answer.ts';

/**
 * Reasons for an empty cell. Skipped: the question was shown and not answered. Not shown: also used for metadata without a value. Not
 * applicable: the sources of a derived column have values, but its definition gives none, such as a number outside all bins. Said so: the
 * respondent gave a reason instead of an answer. Columns store the reason next to the values; categorical columns store it as a negative
 * index, `-reason`.
 */
export const PRESENT = 0;
export const SKIPPED = 1;
export const NOT_SHOWN = 2;
export const NOT_APPLICABLE = 3;
const SAID_DONT_KNOW = 4;
const SAID_REFUSED = 5;
const SAID_NOT_APPLICABLE = 6;

/** Number of reasons. Added to a category index it gives a table slot, with the reasons before the values. */
export const MISSING_SLOTS = 6;

type SaidReason = typeof SAID_DONT_KNOW | typeof SAID_REFUSED | typeof SAID_NOT_APPLICABLE;
export type MissingReason = typeof SKIPPED | typeof NOT_SHOWN | typeof NOT_APPLICABLE | SaidReason;

/** How columns store the reasons that respondents give. */
export const STATE_OF_NO_ANSWER: Readonly<Record<NoAnswerReason, SaidReason>> = {
  dont_know: SAID_DONT_KNOW,
  refused: SAID_REFUSED,
  not_applicable: SAID_NOT_APPLICABLE,
};

/** Returns the missing reason of a state, or null if the cell has a value. Rows beyond the column (undefined) are not shown. */
function missingReason(state: number | undefined): MissingReason | null {
  return state === PRESENT ? null : ((state ?? NOT_SHOWN) as MissingReason);
}

const MAX_INT16 = 32_767;

/** One of `spec.values` per row. */
export class CategoricalColumn {
  readonly kind = 'categorical';
  /** Whether `cell` returns every cell as it was set. */
  isLossless = true;
  /** Index into `spec.values`; negative: a MissingReason. Reallocated on growth: read the field once per loop. */
  indices: Int16Array | Int32Array;
  readonly #indexOfValue: ReadonlyMap<string, number>;

  constructor(
    readonly spec: ColumnSpec,
    capacity: number,
  ) {
    this.#indexOfValue = new Map(spec.values.map(({ value }, index) => [value, index]));
    this.indices = this.#allocate(capacity);
  }

  get bytes(): number {
    return this.indices.byteLength;
  }

  grow(capacity: number): void {
    const indices = this.#allocate(capacity);
    indices.set(this.indices);
    this.indices = indices;
  }

  /** Stores an unknown value as skipped, so that one invalid row does not make every figure fail. */
  set(row: number, cell: Cell): void {
    const index = cell === null ? undefined : this.#indexOfValue.get(String(cell));
    if (index === undefined && cell !== null) this.isLossless = false;
    this.indices[row] = index ?? -SKIPPED;
  }

  setMissing(row: number, reason: MissingReason): void {
    this.indices[row] = -reason;
  }

  missing(row: number): MissingReason | null {
    return missingReason(Math.max(0, -(this.indices[row] ?? -NOT_SHOWN)));
  }

  cell(row: number): Cell {
    return this.spec.values[this.indices[row] ?? -1]?.value ?? null;
  }

  #allocate(capacity: number): Int16Array | Int32Array {
    const wide = this.spec.values.length > MAX_INT16;
    return (wide ? new Int32Array(capacity) : new Int16Array(capacity)).fill(-NOT_SHOWN);
  }
}

/** Any number of `spec.values` per row, one bit per option. */
export class MultipleColumn {
  readonly kind = 'multiple';
  /** Whether the options of every cell are those that were set. Their order is not stored. */
  isLossless = true;
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
      if (index === undefined) this.isLossless = false;
      else this.setOption(row, index);
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

  /** Whether options are chosen in a row, all of them flagged as missing. */
  hasOnlyFlagged(row: number): boolean {
    return isOnlyFlagged(this, this.usableWords, row);
  }

  /** The states, with NOT_APPLICABLE where only options flagged as missing are chosen. */
  statesOfUsable(): Uint8Array {
    const usable = this.usableWords;
    const states = this.states.slice();
    for (let row = 0; row < states.length; row++)
      if (states[row] === PRESENT && isOnlyFlagged(this, usable, row)) states[row] = NOT_APPLICABLE;
    return states;
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

function isOnlyFlagged(
  { words, wordsPerRow }: Pick<MultipleColumn, 'words' | 'wordsPerRow'>,
  usable: Uint32Array,
  row: number,
): boolean {
  let chosen = 0;
  let used = 0;
  for (let word = 0; word < wordsPerRow; word++) {
    const bits = words[row * wordsPerRow + word]!;
    chosen |= bits;
    used |= bits & usable[word]!;
  }
  return chosen !== 0 && used === 0;
}

/**
 * One option of a MultipleColumn as 0 or 1. It stores nothing; writes go through its source. Two kinds of rows say nothing about the option
 * and are missing: with only options flagged as missing ("don't know"), and answered in a version of the survey without the option.
 */
export class BinaryColumn {
  readonly kind = 'binary';
  /** Whether the column is missing, as NOT_APPLICABLE, in rows with only flagged options. */
  readonly isMissingIfFlagged: boolean;

  constructor(
    readonly spec: ColumnSpec,
    readonly source: MultipleColumn /** Index of the option in the source. */,
    readonly option: number,
    /** The survey version by row; required if `spec.absentIn` is given. */
    private readonly versions: NumericColumn | null = null,
  ) {
    const { values } = source.spec;
    this.isMissingIfFlagged = values[option]?.missing === false && values.some(({ missing }) => missing);
  }

  /** Returns the column for `spec.absentIn`. The survey versions are loaded separately. */
  withVersions(spec: ColumnSpec, versions: NumericColumn): BinaryColumn {
    return new BinaryColumn(spec, this.source, this.option, versions);
  }

  /**
   * PRESENT or a MissingReason by row: NOT_APPLICABLE in rows with only flagged options, NOT_SHOWN where the option was not offered. A
   * snapshot for one loop.
   */
  get states(): Uint8Array {
    const states = this.isMissingIfFlagged ? this.source.statesOfUsable() : this.source.states;
    if (this.spec.absentIn === undefined) return states;
    const known = states.slice();
    for (let row = 0; row < known.length; row++)
      if (known[row] === PRESENT && this.#isNotOffered(row)) known[row] = NOT_SHOWN;
    return known;
  }

  missing(row: number): MissingReason | null {
    const reason = this.source.missing(row);
    if (reason !== null) return reason;
    if (this.isMissingIfFlagged && this.source.hasOnlyFlagged(row)) return NOT_APPLICABLE;
    return this.#isNotOffered(row) ? NOT_SHOWN : null;
  }

  /** 0 or 1; NaN where missing. */
  valueAt(row: number): number {
    return this.missing(row) === null ? Number(this.source.has(row, this.option)) : NaN;
  }

  cell(row: number): Cell {
    const value = this.valueAt(row);
    return Number.isNaN(value) ? null : value;
  }

  #isNotOffered(row: number): boolean {
    const { absentIn } = this.spec;
    if (absentIn === undefined || this.source.has(row, this.option)) return false;
    return isAbsent(absentIn, requireValue(this.versions, 'survey versions').values[row] ?? NaN);
  }
}

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
  /** Whether `cell` returns every cell as it was set. */
  isLossless = true;

  set(row: number, cell: Cell): void {
    if (cell !== null && !Number.isFinite(cell)) this.isLossless = false;
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
  /** A date in another notation becomes one in the notation of its precision. */
  readonly isLossless = false;

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

/** With more distinct texts, sharing equal strings does not save memory. */
const MAX_SHARED = 1_000;
/** Estimated bytes per string besides its characters, and per reference; used for the cache budget. */
const STRING_OVERHEAD_BYTES = 16;
const REFERENCE_BYTES = 8;

/** Open texts and file ids. Shares equal strings while there are few distinct ones. */
export class TextColumn {
  readonly kind = 'text';
  /** Whether `cell` returns every cell as it was set. */
  isLossless = true;
  /** Null where missing. */
  readonly texts: (string | null)[] = [];
  /** PRESENT or a MissingReason. Reallocated on growth. */
  states: Uint8Array;
  #shared: Map<string, string> | null = new Map();
  #textBytes = 0;

  constructor(
    readonly spec: ColumnSpec,
    capacity: number,
  ) {
    this.states = new Uint8Array(capacity).fill(NOT_SHOWN);
  }

  get bytes(): number {
    return this.states.byteLength + this.states.length * REFERENCE_BYTES + this.#textBytes;
  }

  grow(capacity: number): void {
    const states = new Uint8Array(capacity).fill(NOT_SHOWN);
    states.set(this.states);
    this.states = states;
  }

  set(row: number, cell: Cell): void {
    if (cell !== null && (typeof cell !== 'string' || cell === '')) this.isLossless = false;
    if (cell === null || cell === '') return this.setMissing(row, SKIPPED);
    this.#putText(row, this.#share(Array.isArray(cell) ? cell.join(';') : String(cell)));
    this.states[row] = PRESENT;
  }

  setMissing(row: number, reason: MissingReason): void {
    this.#putText(row, null);
    this.states[row] = reason;
  }

  missing(row: number): MissingReason | null {
    return missingReason(this.states[row]);
  }

  cell(row: number): Cell {
    return this.texts[row] ?? null;
  }

  /** Fills gaps with null: rows are written in any order, and a sparse array would be slow. */
  #putText(row: number, text: string | null): void {
    while (this.texts.length < row) this.texts.push(null);
    this.texts[row] = text;
  }

  #share(text: string): string {
    const known = this.#shared?.get(text);
    if (known !== undefined) return known;
    this.#textBytes += STRING_OVERHEAD_BYTES + 2 * text.length;
    if (this.#shared && this.#shared.size >= MAX_SHARED) this.#shared = null;
    this.#shared?.set(text, text);
    return text;
  }
}

/** A column that stores its own cells: growable, and cheap to overwrite in place. */
export type StoredColumn = CategoricalColumn | MultipleColumn | NumericColumn | DateColumn | TextColumn;

/** A readable column, one row per response. `kind` is the storage form. */
export type Column = StoredColumn | BinaryColumn;

/** Creates empty storage for a column's type: every row is not shown. Throws for binary columns, which are views. */
export function createColumn(spec: ColumnSpec, capacity: number): StoredColumn {
  switch (spec.type) {
    case 'categorical':
      return new CategoricalColumn(spec, capacity);
    case 'multiple':
      return new MultipleColumn(spec, capacity);
    case 'number':
    case 'rank':
      return new NumericColumn(spec, capacity);
    case 'date':
      return new DateColumn(spec, capacity);
    case 'text':
    case 'file':
      return new TextColumn(spec, capacity);
    case 'binary':
      throw new Error(`${spec.columnCode} is a view on a multiple column`);
  }
}

/** Creates a standalone binary column: a view of a multiple column with one option. */
export function createBinary(spec: ColumnSpec, capacity: number): BinaryColumn {
  const yes = { code: 1, value: '1', number: 1, label: spec.label, missing: false };
  const source = new MultipleColumn({ ...spec, type: 'multiple', values: [yes] }, capacity);
  return new BinaryColumn(spec, source, 0);
}
