import { expect, test } from 'vitest';
import { Semaphore } from '../../../src/lib/concurrency.ts';

test('admits at most the given number of callers, the others in order of arrival', async () => {
  const semaphore = new Semaphore(2);
  const admitted: string[] = [];
  const acquire = async (name: string) => {
    const release = await semaphore.acquire();
    admitted.push(name);
    return release;
  };
  const [first, second] = await Promise.all([acquire('first'), acquire('second')]);
  const waiting = [acquire('third'), acquire('fourth')];
  await Promise.resolve();
  expect(admitted).toEqual(['first', 'second']);
  first();
  first();
  await waiting[0];
  expect(admitted).toEqual(['first', 'second', 'third']);
  second();
  await waiting[1];
  expect(admitted).toEqual(['first', 'second', 'third', 'fourth']);
});

test('resolves with null after the timeout, and serves the callers still in the queue', async () => {
  const semaphore = new Semaphore(1);
  const release = await semaphore.acquire();
  const gaveUp = semaphore.acquireWithin(10);
  const waiting = semaphore.acquireWithin(10_000);
  expect(await gaveUp).toBeNull();
  release();
  const second = await waiting;
  expect(second).toBeTypeOf('function');
  second!();
  expect(await semaphore.acquireWithin(0)).toBeTypeOf('function');
});
