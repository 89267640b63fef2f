import type { CellAsker, CellReader, StoredAnswer } from '../questions/answers/codec.ts';
import { cellReaderOf, type QuestionColumns } from './column-catalog.ts';
import type { Cell } from '../columns/column-spec.ts';
import {
  BinaryColumn,
  type Column,
  createBinary,
  createColumn,
  MultipleColumn,
  NOT_SHOWN,
  SKIPPED,
  STATE_OF_NO_ANSWER,
  type StoredColumn,
} from '../columns/columns.ts';
import { noAnswerReasonOf } from '../columns/no-answer.ts';
import type { MetadataColumn } from '../responses/metadata-columns.ts';
import { type ResponseState, ROW_STATES, rowState } from '../responses/response-row.ts';

/**
 * Finds the row of a response id without an entry per row. Responses are loaded by id, and ids of most surveys ascend in the order of
 * arrival, so a binary search suffices. Ids that are smaller than an earlier one are kept in a map: those of an anonymous survey that arrived
 * since it was loaded, which are random within a day, and those that were committed late. The caller owns the `ids` array.
 */
class RowIndex {
  /** Rows whose id is smaller than an earlier one. */
  readonly #outOfOrder = new Map<number, number>();
  /** The other rows, in runs of consecutive ones: [first, end). Their ids ascend, also from run to run. */
  readonly #runs: { first: number; end: number }[] = [];
  #largest = -Infinity;

  /** Registers that `id` is stored at `row`, the next row. */
  add(id: number, row: number): void {
    if (id > this.#largest) this.#addInOrder(id, row, 1);
    else this.#outOfOrder.set(id, row);
  }

  /** Registers that ascending ids are stored from `row` on. */
  addAscending(ids: Float64Array, row: number): void {
    if (ids.length > 0 && ids[0]! > this.#largest) this.#addInOrder(ids.at(-1)!, row, ids.length);
    else ids.forEach((id, position) => this.add(id, row + position));
  }

  /** Returns the row of `id` in `ids`, or -1. */
  find(id: number, ids: Float64Array): number {
    if (id > this.#largest) return -1;
    const outOfOrderRow = this.#outOfOrder.get(id);
    if (outOfOrderRow !== undefined) return outOfOrderRow;
    const run = lastAtMost(id, 0, this.#runs.length, (index) => ids[this.#runs[index]!.first]!);
    if (run < 0) return -1;
    const { first, end } = this.#runs[run]!;
    const row = lastAtMost(id, first, end, (index) => ids[index]!);
    return ids[row] === id ? row : -1;
  }

  get bytes(): number {
    return this.#outOfOrder.size * 48 + this.#runs.length * 48;
  }

  #addInOrder(largest: number, row: number, count: number): void {
    this.#largest = largest;
    const last = this.#runs.at(-1);
    if (last?.end === row) last.end += count;
    else this.#runs.push({ first: row, end: row + count });
  }
}

/** Returns the last index from `start` to before `end` whose value is at most `value`, or start - 1. Values ascend. */
function lastAtMost(value: number, start: number, end: number, valueAt: (index: number) => number): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (valueAt(middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

const MAX_SPARE_MASKS = 2;

/**
 * Memory of masks that are no longer used, for the next ones: the first access to new memory for a million rows takes longer than evaluating
 * a filter. A mask that is never released is garbage collected like any other array.
 */
class MaskPool {
  readonly #spare: ArrayBuffer[] = [];
  readonly #lent = new WeakSet<Uint8Array>();

  /** Returns a copy of a mask. `capacity`: the bytes to allocate, so that masks of more rows can use the same memory. */
  copy(mask: Uint8Array, capacity: number): Uint8Array {
    let buffer = this.#spare.pop();
    if (buffer === undefined || buffer.byteLength < mask.length) buffer = new ArrayBuffer(capacity);
    const copied = new Uint8Array(buffer, 0, mask.length);
    copied.set(mask);
    this.#lent.add(copied);
    return copied;
  }

  /** Ignores masks of other origin. */
  release(mask: Uint8Array): void {
    const { buffer } = mask;
    if (!this.#lent.delete(mask) || !(buffer instanceof ArrayBuffer)) return;
    if (this.#spare.length < MAX_SPARE_MASKS) this.#spare.push(buffer);
  }

  get bytes(): number {
    return this.#spare.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}

const SMALL_DATASET_ROWS = 100_000;

/** The rows of a dataset: response ids and states, without columns. */
export class DatasetRows {
  /** By row: status and flags in one byte, see response-row.ts. Reallocated on growth. */
  states: Uint8Array;
  /** Response ids by row: ascending where they were loaded, then in the order of arrival. Reallocated on growth. */
  ids: Float64Array;
  count = 0;
  /** Incremented by every change. */
  revision = 0;
  /** Whether the survey is published; see `includesTestsByDefault`. */
  isPublished = false;
  readonly #index = new RowIndex();
  /** Masks by included states; only a few combinations are requested. */
  #masks = { revision: -1, byStates: new Map<string, Uint8Array>() };
  readonly #pool = new MaskPool();

  #tally = { revision: -1, counts: new Uint32Array(ROW_STATES) };

  constructor(capacity: number) {
    this.states = new Uint8Array(capacity);
    this.ids = new Float64Array(capacity);
  }

  get capacity(): number {
    return this.ids.length;
  }

  get bytes(): number {
    let bytes = this.states.byteLength + this.ids.byteLength + this.#index.bytes;
    for (const mask of this.#masks.byStates.values()) bytes += mask.byteLength;
    return bytes + this.#pool.bytes;
  }

  /** Returns the row of a response, or -1. */
  rowOf(responseId: number): number {
    return this.#index.find(responseId, this.ids);
  }

  /** Returns a mask with 1 for every row whose state is included. Cached and shared until the rows change; callers must not modify it. */
  maskOf(counting: Uint8Array): Uint8Array {
    if (this.#masks.revision !== this.revision)
      this.#masks = { revision: this.revision, byStates: new Map() };
    const { byStates } = this.#masks;
    const key = counting.join('');
    const kept = byStates.get(key);
    if (kept !== undefined) return kept;
    const { states } = this;
    const mask = new Uint8Array(this.count);
    for (let row = 0; row < mask.length; row++) mask[row] = counting[states[row]!]!;
    byStates.set(key, mask);
    return mask;
  }

  /** Returns a copy of a mask that may be modified; `releaseMask` makes its memory available for the next copy. */
  copyMask(mask: Uint8Array): Uint8Array {
    return this.#pool.copy(mask, this.capacity);
  }

  /** Ends the use of a mask from `copyMask`. Ignores other masks. */
  releaseMask(mask: Uint8Array): void {
    this.#pool.release(mask);
  }

  /** Number of rows per state, cached until the rows change. */
  get stateCounts(): Uint32Array {
    if (this.#tally.revision === this.revision) return this.#tally.counts;
    const counts = new Uint32Array(ROW_STATES);
    const { states, count } = this;
    for (let row = 0; row < count; row++) counts[states[row]!]!++;
    this.#tally = { revision: this.revision, counts };
    return counts;
  }

  /** Inserts or updates the state of a response and returns its row. Requires free capacity. */
  put(response: ResponseState): number {
    const existing = this.rowOf(response.responseId);
    const row = existing < 0 ? this.count : existing;
    if (existing < 0) {
      this.ids[row] = response.responseId;
      this.#index.add(response.responseId, row);
      this.count = row + 1;
    }
    this.states[row] = rowState(response);
    return row;
  }

  /** Appends `count` responses with ascending ids and returns the row of the first. Requires free capacity. */
  append(count: number, fill: (into: { ids: Float64Array; states: Uint8Array }) => void): number {
    const row = this.count;
    const ids = this.ids.subarray(row, row + count);
    fill({ ids, states: this.states.subarray(row, row + count) });
    this.#index.addAscending(ids, row);
    this.count = row + count;
    return row;
  }

  /** Grows the capacity to at least `rows` and returns it. Growth is geometric, so appending n rows copies O(n) in total. */
  grow(rows: number): number {
    // Large datasets grow by an eighth only, to limit unused memory.
    const capacity = Math.max(16, rows + (rows < SMALL_DATASET_ROWS ? rows >>> 1 : rows >>> 3));
    const ids = new Float64Array(capacity);
    const states = new Uint8Array(capacity);
    ids.set(this.ids);
    states.set(this.states);
    this.ids = ids;
    this.states = states;
    return capacity;
  }
}

/** The columns of one load code: those of one question, or one metadata column. */
export interface ColumnStore {
  /** Parallel to the catalog's columns and sets of the question. */
  readonly columns: readonly Column[];
  readonly sets: readonly MultipleColumn[];
  /** The columns that store data; binary columns are views of some of them. */
  readonly stored: readonly StoredColumn[];
  readonly bytes: number;
  /** Grows to a larger capacity; the new rows are not shown. */
  grow(capacity: number): void;
  /** Stores an answer: null is skipped, undefined not shown. */
  set(row: number, answer: StoredAnswer | null | undefined): void;
}

const NO_CELLS: readonly Cell[] = [];

abstract class Storage {
  readonly stored: StoredColumn[] = [];

  get bytes(): number {
    return this.stored.reduce((sum, column) => sum + column.bytes, 0);
  }

  grow(capacity: number): void {
    for (const column of this.stored) column.grow(capacity);
  }

  protected keep<C extends StoredColumn>(column: C): C {
    this.stored.push(column);
    return column;
  }
}

/** The columns of a question. The codec converts answers to cells; this class stores cells as numbers. */
export class QuestionStore extends Storage implements ColumnStore {
  readonly columns: readonly Column[];
  readonly sets: readonly MultipleColumn[];
  readonly #questionColumns: QuestionColumns;
  readonly #readCells: CellReader;
  readonly #isAsked: CellAsker | null;
  readonly #rowSets: boolean;
  /** Columns filled from `#readCells`. */
  readonly #cellColumns: { column: Exclude<StoredColumn, MultipleColumn>; index: number }[] = [];

  constructor(questionColumns: QuestionColumns, capacity: number) {
    super();
    this.#questionColumns = questionColumns;
    this.#readCells = cellReaderOf(questionColumns);
    this.#isAsked = questionColumns.codec.cellAsker?.(questionColumns.question) ?? null;
    this.#rowSets = questionColumns.codec.toSetCell === undefined;
    this.sets = questionColumns.sets.map((spec) => this.keep(new MultipleColumn(spec, capacity)));
    let binaries = 0;
    this.columns = questionColumns.columns.map((spec, index) => {
      if (spec.type === 'binary') return this.#flag(index, binaries++);
      const column = createColumn(spec, capacity);
      if (column.kind === 'multiple')
        throw new Error(`${spec.columnCode}: a set cannot be a column of a data file`);
      this.#cellColumns.push({ column: this.keep(column), index });
      return column;
    });
  }

  set(row: number, answer: StoredAnswer | null | undefined): void {
    if (answer === undefined || answer === null) {
      const reason = answer === undefined ? NOT_SHOWN : SKIPPED;
      for (const column of this.stored) column.setMissing(row, reason);
      if (answer === null) this.#setNotAsked(row, null, NO_CELLS);
      return;
    }
    const given = noAnswerReasonOf(answer);
    if (given !== null) {
      for (const column of this.stored) column.setMissing(row, STATE_OF_NO_ANSWER[given]);
      this.#setNotAsked(row, null, NO_CELLS);
      return;
    }
    const { codec, question } = this.#questionColumns;
    const [set] = this.sets;
    if (set && codec.toSetCell) set.set(row, codec.toSetCell(question, answer));
    if (this.#cellColumns.length === 0 && !this.#rowSets) return;
    const cells = this.#readCells(answer);
    for (const { column, index } of this.#cellColumns) column.set(row, cells[index] ?? null);
    this.#setNotAsked(row, answer, cells);
    if (this.#rowSets) this.#setRows(row, cells);
  }

  /** Marks the empty cells that the respondent was not asked for. */
  #setNotAsked(row: number, answer: StoredAnswer | null, cells: readonly Cell[]): void {
    if (this.#isAsked === null) return;
    for (const { column, index } of this.#cellColumns) {
      if ((cells[index] ?? null) === null && !this.#isAsked(answer, index)) column.setMissing(row, NOT_SHOWN);
    }
  }

  /** Binary columns follow the order of the options; in a matrix, row by row. */
  #flag(index: number, position: number): BinaryColumn {
    const spec = this.#questionColumns.columns[index];
    const options = this.#questionColumns.question.options.length;
    const source = this.sets[Math.floor(position / options)];
    if (!spec || !source)
      throw new Error(
        `column ${index} of ${this.#questionColumns.question.code} has no multiple-response set`,
      );
    return new BinaryColumn(spec, source, position % options);
  }

  #setRows(row: number, cells: readonly Cell[]): void {
    const options = this.#questionColumns.question.options.length;
    this.sets.forEach((set, matrixRow) => {
      // A row without cells was skipped; a row with only zeros has none ticked. Beside a flagged option, the others have no cell.
      const ticks = cells.slice(matrixRow * options, (matrixRow + 1) * options);
      if (ticks.every((tick) => tick === null)) return set.setMissing(row, SKIPPED);
      set.setPresent(row);
      for (let option = 0; option < options; option++) {
        if (ticks[option] === 1) set.setOption(row, option);
      }
    });
  }
}

/** One metadata column. Respondents never see it, so an empty cell is not shown. */
export class MetadataStore extends Storage implements ColumnStore {
  readonly columns: readonly Column[];
  readonly sets = [];
  readonly #column: StoredColumn;
  readonly #flag: boolean;

  constructor({ spec }: MetadataColumn, capacity: number) {
    super();
    this.#flag = spec.type === 'binary';
    const binary = this.#flag ? createBinary(spec, capacity) : null;
    this.#column = this.keep(binary ? binary.source : createColumn(spec, capacity));
    this.columns = [binary ?? this.#column];
  }

  set(row: number, value: StoredAnswer | null | undefined): void {
    if (typeof value !== 'string' && typeof value !== 'number') this.#column.setMissing(row, NOT_SHOWN);
    else if (this.#flag) this.#column.set(row, value === 1 ? ['1'] : []);
    else this.#column.set(row, value);
  }
}
