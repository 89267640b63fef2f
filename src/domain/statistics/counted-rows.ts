/**
 * The rows that a measure looks at: 1 or 0 per row, and the weight of each. A row without a positive weight (NaN: the weight
 * column has none for it) does not count at all, as in SPSS.
 */
export interface CountedRows {
  mask: Uint8Array;
  /** Parallel to the mask, 0 where it is 0; null when every row counts as one. */
  weights: Float64Array | null;
  /** Rows of the mask as given that are left out for want of a weight. */
  withoutWeight: number;
}

/** `mask` is as it was selected; `weights`, by row, as long as the mask or longer, NaN where there is none. */
export function selectCountedRows(mask: Uint8Array, weights: Float64Array | null): CountedRows {
  if (!weights) return { mask, weights: null, withoutWeight: 0 };
  const counted = new Uint8Array(mask.length);
  const usable = new Float64Array(mask.length);
  let withoutWeight = 0;
  for (let row = 0; row < mask.length; row++) {
    const weight = weights[row]!;
    const counts = weight > 0 ? 1 : 0;
    counted[row] = counts & mask[row]!;
    withoutWeight += mask[row]! & (1 - counts);
    usable[row] = counted[row] === 1 ? weight : 0;
  }
  return { mask: counted, weights: usable, withoutWeight };
}
