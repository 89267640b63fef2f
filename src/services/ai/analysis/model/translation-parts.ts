/** What is translated in one go; longer texts are translated in parts. */
const PART_CHARACTERS = 4_000;
/** Best first: between paragraphs, sentences, words. */
const BOUNDARIES = ['\n', '. ', '。', ' '];

/** A text in parts that make it up when they are put together, cut where that hurts least. */
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

function findCutIndex(within: string): number {
  for (const boundary of BOUNDARIES) {
    const place = within.lastIndexOf(boundary);
    // Not so early that there is no end of parts.
    if (place > PART_CHARACTERS / 2) return place + boundary.length;
  }
  return /[\ud800-\udbff]$/.test(within) ? PART_CHARACTERS - 1 : PART_CHARACTERS;
}

/** The blanks at its end, which models do not keep. */
export const trailingWhitespace = (part: string): string => part.slice(part.trimEnd().length);
