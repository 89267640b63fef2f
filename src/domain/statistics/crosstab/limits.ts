/** Rows times columns of one table, including nets. */
export const MAX_CELLS = 5_000;
/** All tables of one request together. */
export const MAX_CELLS_IN_ALL = 20_000;
/** Columns of one table that are compared. */
export const MAX_COMPARED = 40;
/** Distinct values that can be categories, for a column without a value list. */
export const MAX_OBSERVED = 100;
