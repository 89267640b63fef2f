/**
 * Reasons for an empty cell. Skipped: the question was shown and not answered. Not shown: also used for metadata without a value. Not
 * applicable: the sources of a derived column have values, but its definition gives none, such as a number outside all bins. Columns store
 * the reason next to the values; categorical columns store it as a negative index, `-reason`.
 */
export const PRESENT = 0;
export const SKIPPED = 1;
export const NOT_SHOWN = 2;
export const NOT_APPLICABLE = 3;

/** Number of reasons. Added to a category index it gives a table slot, with the reasons before the values. */
export const MISSING_SLOTS = 3;

export type MissingReason = typeof SKIPPED | typeof NOT_SHOWN | typeof NOT_APPLICABLE;

/** Returns the missing reason of a state, or null if the cell has a value. Rows beyond the column (undefined) are not shown. */
export function missingReason(state: number | undefined): MissingReason | null {
  return state === PRESENT ? null : ((state ?? NOT_SHOWN) as MissingReason);
}
