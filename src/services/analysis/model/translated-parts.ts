/** What is translated in one go; longer texts are translated in parts. */
const PART_CHARACTERS = 4_000;

/** A text in parts that make it up when they are put together: cut between paragraphs, sentences or words where that is possible. */
export function partsOf(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > PART_CHARACTERS) {
    const end = cutPlace(rest);
    parts.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  parts.push(rest);
  return parts;
}

function cutPlace(text: string): number {
  const within = text.slice(0, PART_CHARACTERS);
  for (const boundary of [/\n(?=[^\n]*$)/, /[.!?…。！？]\s*(?=[^.!?…。！？]*$)/, /\s(?=\S*$)/]) {
    const found = boundary.exec(within);
    // Not so early that there is no end of parts.
    if (found !== null && found.index > PART_CHARACTERS / 2) return found.index + found[0].length;
  }
  const half = /[\ud800-\udbff]$/.test(within) ? 1 : 0;
  return PART_CHARACTERS - half;
}
