import { tokenize } from './tokens.ts';
import type { Vocabulary, Word } from './vocabulary.ts';

/** A text with its words in its language. */
export interface TokenizedText {
  text: string;
  /** As written. */
  tokens: readonly string[];
  /** Parallel to `tokens`. */
  words: readonly Word[];
  vocabulary: Vocabulary;
}

export function tokenizeText(text: string, vocabulary: Vocabulary, tokens = tokenize(text)): TokenizedText {
  const words: Word[] = [];
  for (const token of tokens) words.push(vocabulary.wordOf(token));
  return { text, tokens, words, vocabulary };
}

/** A content word of a text. */
export interface Term {
  stem: string;
  written: string;
  /** Text between it and the previous term in the same clause; null: more than one function word, or a clause boundary. */
  link: string | null;
}

/** Maximum number of terms; the beginning of a longer text shows its topic. */
const MAX_TERMS = 400;
const UNSPACED_START = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const HAS_LETTER = /\p{L}/u;

/** Returns the words of a text without stop words, in order. */
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
  UNSPACED_START.test(token) ? between.join('') : [' ', ...between.map((word) => `${word} `)].join('');

function isContent(lower: string, { data: { stopwords } }: Vocabulary): boolean {
  if (stopwords.has(lower) || !HAS_LETTER.test(lower)) return false;
  return lower.length > 1 || UNSPACED_START.test(lower);
}
