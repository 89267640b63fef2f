/** Widths of a wide sans serif font, so that narrower fonts fit too. */
const NARROW = new Set("iljtfrI.,:;!|'()[] -");
const WIDE = new Set('mwMWQOGDHNU%@&—…');
const isFullWidth = (code: number) =>
  (code >= 0x1100 && code <= 0x115f) ||
  (code >= 0x2e80 && code <= 0xd7a3) ||
  (code >= 0xf900 && code <= 0xffe6);

function characterWidth(character: string): number {
  if (NARROW.has(character)) return 0.38;
  if (WIDE.has(character)) return 0.95;
  if (isFullWidth(character.codePointAt(0)!)) return 1;
  return character >= 'A' && character <= 'Z' ? 0.71 : 0.62;
}

/** The estimated width of a text, in the unit of the font size. */
export function textWidth(text: string, fontSize: number): number {
  let width = 0;
  for (const character of text) width += characterWidth(character);
  return width * fontSize;
}

/** Truncates a text to fit a width. */
function truncateText(text: string, width: number, fontSize: number): string {
  if (textWidth(text, fontSize) <= width) return text;
  let kept = [...text];
  while (kept.length > 1 && textWidth(`${kept.join('')}…`, fontSize) > width) kept = kept.slice(0, -1);
  return `${kept.join('').trimEnd()}…`;
}

/** Wraps a text to lines that fit; truncates the last line. */
export function wrapText(text: string, width: number, fontSize: number, maxLines: number): string[] {
  const lines: string[] = [];
  let line = '';
  const words = text.split(/\s+/).filter((word) => word !== '');
  for (const [index, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (textWidth(longer, fontSize) <= width || line === '') {
      line = longer;
      continue;
    }
    if (lines.length === maxLines - 1) {
      lines.push(truncateText([line, ...words.slice(index)].join(' '), width, fontSize));
      return lines;
    }
    lines.push(truncateText(line, width, fontSize));
    line = word;
  }
  return [...lines, truncateText(line, width, fontSize)];
}
