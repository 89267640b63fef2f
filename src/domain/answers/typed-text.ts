import { quote } from '../../lib/quote.ts';

export type TypedText = { ok: true; text: string | null } | { ok: false; message: string };

/** Characters as a reader counts them: an emoji is one. */
export function countCharacters(text: string): number {
  return [...text].length;
}

/**
 * What someone typed: kept as typed, but in Unicode's NFC and with \n line ends, so that equal texts are equal.
 * White space alone is no text (null).
 */
export function readTypedText(input: unknown, maxLength: number): TypedText {
  if (typeof input !== 'string') return { ok: false, message: `must be a text, not ${quote(input)}` };
  if (input.includes('\u0000')) return { ok: false, message: 'must not contain the character NUL (U+0000)' };
  // With the u flag only half a surrogate pair is a \p{Cs}: text that no database and no file can keep.
  if (/\p{Cs}/u.test(input)) {
    return { ok: false, message: 'contains half of a surrogate pair, which is not valid Unicode' };
  }
  const text = input.replaceAll('\r\n', '\n').normalize('NFC');
  if (text.length > maxLength && countCharacters(text) > maxLength) {
    return {
      ok: false,
      message: `has ${countCharacters(text)} characters; at most ${maxLength} are allowed`,
    };
  }
  return { ok: true, text: text.trim() === '' ? null : text };
}
