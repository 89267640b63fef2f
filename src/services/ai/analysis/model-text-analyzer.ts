import type { CreditReservation } from '../../../domain/credits/credit-reservation.ts';
import type { LanguageModel } from '../../../providers/language/language-model.ts';
import type {
  AnalysisOperation,
  TextAnalyzer,
  TokenEstimateInput,
  FindingFact,
  ProposedCategory,
  ProposedTheme,
  Summary,
  TextCategory,
  TextSentiment,
  TextTranslation,
  Wording,
} from './text-analyzer.ts';
import { StructuredCompletion, maxTokensOfAll } from './model/structured-completion.ts';
import {
  assignThemes,
  BATCH_LIMITS,
  classifyTexts,
  batchTexts,
  detectSentiments,
  translateTexts,
  batchTranslationParts,
} from './model/per-text-analysis.ts';
import { splitIntoBatches } from './model/batches.ts';
import {
  assignThemesRequest,
  classifyRequest,
  MAX_TEXT_CHARACTERS,
  sentimentRequest,
  translateRequest,
} from './model/text-requests.ts';
import {
  maxTokensOfProposal,
  maxTokensOfSummary,
  proposeFromTexts,
  summarizeTexts,
} from './model/whole-set-analysis.ts';
import { batchFacts, longestFacts, wordFacts } from './model/finding-wording.ts';
import { wordingRequest } from './model/wording-request.ts';

/** Upper bound of the themes or categories that a model is asked for. */
const MOST_PROPOSED = 10;
/** For token estimates: descriptions and keywords are already part of the name. */
const NO_MORE = { description: '', keywords: Array.from({ length: 10 }, () => '') };
const LONGEST_LANGUAGE = 'xx-Xxxx-XX';

/** Analyzes texts with a language model. Validates its output against the input and drops everything else. */
export class ModelTextAnalyzer implements TextAnalyzer {
  readonly engine: LanguageModel['engine'];
  readonly model: string;
  readonly batchLimits: TextAnalyzer['batchLimits'];
  readonly maxSampleSize = 1_000;
  private readonly completion: StructuredCompletion;

  constructor(model: LanguageModel) {
    this.engine = model.engine;
    this.model = model.model;
    this.batchLimits = { ...BATCH_LIMITS, parallel: model.concurrency };
    this.completion = new StructuredCompletion(model);
  }

  describeMethod(operation: AnalysisOperation): string {
    return METHODS[operation];
  }

  /**
   * For insights and anomalies the texts are the statements of the facts. Names of themes and categories may include their descriptions and
   * keywords. Without names the estimate is for proposing themes or categories, with names for assigning them.
   */
  maxTokens({ operation, names }: TokenEstimateInput, texts: readonly string[]): number {
    switch (operation) {
      case 'sentiment':
        return maxTokensOfAll(batchTexts(texts).map(sentimentRequest));
      case 'classify': {
        const categories = (names ?? []).map((name) => ({ name, ...NO_MORE }));
        return maxTokensOfAll(batchTexts(texts).map((batch) => classifyRequest(batch, categories)));
      }
      case 'themes': {
        if (names === undefined) return maxTokensOfProposal('themes', texts, MOST_PROPOSED);
        const themes = names.map((name) => ({ name, ...NO_MORE }));
        return maxTokensOfAll(batchTexts(texts).map((batch) => assignThemesRequest(batch, themes)));
      }
      case 'suggest-categories':
        return maxTokensOfProposal('categories', texts, MOST_PROPOSED);
      case 'summarize':
        return maxTokensOfSummary(texts);
      case 'translate':
        return maxTokensOfAll(
          splitIntoBatches(texts, lengthOf, BATCH_LIMITS)
            .flatMap(batchTranslationParts)
            .map((batch) => translateRequest(batch, names?.[0] ?? LONGEST_LANGUAGE)),
        );
      case 'insights':
      case 'anomalies':
        return maxTokensOfAll(batchFacts(longestFacts(texts)).map(wordingRequest));
    }
  }

  detectSentiments(
    reservation: CreditReservation,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<TextSentiment[]> {
    return detectSentiments(this.completion, reservation, texts, signal);
  }

  classify(
    reservation: CreditReservation,
    texts: readonly string[],
    categories: readonly ProposedCategory[],
    signal: AbortSignal,
  ): Promise<TextCategory[]> {
    return classifyTexts(this.completion, reservation, texts, categories, signal);
  }

  translate(
    reservation: CreditReservation,
    texts: readonly string[],
    targetLanguage: string,
    signal: AbortSignal,
  ): Promise<TextTranslation[]> {
    return translateTexts(this.completion, reservation, texts, targetLanguage, signal);
  }

  proposeThemes(
    reservation: CreditReservation,
    texts: readonly string[],
    limit: number,
    signal: AbortSignal,
  ): Promise<ProposedTheme[]> {
    return proposeFromTexts(
      this.completion,
      reservation,
      'themes',
      texts,
      Math.min(limit, MOST_PROPOSED),
      signal,
    );
  }

  assignThemes(
    reservation: CreditReservation,
    texts: readonly string[],
    themes: readonly ProposedTheme[],
    signal: AbortSignal,
  ): Promise<number[][]> {
    return assignThemes(this.completion, reservation, texts, themes, signal);
  }

  proposeCategories(
    reservation: CreditReservation,
    texts: readonly string[],
    limit: number,
    signal: AbortSignal,
  ): Promise<ProposedTheme[]> {
    return proposeFromTexts(
      this.completion,
      reservation,
      'categories',
      texts,
      Math.min(limit, MOST_PROPOSED),
      signal,
    );
  }

  summarize(reservation: CreditReservation, texts: readonly string[], signal: AbortSignal): Promise<Summary> {
    return summarizeTexts(this.completion, reservation, texts, signal);
  }

  wordFacts(
    reservation: CreditReservation,
    facts: readonly FindingFact[],
    signal: AbortSignal,
  ): Promise<Wording[]> {
    return wordFacts(this.completion, reservation, facts, signal);
  }
}

const lengthOf = (text: string): number => text.length;

const READ = `Of each text the first ${MAX_TEXT_CHARACTERS} characters are read`;

const METHODS: Readonly<Record<AnalysisOperation, string>> = {
  sentiment: `A language model judges each text by itself. ${READ}; confidence is what the model says of itself, 0 where it said nothing.`,
  themes:
    'A language model reads the texts (at most 1000, spread evenly, and of each the first 600 characters) in pieces and proposes themes, then holds each text against them.',
  classify: `A language model sorts each text into one of the categories, or none. ${READ}; confidence is what the model says of itself, 0 where it said nothing.`,
  'suggest-categories':
    'A language model reads the texts (at most 1000, spread evenly, and of each the first 600 characters) in pieces and proposes categories.',
  summarize:
    'A language model reads the texts (at most 1000, spread evenly, and of each the first 600 characters) in pieces and summarizes them; each point names the texts that it rests on.',
  insights:
    'Statistics find what differs, and a language model words it. Words whose figures are not those of the statistics are replaced by ours.',
  anomalies:
    'Statistics find what stands out, and a language model words it. Words whose figures are not those of the statistics are replaced by ours.',
  translate:
    'A language model translates each text by itself, long ones in parts; a text that it left out has an empty translation.',
};
