/**
 * Removes the characters that match `character`, a regular expression for one, from the end of a text. Takes linear time; `/x+$/` takes
 * quadratic time, because it starts at each character of a run that is not at the end.
 */
export function trimCharactersEnd(text: string, character: RegExp): string {
  let end = text.length;
  for (let start = previousIndex(text, end); end > 0; start = previousIndex(text, end)) {
    if (!character.test(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
}

/** Removes the characters that match `character` from both ends of a text, in linear time. */
export function trimCharacters(text: string, character: RegExp): string {
  let start = 0;
  for (const each of text) {
    if (!character.test(each)) break;
    start += each.length;
  }
  return trimCharactersEnd(text.slice(start), character);
}

/** The index of the character before `end`; a surrogate pair is one. */
const previousIndex = (text: string, end: number): number =>
  end > 1 && (text.codePointAt(end - 2) ?? 0) > 0xffff ? end - 2 : end - 1;
