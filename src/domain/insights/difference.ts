import { addCounts, type Count, effectiveCount, NO_RESPONSES } from '../statistics/base.ts';
import { type Correlation, correlationOf } from '../statistics/relations/correlation.ts';
import {
  countCrossing,
  countTableRows,
  type TableRows,
  totalCount,
} from '../statistics/crosstab/count-crossing.ts';
import { compareMeans, toComparedMean } from '../statistics/compare-pairs.ts';
import { MIN_EXPECTED, testIndependence } from '../statistics/independence.ts';
import { computeSlotMoments, momentsInRegion } from '../statistics/crosstab/slot-moments.ts';
import { codedMoments, type MeanFigure, presentMean } from '../statistics/moments.ts';
import { MIN_BASE } from './finding.ts';
import type { Category, Grouping } from './variables.ts';

/**
 * Computes Pearson's correlation of rows with both values, optionally weighted. One pass by D. H. D. West, "Updating mean and variance estimates: an improved method",
 * Communications of the ACM 22 (1979), on distances from the first row, which keeps precision for values far from zero. null: too few rows,
 * or no variance.
 */
export function computeCorrelation(
  first: Float64Array,
  second: Float64Array,
  { mask, weights }: TableRows,
): Correlation | null {
  let base = 0;
  let [firstX, firstY] = [NaN, NaN];
  let total = 0;
  let squares = 0;
  let meanX = 0;
  let meanY = 0;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let row = 0; row < mask.length; row++) {
    const x = first[row] ?? NaN;
    const y = second[row] ?? NaN;
    const weight = weights === null ? 1 : (weights[row] ?? NaN);
    if (mask[row] === 0 || !(weight > 0) || Number.isNaN(x) || Number.isNaN(y)) continue;
    if (base === 0) [firstX, firstY] = [x, y];
    base += 1;
    total += weight;
    squares += weight * weight;
    const [fromX, fromY] = [x - firstX, y - firstY];
    const [dx, dy] = [fromX - meanX, fromY - meanY];
    meanX += (dx * weight) / total;
    meanY += (dy * weight) / total;
    xx += weight * dx * (fromX - meanX);
    yy += weight * dy * (fromY - meanY);
    xy += weight * dx * (fromY - meanY);
  }
  return correlationOf({ count: base, weight: total, squaredWeight: squares, xx, yy, xy });
}

/** 97.5 % quantile of the standard normal distribution. */
const Z_95 = 1.959963984540054;

interface Interval {
  low: number;
  high: number;
}

/**
 * Returns the 95 % Wilson interval of a share (0 to 1) with `base` > 0, which can be an effective base: E. B. Wilson, "Probable inference,
 * the law of succession, and statistical inference", JASA 22 (1927). R: `prop.test(x, n, correct = FALSE)$conf.int`.
 */
export function wilsonInterval(share: number, base: number): Interval {
  const square = Z_95 * Z_95;
  const center = (share + square / (2 * base)) / (1 + square / base);
  const half =
    (Z_95 / (1 + square / base)) * Math.sqrt((share * (1 - share)) / base + square / (4 * base * base));
  return { low: Math.max(0, center - half), high: Math.min(1, center + half) };
}

/** Returns Cohen's h of two shares, positive if the first is larger; 0.2 is small, 0.5 medium, 0.8 large. */
export function cohensH(first: number, second: number): number {
  return 2 * Math.asin(Math.sqrt(first)) - 2 * Math.asin(Math.sqrt(second));
}

/** Returns the 95 % interval of a Net Promoter Score (-100 to 100) from the shares of promoters and detractors. */
export function npsInterval(promoters: number, detractors: number, base: number): Interval {
  const score = promoters - detractors;
  const half = Z_95 * Math.sqrt(Math.max(0, promoters + detractors - score * score) / base);
  return { low: 100 * Math.max(-1, score - half), high: 100 * Math.min(1, score + half) };
}

/** A difference in shares: the most different group and the groups it is compared with. */
export interface ShareDifference {
  kind: 'shares';
  pValue: number;
  base: number;
  cramersV: number;
  /** Cohen's w: 0.1 is small, 0.3 medium. Equals V in a two-by-two table. */
  w: number;
  answer: string;
  group: { label: string; share: number; base: number };
  others: { label: string | null; share: number; base: number };
  h: number;
}

/** A difference in means: the two groups furthest apart by t. */
export interface MeanDifference {
  kind: 'means';
  pValue: number;
  base: number;
  higher: { label: string; mean: number; base: number };
  lower: { label: string; mean: number; base: number };
  d: number;
}

/** Counts by answer (first index) and group. */
export interface ShareTable {
  /** null: an answer that is not reported, such as an option not chosen. */
  answers: (string | null)[];
  groups: string[];
  cells: Count[][];
  /** With weights: number of responses that count, in the table or not; null: unweighted. */
  designSize: number | null;
}

/** Counts answers by group; responses without an answer are in no group. */
export function countShareTable(answers: Grouping, groups: Grouping, rows: TableRows): ShareTable {
  const crossing = countCrossing(answers.coding, groups.coding, rows);
  const { columnSize, counts, weights, squares } = crossing;
  return {
    answers: answers.categories.map(({ label }) => label),
    groups: groups.categories.map(({ label }) => label),
    cells: answers.categories.map((answer) =>
      groups.categories.map((group): Count => {
        const at = answer.slot * columnSize + group.slot;
        return { count: counts[at] ?? 0, weight: weights[at] ?? 0, squaredWeight: squares[at] ?? 0 };
      }),
    ),
    designSize: rows.weights === null ? null : totalCount(crossing),
  };
}

/** The counts of one group in all rows. */
export const columnOf = (cells: readonly (readonly Count[])[], group: number): Count[] =>
  cells.flatMap((line) => line[group] ?? []);

/** A row of the table, or several rare ones merged, without a label. */
interface TableRow {
  label: string | null;
  cells: Count[];
}

/**
 * Runs the test of independence used by crosstabs over the groups with enough respondents, merging answers that are too rare. null: nothing
 * to test.
 */
export function testShares({ answers, groups, cells, designSize }: ShareTable): ShareDifference | null {
  const isLarge = groups.map((_, group) => addCounts(...columnOf(cells, group)).count >= MIN_BASE);
  const kept = groups.filter((_, group) => isLarge[group]);
  if (kept.length < 2) return null;
  const lines = mergeRareAnswers(
    cells.map((line, answer) => ({
      label: answers[answer] ?? null,
      cells: line.filter((_, group) => isLarge[group]),
    })),
  );
  if (lines.length < 2) return null;
  const base = addCounts(...lines.flatMap((line) => line.cells)).count;
  const test = testIndependence(
    lines.map((line) => line.cells),
    designSize,
  );
  if (test === null) return null;
  const highlight = largestDifference(lines, kept);
  if (highlight === null) return null;
  return {
    kind: 'shares',
    pValue: test.pValue,
    base,
    cramersV: test.cramersV,
    w: test.cramersV * Math.sqrt(Math.min(lines.length, kept.length) - 1),
    ...highlight,
  };
}

/**
 * Merges the rarest answers until at least MIN_EXPECTED are expected in each group. Weighted groups count by effective base, because uneven
 * weights increase the variance like a smaller sample.
 */
function mergeRareAnswers(lines: readonly TableRow[]): TableRow[] {
  const columnTotals = addLines(lines);
  const least = Math.min(...columnTotals.map(effectiveCount));
  const needed = (MIN_EXPECTED * addCounts(...columnTotals).count) / least;
  const countOfLine = ({ cells }: TableRow) => addCounts(...cells).count;
  const byCount = lines
    .filter((line) => countOfLine(line) > 0)
    .sort((a, b) => countOfLine(a) - countOfLine(b));
  const rest: TableRow[] = [];
  let countOfRest = 0;
  for (const line of byCount) {
    const isEnough = rest.length === 0 || countOfRest >= needed;
    if (isEnough && countOfLine(line) >= needed) break;
    rest.push(line);
    countOfRest += countOfLine(line);
  }
  const frequent = byCount.slice(rest.length);
  if (rest.length === 0) return frequent;
  if (rest.length === 1) return [...rest, ...frequent];
  return [...frequent, { label: null, cells: addLines(rest) }];
}

/** The counts of each group in several rows together. */
function addLines(lines: readonly TableRow[]): Count[] {
  const cells = lines.map((line) => line.cells);
  return (cells[0] ?? []).map((_, group) => addCounts(...columnOf(cells, group)));
}

/** Returns the group and answer whose share differs most from the other groups; with two groups, the one with the larger share. */
function largestDifference(lines: readonly TableRow[], groups: readonly string[]) {
  const totals = addLines(lines);
  const { count: allCount, weight: allWeight } = addCounts(...totals);
  let best: (Pick<ShareDifference, 'answer' | 'group' | 'others' | 'h'> & { order: number }) | null = null;
  for (const { label, cells } of lines) {
    if (label === null) continue;
    const lineWeight = addCounts(...cells).weight;
    for (const [index, group] of groups.entries()) {
      const total = totals[index] ?? NO_RESPONSES;
      const { weight } = cells[index] ?? NO_RESPONSES;
      const share = weight / total.weight;
      const othersShare = (lineWeight - weight) / (allWeight - total.weight);
      const h = cohensH(Math.min(1, share), Math.min(1, Math.max(0, othersShare)));
      // Two groups differ equally in both directions: prefer the larger share.
      const order = Math.abs(h) + (h > 0 ? 1e-9 : 0);
      if (!Number.isFinite(h) || (best !== null && order <= best.order)) continue;
      const otherGroup = groups.length === 2 ? (groups[1 - index] ?? null) : null;
      best = {
        answer: label,
        group: { label: group, share, base: total.count },
        others: { label: otherGroup, share: Math.max(0, othersShare), base: allCount - total.count },
        h,
        order,
      };
    }
  }
  if (best === null) return null;
  const { answer, group, others, h } = best;
  return { answer, group, others, h };
}

/** Returns the means of the groups, in order. */
export function meansOfGroups(
  values: Float64Array,
  { coding, categories }: Grouping,
  rows: TableRows,
): MeanFigure[] {
  const sums = computeSlotMoments(values, coding, rows);
  const designSize = rows.weights === null ? null : countTableRows(rows);
  return categories.map(({ slot }) =>
    presentMean(momentsInRegion(sums, { coding: 0, slots: [slot] }), designSize),
  );
}

/** Returns the means of scale points from their counts by group, which needs a counting scan only. */
export function meansOfPoints(
  points: readonly Pick<Category, 'number'>[],
  { cells, groups }: ShareTable,
  designSize: number | null,
): MeanFigure[] {
  return groups.map((_, group) => {
    const moments = codedMoments(
      points.map(({ number }) => number),
      columnOf(cells, group),
    );
    return presentMean(moments, designSize);
  });
}

/**
 * Runs a t test (Welch's without weights, linearized with weights) for every pair of groups with enough respondents. p is the smallest p times the number of pairs (Bonferroni), for the
 * hypothesis that all means are equal. null: nothing to test.
 */
export function testMeans(means: readonly MeanFigure[], groups: readonly string[]): MeanDifference | null {
  const compared = means.map(toComparedMean);
  const { pairs } = compareMeans(compared, {
    minBase: MIN_BASE,
    correction: 'bonferroni',
    isConservative: true,
  });
  const [first, ...others] = pairs;
  if (first === undefined) return null;
  const best = others.reduce(
    (a, b) => (b.pValue < a.pValue || (b.pValue === a.pValue && Math.abs(b.t) > Math.abs(a.t)) ? b : a),
    first,
  );
  const [highIndex, lowIndex] = best.t > 0 ? [best.first, best.second] : [best.second, best.first];
  const groupMean = (index: number) => {
    const { mean, sd, count } = means[index] ?? { mean: null, sd: null, count: 0 };
    if (mean === null || sd === null) throw new Error('compared groups have a mean and a deviation');
    return { label: groups[index] ?? '', mean, sd, base: count };
  };
  const [high, low] = [groupMean(highIndex), groupMean(lowIndex)];
  const spread = pooledSd(high, low);
  const describeMean = ({ label, mean, base }: GroupMean) => ({ label, mean, base });
  return {
    kind: 'means',
    pValue: best.pValue,
    base: means.filter(({ count }) => count >= MIN_BASE).reduce((sum, { count }) => sum + count, 0),
    higher: describeMean(high),
    lower: describeMean(low),
    d:
      spread > MIN_SPREAD * Math.max(Math.abs(high.mean), Math.abs(low.mean))
        ? (high.mean - low.mean) / spread
        : 0,
  };
}

/** Relative to the means; a smaller deviation is a rounding error of equal values. */
const MIN_SPREAD = 1e-9;

interface GroupMean {
  label: string;
  mean: number;
  sd: number;
  base: number;
}

/** Pooled standard deviation, as in Cohen's d. */
function pooledSd(a: GroupMean, b: GroupMean): number {
  const [m, n] = [a.base - 1, b.base - 1];
  return Math.sqrt((m * a.sd ** 2 + n * b.sd ** 2) / (m + n));
}
