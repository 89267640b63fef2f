import type { CreditReservation, Engine } from '../../../domain/credits/credits.ts';

/** Names of the analysis operations in paths, credit bookings and cache keys. */
export const ANALYSIS_OPERATIONS = [
  'sentiment',
  'themes',
  'classify',
  'suggest-categories',
  'summarize',
  'insights',
  'anomalies',
  'translate',
] as const;
export type AnalysisOperation = (typeof ANALYSIS_OPERATIONS)[number];

export const SENTIMENTS = ['negative', 'neutral', 'positive'] as const;
export type Sentiment = (typeof SENTIMENTS)[number];

/** Confidence from 0 to 1. */
export interface TextSentiment {
  sentiment: Sentiment;
  confidence: number;
}

export interface TextCategory {
  /** A given category name; null if none fits. */
  category: string | null;
  confidence: number;
}

export interface TextTranslation {
  translation: string;
  /** ISO 639-1; null if unknown. */
  detectedLanguage: string | null;
}

/** A topic that several texts share. */
export interface ProposedTheme {
  name: string;
  description: string;
  /** Words and word stems that identify texts of this theme. */
  keywords: readonly string[];
  /** Indices of the analyzed texts that represent it best. */
  examples: readonly number[];
}

export interface Summary {
  summary: string;
  /** Statements with the indices of the texts that support them. */
  points: readonly { text: string; texts: readonly number[] }[];
}

/** A statistical result to be worded. Its figures are computed by statistics, never by a model. */
export interface FindingFact {
  /** Unique within one wording request. */
  id: string;
  /** Kind of finding: `difference`, `trend_break`, `outlier`, …. */
  kind: string;
  /** A complete sentence with the figures, used if no wording is available. */
  statement: string;
  /** Figures by name, for the wording. */
  figures: Readonly<Record<string, string | number | null>>;
}

export interface Wording {
  headline: string;
  explanation: string;
  /** What to do about it; null without a suggestion. */
  suggestion: string | null;
}

/** The operation whose token usage is estimated. */
export interface TokenEstimateInput {
  operation: AnalysisOperation;
  /** Names of categories or themes, if given. */
  names?: readonly string[];
}

/** Texts to analyze, and the reservation on which token usage is recorded. */
export interface AnalysisRequest {
  reservation: CreditReservation;
  texts: readonly string[];
  signal: AbortSignal;
}

/**
 * Analyzes texts, with a language model or with built-in methods. Results are parallel to the given texts. Token usage is recorded on the
 * credit reservation. Output is validated: names and indices are always among the given ones.
 */
export interface TextAnalyzer {
  readonly engine: Engine;
  readonly model: string;
  /** A description of the method in one or two sentences, for replies. */
  describeMethod(operation: AnalysisOperation): string;
  /** Batch size and concurrency of operations that analyze each text independently. */
  readonly batchLimits: { texts: number; characters: number; parallel: number };
  /** Operations on all texts together use at most so many, evenly sampled. */
  readonly maxSampleSize: number;
  /** Upper bound of the input and output tokens. */
  maxTokens(input: TokenEstimateInput, texts: readonly string[]): number;

  detectSentiments(request: AnalysisRequest): Promise<TextSentiment[]>;
  classify(request: AnalysisRequest & { categories: readonly ProposedCategory[] }): Promise<TextCategory[]>;
  /** Throws 503 `ai_provider_required` if the analyzer cannot translate. */
  translate(request: AnalysisRequest & { targetLanguage: string }): Promise<TextTranslation[]>;
  /** At most `most` themes, most common first. */
  proposeThemes(request: AnalysisRequest & { limit: number }): Promise<ProposedTheme[]>;
  /** The indices of the themes of each text. */
  assignThemes(request: AnalysisRequest & { themes: readonly ProposedTheme[] }): Promise<number[][]>;
  /** Proposes categories for a user to choose from. */
  proposeCategories(request: AnalysisRequest & { limit: number }): Promise<ProposedTheme[]>;
  summarize(request: AnalysisRequest): Promise<Summary>;
  /** Words findings; parallel to the facts. */
  phraseFacts(
    request: Omit<AnalysisRequest, 'texts'> & { facts: readonly FindingFact[] },
  ): Promise<Wording[]>;
}

/** A category to classify texts into. Description and keywords are set if it was proposed. */
export interface ProposedCategory {
  name: string;
  description?: string;
  keywords?: readonly string[];
}

/** Selects the analyzer: the language model if one is configured, else (or on request) the built-in one. */
export class TextAnalyzers {
  constructor(
    private readonly builtIn: TextAnalyzer,
    private readonly model: TextAnalyzer | null,
  ) {}

  forEngine(engine: 'built-in' | null): TextAnalyzer {
    return engine === 'built-in' ? this.builtIn : (this.model ?? this.builtIn);
  }
}
