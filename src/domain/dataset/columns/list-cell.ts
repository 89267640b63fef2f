/** Separates the values of a multi-value cell in a file. */
export const LIST_SEPARATOR = ';';

/** Multiple choice with none ticked, in a file; an empty cell means no answer. */
export const NONE_TICKED = '[]';

/** Formats a list of values as one cell of a file: `1;3`, or `[]`. */
export function formatListCell(values: readonly string[]): string {
  return values.length === 0 ? NONE_TICKED : values.join(LIST_SEPARATOR);
}
