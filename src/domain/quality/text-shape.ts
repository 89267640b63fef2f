/**
 * Properties of a text in any language, from its characters only. Letters are Unicode letters; combining accents, spaces, digits and
 * symbols are not letters.
 */

const LETTER = /\p{L}/u;
const DIGIT = /\p{N}/u;
const HAN = /\p{Script=Han}/u;
const SYLLABLE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Yi}\p{Script=Ethiopic}]/u;

/** An ideograph has about as much content as three letters of an alphabet, a syllable sign as two. */
const HAN_WEIGHT = 3;
const SYLLABLE_WEIGHT = 2;

const KNOWN = 128;
const IS_LETTER = 64;
/** By code point below 65,536: KNOWN, IS_LETTER and the weight; 0: not computed yet. */
const traitCache = new Uint8Array(0x10000);

function traitsOf(character: string, codePoint: number): number {
  const known = traitCache[codePoint];
  if (known !== undefined && known !== 0) return known;
  const weight = HAN.test(character) ? HAN_WEIGHT : SYLLABLE.test(character) ? SYLLABLE_WEIGHT : 1;
  const isLetter = LETTER.test(character);
  const traits = KNOWN | (isLetter ? IS_LETTER | weight : DIGIT.test(character) ? weight : 0);
  if (codePoint < traitCache.length) traitCache[codePoint] = traits;
  return traits;
}

/** The number of letters and digits, with ideographs and syllable signs weighted by the letters they replace. */
export function textWeight(text: string): number {
  let weight = 0;
  for (const character of text)
    weight += traitsOf(character, character.codePointAt(0)!) & ~(KNOWN | IS_LETTER);
  return weight;
}

/** The letters in lower case. */
export function extractLetters(text: string): string[] {
  const letters: string[] = [];
  for (const character of text.normalize('NFKC').toLowerCase()) {
    if ((traitsOf(character, character.codePointAt(0)!) & IS_LETTER) !== 0) letters.push(character);
  }
  return letters;
}

/** Normalizes a text for comparison: ignores case, character width, repeated spaces and punctuation at the ends. */
export function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\s+/gu, ' ')
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
}

/** The share of the most frequent letter, 0 to 1; 0 without letters. */
export function mostFrequentLetterShare(letters: readonly string[]): number {
  const counts = new Map<string, number>();
  let most = 0;
  for (const letter of letters) {
    const count = (counts.get(letter) ?? 0) + 1;
    counts.set(letter, count);
    most = Math.max(most, count);
  }
  return letters.length === 0 ? 0 : most / letters.length;
}

const LONGEST_UNIT = 4;

/**
 * How often a unit of up to four letters is repeated throughout the text ("asdasdasd": 3); the last unit can be incomplete. 1: not
 * repeated.
 */
export function countUnitRepeats(letters: readonly string[]): number {
  for (let period = 1; period <= LONGEST_UNIT && period * 2 <= letters.length; period++) {
    if (letters.every((letter, index) => index < period || letter === letters[index - period])) {
      return Math.floor(letters.length / period);
    }
  }
  return 1;
}
