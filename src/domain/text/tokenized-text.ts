import { tokenize } from './tokens.ts';
import type { Vocabulary, Word } from './vocabulary.ts';

/** A text, and its words in the language that it is in. */
export interface TokenizedText {
  text: string;
  /** As they were written. */
  tokens: readonly string[];
  /** Parallel to them. */
  words: readonly Word[];
  vocabulary: Vocabulary;
}

export function tokenizeText(text: string, vocabulary: Vocabulary, tokens = tokenize(text)): TokenizedText {
  const words: Word[] = [];
  for (const token of tokens) words.push(vocabulary.wordOf(token));
  return { text, tokens, words, vocabulary };
}
