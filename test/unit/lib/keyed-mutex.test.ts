import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { KeyedMutex } from '../../../src/lib/concurrency.ts';

test('runs work for the same key one at a time, in the order of arrival', async () => {
  const mutex = new KeyedMutex<string>();
  const done: string[] = [];
  const work = (name: string, milliseconds: number) =>
    mutex.run('survey', async () => {
      done.push(`${name} begins`);
      await wait(milliseconds);
      done.push(`${name} ends`);
    });
  await Promise.all([work('first', 10), work('second', 0), work('third', 0)]);
  expect(done).toEqual([
    'first begins',
    'first ends',
    'second begins',
    'second ends',
    'third begins',
    'third ends',
  ]);
});

test('does not make other keys wait, and releases the key after a failure', async () => {
  const mutex = new KeyedMutex<number>();
  let finish: () => void = () => undefined;
  const running = mutex.run(1, () => new Promise<void>((resolve) => (finish = resolve)));
  const failing = mutex.run(1, () => Promise.reject(new Error('no')));
  const after = mutex.run(1, () => Promise.resolve('after'));
  expect(await mutex.run(2, () => Promise.resolve('other'))).toBe('other');
  finish();
  await running;
  await expect(failing).rejects.toThrow('no');
  expect(await after).toBe('after');
});
