/**
 * Why a cell is empty. Skipped: the question was shown and left without an answer (a status that has no value counts as
 * not shown). Not applicable: of a derived column, the respondent gave what it is made from, and the definition has no value for that,
 * such as a number outside all bins. Columns keep the reason beside the values; categories keep it as a negative index, `-reason`.
 */
export const PRESENT = 0;
export const SKIPPED = 1;
export const NOT_SHOWN = 2;
export const NOT_APPLICABLE = 3;

/** The number of reasons: what is added to a category's index so that it becomes a slot, the reasons in front of the values. */
export const MISSING_SLOTS = 3;

export type MissingReason = typeof SKIPPED | typeof NOT_SHOWN | typeof NOT_APPLICABLE;

/** The reason that a state stands for; null: there is a value. A row that is not there (undefined) was not shown. */
export function missingReason(state: number | undefined): MissingReason | null {
  return state === PRESENT ? null : ((state ?? NOT_SHOWN) as MissingReason);
}
