import { type TokenizedText, tokenizeText } from '../../../domain/text/terms.ts';
import { estimateLanguageShares, LanguageIdentifier, mainLanguage } from '../../../domain/text/languages.ts';
import { runYielding } from '../../../lib/run-yielding.ts';
import type { LanguageResources } from '../../../providers/lexicons/language-resources.ts';

/** Analyzes each text with the vocabulary of its language. Returns results parallel to the texts. */
export async function analyzeByLanguage<T>(
  library: LanguageResources,
  texts: readonly string[],
  signal: AbortSignal,
  read: (text: TokenizedText) => T,
): Promise<T[]> {
  const detect = await library.detector();
  const shares = estimateLanguageShares(texts, detect);
  const main = mainLanguage(shares);
  const identifier = new LanguageIdentifier(
    shares,
    main === null ? null : await library.vocabulary(main),
    detect,
  );
  const results = new Array<T>(texts.length);
  const others = new Map<string | null, number[]>();
  await runYielding(
    (function* () {
      for (const [index, text] of texts.entries()) {
        const known = identifier.identify(text);
        if (typeof known === 'object' && known !== null) results[index] = read(known);
        else if (others.has(known)) others.get(known)!.push(index);
        else others.set(known, [index]);
        yield;
      }
    })(),
    signal,
  );
  for (const [language, indices] of others) {
    const vocabulary = await library.vocabulary(language);
    await runYielding(
      (function* () {
        for (const index of indices) {
          results[index] = read(tokenizeText(texts[index]!, vocabulary));
          yield;
        }
      })(),
      signal,
    );
  }
  return results;
}
