import { expect, it } from 'vitest';
import { randomIds } from '../../../src/lib/ids.ts';

it('tokens have the requested length and consist of letters and digits', () => {
  for (const length of [1, 8, 48, 200])
    expect(randomIds.token(length)).toMatch(new RegExp(`^[A-Za-z0-9]{${length}}$`));
});

it('tokens have uniformly distributed characters', () => {
  const counts = new Map<string, number>();
  for (const character of randomIds.token(62_000)) counts.set(character, (counts.get(character) ?? 0) + 1);
  expect(counts.size).toBe(62);
  // About 1,000 each; eight standard deviations to either side. A plain remainder would give eight of them 1,250.
  const standardDeviation = Math.sqrt(1_000);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(8 * standardDeviation);
});

it('tokens and UUIDs do not repeat', () => {
  const created = Array.from({ length: 2_000 }, () => [randomIds.token(20), randomIds.uuid()]).flat();
  expect(new Set(created).size).toBe(created.length);
});
