import { expect, it } from 'vitest';
import { retryOnSerializationFailure } from '../../../src/db/transactions.ts';

const databaseError = (code: string) => Object.assign(new Error(`code ${code}`), { code });

/** Runs work that fails so often. Returns its outcome and the waits between its attempts. */
async function runFailing(failures: number, code: string): Promise<{ outcome: string; waits: number[] }> {
  const waits: number[] = [];
  let attempts = 0;
  const outcome = await retryOnSerializationFailure(
    () => {
      attempts += 1;
      return attempts > failures ? Promise.resolve('done') : Promise.reject(databaseError(code));
    },
    (milliseconds) => {
      waits.push(milliseconds);
      return Promise.resolve();
    },
  ).catch((error: Error) => error.message);
  return { outcome, waits };
}

it.each(['40001', '40P01'])('repeats work that a concurrent transaction made fail with %s', async (code) => {
  expect(await runFailing(4, code)).toEqual({ outcome: 'done', waits: expect.any(Array) });
  expect(await runFailing(5, code)).toMatchObject({ outcome: `code ${code}` });
});

it('does not repeat work that fails for another reason', async () => {
  expect(await runFailing(1, '23505')).toEqual({ outcome: 'code 23505', waits: [] });
});

it('waits a random time, up to twice as long before each attempt', async () => {
  const runs = await Promise.all(Array.from({ length: 200 }, () => runFailing(4, '40001')));
  const longest = [0, 1, 2, 3].map((index) => Math.max(...runs.map(({ waits }) => waits[index]!)));
  const shortest = [0, 1, 2, 3].map((index) => Math.min(...runs.map(({ waits }) => waits[index]!)));
  for (const [index, limit] of [20, 40, 80, 160].entries()) {
    expect(longest[index]).toBeLessThanOrEqual(limit);
    expect(longest[index]).toBeGreaterThan(limit / 2);
    expect(shortest[index]).toBeLessThan(limit / 2);
  }
});
