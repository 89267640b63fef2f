/** Column computations yield after this many rows: one millisecond for the simplest kind, ten for texts. */
export const ROWS_PER_YIELD = 65_536;
