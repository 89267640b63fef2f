import type { SourceCell, SourceFile, SourceRow } from './source-file.ts';
import type { ColumnMatch } from './match-columns.ts';
import type { ReadRow } from './row-reader.ts';

const MAX_EXAMPLES = 5;
const MAX_ERRORS = 100;

export interface ColumnCounts {
  read: number;
  empty: number;
  unreadable: number;
  /** Cells with a value that is not imported. */
  leftOut: number;
  examples: { row: number; value: SourceCell; message: string }[];
}

/** Cells with a value: filled = imported + leftOut + inRowsNotWritten. */
export interface CellCounts {
  filled: number;
  imported: number;
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
const isBlank = (cell: SourceCell | undefined) => cell === undefined || cell === null || cell === '';
const noCounts = (): ColumnCounts => ({ read: 0, empty: 0, unreadable: 0, leftOut: 0, examples: [] });

/** Counts the outcome of every cell and row of a file. */
export class ImportReport {
  /** Parallel to the matches, followed by columns beyond the header that have values. */
  readonly columns: ColumnCounts[];
  readonly errors: RowError[] = [];
  readonly cells: CellCounts = { filled: 0, imported: 0, leftOut: 0, inRowsNotWritten: 0 };
  failed = 0;
  rows = 0;

  constructor(private readonly matches: readonly ColumnMatch[]) {
    this.columns = matches.map(noCounts);
  }

  /** Counts a row and returns how many of its cells are imported if it is written. */
  add({ row, problems }: ReadRow, { cells, source = cells }: SourceRow): number {
    this.rows += 1;
    const unreadableIndexes = new Set(problems.map(({ index }) => index));
    const length = Math.max(source.length, this.matches.length);
    let importedCells = 0;
    for (let index = 0; index < length; index += 1) {
      const match = this.matches[index];
      if (match?.countsAs === 'none') continue;
      const isEmpty = isBlank(source[index]);
      if (match === undefined && isEmpty) continue;
      const counts = this.countsAt(index);
      const hasPlace = match !== undefined && (match.entry !== null || match.countsAs === 'part');
      if (!isEmpty) this.cells.filled += 1;
      if (unreadableIndexes.has(index)) {
        counts.unreadable += 1;
        importedCells += isEmpty ? 0 : 1;
      } else if (isEmpty) {
        counts.empty += hasPlace ? 1 : 0;
      } else if (hasPlace && !isBlank(cells[index])) {
        counts.read += 1;
        importedCells += 1;
      } else {
        counts.leftOut += 1;
        this.cells.leftOut += 1;
      }
    }
    this.cells.imported += importedCells;
    for (const { index, value, message } of problems) {
      const examples = this.columns[index]?.examples;
      if (examples === undefined || examples.length >= MAX_EXAMPLES) continue;
      examples.push({
        row,
        value: typeof value === 'string' ? value.slice(0, MAX_VALUE_CHARACTERS) : value,
        message,
      });
    }
    if (problems.length > 0) {
      this.addRowError(
        row,
        problems.map(({ index, message }) => ({ column: this.matches[index]?.columnCode ?? '', message })),
      );
    }
    return importedCells;
  }

  private countsAt(index: number): ColumnCounts {
    const existing = this.columns[index];
    if (existing !== undefined) return existing;
    while (this.columns.length < index) this.columns.push(noCounts());
    const counts = noCounts();
    this.columns.push(counts);
    return counts;
  }

  /** Moves cells from imported to not written. */
  recordUnwrittenCells(cells: number): void {
    this.cells.imported -= cells;
    this.cells.inRowsNotWritten += cells;
  }

  /** Records a row that is not written. */
  addRowError(row: number, details: RowError['details']): void {
    this.failed += 1;
    if (this.errors.length < MAX_ERRORS) this.errors.push({ row, details: details.slice(0, 20) });
  }
}
