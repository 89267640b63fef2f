import { trimCharactersEnd } from './trim-characters.ts';

/** What needs no space between it and a word before it. */
const CLOSES = /^(?:[.,;:!?…)\]]|\s|$)/u;
const LEADING_COMMA = /^[ \t]*[,;:][ \t]*/u;

/**
 * Closes the gaps that empty values leave in a text, so that "Hello {{name}}, how are you?" becomes "Hello, how are you?". `pieces`: the
 * texts between the values at even indices, the values at odd ones. A comma that would begin a line goes too, and what follows it gets a
 * capital.
 */
export function closeGaps(pieces: readonly string[]): string[] {
  const closed = [...pieces];
  let isLineEmpty = true;
  closed.forEach((piece, index) => {
    const isGap = index % 2 === 1 && piece === '';
    const after = closed[index + 1] ?? '';
    if (isGap && isLineEmpty) closed[index + 1] = withoutLeadingComma(after);
    else if (isGap && CLOSES.test(after))
      closed[index - 1] = trimCharactersEnd(closed[index - 1] ?? '', /[ \t]/);
    const end = piece.lastIndexOf('\n');
    isLineEmpty = (isLineEmpty || end !== -1) && piece.slice(end + 1).trim() === '';
  });
  return closed;
}

function withoutLeadingComma(text: string): string {
  const rest = text.replace(LEADING_COMMA, '');
  return rest === text ? text : rest.charAt(0).toUpperCase() + rest.slice(1);
}
