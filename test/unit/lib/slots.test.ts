import { expect, test } from 'vitest';
import { Slots } from '../../../src/lib/slots.ts';

test('so many hold a slot at a time, the others get theirs in the order in which they came', async () => {
  const slots = new Slots(2);
  const got: string[] = [];
  const take = async (name: string) => {
    const release = await slots.take();
    got.push(name);
    return release;
  };
  const [first, second] = await Promise.all([take('first'), take('second')]);
  const waiting = [take('third'), take('fourth')];
  await Promise.resolve();
  expect(got).toEqual(['first', 'second']);
  first();
  first();
  await waiting[0];
  expect(got).toEqual(['first', 'second', 'third']);
  second();
  await waiting[1];
  expect(got).toEqual(['first', 'second', 'third', 'fourth']);
});

test('gives up after the timeout, and leaves the queue to the others', async () => {
  const slots = new Slots(1);
  const release = await slots.take();
  const gaveUp = slots.takeWithin(10);
  const waiting = slots.takeWithin(10_000);
  expect(await gaveUp).toBeNull();
  release();
  const second = await waiting;
  expect(second).toBeTypeOf('function');
  second!();
  expect(await slots.takeWithin(0)).toBeTypeOf('function');
});
