import { mustBe, sizeAtMost } from '../../lib/error-messages.ts';

export type TypedText = { ok: true; text: string | null } | { ok: false; message: string };

/** Counts characters by code point: an emoji is one. */
export function countCharacters(text: string): number {
  return [...text].length;
}

/** Reads typed text, normalized to NFC with \n line ends so that equal texts compare equal. Whitespace alone is no text (null). */
export function readTypedText(input: unknown, maxLength: number): TypedText {
  if (typeof input !== 'string') return { ok: false, message: mustBe('a text', input) };
  if (input.includes('\u0000')) return { ok: false, message: 'must not contain the character NUL (U+0000)' };
  // With the u flag, \p{Cs} matches only unpaired surrogates, which databases and files cannot store.
  if (/\p{Cs}/u.test(input)) {
    return { ok: false, message: 'contains half of a surrogate pair, which is not valid Unicode' };
  }
  const text = input.replaceAll('\r\n', '\n').normalize('NFC');
  if (text.length > maxLength && countCharacters(text) > maxLength) {
    return {
      ok: false,
      message: sizeAtMost(maxLength, 'character', countCharacters(text)),
    };
  }
  return { ok: true, text: text.trim() === '' ? null : text };
}
