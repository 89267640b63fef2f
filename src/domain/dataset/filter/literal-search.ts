interface LiteralSearch {
  /** Is it in the text (or: is it the text)? */
  matches(text: string): boolean;
  /** The text with every occurrence replaced. null: it would be longer than any cell may be. */
  replaceAll(text: string): string | null;
}

export interface LiteralSearchInput {
  find: string;
  replace: string;
  matchCase: boolean;
  /** Only where it is all of the text. An empty `find` then means the empty text; else it is nowhere. */
  matchEntireCell: boolean;
}

/** More than any question takes: a short text found many times must not become gigabytes. */
const MAX_CHARACTERS = 200_000;

/**
 * Finds a text, never a pattern. Without `matchCase` letters that differ by case alone are the same, by Unicode's simple case
 * folding: each character stands for one, so that places stay right whatever else the text holds ("ß" is found as "ẞ", "σ" as
 * "ς", while "İ" is only itself). Texts are compared in the form
 * in which answers are stored: NFC, with \n line ends.
 */
export function createLiteralSearch(input: LiteralSearchInput): LiteralSearch {
  const find = input.find.replaceAll('\r\n', '\n').normalize('NFC');
  const replacement = input.replace.normalize('NFC');
  if (find === '') {
    const isFound = (text: string) => input.matchEntireCell && text === '';
    return { matches: isFound, replaceAll: (text) => (isFound(text) ? replacement : text) };
  }
  const literal = find.replace(/[\\^$.*+?()[\]{}|/-]/gu, escapeCharacter);
  const source = input.matchEntireCell ? `^${literal}$` : literal;
  const flags = input.matchCase ? 'u' : 'iu';
  const one = new RegExp(source, flags);
  const all = new RegExp(source, `g${flags}`);
  return {
    matches: (text) => one.test(text),
    replaceAll(text) {
      // At most as many as there are characters, so only a long replacement needs counting.
      if (text.length * replacement.length > MAX_CHARACTERS) {
        let found = 0;
        for (const place of text.matchAll(all))
          if (place.index + ++found * replacement.length > MAX_CHARACTERS) return null;
      }
      // A function: in a replacement text "$&" would mean something.
      return text.replace(all, () => replacement);
    },
  };
}

/** As a code point: no sign keeps a meaning, whatever flags are set. */
const escapeCharacter = (sign: string): string => `\\u{${sign.codePointAt(0)!.toString(16)}}`;
