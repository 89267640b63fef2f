import { type TokenizedText, tokenizeText } from '../../../../src/domain/text/tokenized-text.ts';
import { LanguageResources } from '../../../../src/providers/words/word-library.ts';

const library = new LanguageResources();

/** Texts with the words of their language. */
export async function inLanguage(language: string, ...texts: string[]): Promise<TokenizedText[]> {
  const vocabulary = await library.vocabulary(language);
  return texts.map((text) => tokenizeText(text, vocabulary));
}

/** What a piece of work that pauses gives in the end. */
export function finished<T>(work: Generator<void, T>): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
