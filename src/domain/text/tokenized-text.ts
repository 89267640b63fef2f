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
