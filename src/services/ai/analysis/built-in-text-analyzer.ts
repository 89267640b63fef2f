import type { CreditReservation } from '../../../domain/credits/credits.ts';
import { createClassifier } from '../../../domain/text/classify.ts';
import { estimateLanguageShares, LanguageIdentifier, mainLanguage } from '../../../domain/text/languages.ts';
import { scoreSentiment } from '../../../domain/text/sentiment.ts';
import { summarizeTexts } from '../../../domain/text/summary.ts';
import { type TokenizedText, tokenizeText } from '../../../domain/text/vocabulary.ts';
import { createThemeMatcher, findThemes } from '../../../domain/text/themes.ts';
import { unavailable } from '../../../lib/errors.ts';
import { runYielding } from '../../../lib/concurrency.ts';
import type { LanguageResources } from '../../../providers/language-resources.ts';
import type {
  AnalysisOperation,
  AnalysisRequest,
  FindingFact,
  ProposedCategory,
  ProposedTheme,
  Summary,
  TextAnalyzer,
  TextCategory,
  TextSentiment,
  TextTranslation,
  TokenEstimateInput,
  Wording,
} from './text-analyzer.ts';

/** Approximates the token counts of language model providers. */
const CHARACTERS_PER_TOKEN = 4;
const OUTPUT_TOKENS_PER_TEXT = 4;
/** Output tokens charged for a result about all texts together. */
const OUTPUT_TOKENS_FOR_ALL = 400;

/** Analyzes texts with lexicons and word counts, in process: no network, no model, deterministic. */
export class BuiltInTextAnalyzer implements TextAnalyzer {
  readonly engine = 'built-in';
  readonly model = 'lexicon-1';
  readonly batchLimits = { texts: 5_000, characters: 2_000_000, parallel: 1 };
  readonly maxSampleSize = 5_000;

  constructor(private readonly words: LanguageResources) {}

  describeMethod(operation: AnalysisOperation): string {
    return METHODS[operation];
  }

  maxTokens({ names = [] }: TokenEstimateInput, texts: readonly string[]): number {
    return (
      estimateTokens(texts) +
      estimateTokens(names) +
      OUTPUT_TOKENS_PER_TEXT * texts.length +
      OUTPUT_TOKENS_FOR_ALL
    );
  }

  detectSentiments(request: AnalysisRequest): Promise<TextSentiment[]> {
    return this.analyzeEach({ ...request, read: scoreSentiment });
  }

  classify({
    categories,
    ...request
  }: AnalysisRequest & { categories: readonly ProposedCategory[] }): Promise<TextCategory[]> {
    return this.analyzeEach({ ...request, read: createClassifier(categories) });
  }

  translate(): Promise<TextTranslation[]> {
    return Promise.reject(
      unavailable(
        'Translation needs a language model, and none is configured: set OPENAI_API_KEY or OPENAI_BASE_URL',
        3_600,
        'ai_provider_required',
      ),
    );
  }

  proposeThemes({ limit, ...request }: AnalysisRequest & { limit: number }): Promise<ProposedTheme[]> {
    return this.analyzeTogether({
      ...request,
      work: (tokenized) => findThemes(tokenized, limit),
    });
  }

  assignThemes({
    themes,
    ...request
  }: AnalysisRequest & { themes: readonly ProposedTheme[] }): Promise<number[][]> {
    return this.analyzeEach({ ...request, read: createThemeMatcher(themes) });
  }

  proposeCategories({ limit, ...request }: AnalysisRequest & { limit: number }): Promise<ProposedTheme[]> {
    return this.analyzeTogether({
      ...request,
      work: (tokenized) => findThemes(tokenized, limit),
    });
  }

  summarize(request: AnalysisRequest): Promise<Summary> {
    return this.analyzeTogether({
      ...request,
      work: (tokenized) => summarizeTexts(tokenized),
    });
  }

  phraseFacts({
    reservation,
    facts,
    signal,
  }: Omit<AnalysisRequest, 'texts'> & { facts: readonly FindingFact[] }): Promise<Wording[]> {
    signal.throwIfAborted();
    const input_tokens = estimateTokens(facts.map(({ statement }) => statement));
    reservation.addUsage({ input_tokens, output_tokens: input_tokens }, true);
    return Promise.resolve(
      facts.map(({ kind, statement }) => ({
        headline: statement,
        explanation: statement,
        suggestion: SUGGESTIONS.get(kind) ?? null,
      })),
    );
  }

  private analyzeEach<T>({
    reservation,
    texts,
    signal,
    read,
  }: {
    reservation: CreditReservation;
    texts: readonly string[];
    signal: AbortSignal;
    read: (text: TokenizedText) => T;
  }): Promise<T[]> {
    reservation.addUsage(
      { input_tokens: estimateTokens(texts), output_tokens: OUTPUT_TOKENS_PER_TEXT * texts.length },
      true,
    );
    return analyzeByLanguage({ library: this.words, texts, signal, read });
  }

  private async analyzeTogether<T>({
    reservation,
    texts,
    signal,
    work,
  }: {
    reservation: CreditReservation;
    texts: readonly string[];
    signal: AbortSignal;
    work: (tokenized: readonly TokenizedText[]) => Generator<void, T>;
  }): Promise<T> {
    reservation.addUsage({ input_tokens: estimateTokens(texts), output_tokens: OUTPUT_TOKENS_FOR_ALL }, true);
    return runYielding(
      work(await analyzeByLanguage({ library: this.words, texts, signal, read: (tokenized) => tokenized })),
      signal,
    );
  }
}

const estimateTokens = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + Math.ceil(text.length / CHARACTERS_PER_TOKEN), 0);

const BY_STATISTICS = 'Computed by statistics and described with fixed sentences, without a language model.';
const THEMES =
  'Words and word pairs that many texts share, grouped by the words that occur with them and recognized by ' +
  'keywords. Texts with the same meaning in other words or in another language are not combined.';
const METHODS: Readonly<Record<AnalysisOperation, string>> = {
  sentiment:
    'Lexicons of words with a sentiment, with negations and intensifiers, by the language of each text. Irony is not recognized. ' +
    'Texts without such words are neutral, with low confidence.',
  themes: THEMES,
  classify:
    'By the words that a text shares with the name, the description and the keywords of a category. Synonyms are not recognized.',
  'suggest-categories': THEMES,
  summarize:
    'Original sentences of the texts: those that most other sentences resemble (TextRank). Nothing is reworded.',
  insights: BY_STATISTICS,
  anomalies: BY_STATISTICS,
  translate: 'The built-in analysis does not translate.',
};

const SUGGESTIONS: ReadonlyMap<string, string> = new Map([
  [
    'difference',
    'Find out what differs between the groups, and ask some respondents of the lower group why.',
  ],
  ['trend_break', 'Look at what changed between these two waves, in the field and in the questionnaire.'],
  ['outlier', 'Read these responses one by one before you keep or exclude them.'],
]);

/** Analyzes each text with the vocabulary of its language. Returns results parallel to the texts. */
async function analyzeByLanguage<T>({
  library,
  texts,
  signal,
  read,
}: {
  library: LanguageResources;
  texts: readonly string[];
  signal: AbortSignal;
  read: (text: TokenizedText) => T;
}): Promise<T[]> {
  const detect = await library.loadDetector();
  const shares = estimateLanguageShares(texts, detect);
  const main = mainLanguage(shares);
  const identifier = new LanguageIdentifier(
    shares,
    main === null ? null : await library.loadVocabulary(main),
    detect,
  );
  const results = new Array<T>(texts.length);
  const others = new Map<string | null, { index: number; text: string }[]>();
  await runYielding(
    (function* () {
      for (const [index, text] of texts.entries()) {
        const identified = identifier.identify(text);
        if (typeof identified === 'object' && identified !== null) results[index] = read(identified);
        else {
          const sameLanguage = others.get(identified);
          if (sameLanguage === undefined) others.set(identified, [{ index, text }]);
          else sameLanguage.push({ index, text });
        }
        yield;
      }
    })(),
    signal,
  );
  for (const [language, indexedTexts] of others) {
    const vocabulary = await library.loadVocabulary(language);
    await runYielding(
      (function* () {
        for (const { index, text } of indexedTexts) {
          results[index] = read(tokenizeText(text, vocabulary));
          yield;
        }
      })(),
      signal,
    );
  }
  return results;
}
