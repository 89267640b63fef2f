import { chiSquareUpperTail } from './probability.ts';

export interface ChiSquare {
  statistic: number;
  df: number;
  pValue: number;
  cramersV: number;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/**
 * Pearson's test of independence, without continuity correction: `chisq.test(table, correct = FALSE)` of R. The table holds counts
 * or Σw by row, then column. Weighted tables are scaled to `effectiveBase`; leave it out for counts. Empty rows and columns are no
 * categories. Null where fewer than two rows or columns are left. Cramér's V, √(χ² / n / (min(rows, columns) - 1)), does not
 * depend on the scale.
 */
export function chiSquare(table: readonly (readonly number[])[], effectiveBase?: number): ChiSquare | null {
  const rowSums = table.map(sum);
  const columnSums = (table[0] ?? []).map((_, column) => sum(table.map((row) => row[column] ?? 0)));
  const total = sum(rowSums);
  const rows = rowSums.filter((each) => each > 0).length;
  const columns = columnSums.filter((each) => each > 0).length;
  if (rows < 2 || columns < 2) return null;
  let perRespondent = 0;
  for (const [row, cells] of table.entries()) {
    for (const [column, observed] of cells.entries()) {
      const expected = (rowSums[row]! * columnSums[column]!) / total;
      if (expected > 0) perRespondent += (observed - expected) ** 2 / expected / total;
    }
  }
  const statistic = perRespondent * (effectiveBase ?? total);
  const df = (rows - 1) * (columns - 1);
  return {
    statistic,
    df,
    pValue: chiSquareUpperTail(statistic, df),
    cramersV: Math.sqrt(perRespondent / (Math.min(rows, columns) - 1)),
  };
}
