/** Ids of the database are below it. The ids of copies that definitions write out are the id plus a number times it. */
export const FIRST_COPY_ID = 2 ** 32;

/** Returns the id under which authors know a page, question or block, or the table of a cell. */
export const authoredId = (id: number): number => id % FIRST_COPY_ID;
