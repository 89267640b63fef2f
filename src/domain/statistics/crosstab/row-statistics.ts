import type { CatalogColumn } from '../../dataset/column-catalog.ts';
import type { Dataset } from '../../dataset/dataset.ts';
import { createNumberReader, noMeanReason } from '../../dataset/read-numbers.ts';
import { requireItem } from '../../../lib/require-value.ts';
import { type Count, selectCountedRows } from '../base.ts';
import { promoterValues } from '../design/estimates.ts';
import { columnTraits } from '../distribution.ts';
import { computeQuantile, type MeanFigure, tallyMoments } from '../moments.ts';
import { type Tally, tallyNumbers } from '../tally.ts';
import type { Axis } from './axis.ts';
import { regionMask } from './axis-domains.ts';
import { CellPrecision } from './cell-precision.ts';
import { ColumnComparer } from './column-comparer.ts';
import { countTableRows } from './count-crossing.ts';
import type { ComparedCell, RowStatistic, StatisticCell, StatisticRow, TableSettings } from './table.ts';
import { type RowEstimates, TableEstimator } from './table-estimator.ts';

/** The numbers of a row variable. */
interface NumberRow {
  /** By row of the dataset, NaN where missing or not counted. */
  values: Float64Array;
  /** The points of its scale, ascending; empty for amounts. */
  points: readonly number[];
  isNps: boolean;
}

/** Reads the numbers of a row variable; null if it has no mean. */
export function readNumberRow(dataset: Dataset, entry: CatalogColumn, mask: Uint8Array): NumberRow | null {
  if (noMeanReason(entry.spec) !== null) return null;
  const values = new Float64Array(mask.length);
  createNumberReader(dataset.column(entry))(0, values);
  for (let row = 0; row < mask.length; row++) if (mask[row] === 0) values[row] = NaN;
  const points = entry.spec.values.flatMap(({ missing, number }) => (missing ? [] : [number]));
  return {
    values,
    points: [...new Set(points)].toSorted((a, b) => a - b),
    isNps: columnTraits(entry).isNps,
  };
}

/** What computes the statistics of one number in the columns of a table. */
interface StatisticTools {
  row: NumberRow;
  /** Of the columns and, last, of the total. */
  tallies: readonly Tally[];
  comparer: ColumnComparer;
  estimator: TableEstimator;
  precision: CellPrecision;
  /** Counted responses; null: unweighted. */
  size: number | null;
}

type Transform = (values: Float64Array) => Float64Array;
const UNCHANGED: Transform = (values) => values;

/** 1 for values in the box, 0 for others. */
const boxValues =
  (box: ReadonlySet<number>): Transform =>
  (values) =>
    values.map((value) => (Number.isNaN(value) ? NaN : Number(box.has(value))));

/** The points in a box; null if the scale has no more points than the box. */
function boxOf(statistic: RowStatistic, points: readonly number[]): ReadonlySet<number> | null {
  const [side, size] = statistic.split('_');
  const count = Number(size);
  if (!(count < points.length)) return null;
  return new Set(side === 'top' ? points.slice(-count) : points.slice(0, count));
}

function countWhere(
  { values, counts, weights, squaredWeights }: Tally,
  isCounted: (value: number) => boolean,
): Count {
  const found = { count: 0, weight: 0, squaredWeight: 0 };
  for (const [index, value] of values.entries()) {
    if (!isCounted(value)) continue;
    found.count += counts[index] ?? 0;
    found.weight += weights[index] ?? 0;
    found.squaredWeight += squaredWeights[index] ?? 0;
  }
  return found;
}

/** The mean of each column and, last, of the total. */
function figuresOf(
  { tallies, precision, size }: StatisticTools,
  transform: Transform,
  estimates: RowEstimates | null,
): MeanFigure[] {
  return tallies.map((tally, index) =>
    precision.presentMean(tallyMoments({ ...tally, values: transform(tally.values) }), {
      row: estimates,
      index,
      size,
    }),
  );
}

/** The respondents in a box, and all with a value, of each column and, last, of the total. */
function countShares({ tallies, row, estimator }: StatisticTools, box: ReadonlySet<number>) {
  return {
    counts: tallies.map((tally) => countWhere(tally, (value) => box.has(value))),
    bases: tallies.map((tally) => countWhere(tally, () => true)),
    estimates: estimator.estimate(() => boxValues(box)(row.values)),
  };
}

/** Means, also the Net Promoter Score. */
function presentMeans(tools: StatisticTools, statistic: RowStatistic, transform: Transform): StatisticRow {
  const { row, comparer, estimator } = tools;
  const estimates = estimator.estimate(() => transform(row.values));
  const figures = figuresOf(tools, transform, estimates);
  const present = ({ mean, count, weighted_count, se, ci_low, ci_high, df }: MeanFigure): StatisticCell => ({
    value: mean,
    count,
    weighted_count,
    ...(ci_low !== undefined && ci_high !== undefined && df !== undefined && { se, ci_low, ci_high, df }),
  });
  const rows = figures.map(present);
  const cells = rows.slice(0, -1);
  const [low, high, ...others] = row.points;
  // The mean of two points is the share of the higher one and is tested as a share.
  if (statistic === 'mean' && low !== undefined && high !== undefined && others.length === 0) {
    const { estimates: ofShares, ...shares } = countShares(tools, new Set([high]));
    const tests = comparer.compareShares(cells, { ...shares, scale: high - low }, ofShares);
    return { statistic, total: requireItem(rows, -1, 'total'), cells, ...tests };
  }
  const compared: (MeanFigure & ComparedCell)[] = figures.slice(0, -1).map((figure) => ({ ...figure }));
  const tests = comparer.compareMeans(compared, estimates);
  const withTests = compared.map(({ letters, comparisons }, index): StatisticCell => ({
    ...requireItem(cells, index, 'cell'),
    ...(letters !== undefined && { letters }),
    ...(comparisons !== undefined && { comparisons }),
  }));
  return { statistic, total: requireItem(rows, -1, 'total'), cells: withTests, ...tests };
}

/** The percentage in a box of a scale. */
function presentShares(
  tools: StatisticTools,
  statistic: RowStatistic,
  box: ReadonlySet<number>,
): StatisticRow {
  const { comparer, precision, size } = tools;
  const { estimates, counts, bases } = countShares(tools, box);
  const rows = counts.map((part, index): StatisticCell => {
    const base = requireItem(bases, index, 'base');
    return {
      value: base.weight > 0 ? (100 * part.weight) / base.weight : null,
      count: base.count,
      weighted_count: size === null ? null : base.weight,
      ...precision.ofShare({ part, base }, estimates, index),
    };
  });
  const cells = rows.slice(0, -1);
  return {
    statistic,
    total: requireItem(rows, -1, 'total'),
    cells,
    ...comparer.compareShares(cells, { counts, bases }, estimates),
  };
}

/** A figure without a test. */
function presentFigures(
  { tallies, size }: StatisticTools,
  statistic: RowStatistic,
  valueOf: (index: number) => number | null,
): StatisticRow {
  const rows = tallies.map((tally, index): StatisticCell => {
    const { count, weight } = countWhere(tally, () => true);
    return { value: count > 0 ? valueOf(index) : null, count, weighted_count: size === null ? null : weight };
  });
  return { statistic, total: requireItem(rows, -1, 'total'), cells: rows.slice(0, -1) };
}

/** Null: the variable has no such statistic. */
function computeStatistic(tools: StatisticTools, statistic: RowStatistic): StatisticRow | null {
  const { row, tallies, estimator } = tools;
  switch (statistic) {
    case 'mean':
      return presentMeans(tools, statistic, UNCHANGED);
    case 'nps':
      return row.isNps ? presentMeans(tools, statistic, promoterValues) : null;
    case 'median':
      return presentFigures(tools, statistic, (index) =>
        computeQuantile(requireItem(tallies, index, 'tally'), 0.5),
      );
    case 'sd':
    case 'se': {
      const figures = figuresOf(
        tools,
        UNCHANGED,
        estimator.estimate(() => row.values),
      );
      return presentFigures(tools, statistic, (index) => requireItem(figures, index, 'figure')[statistic]);
    }
    case 'sum': {
      const figures = figuresOf(tools, UNCHANGED, null);
      return presentFigures(tools, statistic, (index) => {
        const { mean, weighted_count, count } = requireItem(figures, index, 'figure');
        return (mean ?? 0) * (weighted_count ?? count);
      });
    }
    case 'index': {
      const means = figuresOf(tools, UNCHANGED, null).map(({ mean }) => mean ?? NaN);
      const all = means.at(-1) ?? NaN;
      return presentFigures(tools, statistic, (index) =>
        all === 0 ? null : (100 * (means[index] ?? NaN)) / all,
      );
    }
    default: {
      const box = boxOf(statistic, row.points);
      return box && presentShares(tools, statistic, box);
    }
  }
}

/**
 * Computes statistics of the respondents with a value in each column, in the order requested. Those that the variable does not have are left out:
 * the Net Promoter Score of other questions, and boxes without a longer scale. Means and boxes are tested like the rows of the table. Yields
 * after each column and each statistic.
 */
export function* computeRowStatistics(
  row: NumberRow,
  columns: Axis,
  { settings, statistics }: { settings: TableSettings; statistics: readonly RowStatistic[] },
): Generator<void, StatisticRow[]> {
  const { counting } = settings;
  const tallies: Tally[] = [];
  for (const region of [...columns.categories.map((category) => category.region), columns.base]) {
    const rows = selectCountedRows(regionMask(columns, region, counting.mask), counting.weights);
    tallies.push(tallyNumbers(row.values, rows));
    yield;
  }
  const tools: StatisticTools = {
    row,
    tallies,
    comparer: new ColumnComparer(columns, settings),
    estimator: new TableEstimator(columns, settings),
    precision: new CellPrecision(settings.sample),
    size: counting.weights === null ? null : countTableRows(counting),
  };
  const found: StatisticRow[] = [];
  for (const statistic of statistics) {
    const computed = computeStatistic(tools, statistic);
    if (computed !== null) found.push(computed);
    yield;
  }
  return found;
}
