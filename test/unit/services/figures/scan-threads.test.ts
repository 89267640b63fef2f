import { afterEach, describe, expect, it } from 'vitest';
import { NumericColumn } from '../../../../src/domain/dataset/columns/numeric-column.ts';
import { computeColumnDistribution } from '../../../../src/domain/statistics/distribution.ts';
import { runToCompletion } from '../../../../src/lib/run-to-completion.ts';
import { randomNumbers } from '../../../../src/lib/seeded-random.ts';
import { isLongScan, type ScanRequest } from '../../../../src/services/figures/scans/scan-request.ts';
import { ScanThreads } from '../../../../src/services/figures/scans/scan-threads.ts';

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

function amountColumn(rows: number, valueOf: (random: number) => number): NumericColumn {
  const random = randomNumbers(5);
  const column = new NumericColumn(spec, rows);
  for (let row = 0; row < rows; row += 1) column.set(row, row % 50 === 0 ? null : valueOf(random()));
  return column;
}
const column = amountColumn(ROWS, (random) => random * 1e6);
const rows = new Uint8Array(ROWS).map((_, row) => Number(row % 7 !== 0));
const weights = new Float64Array(ROWS).map((_, row) => 1 + (row % 3));
const traits = { spec, isNps: false };
const scanRequest = (options: ScanRequest['options']): ScanRequest => {
  const { values, states } = column;
  return { traits, kind: 'numeric', values, states, options };
};

describe('a long column scan', () => {
  const threads = new ScanThreads();
  const never = new AbortController().signal;

  it('is one that has to sort many distinct numbers', () => {
    const isLong = (valueOf: (random: number) => number, count = ROWS) =>
      isLongScan(amountColumn(count, valueOf), new Uint8Array(count).fill(1));
    expect(isLong((random) => random)).toBe(true);
    expect(isLong((random) => Math.floor(random * 1e9))).toBe(true);
    expect(isLong((random) => Math.floor(random * 100))).toBe(false);
    expect(isLong((random) => random, 1_000)).toBe(false);
    expect(isLongScan(column, new Uint8Array(ROWS))).toBe(false);
  });

  it.each([
    ['without weights', { rows, base: 'answering' as const }],
    ['weighted', { rows, weights, base: 'all' as const }],
  ])('%s returns the same distribution on a thread as on the main thread', async (_, options) => {
    const distribution = await threads.computeDistribution(scanRequest(options), never);
    expect(distribution).toEqual(runToCompletion(computeColumnDistribution(column, traits, options)));
    expect(distribution.base).toBeGreaterThan(250_000);
  });

  it('uses shared memory for long columns', () => {
    const longColumn = amountColumn(ROWS, (random) => random * 1e6);
    expect(longColumn.values.buffer).toBeInstanceOf(SharedArrayBuffer);
    expect(amountColumn(1_000, (random) => random).values.buffer).toBeInstanceOf(ArrayBuffer);
  });

  it('does not block the event loop', async () => {
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 1);
    await threads.computeDistribution(scanRequest({ rows, weights }), never);
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
  });
});

describe('an aborted scan', () => {
  const reason = new Error('left');
  let abortController: AbortController;
  afterEach(() => abortController.abort(reason));

  it('rejects without affecting other scans', async () => {
    const threads = new ScanThreads();
    abortController = new AbortController();
    const aborted = threads.computeDistribution(scanRequest({ rows, weights }), abortController.signal);
    const other = threads.computeDistribution(scanRequest({ rows }), new AbortController().signal);
    abortController.abort(reason);
    await expect(aborted).rejects.toBe(reason);
    expect((await other).base).toBeGreaterThan(250_000);
    await expect(threads.computeDistribution(scanRequest({ rows }), abortController.signal)).rejects.toBe(
      reason,
    );
  });

  it('frees its place in the queue; a full queue rejects with busy and Retry-After', async () => {
    const threads = new ScanThreads();
    abortController = new AbortController();
    const waiting = Array.from({ length: 40 }, () =>
      threads.computeDistribution(scanRequest({ rows }), abortController.signal).then(
        () => 'done',
        (error: { code?: string }) => error.code ?? 'left',
      ),
    );
    await expect(
      threads.computeDistribution(scanRequest({ rows }), new AbortController().signal),
    ).rejects.toMatchObject({ kind: 'unavailable', code: 'busy', headers: { 'Retry-After': '5' } });
    abortController.abort(reason);
    const outcomes = await Promise.all(waiting);
    expect(outcomes.filter((outcome) => outcome === 'left').length).toBeGreaterThanOrEqual(33);
    expect(outcomes.filter((outcome) => outcome === 'busy').length).toBeGreaterThan(0);
    const { base } = await threads.computeDistribution(scanRequest({ rows }), new AbortController().signal);
    expect(base).toBeGreaterThan(250_000);
  });
});
