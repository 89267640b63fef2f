import { expect, it } from 'vitest';
import { coalesceCalls } from '../../../src/lib/concurrency.ts';

/** Reads that end when the test says so. */
function recorded(answer: (keys: string[]) => Map<string, string>) {
  const rounds: { keys: string[]; end: () => void }[] = [];
  const read = (keys: string[]) =>
    new Promise<Map<string, string>>((resolve) => {
      rounds.push({ keys, end: () => resolve(answer(keys)) });
    });
  return { rounds, read };
}
const echo = (keys: string[]) => new Map(keys.map((key) => [key, `${key}!`]));
const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

it('combines concurrent look-ups into one read with each key once', async () => {
  const { rounds, read } = recorded(echo);
  const lookUp = coalesceCalls(read);
  const answers = ['a', 'b', 'a'].map(lookUp);
  await tick();
  expect(rounds.map((round) => round.keys)).toEqual([['a', 'b']]);
  rounds[0]!.end();
  expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'a!']);
});

it('never answers from a read that began before the look-up', async () => {
  let version = 1;
  const { rounds, read } = recorded((keys) => new Map(keys.map((key) => [key, `${key} v${version}`])));
  const lookUp = coalesceCalls(read);
  const before = lookUp('a');
  await tick();
  const after = lookUp('a');
  await tick();
  expect(rounds).toHaveLength(2);
  rounds[0]!.end();
  expect(await before).toBe('a v1');
  version = 2;
  rounds[1]!.end();
  expect(await after).toBe('a v2');
});

it('runs at most two reads at once, and later callers share the next', async () => {
  const { rounds, read } = recorded(echo);
  const lookUp = coalesceCalls(read);
  const answers: Promise<string | undefined>[] = [];
  for (const key of ['a', 'b', 'c', 'd']) {
    answers.push(lookUp(key));
    await tick();
  }
  expect(rounds.map((round) => round.keys)).toEqual([['a'], ['b']]);
  rounds[0]!.end();
  await answers[0];
  await tick();
  await tick();
  expect(rounds.map((round) => round.keys)).toEqual([['a'], ['b'], ['c', 'd']]);
  rounds[1]!.end();
  rounds[2]!.end();
  expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!', 'd!']);
});

it('with one read at a time collects callers for the next read', async () => {
  const { rounds, read } = recorded(echo);
  const lookUp = coalesceCalls(read, { maxRunning: 1 });
  const answers = [lookUp('a')];
  await tick();
  answers.push(lookUp('b'));
  await tick();
  answers.push(lookUp('c'));
  await tick();
  expect(rounds).toHaveLength(1);
  rounds[0]!.end();
  await answers[0];
  await tick();
  expect(rounds.map((round) => round.keys)).toEqual([['a'], ['b', 'c']]);
  rounds[1]!.end();
  expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!']);
});

it('returns undefined for a missing key, and splits keys into several reads', async () => {
  const sizes: number[] = [];
  const lookUp = coalesceCalls(
    (keys: number[]) => {
      sizes.push(keys.length);
      return Promise.resolve(new Map(keys.filter((key) => key % 2 === 0).map((key) => [key, key])));
    },
    { maxKeys: 3 },
  );
  const answers = await Promise.all([0, 1, 2, 3, 4, 5, 6].map(lookUp));
  expect(answers).toEqual([0, undefined, 2, undefined, 4, undefined, 6]);
  expect(sizes).toEqual([3, 3, 1]);
});

it('a failed read fails only its own callers', async () => {
  let fail = true;
  const lookUp = coalesceCalls((keys: string[]) => {
    if (fail) return Promise.reject(new Error('away'));
    return Promise.resolve(echo(keys));
  });
  const failed = await Promise.allSettled([lookUp('a'), lookUp('b')]);
  expect(failed.map((each) => each.status)).toEqual(['rejected', 'rejected']);
  fail = false;
  expect(await lookUp('a')).toBe('a!');
});
