import type { SourceCell } from './source-file.ts';
import type { ColumnMatch } from './match-columns.ts';
import type { ReadRow } from './row-reader.ts';

const MAX_EXAMPLES = 5;
const MAX_ERRORS = 100;

export interface ColumnCounts {
  read: number;
  empty: number;
  unreadable: number;
  examples: { row: number; value: SourceCell; message: string }[];
}

export interface RowError {
  row: number;
  details: { column: string; message: string }[];
}

const MAX_VALUE_CHARACTERS = 100;

/** Counts what became of every cell and row of a file. */
export class ImportReport {
  readonly columns: ColumnCounts[];
  readonly errors: RowError[] = [];
  failed = 0;
  rows = 0;
  private readonly matches: readonly ColumnMatch[];

  constructor(matches: readonly ColumnMatch[]) {
    this.matches = matches;
    this.columns = matches.map(() => ({ read: 0, empty: 0, unreadable: 0, examples: [] }));
  }

  add({ row, problems }: ReadRow, cells: readonly SourceCell[]): void {
    this.rows += 1;
    const bad = new Set(problems.map(({ index }) => index));
    this.matches.forEach(({ entry }, index) => {
      if (entry === null) return;
      const counts = this.columns[index]!;
      const cell = cells[index] ?? null;
      if (bad.has(index)) counts.unreadable += 1;
      else if (cell === null || cell === '') counts.empty += 1;
      else counts.read += 1;
    });
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
      this.fail(
        row,
        problems.map(({ index, message }) => ({ column: this.matches[index]?.columnCode ?? '', message })),
      );
    }
  }

  /** A row that is not written. */
  fail(row: number, details: RowError['details']): void {
    this.failed += 1;
    if (this.errors.length < MAX_ERRORS) this.errors.push({ row, details: details.slice(0, 20) });
  }
}
