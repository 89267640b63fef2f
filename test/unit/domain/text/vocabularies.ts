import { type TokenizedText, tokenizeText } from '../../../../src/domain/text/vocabulary.ts';
import { LanguageResources } from '../../../../src/providers/language-resources.ts';

const library = new LanguageResources();

/** Tokenizes texts with the vocabulary of their language. */
export async function inLanguage(language: string, ...texts: string[]): Promise<TokenizedText[]> {
  const vocabulary = await library.loadVocabulary(language);
  return texts.map((text) => tokenizeText(text, vocabulary));
}
