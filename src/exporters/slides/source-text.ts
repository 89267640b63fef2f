/** What a figure is of, as one text below it: question, base, filter and weight after each other. */
export const joinSourceLines = (lines: readonly string[]): string =>
  lines
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('  ·  ');
