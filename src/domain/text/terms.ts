import type { TokenizedText } from './tokenized-text.ts';
import type { Vocabulary } from './vocabulary.ts';

/** A word of a text that may be what the text is about. */
export interface Term {
  stem: string;
  written: string;
  /** What stood between it and the term before, in the same breath; null: more than one small word, or the end of a thought. */
  link: string | null;
}

/** Of longer texts the beginning tells what they are about. */
const MAX_TERMS = 400;
const UNSPACED = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const HAS_LETTER = /\p{L}/u;

/** The words of a text without those that every text has, in their order. */
export function extractTerms({ tokens, words, vocabulary }: TokenizedText): Term[] {
  const terms: Term[] = [];
  let between: string[] = [];
  let isBroken = true;
  for (const [at, { lower, role }] of words.entries()) {
    const token = tokens[at]!;
    if (role === 'end' || role === 'pause') {
      isBroken = true;
    } else if (isContent(lower, vocabulary)) {
      const link = isBroken || between.length > 1 ? null : linkOf(token, between);
      terms.push({ stem: vocabulary.stemOf(lower), written: token, link });
      if (terms.length === MAX_TERMS) break;
      isBroken = false;
    } else {
      between.push(token);
      continue;
    }
    between = [];
  }
  return terms;
}

const linkOf = (token: string, between: readonly string[]): string =>
  UNSPACED.test(token) ? between.join('') : [' ', ...between.map((word) => `${word} `)].join('');

function isContent(lower: string, { data: { stopwords } }: Vocabulary): boolean {
  if (stopwords.has(lower) || !HAS_LETTER.test(lower)) return false;
  return lower.length > 1 || UNSPACED.test(lower);
}
