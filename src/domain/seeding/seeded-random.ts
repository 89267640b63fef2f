import { hashOf, randomNumbers } from '../../lib/seeded-random.ts';

/** Chance that is the same for the same seed. */
export class SeededRandom {
  /** A number in [0, 1). */
  readonly next: () => number;

  constructor(seed: string) {
    this.next = randomNumbers(hashOf(seed));
  }

  isTrue(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from 0 to count - 1. */
  integer(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** Standard normal, by Box and Muller. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  /** One of them, of which there must be one at least. */
  pick<T>(items: readonly T[]): T {
    return items[this.integer(items.length)]!;
  }

  /** One of them, each as likely as its weight says. */
  pickWeighted<T>(items: readonly T[], weightOf: (item: T) => number): T {
    let left = this.next() * items.reduce((sum, item) => sum + weightOf(item), 0);
    return items.find((item) => (left -= weightOf(item)) < 0) ?? items.at(-1)!;
  }

  /** All of them, in the order in which they would be drawn by their weights (by the largest of log weight + Gumbel noise). */
  shuffleWeighted<T>(items: readonly T[], weightOf: (item: T) => number): T[] {
    return items
      .map((item) => ({ item, score: Math.log(weightOf(item)) - Math.log(-Math.log(1 - this.next())) }))
      .sort((a, b) => b.score - a.score)
      .map(({ item }) => item);
  }
}
