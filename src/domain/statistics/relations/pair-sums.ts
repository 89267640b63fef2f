import type { NumberReader } from '../../dataset/read-numbers.ts';
import { computeEffectiveBase, type CountedRows } from '../base.ts';

/** Sums over the rows that have values in both columns of a pair. Squares and products are around the means of these rows. */
export interface PairSums {
  /** Unweighted number of rows. */
  count: number;
  weight: number;
  squaredWeight: number;
  /** Σw(x - mean of x)², Σw(y - mean of y)² and Σw(x - mean of x)(y - mean of y). */
  xx: number;
  yy: number;
  xy: number;
}

/** Which rows a pair uses: `pairwise` those with values in both columns, `listwise` those with values in all columns. */
export const MISSING_HANDLING = ['pairwise', 'listwise'] as const;
export type MissingHandling = (typeof MISSING_HANDLING)[number];

const BLOCK_ROWS = 2_048;
/** Count, Σw, Σw², Σwdx, Σwdy, Σwdx², Σwdy² and Σwdxdy of distances from the centers. */
const SUMS_PER_PAIR = 8;

/** The sums of all pairs (i, j) with i <= j, by `at(i, j)`. A pair of a column with itself has its variance. */
export interface AllPairSums {
  at(i: number, j: number): PairSums;
  /** Mean of a column over the rows that it is used in; null without rows. */
  mean(i: number): number | null;
}

/**
 * Sums of all pairs of columns in two passes over blocks of rows: the means of the columns, then the products around them, with the correction
 * for the pair's own means (T. F. Chan, G. H. Golub, R. J. LeVeque, "Algorithms for computing the sample variance", The American
 * Statistician 37 (1983)). Yields often within a block.
 */
export function* sumAllPairs(
  readers: readonly NumberReader[],
  { mask, weights }: Pick<CountedRows, 'mask' | 'weights'>,
  missing: MissingHandling,
): Generator<undefined, AllPairSums> {
  const size = readers.length;
  const buffers = readers.map(() => new Float64Array(BLOCK_ROWS));
  /** Reads a block: values of unused rows are NaN. Returns the number of its rows. */
  const readBlock = (first: number): number => {
    const rows = Math.min(BLOCK_ROWS, mask.length - first);
    readers.forEach((read, column) => read(first, buffers[column]!.subarray(0, rows)));
    for (let row = 0; row < rows; row++) {
      const isUsed =
        mask[first + row] === 1 &&
        (missing === 'pairwise' || buffers.every((values) => !Number.isNaN(values[row]!)));
      if (!isUsed) for (const values of buffers) values[row] = NaN;
    }
    return rows;
  };

  const totals = new Float64Array(size);
  const totalWeights = new Float64Array(size);
  for (let first = 0; first < mask.length; first += BLOCK_ROWS) {
    const rows = readBlock(first);
    buffers.forEach((values, column) => {
      for (let row = 0; row < rows; row++) {
        const value = values[row]!;
        if (Number.isNaN(value)) continue;
        const weight = weights === null ? 1 : weights[first + row]!;
        totals[column]! += weight * value;
        totalWeights[column]! += weight;
      }
    });
    yield;
  }
  const centers = totals.map((total, column) =>
    totalWeights[column]! > 0 ? total / totalWeights[column]! : 0,
  );

  const sums = new Float64Array((size * (size + 1) * SUMS_PER_PAIR) / 2);
  /** Of the upper triangle, row by row. */
  const offsetOf = (i: number, j: number) => (i * size - (i * (i - 1)) / 2 + (j - i)) * SUMS_PER_PAIR;
  for (let first = 0; first < mask.length; first += BLOCK_ROWS) {
    const rows = readBlock(first);
    for (let i = 0; i < size; i++) {
      for (let j = i; j < size; j++) {
        addBlock({ x: buffers[i]!, y: buffers[j]!, rows, weights, first }, [centers[i]!, centers[j]!], {
          sums,
          at: offsetOf(i, j),
        });
      }
      yield;
    }
  }
  return {
    at: (i, j) => pairSumsOf(sums, i <= j ? offsetOf(i, j) : offsetOf(j, i), i > j),
    mean: (i) => (totalWeights[i]! > 0 ? centers[i]! : null),
  };
}

function addBlock(
  {
    x,
    y,
    rows,
    weights,
    first,
  }: { x: Float64Array; y: Float64Array; rows: number; weights: Float64Array | null; first: number },
  [centerX, centerY]: readonly [number, number],
  into: { sums: Float64Array; at: number },
): void {
  let [count, weight, squaredWeight, sumX, sumY, xx, yy, xy] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let row = 0; row < rows; row++) {
    const dx = x[row]! - centerX;
    const dy = y[row]! - centerY;
    const product = dx * dy;
    if (Number.isNaN(product)) continue;
    const added = weights === null ? 1 : weights[first + row]!;
    count += 1;
    weight += added;
    squaredWeight += added * added;
    sumX += added * dx;
    sumY += added * dy;
    xx += added * dx * dx;
    yy += added * dy * dy;
    xy += added * product;
  }
  const { sums, at } = into;
  [count, weight, squaredWeight, sumX, sumY, xx, yy, xy].forEach((sum, index) => {
    sums[at + index]! += sum;
  });
}

function pairSumsOf(sums: Float64Array, at: number, isSwapped: boolean): PairSums {
  const [count = 0, weight = 0, squaredWeight = 0, sumX = 0, sumY = 0, xx = 0, yy = 0, xy = 0] =
    sums.subarray(at, at + SUMS_PER_PAIR);
  if (!(weight > 0)) return { count: 0, weight: 0, squaredWeight: 0, xx: 0, yy: 0, xy: 0 };
  const [squaresX, squaresY] = [
    Math.max(0, xx - (sumX * sumX) / weight),
    Math.max(0, yy - (sumY * sumY) / weight),
  ];
  return {
    count,
    weight,
    squaredWeight,
    xx: isSwapped ? squaresY : squaresX,
    yy: isSwapped ? squaresX : squaresY,
    xy: xy - (sumX * sumY) / weight,
  };
}

/**
 * The covariance of a pair, null with fewer than two rows: n/(n-1) · Σw(x-mx)(y-my) / Σw, as `svyvar` of the R package survey; without
 * weights `cov(x, y)`.
 */
export const covarianceOf = ({ count, weight, xy }: PairSums): number | null =>
  count > 1 ? ((xy / weight) * count) / (count - 1) : null;

/** The effective number of rows of a pair (Kish): (Σw)²/Σw². */
export const effectiveBaseOf = ({ weight, squaredWeight }: PairSums): number =>
  computeEffectiveBase(weight, squaredWeight);
