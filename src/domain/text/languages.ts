import { type TokenizedText, tokenizeText } from './tokenized-text.ts';
import type { Vocabulary, Word } from './vocabulary.ts';

interface DetectedLanguage {
  /** ISO 639-1 of the likeliest; empty: there is nothing to tell by. */
  language: string;
  /** For each language that it could be, from 0 to 1. */
  scores: () => Readonly<Record<string, number>>;
}

export type DetectLanguage = (text: string) => DetectedLanguage;

/** What languages a set of texts is in: their shares, the greatest first. Empty: nobody knows. */
export type LanguageShares = ReadonlyMap<string, number>;

/** So many texts of a set, evenly apart, tell what languages it is in. */
const SAMPLE_SIZE = 60;
/** Longer texts do not count for more. */
const MAX_SAMPLE_CHARACTERS = 60;
/** What a language that was not seen in the sample may count for. */
const UNSEEN_SHARE = 0.01;
/** How much the text itself counts, against the others of its set. */
const OWN_WEIGHT = 12;
/** A set that is nearly all in one language. */
const MAIN_SHARE = 0.8;
const MIN_KNOWN_SHARE = 0.5;
/** One known word is enough in a text that is no longer. */
const FEW_WORDS = 3;

/** The languages of texts that belong together, such as the answers to one question. */
export function estimateLanguageShares(texts: readonly string[], detect: DetectLanguage): LanguageShares {
  const weights = new Map<string, number>();
  let total = 0;
  const step = Math.max(1, texts.length / SAMPLE_SIZE);
  for (let at = 0; at < texts.length; at += step) {
    const text = texts[Math.floor(at)]!;
    const { language, scores } = detect(text);
    if (language === '') continue;
    const [best = 0, next = 0] = Object.values(scores()).sort((a, b) => b - a);
    // Of what is short and could be several languages little is learned.
    const weight = Math.min(text.length, MAX_SAMPLE_CHARACTERS) * (best - 0.9 * next);
    weights.set(language, (weights.get(language) ?? 0) + weight);
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

/**
 * Tells the languages of texts of one set, one after the other. To ask about every text takes many times as long as to read it: where
 * nearly all are in one language, a text is taken for that language by words of it, listed ones and those that texts before had.
 */
export class LanguageIdentifier {
  private readonly shares: LanguageShares;
  private readonly main: Vocabulary | null;
  private readonly detect: DetectLanguage;
  private readonly learned = new Set<Word>();

  /** `main`: the words of the main language, if there is one. */
  constructor(shares: LanguageShares, main: Vocabulary | null, detect: DetectLanguage) {
    this.shares = shares;
    this.main = main;
    this.detect = detect;
  }

  /** The text, where it is in the main language; else its language, null: nobody knows. */
  identify(text: string): TokenizedText | string | null {
    if (this.main === null) return this.languageOf(text);
    const known = tokenizeText(text, this.main);
    if (this.isMain(known.words)) return known;
    const language = this.languageOf(text);
    if (language !== this.main.data.language) return language;
    for (const word of known.words) this.learned.add(word);
    return known;
  }

  private isMain(words: readonly Word[]): boolean {
    let count = 0;
    let known = 0;
    for (const word of words) {
      if (word.isMark) continue;
      count += 1;
      if (word.isKnown || this.learned.has(word)) known += 1;
    }
    return known > 0 && known >= MIN_KNOWN_SHARE * count && (known > 1 || count <= FEW_WORDS);
  }

  private languageOf(text: string): string | null {
    const [first = null] = this.shares.keys();
    const { language: likeliest, scores } = this.detect(text);
    if (likeliest === '' || likeliest === first) return first;
    let best = first;
    let most = 0;
    for (const [language, score] of Object.entries(scores())) {
      const weight = score ** OWN_WEIGHT * ((this.shares.get(language) ?? 0) + UNSEEN_SHARE);
      if (weight > most) [best, most] = [language, weight];
    }
    return best;
  }
}
