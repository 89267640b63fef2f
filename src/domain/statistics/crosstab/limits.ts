/** Rows times columns of one table, nets included. */
export const MAX_CELLS = 5_000;
/** Of all tables of one request together. */
export const MAX_CELLS_IN_ALL = 20_000;
/** Columns of one table that are compared with each other. */
export const MAX_COMPARED = 40;
/** Different values of a column without a list of them that still make categories. */
export const MAX_OBSERVED = 100;
