/** Returns the beginning of a text, at most `maxUnits` UTF-16 units, without splitting a character such as a composed emoji. */
export function truncateText(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text;
  const segments = new Intl.Segmenter().segment(text.slice(0, maxUnits + MAX_CHARACTER_UNITS));
  const last = segments.containing(maxUnits);
  const end = last === undefined || last.index === 0 ? maxUnits : last.index;
  return text.slice(0, end);
}

/** Longer characters are split. */
const MAX_CHARACTER_UNITS = 64;
