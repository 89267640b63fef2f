import type { NumberReader } from '../../dataset/read-numbers.ts';
import { requireItem } from '../../../lib/require-value.ts';
import type { CountedRows } from '../base.ts';
import { type Correlation, correlationOf, rankRows, sortRowsByValue } from './correlation.ts';
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
  const columns: { values: Float64Array; order: Uint32Array }[] = [];
  for (const read of readers) {
    const values = new Float64Array(mask.length);
    read(0, values);
    for (let row = 0; row < mask.length; row++) if (mask[row] !== 1) values[row] = NaN;
    columns.push({ values, order: sortRowsByValue(values) });
    yield;
  }
  const hasValue = ({ values }: (typeof columns)[number], row: number) => !Number.isNaN(values[row]!);
  const ranks = [new Float64Array(mask.length), new Float64Array(mask.length)] as const;
  const rankReaders = ranks.map(
    (rank): NumberReader =>
      (first, into) =>
        into.set(rank.subarray(first, first + into.length)),
  );
  const pairs: CorrelatedPair[] = [];
  for (const [first, second] of listPairs(columns.length)) {
    const pair = [requireItem(columns, first, 'column'), requireItem(columns, second, 'column')] as const;
    const needed = missing === 'listwise' ? columns : pair;
    const isUsed = (row: number) => needed.every((column) => hasValue(column, row));
    pair.forEach((column, index) => rankRows(column, isUsed, weights, ranks[index]!));
    yield;
    const sums = yield* sumAllPairs(rankReaders, { mask, weights }, 'pairwise');
    pairs.push(toPair(first, second, sums.at(0, 1)));
  }
  return pairs;
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
