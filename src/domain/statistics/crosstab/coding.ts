/** For every row one of a few slots, 0 to size - 1: `indices[row] + offset`. */
export interface Coding {
  readonly indices: Int16Array;
  offset: number;
  size: number;
  counted?: CountedSlots | undefined;
}

/** The rows of a mask by slot, each as one, where they were counted before anybody had to know the slot of each row. */
interface CountedSlots {
  mask: Uint8Array;
  counts: Float64Array;
}

/** As many as an Int16 tells apart. */
export const MAX_CODING_SIZE = 32_000;

/** The rows that have one of these slots in one of an axis's codings. */
export interface Region {
  coding: number;
  slots: readonly number[];
}

/** Both at once: slot `outer * inner.size + inner`. Looks at `rowCount` rows. */
export function combineCodings(outer: Coding, inner: Coding, rowCount: number): Coding {
  const { indices: first } = outer;
  const { indices: second, size } = inner;
  const offset = outer.offset * size + inner.offset;
  const indices = new Int16Array(rowCount);
  for (let row = 0; row < rowCount; row++) indices[row] = first[row]! * size + second[row]! + offset;
  return { indices, offset: 0, size: outer.size * size };
}
