/** Longer texts are translated in several parts. */
const PART_CHARACTERS = 4_000;
/** Preferred cut positions: between paragraphs, then sentences, then words. */
const BOUNDARIES = ['\n', '. ', '。', ' '];

/** Splits a text into parts whose concatenation is the text. */
export function splitIntoParts(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > PART_CHARACTERS) {
    const end = findCutIndex(rest.slice(0, PART_CHARACTERS));
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  parts.push(rest);
  return parts;
}

function findCutIndex(text: string): number {
  for (const boundary of BOUNDARIES) {
    const index = text.lastIndexOf(boundary);
    // A cut in the first half would make too many parts.
    if (index > PART_CHARACTERS / 2) return index + boundary.length;
  }
  return /[\ud800-\udbff]$/.test(text) ? PART_CHARACTERS - 1 : PART_CHARACTERS;
}

/** Trailing whitespace, which models drop. */
export const trailingWhitespace = (part: string): string => part.slice(part.trimEnd().length);
