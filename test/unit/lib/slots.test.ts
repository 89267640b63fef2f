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
