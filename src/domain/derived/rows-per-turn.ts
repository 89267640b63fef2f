/** After so many rows whoever makes a column lets others have their turn: a millisecond of the simplest kind, ten of texts. */
export const ROWS_PER_YIELD = 65_536;
