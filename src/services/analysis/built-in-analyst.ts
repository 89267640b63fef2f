import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HeldCredits } from '../../domain/credits/held-credits.ts';
import { classified } from '../../domain/text/classify.ts';
import { type KnownText, knownText } from '../../domain/text/known-text.ts';
import {
  type DetectLanguage,
  isInMainLanguage,
  languageOf,
  type LanguageShares,
  languagesIn,
  mainLanguage,
} from '../../domain/text/languages.ts';
import { sentimentOf } from '../../domain/text/sentiment.ts';
import { summarized } from '../../domain/text/summary.ts';

import { themesIn, themesOf } from '../../domain/text/themes.ts';
import type { Vocabulary } from '../../domain/text/vocabulary.ts';
import { unavailable } from '../../lib/errors.ts';
import type { WordLibrary } from '../../providers/words/word-library.ts';
import type {
  AnalysisOperation,
  Analyst,
  Asked,
  FoundFact,
  ProposedCategory,
  ProposedTheme,
  Summary,
  TextCategory,
  TextSentiment,
  TextTranslation,
  Wording,
} from './analyst.ts';

/** Others have their turn after so long. */
const AT_A_STRETCH_MS = 8;
/** As providers of models count, where nobody counts exactly. */
const CHARACTERS_PER_TOKEN = 4;
const OUT_PER_TEXT = 4;
/** For what is said about all texts together. */
const OUT_FOR_ALL = 400;

/** Reads texts by lexicons and counts of words, on this machine: no network, no model, always the same result. */
export class BuiltInAnalyst implements Analyst {
  readonly engine = 'built-in';
  readonly model = 'lexicon-1';
  readonly atOnce = { texts: 1_000, characters: 1_000_000, parallel: 1 };
  readonly mostTogether = 5_000;
  private readonly words: WordLibrary;

  constructor(words: WordLibrary) {
    this.words = words;
  }

  methodOf(operation: AnalysisOperation): string {
    return METHODS[operation];
  }

  mostTokens({ names = [] }: Asked, texts: readonly string[]): number {
    return tokensIn(texts) + tokensIn(names) + OUT_PER_TEXT * texts.length + OUT_FOR_ALL;
  }

  sentiments(held: HeldCredits, texts: readonly string[], signal: AbortSignal): Promise<TextSentiment[]> {
    return this.read(held, texts, OUT_PER_TEXT * texts.length, signal, function* (known) {
      const results: TextSentiment[] = [];
      for (const text of known) {
        results.push(sentimentOf(text));
        yield;
      }
      return results;
    });
  }

  classify(
    held: HeldCredits,
    texts: readonly string[],
    categories: readonly ProposedCategory[],
    signal: AbortSignal,
  ): Promise<TextCategory[]> {
    return this.read(held, texts, OUT_PER_TEXT * texts.length, signal, (known) =>
      classified(known, categories),
    );
  }

  translate(): Promise<TextTranslation[]> {
    return Promise.reject(
      unavailable(
        'Texts are translated by a language model, and none is configured: set OPENAI_API_KEY or OPENAI_BASE_URL',
        3_600,
        'ai_provider_required',
      ),
    );
  }

  proposeThemes(
    held: HeldCredits,
    texts: readonly string[],
    most: number,
    signal: AbortSignal,
  ): Promise<ProposedTheme[]> {
    return this.read(held, texts, OUT_FOR_ALL, signal, (known) => themesOf(known, most));
  }

  assignThemes(
    held: HeldCredits,
    texts: readonly string[],
    themes: readonly ProposedTheme[],
    signal: AbortSignal,
  ): Promise<number[][]> {
    return this.read(held, texts, OUT_PER_TEXT * texts.length, signal, (known) => themesIn(known, themes));
  }

  proposeCategories(
    held: HeldCredits,
    texts: readonly string[],
    most: number,
    signal: AbortSignal,
  ): Promise<ProposedTheme[]> {
    return this.read(held, texts, OUT_FOR_ALL, signal, (known) => themesOf(known, most));
  }

  summarize(held: HeldCredits, texts: readonly string[], signal: AbortSignal): Promise<Summary> {
    return this.read(held, texts, OUT_FOR_ALL, signal, (known) => summarized(known));
  }

  word(held: HeldCredits, facts: readonly FoundFact[], signal: AbortSignal): Promise<Wording[]> {
    signal.throwIfAborted();
    const input_tokens = tokensIn(facts.map(({ statement }) => statement));
    held.used({ input_tokens, output_tokens: input_tokens }, true);
    return Promise.resolve(
      facts.map(({ kind, statement }) => ({
        headline: statement,
        explanation: statement,
        suggestion: SUGGESTIONS.get(kind) ?? null,
      })),
    );
  }

  private async read<T>(
    held: HeldCredits,
    texts: readonly string[],
    outputTokens: number,
    signal: AbortSignal,
    work: (known: readonly KnownText[]) => Generator<void, T>,
  ): Promise<T> {
    held.used({ input_tokens: tokensIn(texts), output_tokens: outputTokens }, true);
    const known = await this.known(texts, signal);
    return inTurns(work(known), signal);
  }

  /** Each text with its words in its language. */
  private async known(texts: readonly string[], signal: AbortSignal): Promise<KnownText[]> {
    const detect = await this.words.detector();
    const shares = languagesIn(texts, detect);
    const main = mainLanguage(shares);
    const mainWords = main === null ? null : await this.words.vocabulary(main);
    const found = await inTurns(languagesOfEach(texts, mainWords, shares, detect), signal);
    const known: KnownText[] = [];
    for (const [index, text] of texts.entries()) {
      const its = found[index]!;
      known.push(
        typeof its === 'object' && its !== null ? its : knownText(text, await this.words.vocabulary(its)),
      );
    }
    return known;
  }
}

/** What is known at once, or else the language. */
function* languagesOfEach(
  texts: readonly string[],
  main: Vocabulary | null,
  shares: LanguageShares,
  detect: DetectLanguage,
): Generator<void, (KnownText | string | null)[]> {
  const found: (KnownText | string | null)[] = [];
  for (const text of texts) {
    const known = main === null ? null : knownText(text, main);
    if (known !== null && isInMainLanguage(known.words)) found.push(known);
    else found.push(languageOf(text, shares, detect));
    yield;
  }
  return found;
}

/** Others have their turn now and then, wherever the work pauses. */
async function inTurns<T>(work: Generator<void, T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let since = performance.now();
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (performance.now() - since < AT_A_STRETCH_MS) continue;
    await nextTurn();
    signal.throwIfAborted();
    since = performance.now();
  }
}

const tokensIn = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Math.ceil(text.length / CHARACTERS_PER_TOKEN), 0);

const BY_STATISTICS =
  'Found by statistics on the data, and told in fixed sentences; no language model took part.';
const THEMES =
  'Words and pairs of words that many texts share, grouped by the words that come with them (TF-IDF, k-means); recognized by ' +
  'keywords. Texts that say the same in other words, or in another language, are not brought together.';
const METHODS: Readonly<Record<AnalysisOperation, string>> = {
  sentiment:
    'Lexicons of words with a feeling, with negations and intensifiers, by the language of each text. Irony and what has no such ' +
    'word are not understood: the latter is called neutral, with low confidence.',
  themes: THEMES,
  classify:
    'By the words that a text shares with the name, the description and the keywords of a category; synonyms are not understood.',
  'suggest-categories': THEMES,
  summarize:
    'Sentences of the texts themselves, as they were written: those that most other sentences resemble (TextRank). Nothing is reworded.',
  insights: BY_STATISTICS,
  anomalies: BY_STATISTICS,
  translate: 'The built-in analysis does not translate.',
};

const SUGGESTIONS: ReadonlyMap<string, string> = new Map([
  ['difference', 'Look at what the groups do or get differently, and ask a few of the lower one why.'],
  ['trend_break', 'Look at what changed between these two waves, in the field and in the questionnaire.'],
  ['outlier', 'Read these responses one by one before you keep or exclude them.'],
]);
