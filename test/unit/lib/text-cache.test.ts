import { expect, it } from 'vitest';
import { TextCache } from '../../../src/lib/text-cache.ts';

it('creates a text once for concurrent and later callers', async () => {
  const kept = new TextCache(1_000);
  let createdCount = 0;
  const make = async () => {
    await Promise.resolve();
    return `text ${(createdCount += 1)}`;
  };
  expect(await Promise.all([kept.getOrCreate('a', make), kept.getOrCreate('a', make)])).toEqual([
    'text 1',
    'text 1',
  ]);
  expect(await kept.getOrCreate('a', make)).toBe('text 1');
  expect(await kept.getOrCreate('b', make)).toBe('text 2');
});

it('creates only missing texts of a set, together and once each', async () => {
  const kept = new TextCache(1_000);
  await kept.getOrCreate('b', () => Promise.resolve('old b'));
  const requests: number[][] = [];
  const texts = await kept.getOrCreateMany(['a', 'b', 'c', 'a'], (places) => {
    requests.push(places);
    return Promise.resolve(places.map((index) => `new ${index}`));
  });
  expect(texts).toEqual(['new 0', 'old b', 'new 2', 'new 0']);
  expect(requests).toEqual([[0, 2]]);
});

it('reports a failure to all waiting callers and tries again for the next', async () => {
  const kept = new TextCache(1_000);
  const fail = () => Promise.reject(new Error('not now'));
  const both = await Promise.allSettled([kept.getOrCreate('a', fail), kept.getOrCreate('a', fail)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await kept.getOrCreate('a', () => Promise.resolve('later'))).toBe('later');
});

it('evicts the least recently used text first', async () => {
  const kept = new TextCache(33);
  const text = 'x'.repeat(10);
  const created: string[] = [];
  const want = (key: string) =>
    kept.getOrCreate(key, () => {
      created.push(key);
      return Promise.resolve(text);
    });
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await want(key);
  expect(created).toEqual(['a', 'b', 'c', 'd', 'b']);
  await kept.getOrCreate('huge', () => Promise.resolve('y'.repeat(100)));
  expect(await kept.getOrCreate('huge', () => Promise.resolve('again'))).toBe('again');
});
