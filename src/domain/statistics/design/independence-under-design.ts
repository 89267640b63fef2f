import type { Count } from '../base.ts';
import { computeChiSquare } from '../independence.ts';
import { fUpperTail } from '../probability.ts';
import { computeRaoScottByCovariance } from '../rao-scott.ts';
import type { RowValues } from './calibration.ts';
import { covarianceOfTotals } from './linearized-covariance.ts';
import { covarianceOfReplicates } from './replicates.ts';
import { degreesOfFreedom, type SampleDesign } from './sample-design.ts';

/** A table whose cells share no rows. */
export interface CrossedRows {
  /** The index of each row's cell: its row in the table times the number of columns plus its column; negative: not in the table. */
  cells: Int32Array;
  rows: number;
  columns: number;
}

export interface DesignIndependence {
  /** The F of Rao and Scott. */
  statistic: number;
  df: number;
  /** Denominator degrees of freedom: `df` times clusters minus strata. */
  df2: number;
  pValue: number;
  cramersV: number;
}

function sumCells(rows: Int32Array, weights: Float64Array, cells: Int32Array, size: number): Float64Array {
  const totals = new Float64Array(size);
  for (const row of rows) if (cells[row]! >= 0) totals[cells[row]!]! += weights[row]!;
  return totals;
}

function toShares(totals: Float64Array): Float64Array {
  const all = totals.reduce((sum, total) => sum + total, 0);
  return totals.map((total) => total / all);
}

/**
 * Covariances of the shares p of totals T with the sum W: (V - p s' - s p' + p p' Σs) / W², where V is the covariance of the totals and s are
 * its row sums.
 */
function covarianceOfShares(covariance: Float64Array, totals: Float64Array): Float64Array {
  const { length: size } = totals;
  const weight = totals.reduce((sum, total) => sum + total, 0);
  const sums = Float64Array.from(totals, (_, row) => {
    let sum = 0;
    for (let column = 0; column < size; column++) sum += covariance[row * size + column]!;
    return sum;
  });
  const all = sums.reduce((sum, added) => sum + added, 0);
  return covariance.map((value, index) => {
    const [row, column] = [Math.trunc(index / size), index % size];
    const [p, q] = [totals[row]! / weight, totals[column]! / weight];
    return (value - p * sums[column]! - q * sums[row]! + p * q * all) / weight ** 2;
  });
}

function estimateCellShares(design: SampleDesign, cells: Int32Array, size: number) {
  const { rows } = design;
  const totals = sumCells(rows, design.weights, cells, size);
  const shares = toShares(totals);
  if (design.kind === 'replicates') {
    const replicates = design.replicates.map((weights) => toShares(sumCells(rows, weights, cells, size)));
    const byReplicate = Array.from(shares, (_, cell) =>
      Float64Array.from(replicates, (values) => values[cell]!),
    );
    return { shares, covariance: covarianceOfReplicates(design, shares, byReplicate, false) };
  }
  if (design.calibration === null) {
    const influence: RowValues = (row, add) => {
      if (cells[row]! >= 0) add(cells[row]!, 1);
    };
    const { covariance } = covarianceOfTotals(design, size, influence);
    return { shares, covariance: covarianceOfShares(covariance, totals) };
  }
  const weight = totals.reduce((sum, total) => sum + total, 0);
  const influence: RowValues = (row, add) => {
    if (cells[row]! < 0) return;
    for (let cell = 0; cell < size; cell++) add(cell, (Number(cells[row] === cell) - shares[cell]!) / weight);
  };
  return { shares, covariance: covarianceOfTotals(design, size, influence).covariance };
}

/** The table without its empty rows and columns. */
function withoutEmpty({ cells, rows, columns }: CrossedRows, totals: Float64Array): CrossedRows {
  const isUsed = (row: number, column: number) => totals[row * columns + column]! > 0;
  const keptRows = [...Array(rows).keys()].filter((row) =>
    [...Array(columns).keys()].some((column) => isUsed(row, column)),
  );
  const keptColumns = [...Array(columns).keys()].filter((column) =>
    keptRows.some((row) => isUsed(row, column)),
  );
  const cellOf = new Int32Array(rows * columns).fill(-1);
  for (const [row, from] of keptRows.entries()) {
    for (const [column, to] of keptColumns.entries())
      cellOf[from * columns + to] = row * keptColumns.length + column;
  }
  return {
    cells: cells.map((cell) => (cell < 0 ? -1 : cellOf[cell]!)),
    rows: keptRows.length,
    columns: keptColumns.length,
  };
}

/** The largest number of cells: the time of the test grows with its square. */
const MAX_TESTED_CELLS = 2_000;

/**
 * Tests a two-way table for independence of its rows and columns under a design, by the second-order correction of Rao and Scott:
 * `svychisq(~row + column, design, statistic = "F")` of the R package survey. Returns null with fewer than two rows or columns, without
 * degrees of freedom, or with more than 2,000 cells.
 *
 * @param isInDomain the rows whose clusters and strata count in the denominator degrees of freedom, as `subset(design, …)` in R; absent: all
 * rows of the design, in the table or not
 */
export function testIndependenceUnderDesign(
  design: SampleDesign,
  table: CrossedRows,
  isInDomain?: (row: number) => boolean,
): DesignIndependence | null {
  const all = sumCells(design.rows, design.weights, table.cells, table.rows * table.columns);
  const { cells, rows, columns } = withoutEmpty(table, all);
  const size = rows * columns;
  if (rows < 2 || columns < 2 || size > MAX_TESTED_CELLS) return null;
  const { shares, covariance } = estimateCellShares(design, cells, size);
  const shareTable = Array.from({ length: rows }, (_, row) => [
    ...shares.subarray(row * columns, (row + 1) * columns),
  ]);
  const counts = shareTable.map((line) =>
    line.map((weight): Count => ({ count: 0, weight, squaredWeight: 0 })),
  );
  const pearson = computeChiSquare(shareTable);
  const correction = computeRaoScottByCovariance(counts, covariance);
  const clusters = degreesOfFreedom(design, isInDomain);
  if (pearson === null || correction === null || clusters < 1) return null;
  const statistic = pearson.statistic / correction.designEffects;
  const [df, df2] = [correction.df, correction.df * clusters];
  return { statistic, df, df2, pValue: fUpperTail(statistic, df, df2), cramersV: pearson.cramersV };
}
