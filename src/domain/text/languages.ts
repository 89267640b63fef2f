import type { Word } from './vocabulary.ts';

/** Tells the language of a text: for each that it could be a score from 0 to 1; the surest first. */
export type DetectLanguage = (text: string) => readonly { language: string; score: number }[];

/** What languages a set of texts is in: their shares, the greatest first. Empty: nobody knows. */
export type LanguageShares = ReadonlyMap<string, number>;

/** So many texts of a set, evenly apart, tell what languages it is in. */
const SAMPLE = 60;
/** What a language that was not seen in the sample may count for. */
const UNSEEN_SHARE = 0.01;
/** A set that is nearly all in one language. */
const MAIN_SHARE = 0.8;
const ENOUGH_KNOWN = 0.5;
/** Fewer words tell nothing that the other texts would not tell better. */
const FEW_WORDS = 3;

/** The languages of texts that belong together, such as the answers to one question. */
export function languagesIn(texts: readonly string[], detect: DetectLanguage): LanguageShares {
  const weights = new Map<string, number>();
  let total = 0;
  const step = Math.max(1, texts.length / SAMPLE);
  for (let at = 0; at < texts.length; at += step) {
    const text = texts[Math.floor(at)]!;
    const [best, next] = detect(text);
    if (best === undefined) continue;
    // Of what is short and could be several languages little is learned.
    const weight = Math.min(text.length, 60) * (best.score - (next?.score ?? 0) * 0.9);
    weights.set(best.language, (weights.get(best.language) ?? 0) + weight);
    total += weight;
  }
  const shares = [...weights].map(([language, weight]) => [language, weight / total] as const);
  return new Map(shares.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}

/** The language of nearly all texts; null: there is none. */
export function mainLanguage(shares: LanguageShares): string | null {
  const [first] = shares;
  return first !== undefined && first[1] >= MAIN_SHARE ? first[0] : null;
}

/** Whether a text of a set that is nearly all in one language is in that language, by its words in it; false: they do not tell. */
export function isInMainLanguage(words: readonly Word[]): boolean {
  let count = 0;
  let known = 0;
  for (const { role, isKnown } of words) {
    if (role === 'end' || role === 'pause') continue;
    count += 1;
    if (isKnown) known += 1;
  }
  return known >= ENOUGH_KNOWN * count && (count <= FEW_WORDS || known > 1) && known > 0;
}

/** What language a text is in; null: nobody knows. Where the text alone does not tell, it is one of those of the whole set. */
export function languageOf(text: string, shares: LanguageShares, detect: DetectLanguage): string | null {
  const [first] = shares.keys();
  let best: string | null = first ?? null;
  let most = 0;
  for (const { language, score } of detect(text)) {
    const weight = score ** 12 * ((shares.get(language) ?? 0) + UNSEEN_SHARE);
    if (weight > most) [best, most] = [language, weight];
  }
  return best;
}
