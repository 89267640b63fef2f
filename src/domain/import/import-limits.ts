/** Limits of a data file. */
export const MAX_IMPORT_ROWS = 200_000;
export const MAX_IMPORT_COLUMNS = 5_000;
/** Includes empty cells. */
export const MAX_IMPORT_CELLS = 100_000_000;
export const TOO_MANY_CELLS = `file: has more than ${MAX_IMPORT_CELLS} cells, empty ones included`;
