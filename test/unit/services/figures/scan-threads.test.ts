import { afterEach, describe, expect, it } from 'vitest';
import { NumericColumn } from '../../../../src/domain/columns/columns.ts';
import { computeColumnDistribution } from '../../../../src/domain/statistics/distribution.ts';
import { runToCompletion } from '../../../../src/lib/concurrency.ts';
import { randomNumbers } from '../../../../src/lib/seeded-random.ts';
import { isLongScan, type ScanRequest, ScanThreads } from '../../../../src/services/figures/figures.ts';

const ROWS = 300_000;
const spec = {
  columnCode: 'amount',
  label: 'Amount',
  questionId: 1,
  type: 'number' as const,
  measure: 'scale' as const,
  source: 'question' as const,
  values: [],
  editable: true,
  retired: false,
  precision: null,
};

function amounts(rows: number, toAmount: (random: number) => number): NumericColumn {
  const random = randomNumbers(5);
  const column = new NumericColumn(spec, rows);
  for (let row = 0; row < rows; row += 1) column.set(row, row % 50 === 0 ? null : toAmount(random()));
  return column;
}
const column = amounts(ROWS, (random) => random * 1e6);
const rows = new Uint8Array(ROWS).map((_, row) => Number(row % 7 !== 0));
const weights = new Float64Array(ROWS).map((_, row) => 1 + (row % 3));
const traits = { spec, isNps: false };
const orderOf = (options: ScanRequest['options']): ScanRequest => {
  const { values, states } = column;
  return { traits, kind: 'numeric', values, states, options };
};

describe('a long scan of a column', () => {
  const threads = new ScanThreads();
  const never = new AbortController().signal;

  it('is one that must sort numbers', () => {
    const isLong = (toAmount: (random: number) => number, count = ROWS) =>
      isLongScan(amounts(count, toAmount), new Uint8Array(count).fill(1));
    expect(isLong((random) => random)).toBe(true);
    expect(isLong((random) => Math.floor(random * 1e9))).toBe(true);
    expect(isLong((random) => Math.floor(random * 100))).toBe(false);
    expect(isLong((random) => random, 1_000)).toBe(false);
    expect(isLongScan(column, new Uint8Array(ROWS))).toBe(false);
  });

  it.each([
    ['without weights', { rows, base: 'answering' as const }],
    ['weighted', { rows, weights, base: 'all' as const }],
  ])('%s gives the same result on a thread', async (_, options) => {
    const computed = await threads.computeDistribution(orderOf(options), never);
    expect(computed).toEqual(runToCompletion(computeColumnDistribution(column, traits, options)));
    expect(computed.base).toBeGreaterThan(250_000);
  });

  it('reads the column from shared memory without a copy', () => {
    const own = amounts(ROWS, (random) => random * 1e6);
    expect(own.values.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(amounts(1_000, (random) => random).values.buffer).toBeInstanceOf(ArrayBuffer);
  });

  it('leaves the event loop responsive', async () => {
    let ticks = 0;
    const ticking = setInterval(() => (ticks += 1), 1);
    await threads.computeDistribution(orderOf({ rows, weights }), never);
    clearInterval(ticking);
    expect(ticks).toBeGreaterThan(5);
  });
});

describe('a caller that aborts', () => {
  const left = new Error('left');
  let leaving: AbortController;
  afterEach(() => leaving.abort(left));

  it('ends its scan while others continue', async () => {
    const threads = new ScanThreads();
    leaving = new AbortController();
    const mine = threads.computeDistribution(orderOf({ rows, weights }), leaving.signal);
    const theirs = threads.computeDistribution(orderOf({ rows }), new AbortController().signal);
    leaving.abort(left);
    await expect(mine).rejects.toBe(left);
    expect((await theirs).base).toBeGreaterThan(250_000);
    await expect(threads.computeDistribution(orderOf({ rows }), leaving.signal)).rejects.toBe(left);
  });

  it('frees its place in the queue, and a full queue returns 503', async () => {
    const threads = new ScanThreads();
    leaving = new AbortController();
    const waiting = Array.from({ length: 40 }, () =>
      threads.computeDistribution(orderOf({ rows }), leaving.signal).then(
        () => 'made',
        (error: { code?: string }) => error.code ?? 'left',
      ),
    );
    await expect(
      threads.computeDistribution(orderOf({ rows }), new AbortController().signal),
    ).rejects.toMatchObject({ kind: 'unavailable', code: 'busy', headers: { 'Retry-After': '5' } });
    leaving.abort(left);
    const outcomes = await Promise.all(waiting);
    expect(outcomes.filter((outcome) => outcome === 'left').length).toBeGreaterThanOrEqual(33);
    expect(outcomes.filter((outcome) => outcome === 'busy').length).toBeGreaterThan(0);
    const { base } = await threads.computeDistribution(orderOf({ rows }), new AbortController().signal);
    expect(base).toBeGreaterThan(250_000);
  });
});
