/** Between the values of a cell that holds several, in a file. */
export const LIST_SEPARATOR = ';';

/** A cell of a multiple choice with none ticked, in a file: an empty cell says that there is no answer. */
export const NONE_TICKED = '[]';

/** A list of values as one cell of a file: `1;3`, or `[]`. */
export function formatListCell(values: readonly string[]): string {
  return values.length === 0 ? NONE_TICKED : values.join(LIST_SEPARATOR);
}
