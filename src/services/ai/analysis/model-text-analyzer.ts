import type { CreditReservation } from '../../../domain/credits/credit-reservation.ts';
import type { LanguageModel } from '../../../providers/language/language-model.ts';
import { splitIntoBatches } from './model/batches.ts';
import { mapConcurrently } from './model/map-concurrently.ts';
import { answerById } from './model/numbered-texts.ts';
import {
  assignThemes,
  BATCH_LIMITS,
  batchTexts,
  batchTranslationParts,
  classifyTexts,
  detectSentiments,
  translateTexts,
} from './model/per-text-analysis.ts';
import { maxTokensOfAll, StructuredCompletion } from './model/structured-completion.ts';
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
import {
  longestFact,
  type NumberedFact,
  numberFact,
  sanitizeWording,
  wordingRequest,
} from './model/wording-request.ts';
import type {
  AnalysisOperation,
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

const BATCH_SIZE = 10;

/** The batches of facts that one request asks about. */
const batchFacts = (facts: readonly NumberedFact[]): NumberedFact[][] =>
  splitIntoBatches(facts, () => 1, { texts: BATCH_SIZE, characters: BATCH_SIZE });

/** Facts with these statements and figures of the maximum size, for token estimates. */
const longestFacts = (statements: readonly string[]): NumberedFact[] => statements.map(longestFact);

async function wordFacts(
  completion: StructuredCompletion,
  reservation: CreditReservation,
  facts: readonly FindingFact[],
  signal: AbortSignal,
): Promise<Wording[]> {
  const batches = batchFacts(facts.map(numberFact));
  const result = await mapConcurrently(batches, completion.parallel, signal, (batch, stop) =>
    answerById(completion, reservation, batch, wordingRequest, stop),
  );
  const all = result.flat();
  return facts.map((fact, index) => sanitizeWording(fact, all[index]));
}

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

const READ = `It reads the first ${MAX_TEXT_CHARACTERS} characters of each text`;

const METHODS: Readonly<Record<AnalysisOperation, string>> = {
  sentiment: `A language model rates each text separately. ${READ}. The confidence is the model's own estimate, 0 if it gave none.`,
  themes:
    'A language model reads an evenly spaced sample of the texts (at most 1000, the first 600 characters of each) in batches and proposes themes, then assigns them to each text.',
  classify: `A language model assigns each text to one of the categories, or none. ${READ}. The confidence is the model's own estimate, 0 if it gave none.`,
  'suggest-categories':
    'A language model reads an evenly spaced sample of the texts (at most 1000, the first 600 characters of each) in batches and proposes categories.',
  summarize:
    'A language model reads an evenly spaced sample of the texts (at most 1000, the first 600 characters of each) in batches and summarizes them; each point cites the texts that support it.',
  insights:
    'Statistical tests find differences, and a language model describes them. Descriptions with figures that the statistics do not contain are replaced by built-in wording.',
  anomalies:
    'Statistical tests find anomalies, and a language model describes them. Descriptions with figures that the statistics do not contain are replaced by built-in wording.',
  translate:
    'A language model translates each text separately, long ones in parts; a text that it left out has an empty translation.',
};
