import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Turns } from '../../../src/lib/turns.ts';

test('work for one key is done one after the other, in the order in which it came', async () => {
  const turns = new Turns<string>();
  const done: string[] = [];
  const work = (name: string, milliseconds: number) =>
    turns.take('survey', async () => {
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

test('another key does not wait, and who fails holds nobody up', async () => {
  const turns = new Turns<number>();
  let letGo: () => void = () => undefined;
  const held = turns.take(1, () => new Promise<void>((resolve) => (letGo = resolve)));
  const failing = turns.take(1, () => Promise.reject(new Error('no')));
  const after = turns.take(1, () => Promise.resolve('after'));
  expect(await turns.take(2, () => Promise.resolve('other'))).toBe('other');
  letGo();
  await held;
  await expect(failing).rejects.toThrow('no');
  expect(await after).toBe('after');
});
