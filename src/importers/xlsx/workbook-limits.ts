/**
 * Limits of workbooks. They keep the thread that reads a workbook far below its heap limit: V8 ends the whole process if one large
 * allocation of a thread fails, so `resourceLimits` alone does not protect it.
 */
const MB = 1_000_000;

export const MAX_ENTRIES = 5_000;
/** Total of all parts, from the archive's central directory; reading a part fails if its size differs. */
export const MAX_UNPACKED_BYTES = 200 * MB;
/** Spreadsheets compress 5 to 100 times; deflate reaches 1,032. */
export const MAX_RATIO = 200;
/** Smaller parts may have any ratio: a sheet of equal cells compresses well and does no harm. */
export const RATIO_FLOOR_BYTES = 10 * MB;
export const MAX_SHARED_STRINGS_BYTES = 64 * MB;
/** A shared string is four tags, or more where it has formatting. */
export const MAX_SHARED_STRINGS_TAGS = 4_000_000;
/** Styles, relationships and the list of sheets, each. */
export const MAX_SMALL_PART_BYTES = 16 * MB;
export const MAX_SMALL_PART_TAGS = 500_000;
/** Of one cell or shared string. Excel allows 32,767 characters, which are 200 KB at most. */
export const MAX_CELL_BYTES = 1 * MB;
export const MAX_TAG_BYTES = 64_000;
/** Of one row, as texts: as many as a record of a CSV file may have. */
export const MAX_ROW_CHARACTERS = 4 * MB;
/** Of all rows as texts. Shared strings may be repeated, so this is not bounded by the unpacked size. */
export const MAX_ROWS_BYTES = 200 * MB;

export const formatMegabytes = (bytes: number): string => `${bytes / MB} MB`;
