/** Maximum number of characters read per text. */
export const MAX_CHARACTERS = 20_000;
/** Longer words are truncated. */
const MAX_WORD_CHARACTERS = 48;
/** Maximum number of characters segmented at once, in languages without spaces. */
const MAX_SEGMENTED_CHARACTERS = 400;

/** Character kinds. */
const [SPACE, LETTER, COMBINING, UNSPACED, JOINER, END, PAUSE, EMOJI, NOTHING, OTHER] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
] as const;

const UNSPACED_LETTER =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u;
const ANY_LETTER = /[\p{L}\p{M}\p{N}]/u;
/** Invisible characters: joiners, directional marks, variation selectors. */
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}]/u;
const ENDS = '.!?…\n\r。！？؟।;；|/';
const PAUSES = ',:()[]{}"«»„“”、，：–—،*#•';

/** Kind by code unit; 0: not computed yet. */
const kinds = new Uint8Array(0x10000);

function characterKind(unit: number): number {
  const known = kinds[unit];
  if (known !== undefined && known !== 0) return known;
  return (kinds[unit] = classify(String.fromCharCode(unit)));
}

function classify(character: string): number {
  if (ENDS.includes(character)) return END;
  if (PAUSES.includes(character)) return PAUSE;
  if (character === "'" || character === '’') return JOINER;
  if (INVISIBLE.test(character)) return NOTHING;
  if (UNSPACED_LETTER.test(character)) return UNSPACED;
  if (/\p{M}/u.test(character)) return COMBINING;
  if (ANY_LETTER.test(character)) return LETTER;
  if (/\s/u.test(character)) return SPACE;
  if (/\p{Extended_Pictographic}/u.test(character)) return EMOJI;
  return OTHER;
}

let segmenter: Intl.Segmenter | undefined;

/**
 * Splits a text into words as written, emoji, and marks for the end of a sentence (`.`) or clause (`,`). Segments languages without spaces
 * by Unicode's dictionaries. Never throws; reads at most `MAX_CHARACTERS`.
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  const length = Math.min(text.length, MAX_CHARACTERS);
  let at = 0;
  while (at < length) {
    const unit = text.charCodeAt(at);
    const kind = characterKind(unit);
    if (kind === LETTER || kind === COMBINING) at = readWord(text, at, length, tokens);
    else if (kind === UNSPACED) at = readUnspaced(text, at, length, tokens);
    else if (kind === END || kind === PAUSE) at = readMark(text, at, kind, tokens);
    else if (kind === EMOJI) {
      tokens.push(text.charAt(at));
      at += 1;
    } else if (unit >= 0xd800 && unit <= 0xdbff) at = readPair(text, at, length, tokens);
    else at += 1;
  }
  return tokens;
}

function readWord(text: string, start: number, length: number, tokens: string[]): number {
  let at = start + 1;
  let isPlain = true;
  for (; at < length; at += 1) {
    const unit = text.charCodeAt(at);
    const kind = characterKind(unit);
    if (kind === LETTER) continue;
    if (kind === JOINER && at + 1 < length && characterKind(text.charCodeAt(at + 1)) === LETTER) {
      if (unit !== 0x27) isPlain = false;
    } else if (kind === NOTHING || kind === COMBINING) isPlain = false;
    else break;
  }
  const word = text.slice(start, Math.min(at, start + MAX_WORD_CHARACTERS));
  tokens.push(isPlain ? word : normalizeWord(word));
  return at;
}

/** Normalizes equivalent spellings. */
const normalizeWord = (word: string): string =>
  word
    .normalize('NFC')
    .replace(/[\p{Cf}\p{Variation_Selector}]/gu, '')
    .replaceAll('’', "'");

function readUnspaced(text: string, start: number, length: number, tokens: string[]): number {
  let at = start + 1;
  while (
    at < length &&
    at - start < MAX_SEGMENTED_CHARACTERS &&
    characterKind(text.charCodeAt(at)) === UNSPACED
  )
    at += 1;
  segmenter ??= new Intl.Segmenter('en', { granularity: 'word' });
  for (const { segment, isWordLike } of segmenter.segment(text.slice(start, at))) {
    if (isWordLike === true) tokens.push(segment);
  }
  return at;
}

/** Reads a punctuation mark or an emoticon. */
function readMark(text: string, at: number, kind: number, tokens: string[]): number {
  const mark = text.charAt(at);
  if (mark === ':' || mark === ';') {
    const noseAt = text[at + 1] === '-' ? at + 2 : at + 1;
    const mouth = text[noseAt];
    if (mouth === ')' || mouth === 'D' || mouth === '(') {
      tokens.push(mouth === '(' ? ':(' : ':)');
      return noseAt + 1;
    }
  }
  if (mark === '!' || mark === '?' || mark === '！' || mark === '？')
    tokens.push(mark === '!' || mark === '！' ? '!' : '?');
  else tokens.push(kind === END ? '.' : ',');
  return at + 1;
}

/** Reads a surrogate pair (emoji or rare script); ignores unpaired surrogates. */
function readPair(text: string, at: number, length: number, tokens: string[]): number {
  const codePoint = text.codePointAt(at) ?? 0;
  // Above the basic plane, the two units form one character.
  if (codePoint > 0xffff && at + 1 < length) {
    const character = String.fromCodePoint(codePoint);
    if (/\p{Extended_Pictographic}/u.test(character) || ANY_LETTER.test(character)) tokens.push(character);
    return at + 2;
  }
  return at + 1;
}
