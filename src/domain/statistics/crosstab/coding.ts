/** Assigns each row one of a few slots, 0 to size - 1: `indices[row] + offset`. */
export interface Coding {
  readonly indices: Int16Array;
  offset: number;
  size: number;
  counted?: CountedSlots | undefined;
}

/** Unweighted counts of the rows of a mask by slot, if they are known without computing the slot of each row. */
interface CountedSlots {
  mask: Uint8Array;
  counts: Float64Array;
}

/** The largest number of slots that fits an Int16. */
export const MAX_CODING_SIZE = 32_000;

/** The rows in one of these slots of one of the axis's codings. */
export interface Region {
  coding: number;
  slots: readonly number[];
}

/** Combines two codings: slot `outer * inner.size + inner`. Covers `rowCount` rows. */
export function combineCodings(outer: Coding, inner: Coding, rowCount: number): Coding {
  const { indices: first } = outer;
  const { indices: second, size } = inner;
  const offset = outer.offset * size + inner.offset;
  const indices = new Int16Array(rowCount);
  for (let row = 0; row < rowCount; row++) indices[row] = first[row]! * size + second[row]! + offset;
  return { indices, offset: 0, size: outer.size * size };
}
