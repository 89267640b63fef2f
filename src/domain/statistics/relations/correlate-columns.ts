import type { NumberReader } from '../../dataset/read-numbers.ts';
import type { CountedRows } from '../base.ts';
import { tallyNumbers } from '../tally.ts';
import { type Correlation, correlationOf } from './correlation.ts';
import { type MissingHandling, type PairSums, sumAllPairs } from './pair-sums.ts';

export const CORRELATION_METHODS = ['pearson', 'spearman'] as const;
export type CorrelationMethod = (typeof CORRELATION_METHODS)[number];

/** Two columns by their indices, and their correlation; null if there is none. */
export interface CorrelatedPair {
  first: number;
  second: number;
  /** Responses with both values. */
  base: number;
  correlation: Correlation | null;
}

type Rows = Pick<CountedRows, 'mask' | 'weights'>;

/** Correlates every column with every later one. Yields between short steps. */
export function* correlateColumns(
  readers: readonly NumberReader[],
  rows: Rows,
  { method, missing }: { method: CorrelationMethod; missing: MissingHandling },
): Generator<undefined, CorrelatedPair[]> {
  if (method === 'spearman') return yield* correlateRanks(readers, rows, missing);
  const sums = yield* sumAllPairs(readers, rows, missing);
  return listPairs(readers.length).map(([first, second]) => toPair(first, second, sums.at(first, second)));
}

/** Spearman's correlation: Pearson's of the ranks among the rows of each pair. */
function* correlateRanks(
  readers: readonly NumberReader[],
  { mask, weights }: Rows,
  missing: MissingHandling,
): Generator<undefined, CorrelatedPair[]> {
  const columns: Float64Array[] = [];
  for (const read of readers) {
    const values = new Float64Array(mask.length);
    read(0, values);
    columns.push(values);
    yield;
  }
  const ranks = [new Float64Array(mask.length), new Float64Array(mask.length)] as const;
  const rankReaders = ranks.map(
    (rank): NumberReader =>
      (first, into) =>
        into.set(rank.subarray(first, first + into.length)),
  );
  const pairs: CorrelatedPair[] = [];
  for (const [first, second] of listPairs(columns.length)) {
    const pair = [columns[first]!, columns[second]!];
    const needed = missing === 'listwise' ? columns : pair;
    const used = mask.map((isCounted, row) =>
      needed.some((values) => Number.isNaN(values[row]!)) ? 0 : isCounted,
    );
    const rows = {
      mask: used,
      weights: weights === null ? null : weights.map((weight, row) => weight * used[row]!),
      withoutWeight: 0,
    };
    yield;
    for (const [index, values] of pair.entries()) yield* rankRows(values, rows, ranks[index]!);
    const sums = yield* sumAllPairs(rankReaders, rows, 'pairwise');
    pairs.push(toPair(first, second, sums.at(0, 1)));
  }
  return pairs;
}

const ROWS_PER_STEP = 8_192;

/**
 * Fills `into` with the ranks of the counted rows: the weight of the rows with lower values and half of that of the rows with the same value.
 * Without weights these are the average ranks of R's `rank(x)` minus ½.
 */
function* rankRows(values: Float64Array, rows: CountedRows, into: Float64Array): Generator<undefined, void> {
  const tally = tallyNumbers(values, rows);
  const ranks = new Float64Array(tally.values.length);
  let below = 0;
  for (let index = 0; index < ranks.length; index++) {
    const tied = tally.weights[index]!;
    ranks[index] = below + tied / 2;
    below += tied;
  }
  yield;
  into.fill(NaN);
  for (let row = 0; row < values.length; row++) {
    if (rows.mask[row] === 1) into[row] = ranks[findIndex(tally.values, values[row]!)]!;
    if (row % ROWS_PER_STEP === 0) yield;
  }
}

/** The index of a value among ascending ones that contain it. */
function findIndex(values: Float64Array, value: number): number {
  let [low, high] = [0, values.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

const toPair = (first: number, second: number, sums: PairSums): CorrelatedPair => ({
  first,
  second,
  base: sums.count,
  correlation: correlationOf(sums),
});

const listPairs = (size: number): [number, number][] =>
  Array.from({ length: size }, (_, first) => first).flatMap((first) =>
    Array.from({ length: size - first - 1 }, (_, index): [number, number] => [first, first + index + 1]),
  );
