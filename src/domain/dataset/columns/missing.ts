/**
 * Why a cell is empty. Skipped: the question was shown and left without an answer (a status that has no value counts as
 * not shown). Columns keep the reason beside the values; categories keep it as a negative index, `-reason`.
 */
export const PRESENT = 0;
export const SKIPPED = 1;
export const NOT_SHOWN = 2;

export type MissingReason = typeof SKIPPED | typeof NOT_SHOWN;
