/**
 * The counted rows (1 or 0 per row) and their weights. A row without a positive weight (NaN: missing in the weight column) is not
 * counted, as in SPSS.
 */
export interface CountedRows {
  mask: Uint8Array;
  /** Parallel to the mask, 0 where it is 0; null: unweighted. */
  weights: Float64Array | null;
  /** Rows of the original mask excluded because they have no positive weight. */
  withoutWeight: number;
}

/** `mask`: the selected rows. `weights`: by row, at least as long as the mask, NaN where missing. */
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
