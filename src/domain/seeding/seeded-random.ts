import { hashOf, randomNumbers } from '../../lib/seeded-random.ts';

/** Random values that are reproducible by seed. */
export class SeededRandom {
  /** A number in [0, 1). */
  readonly next: () => number;

  constructor(seed: string) {
    this.next = randomNumbers(hashOf(seed));
  }

  isTrue(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns an integer from 0 to count - 1. */
  integer(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** Returns a standard normal value (Box–Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  /** Returns a random item. Requires at least one. */
  pick<T>(items: readonly T[]): T {
    return items[this.integer(items.length)]!;
  }

  /** Returns a random item with probability proportional to its weight. */
  pickWeighted<T>(items: readonly T[], weightOf: (item: T) => number): T {
    let left = this.next() * items.reduce((sum, item) => sum + weightOf(item), 0);
    return items.find((item) => (left -= weightOf(item)) < 0) ?? items.at(-1)!;
  }

  /** Returns the items in weighted random order without replacement (Gumbel-max: descending log weight + Gumbel noise). */
  shuffleWeighted<T>(items: readonly T[], weightOf: (item: T) => number): T[] {
    return items
      .map((item) => ({ item, score: Math.log(weightOf(item)) - Math.log(-Math.log(1 - this.next())) }))
      .sort((a, b) => b.score - a.score)
      .map(({ item }) => item);
  }
}
