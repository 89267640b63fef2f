interface LiteralSearch {
  /** Whether the text contains (or equals) the search text. */
  matches(text: string): boolean;
  /** Returns the text with every occurrence replaced, or null if it would exceed the maximum cell length. */
  replaceAll(text: string): string | null;
}

export interface LiteralSearchInput {
  find: string;
  replace: string;
  matchCase: boolean;
  /** Match whole texts only. An empty `find` then matches empty texts; otherwise it matches nothing. */
  matchEntireCell: boolean;
}

/** Longer than any question allows; limits the growth when a short text occurs many times. */
const MAX_CHARACTERS = 200_000;

/**
 * Searches for a literal text, not a pattern. Without `matchCase`, letters match by Unicode simple case folding, which maps characters one
 * to one ("ß" matches "ẞ", "σ" matches "ς", "İ" only itself). Texts are compared in their stored form: NFC with \n line endings.
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
      // There are at most as many matches as characters, so only long replacements need counting.
      if (text.length * replacement.length > MAX_CHARACTERS) {
        let found = 0;
        for (const match of text.matchAll(all))
          if (match.index + ++found * replacement.length > MAX_CHARACTERS) return null;
      }
      // A function, because "$&" is special in a replacement string.
      return text.replace(all, () => replacement);
    },
  };
}

/** Escapes a character by its code point, which is literal under all flags. */
const escapeCharacter = (sign: string): string => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;
