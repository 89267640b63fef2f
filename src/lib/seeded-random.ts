/** FNV-1a with the final step of MurmurHash3, so that similar texts get very different hashes. Returns an unsigned 32-bit number. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Generates numbers in [0, 1) from a seed with mulberry32. */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

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
    return items[this.integer(items.length)] as T;
  }

  /** Returns a random item with probability proportional to its weight. */
  pickWeighted<T>(items: readonly T[], weightOf: (item: T) => number): T {
    let left = this.next() * items.reduce((sum, item) => sum + weightOf(item), 0);
    return items.find((item) => (left -= weightOf(item)) < 0) ?? (items.at(-1) as T);
  }

  /** Returns the items in weighted random order without replacement (Gumbel-max: descending log weight + Gumbel noise). */
  shuffleWeighted<T>(items: readonly T[], weightOf: (item: T) => number): T[] {
    return items
      .map((item) => ({ item, score: Math.log(weightOf(item)) - Math.log(-Math.log(1 - this.next())) }))
      .sort((a, b) => b.score - a.score)
      .map(({ item }) => item);
  }
}
