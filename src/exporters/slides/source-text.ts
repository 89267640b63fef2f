/** Joins the source lines of a figure: question, base, filter and weight. */
export const joinSourceLines = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('  ·  ');
