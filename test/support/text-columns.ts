/** Formats a row of a text table: cells wrap at spaces, and the row is as high as its highest cell. `widths` are in characters. */
export function wrapRow(cells: readonly string[], widths: readonly number[], separator: string): string[] {
  const columns = cells.map((cell, index) => wrapText(cell, widths[index]!));
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((column, index) => (column[line] ?? '').padEnd(widths[index]!))
      .join(separator)
      .trimEnd(),
  );
}

function wrapText(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!;
    if (last === '') lines[lines.length - 1] = word;
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
