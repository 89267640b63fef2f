import type { SourceCell } from './source-file.ts';

/** Scans columns that may be one question, row by row, for properties no single column shows. */
export class GroupScan {
  /** Rows with a value in at least one of the columns. */
  answered = 0;
  /** Whether every such row has a value in each column. */
  isComplete = true;
  /** Cells that repeat the value of an earlier column in their row. */
  repeats = 0;
  /** Rows whose values are the ranks 1 to n of at least two columns; null if any row has other values. */
  ranked: number | null = 0;

  constructor(
    private readonly indexes: readonly number[],
    private readonly isMissing: (cell: string | number, index: number) => boolean = () => false,
  ) {}

  add(cells: readonly SourceCell[]): void {
    const values: (string | number)[] = [];
    for (const index of this.indexes) {
      const cell = cells[index] ?? null;
      if (cell !== null && cell !== '' && !this.isMissing(cell, index)) values.push(cell);
    }
    if (values.length === 0) return;
    this.answered += 1;
    this.isComplete &&= values.length === this.indexes.length;
    this.repeats += values.length - new Set(values).size;
    if (this.ranked === null) return;
    const ranks = new Set(values.map(Number));
    if (ranks.size < values.length || values.some((value) => !isRankUpTo(value, values.length)))
      this.ranked = null;
    else if (values.length > 1) this.ranked += 1;
  }
}

function isRankUpTo(value: string | number, count: number): boolean {
  const rank = Number(value);
  return Number.isInteger(rank) && rank >= 1 && rank <= count && String(value).trim() !== '';
}
