/** `random`: any order; `rotate`: the same circle, begun anywhere; `reverse`: half of the respondents see it backwards. */
export type ShuffleMode = 'none' | 'random' | 'rotate' | 'reverse';

/** FNV-1a, and MurmurHash3's last step so that similar texts come out far apart. 32 bits, not negative. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Numbers in [0, 1), the same ones for the same seed: mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

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

/** The items in the order of this seed; anchored ones keep their places. The same seed always gives the same order. */
export function shuffled<T>(
  items: readonly T[],
  mode: ShuffleMode,
  seed: string,
  isAnchored: (item: T) => boolean = () => false,
): readonly T[] {
  if (mode === 'none') return items;
  const movable = reordered(
    items.filter((item) => !isAnchored(item)),
    mode,
    hashOf(seed),
  );
  let next = 0;
  return items.map((item) => (isAnchored(item) ? item : movable[next++]!));
}
