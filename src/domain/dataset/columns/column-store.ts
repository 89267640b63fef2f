import type { StoredAnswer } from '../../answers/codec.ts';
import type { QuestionColumns } from './column-catalog.ts';
import type { Cell } from './column-spec.ts';
import { type Column, createBinary, createColumn, type StoredColumn } from './columns.ts';
import type { MetadataColumn } from './metadata-columns.ts';
import { NOT_SHOWN, SKIPPED } from './missing.ts';
import { BinaryColumn, MultipleColumn } from './multiple-column.ts';

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
  readonly #rowSets: boolean;
  /** Columns filled from `codec.toCells`. */
  readonly #cellColumns: { column: Exclude<StoredColumn, MultipleColumn>; index: number }[] = [];

  constructor(questionColumns: QuestionColumns, capacity: number) {
    super();
    this.#questionColumns = questionColumns;
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
      return;
    }
    const { codec, question } = this.#questionColumns;
    const [set] = this.sets;
    if (set && codec.toSetCell) set.set(row, codec.toSetCell(question, answer));
    if (this.#cellColumns.length === 0 && !this.#rowSets) return;
    const cells = codec.toCells(question, answer);
    for (const { column, index } of this.#cellColumns) column.set(row, cells[index] ?? null);
    if (this.#rowSets) this.#setRows(row, cells);
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
      // A row without cells was skipped; a row with only zeros has none ticked.
      if (cells[matrixRow * options] == null) return set.setMissing(row, SKIPPED);
      set.setPresent(row);
      for (let option = 0; option < options; option++) {
        if (cells[matrixRow * options + option] === 1) set.setOption(row, option);
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
