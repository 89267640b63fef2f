import { truncateText } from '../../lib/truncate-text.ts';
import type { SourceCell, SourceFile, SourceRow } from './source-file.ts';
import type { ColumnMatch } from './match-columns.ts';
import type { ReadRow } from './row-reader.ts';

const MAX_EXAMPLES = 5;
const MAX_ERRORS = 100;

export interface ColumnCounts {
  /** Cells that arrive unchanged. */
  read: number;
  empty: number;
  /** Cells that mean "missing", which are not answered. */
  missing: number;
  changed: number;
  /** Cells that are left empty, or whose row has an error. */
  unreadable: number;
  /** Cells with a value that is not imported. */
  leftOut: number;
  examples: { row: number; value: SourceCell; message: string }[];
}

/** Cells with a value: filled is the sum of the others. */
export interface CellCounts {
  filled: number;
  /** Cells that arrive unchanged. */
  imported: number;
  missing: number;
  changed: number;
  /** Cells that are left empty because they cannot be read. */
  unreadable: number;
  leftOut: number;
  /** Cells in unreadable rows, or rows of existing responses. */
  inRowsNotWritten: number;
}

export interface RowError {
  row: number;
  details: { column: string; message: string }[];
}

/** What every import of a data file reports. */
export interface DataFileReport {
  file: Pick<SourceFile, 'format' | 'delimiter' | 'layout'>;
  /** Used for times without an offset. */
  timeZone: string;
  rows: number;
  cells: CellCounts;
  created: number;
  failed: number;
  /** The first errors. */
  errors: RowError[];
  notes: string[];
}

const MAX_VALUE_CHARACTERS = 100;
/** What happens to the cells of a row that is written. */
type RowCells = Pick<CellCounts, 'imported' | 'missing' | 'changed' | 'unreadable'>;
const KINDS = ['imported', 'missing', 'changed', 'unreadable'] as const satisfies (keyof RowCells)[];
const isBlank = (cell: SourceCell | undefined) => cell === undefined || cell === null || cell === '';
const noCounts = (): ColumnCounts => ({
  read: 0,
  empty: 0,
  missing: 0,
  changed: 0,
  unreadable: 0,
  leftOut: 0,
  examples: [],
});

/** Counts the outcome of every cell and row of a file. */
export class ImportReport {
  /** Parallel to the matches, followed by columns beyond the header that have values. */
  readonly columns: ColumnCounts[];
  readonly errors: RowError[] = [];
  readonly cells: CellCounts = {
    filled: 0,
    imported: 0,
    missing: 0,
    changed: 0,
    unreadable: 0,
    leftOut: 0,
    inRowsNotWritten: 0,
  };
  failed = 0;
  rows = 0;

  constructor(private readonly matches: readonly ColumnMatch[]) {
    this.columns = matches.map(noCounts);
  }

  /** Counts a row and returns what happens to its cells if it is written. */
  add(read: ReadRow, sourceRow: SourceRow): RowCells {
    const { row, problems } = read;
    const { cells, source = cells } = sourceRow;
    this.rows += 1;
    const rowCells: RowCells = { imported: 0, missing: 0, changed: 0, unreadable: 0 };
    const problemIndexes = new Set(problems.map(({ index }) => index));
    const length = Math.max(source.length, this.matches.length);
    for (let index = 0; index < length; index += 1) {
      const match = this.matches[index];
      if (match?.countsAs === 'none') continue;
      const isEmpty = isBlank(source[index]);
      if (match === undefined && isEmpty) continue;
      const counts = this.countsAt(index);
      const hasPlace = match !== undefined && (match.entry !== null || match.countsAs === 'part');
      if (!isEmpty) this.cells.filled += 1;
      const outcome = sourceRow.outcomes?.get(index) ?? read.outcomes.get(index);
      if (problemIndexes.has(index)) {
        counts.unreadable += 1;
        if (!isEmpty) rowCells.unreadable += 1;
      } else if (isEmpty) {
        counts.empty += hasPlace ? 1 : 0;
      } else if (hasPlace && outcome !== undefined) {
        counts[outcome.kind] += 1;
        rowCells[outcome.kind] += 1;
        if (outcome.kind !== 'missing')
          this.addExample(index, { row, value: source[index] ?? null, message: outcome.reason });
      } else if (hasPlace && !isBlank(cells[index])) {
        counts.read += 1;
        rowCells.imported += 1;
      } else {
        counts.leftOut += 1;
        this.cells.leftOut += 1;
      }
    }
    for (const kind of KINDS) this.cells[kind] += rowCells[kind];
    for (const { index, value, message } of problems) this.addExample(index, { row, value, message });
    if (problems.length > 0) {
      this.addRowError(
        row,
        problems.map(({ index, message }) => ({ column: this.matches[index]?.columnCode ?? '', message })),
      );
    }
    return rowCells;
  }

  private addExample(index: number, { value, ...example }: ColumnCounts['examples'][number]): void {
    const examples = this.columns[index]?.examples;
    if (examples === undefined || examples.length >= MAX_EXAMPLES) return;
    const isText = typeof value === 'string';
    examples.push({ ...example, value: isText ? truncateText(value, MAX_VALUE_CHARACTERS) : value });
  }

  private countsAt(index: number): ColumnCounts {
    const existing = this.columns[index];
    if (existing !== undefined) return existing;
    while (this.columns.length < index) this.columns.push(noCounts());
    const counts = noCounts();
    this.columns.push(counts);
    return counts;
  }

  /** Counts the cells of a row as not written. */
  recordUnwrittenCells(rowCells: RowCells): void {
    for (const kind of KINDS) {
      this.cells[kind] -= rowCells[kind];
      this.cells.inRowsNotWritten += rowCells[kind];
    }
  }

  /** Records a row that is not written. */
  addRowError(row: number, details: RowError['details']): void {
    this.failed += 1;
    if (this.errors.length < MAX_ERRORS) this.errors.push({ row, details: details.slice(0, 20) });
  }
}
