import { hashOf, randomNumbers } from '../../../lib/seeded-random.ts';

/** `random`: any order; `rotate`: the original order from a random start; `reverse`: half of the respondents see the reverse order. */
export type ShuffleMode = 'none' | 'random' | 'rotate' | 'reverse';

function reordered<T>(items: readonly T[], mode: Exclude<ShuffleMode, 'none'>, seed: number): T[] {
  const random = randomNumbers(seed);
  switch (mode) {
    case 'reverse':
      return random() < 0.5 ? [...items] : [...items].reverse();
    case 'rotate': {
      const start = Math.floor(random() * items.length);
      return [...items.slice(start), ...items.slice(0, start)];
    }
    case 'random': {
      const order = [...items];
      for (let last = order.length - 1; last > 0; last--) {
        const other = Math.floor(random() * (last + 1));
        [order[last], order[other]] = [order[other]!, order[last]!];
      }
      return order;
    }
  }
}

/** Returns the items in the order of the seed; anchored items keep their positions. The same seed always gives the same order. */
export function shuffled<T>(
  items: readonly T[],
  mode: ShuffleMode,
  seed: string,
  isAnchored: (item: T) => boolean = () => false,
): readonly T[] {
  if (mode === 'none') return items;
  const reorderedItems = reordered(
    items.filter((item) => !isAnchored(item)),
    mode,
    hashOf(seed),
  );
  let next = 0;
  return items.map((item) => (isAnchored(item) ? item : reorderedItems[next++]!));
}
