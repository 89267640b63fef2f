import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { createNumberReader } from '../../../../src/domain/dataset/read-numbers.ts';
import { selectCountedRows } from '../../../../src/domain/statistics/base.ts';
import {
  correlateColumns,
  type CorrelationMethod,
} from '../../../../src/domain/statistics/relations/correlate-columns.ts';
import { fisherInterval } from '../../../../src/domain/statistics/relations/correlation.ts';
import {
  covarianceOf,
  type MissingHandling,
  sumAllPairs,
} from '../../../../src/domain/statistics/relations/pair-sums.ts';
import {
  computeReliability,
  type ReliabilityMissing,
} from '../../../../src/domain/statistics/relations/reliability.ts';
import { runToCompletion } from '../../../../src/lib/concurrency.ts';
import { bigFive } from './big-five.ts';

const dataset = bigFive();
const readersOf = (codes: readonly string[]) => codes.map((code) => createNumberReader(dataset.column(code)));
const unweighted = selectCountedRows(new Uint8Array(dataset.rowCount).fill(1), null);
/** R: w <- 0.5 + (seq_len(nrow(x)) %% 4) / 2 */
const weighted = selectCountedRows(
  new Uint8Array(dataset.rowCount).fill(1),
  Float64Array.from({ length: dataset.rowCount }, (_, row) => 0.5 + ((row + 1) % 4) / 2),
);
const items = (scale: string) => [1, 2, 3, 4, 5].map((number) => `${scale}${number}`);

function correlate(
  codes: readonly [string, string],
  method: CorrelationMethod,
  rows = unweighted,
  missing: MissingHandling = 'pairwise',
) {
  const [pair] = runToCompletion(correlateColumns(readersOf(codes), rows, { method, missing }));
  return pair!.correlation!;
}

function assess(
  codes: readonly string[],
  reversed: readonly string[] = [],
  missing: ReliabilityMissing = 'pairwise',
  rows = unweighted,
) {
  const indices = new Set(reversed.map((code) => codes.indexOf(code)));
  return runToCompletion(computeReliability(readersOf(codes), rows, { missing, reversed: indices }));
}

describe('correlations', () => {
  it('equal cor.test(x$A1, x$age) with its interval', () => {
    const found = correlate(['A1', 'age'], 'pearson');
    expect(found.base).toBe(2784);
    expect(found.r).toBeCloseTo(-0.160963699548, 9);
    expect(found.pValue / 1.28549053976e-17).toBeCloseTo(1, 6);
    const interval = fisherInterval(found)!;
    expect(interval.low).toBeCloseTo(-0.196935145098, 9);
    expect(interval.high).toBeCloseTo(-0.124559472935, 9);
  });

  it('equal cor.test(x$A2, x$N1, method = "spearman", exact = FALSE)', () => {
    const found = correlate(['A2', 'N1'], 'spearman');
    expect(found.base).toBe(2754);
    expect(found.r).toBeCloseTo(-0.109769330605, 9);
    expect(found.pValue / 7.67789618617e-9).toBeCloseTo(1, 6);
  });

  it('equal cov.wt(cbind(x$A2, x$A3)[ok, ], wt = w[ok], cor = TRUE) on the effective base', () => {
    const found = correlate(['A2', 'A3'], 'pearson', weighted);
    expect(found.r).toBeCloseTo(0.492033748853, 9);
    expect(found.effectiveBase).toBeCloseTo(2292.888975, 6);
    expect(found.pValue / 4.29792312997e-140).toBeCloseTo(1, 6);
  });

  it('by ranks count weights like repeated responses', () => {
    const [x, y] = [
      [3, 1, 2, 2, 5, 4],
      [2, 1, 4, 3, 3, 6],
    ];
    const times = [1, 3, 2, 1, 2, 1];
    const repeat = (values: readonly number[]) =>
      values.flatMap((value, index) => Array.from({ length: times[index]! }, () => value));
    const readers = (columns: readonly (readonly number[])[]) =>
      columns.map((values) => (first: number, into: Float64Array) => {
        into.set(values.slice(first, first + into.length));
      });
    const r = (columns: readonly (readonly number[])[], weights: Float64Array | null) => {
      const rows = selectCountedRows(new Uint8Array(columns[0]!.length).fill(1), weights);
      const settings = { method: 'spearman', missing: 'pairwise' } as const;
      return runToCompletion(correlateColumns(readers(columns), rows, settings))[0]!.correlation!.r;
    };
    expect(r([x, y], Float64Array.from(times))).toBeCloseTo(r([repeat(x), repeat(y)], null), 12);
  });

  it('leave out responses without an answer in any column with `listwise`', () => {
    const codes = items('A');
    const settings = { method: 'pearson', missing: 'listwise' } as const;
    const pairs = runToCompletion(correlateColumns(readersOf(codes), unweighted, settings));
    expect(new Set(pairs.map(({ base }) => base))).toEqual(new Set([2709]));
  });

  it('are missing for constant columns and for two responses', () => {
    const constant = (_: number, into: Float64Array) => void into.fill(4);
    const rows = selectCountedRows(new Uint8Array(5).fill(1), null);
    const growing = (first: number, into: Float64Array) =>
      into.forEach((_, index) => (into[index] = first + index));
    const settings = { method: 'pearson', missing: 'pairwise' } as const;
    const of = (count: number) =>
      runToCompletion(
        correlateColumns(
          [growing, count === 2 ? growing : constant],
          selectCountedRows(new Uint8Array(count).fill(1), null),
          settings,
        ),
      )[0]!.correlation;
    expect(of(rows.mask.length)).toBeNull();
    expect(of(2)).toBeNull();
  });
});

test('covariances keep their precision for values far from zero', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 3, maxLength: 40 }), (values) => {
      const covariance = (shift: number) => {
        const read = (first: number, into: Float64Array) =>
          into.forEach((_, index) => (into[index] = values[first + index]! + shift));
        const rows = selectCountedRows(new Uint8Array(values.length).fill(1), null);
        return covarianceOf(runToCompletion(sumAllPairs([read], rows, 'pairwise')).at(0, 0))!;
      };
      expect(covariance(1e9)).toBeCloseTo(covariance(0), 4);
    }),
    { seed: 11 },
  );
});

describe("Cronbach's alpha", () => {
  it('equals psych::alpha(x[, c("A1", …, "A5")], keys = "A1")', () => {
    const found = assess(items('A'), ['A1']);
    expect(found.alpha).toBeCloseTo(0.7030184461, 9);
    expect(found.standardizedAlpha).toBeCloseTo(0.7130285787, 9);
    expect(found.averageCorrelation).toBeCloseTo(0.3319676571, 9);
    const drops = [0.3084177395, 0.5636151638, 0.5870045895, 0.3944440866, 0.4885651358];
    const deleted = [0.718517357, 0.617180037, 0.6002595788, 0.6858056523, 0.6429529601];
    found.items.forEach((item, index) => {
      expect(item.itemTotal).toBeCloseTo(drops[index]!, 9);
      expect(item.alphaIfDeleted).toBeCloseTo(deleted[index]!, 9);
    });
    expect(found.items.map(({ base }) => base)).toEqual([2784, 2773, 2774, 2781, 2784]);
    expect(found.items[1]!.mean).toBeCloseTo(4.802380094, 9);
    expect(found.items[1]!.sd).toBeCloseTo(1.172019922, 9);
  });

  it('equals psych::alpha(na.omit(…)) with complete cases', () => {
    const found = assess(items('A'), ['A1'], 'listwise');
    expect(found.alpha).toBeCloseTo(0.7037558944, 9);
    expect(found.items[2]!.itemTotal).toBeCloseTo(0.5887730787, 9);
    expect(found.items[0]!.base).toBe(2709);
  });

  it.each([
    ['A', ['A1'], 0.7012374613],
    ['C', ['C4', 'C5'], 0.7246870769],
    ['E', ['E1', 'E2'], 0.7596948376],
    ['N', [], 0.8117752481],
    ['O', ['O2', 'O5'], 0.5967715623],
  ])(
    'of scale %s equals psych::scoreItems(keys, x)$alpha with medians for missing answers',
    (scale, reversed, alpha) => {
      expect(assess(items(scale), reversed, 'median').alpha).toBeCloseTo(alpha, 9);
    },
  );

  it('equals k/(k-1) (1 - sum(diag(C)) / sum(C)) of C <- cov.wt(…, wt = w[ok])$cov', () => {
    expect(assess(items('A'), ['A1'], 'listwise', weighted).alpha).toBeCloseTo(0.700643263928, 9);
  });

  it('shows an item that runs against the others by a negative correlation', () => {
    expect(assess(items('A')).items[0]!.itemTotal).toBeLessThan(0);
  });
});
