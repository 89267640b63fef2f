import { DE } from './survey-words/de.ts';
import { EN } from './survey-words/en.ts';
import { ES } from './survey-words/es.ts';
import { FR } from './survey-words/fr.ts';
import { IT } from './survey-words/it.ts';
import { NL } from './survey-words/nl.ts';
import { PL } from './survey-words/pl.ts';
import { PT } from './survey-words/pt.ts';
import { RU } from './survey-words/ru.ts';
import type { SurveyWords } from './survey-words/survey-words.ts';
import { sampleEvenly, type TokenizedText, tokenizeText, type Vocabulary, type Word } from './vocabulary.ts';

/** By ISO 639-1 code. */
export const SURVEY_WORDS: ReadonlyMap<string, SurveyWords> = new Map([
  ['de', DE],
  ['en', EN],
  ['es', ES],
  ['fr', FR],
  ['it', IT],
  ['nl', NL],
  ['pl', PL],
  ['pt', PT],
  ['ru', RU],
]);

interface DetectedLanguage {
  /** ISO 639-1 code of the most likely language; empty: unknown. */
  language: string;
  /** Score from 0 to 1 by possible language. */
  scores: () => Readonly<Record<string, number>>;
}

export type DetectLanguage = (text: string) => DetectedLanguage;

/** Language shares of a set of texts, largest first. Empty: unknown. */
export type LanguageShares = ReadonlyMap<string, number>;

/** Number of evenly spaced texts used for the estimate. */
const SAMPLE_SIZE = 60;
/** Longer texts have no more weight. */
const MAX_SAMPLE_CHARACTERS = 60;
/** Prior share of languages not seen in the sample. */
const UNSEEN_SHARE = 0.01;
/** Weight of the text itself relative to the language shares. */
const OWN_WEIGHT = 12;
/** Minimum share of the main language. */
const MAIN_SHARE = 0.8;
const MIN_KNOWN_SHARE = 0.5;
/** Texts up to this length need one known word only. */
const FEW_WORDS = 3;

/** Estimates the language shares of related texts, such as the answers to one question. */
export function estimateLanguageShares(texts: readonly string[], detect: DetectLanguage): LanguageShares {
  const weights = new Map<string, number>();
  let total = 0;
  for (const text of sampleEvenly(texts, SAMPLE_SIZE)) {
    const { language, scores } = detect(text);
    if (language === '') continue;
    const [best = 0, next = 0] = Object.values(scores()).sort((a, b) => b - a);
    // Short, ambiguous texts have little weight.
    const weight = Math.min(text.length, MAX_SAMPLE_CHARACTERS) * (best - 0.9 * next);
    weights.set(language, (weights.get(language) ?? 0) + weight);
    total += weight;
  }
  const shares = [...weights].map(([language, weight]) => [language, weight / total] as const);
  return new Map(shares.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)));
}

/** Returns the language of nearly all texts, or null. */
export function mainLanguage(shares: LanguageShares): string | null {
  const [first] = shares;
  return first !== undefined && first[1] >= MAIN_SHARE ? first[0] : null;
}

/**
 * Identifies the language of each text in a set. Detection is much slower than tokenizing, so when nearly all texts are in one language, a
 * text is assumed to be in it if it contains its listed words, or words of earlier texts.
 */
export class LanguageIdentifier {
  private readonly confirmedWords = new Set<Word>();

  /** `main`: vocabulary of the main language, if any. */
  constructor(
    private readonly shares: LanguageShares,
    private readonly main: Vocabulary | null,
    private readonly detect: DetectLanguage,
  ) {}

  /** Returns the tokenized text if it is in the main language; otherwise its language, or null if unknown. */
  identify(text: string): TokenizedText | string | null {
    if (this.main === null) return this.languageOf(text);
    const tokenized = tokenizeText(text, this.main);
    if (this.isMain(tokenized.words)) return tokenized;
    const language = this.languageOf(text);
    if (language !== this.main.data.language) return language;
    for (const word of tokenized.words) this.confirmedWords.add(word);
    return tokenized;
  }

  private isMain(words: readonly Word[]): boolean {
    let count = 0;
    let known = 0;
    for (const word of words) {
      if (word.isMark) continue;
      count += 1;
      if (word.isKnown || this.confirmedWords.has(word)) known += 1;
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
