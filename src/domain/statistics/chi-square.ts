/** Pearson's chi-square of a table. */
export interface ChiSquare {
  /** Proportional to the total of the table. */
  statistic: number;
  df: number;
  /** √(χ² / n / (min(rows, columns) - 1)), which does not depend on the scale of the table. */
  cramersV: number;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Expected cell counts under independence, by row, then column: row total times column total divided by the total. Zeros for an empty
 * table.
 */
export function expectedCounts(table: readonly (readonly number[])[]): number[][] {
  const rowSums = table.map(sum);
  const columnSums = (table[0] ?? []).map((_, column) => sum(table.map((row) => row[column]!)));
  const total = sum(rowSums);
  return rowSums.map((row) => columnSums.map((column) => (total > 0 ? (row * column) / total : 0)));
}

/**
 * Pearson's chi-square without continuity correction: R's `chisq.test(table, correct = FALSE)`. The table holds counts or Σw by row, then
 * column. Empty rows and columns are ignored. Returns null with fewer than two rows or columns.
 */
export function computeChiSquare(table: readonly (readonly number[])[]): ChiSquare | null {
  const expected = expectedCounts(table);
  const rows = expected.filter((row) => row.some((cell) => cell > 0)).length;
  const columns = (expected[0] ?? []).filter((_, column) => expected.some((row) => row[column]! > 0)).length;
  if (rows < 2 || columns < 2) return null;
  let statistic = 0;
  let total = 0;
  for (const [row, cells] of table.entries()) {
    for (const [column, observed] of cells.entries()) {
      const wanted = expected[row]![column]!;
      total += observed;
      if (wanted > 0) statistic += (observed - wanted) ** 2 / wanted;
    }
  }
  return {
    statistic,
    df: (rows - 1) * (columns - 1),
    cramersV: Math.sqrt(statistic / total / (Math.min(rows, columns) - 1)),
  };
}
