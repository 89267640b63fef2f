import type { NumberReader } from '../../dataset/read-numbers.ts';
import type { CountedRows } from '../base.ts';
import { computeQuantile } from '../moments.ts';
import { tallyNumbers } from '../tally.ts';
import { covarianceOf, MISSING_HANDLING, sumAllPairs } from './pair-sums.ts';

/** `median`: an answer that is missing counts as the median of the item, as in `psych::scoreItems` of R. */
export const RELIABILITY_MISSING = [...MISSING_HANDLING, 'median'] as const;
export type ReliabilityMissing = (typeof RELIABILITY_MISSING)[number];

interface ItemReliability {
  /** Responses with a value. */
  base: number;
  mean: number | null;
  sd: number | null;
  /** Correlation of the item with the sum of the others; null without variance. */
  itemTotal: number | null;
  /** Alpha of the other items; null with two items. */
  alphaIfDeleted: number | null;
}

export interface Reliability {
  /** Cronbach's alpha of the items as they are, and of the standardized items; null without variance. */
  alpha: number | null;
  standardizedAlpha: number | null;
  /** Mean of the correlations of all pairs. */
  averageCorrelation: number | null;
  items: ItemReliability[];
}

/**
 * Cronbach's alpha, k/(k-1) · (1 - Σ variances / variance of the sum), from the covariances of the items (L. J. Cronbach, "Coefficient alpha
 * and the internal structure of tests", Psychometrika 16 (1951)). R: `psych::alpha(cov(x, use = "pairwise"))`; item-total correlations are
 * its `r.drop`. Items in `reversed` count with the opposite sign. With weights the covariances are weighted. Yields between short steps.
 */
export function* computeReliability(
  readers: readonly NumberReader[],
  rows: CountedRows,
  { missing, reversed }: { missing: ReliabilityMissing; reversed: ReadonlySet<number> },
): Generator<undefined, Reliability> {
  const sums =
    missing === 'median'
      ? yield* sumAllPairs(yield* fillWithMedians(readers, rows), rows, 'pairwise')
      : yield* sumAllPairs(readers, rows, missing);
  const indices = readers.map((_, index) => index);
  const signOf = (index: number) => (reversed.has(index) ? -1 : 1);
  const covariances = indices.map((i) =>
    indices.map((j) => (covarianceOf(sums.at(i, j)) ?? NaN) * signOf(i) * signOf(j)),
  );
  const deviations = indices.map((i) => Math.sqrt(covariances[i]![i]!));
  const correlations = covariances.map((row, i) =>
    row.map((covariance, j) => (i === j ? 1 : covariance / (deviations[i]! * deviations[j]!))),
  );
  const pairs = indices.flatMap((i) => indices.slice(i + 1).map((j) => correlations[i]![j]!));
  return {
    alpha: alphaOf(covariances, indices),
    standardizedAlpha: alphaOf(correlations, indices),
    averageCorrelation: finite(pairs.reduce((sum, r) => sum + r, 0) / pairs.length),
    items: indices.map((i) => {
      const others = indices.filter((j) => j !== i);
      const withOthers = others.reduce((sum, j) => sum + covariances[i]![j]!, 0);
      return {
        base: sums.at(i, i).count,
        mean: sums.mean(i),
        sd: finite(deviations[i]!),
        itemTotal: finite(withOthers / Math.sqrt(covariances[i]![i]! * varianceOfSum(covariances, others))),
        alphaIfDeleted: others.length < 2 ? null : alphaOf(covariances, others),
      };
    }),
  };
}

/** Returns readers that replace missing values by the median of the counted rows. */
function* fillWithMedians(
  readers: readonly NumberReader[],
  rows: CountedRows,
): Generator<undefined, NumberReader[]> {
  const filled: NumberReader[] = [];
  const values = new Float64Array(rows.mask.length);
  for (const read of readers) {
    read(0, values);
    const median = computeQuantile(tallyNumbers(values, rows), 0.5) ?? NaN;
    filled.push((first, into) => {
      read(first, into);
      for (let row = 0; row < into.length; row++) if (Number.isNaN(into[row]!)) into[row] = median;
    });
    yield;
  }
  return filled;
}

const varianceOfSum = (covariances: readonly number[][], items: readonly number[]): number =>
  items.reduce((sum, i) => sum + items.reduce((inner, j) => inner + covariances[i]![j]!, 0), 0);

function alphaOf(covariances: readonly number[][], items: readonly number[]): number | null {
  const total = varianceOfSum(covariances, items);
  const own = items.reduce((sum, i) => sum + covariances[i]![i]!, 0);
  return total > 0 ? finite((items.length / (items.length - 1)) * (1 - own / total)) : null;
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
