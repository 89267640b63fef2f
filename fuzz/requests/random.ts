import { hashOf, randomNumbers } from '../../src/lib/seeded-random.ts';

/** Random choices; the same for the same seed. */
export interface Random {
  /** From 0 to under 1. */
  next(): number;
  /** A seed for other generators. */
  seed(): number;
  chance(probability: number): boolean;
  /** From 0 to under `end`. */
  below(end: number): number;
  pick<T>(values: readonly T[]): T;
}

export function seededRandom(seed: string): Random {
  const next = randomNumbers(hashOf(seed));
  const below = (end: number) => Math.floor(next() * end);
  return {
    next,
    seed: () => below(0x7fffffff),
    chance: (probability) => next() < probability,
    below,
    pick<T>(values: readonly T[]): T {
      if (values.length === 0) throw new Error('Nothing to choose from');
      return values[below(values.length)]!;
    },
  };
}
