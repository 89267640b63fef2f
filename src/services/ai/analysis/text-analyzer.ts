import type { HeldCredits } from '../../../domain/credits/held-credits.ts';
import type { Engine } from '../../../domain/credits/prices.ts';

/** The operations of analysis, as paths, credits and kept results name them. */
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

/** Confidence is from 0 to 1. */
export interface TextSentiment {
  sentiment: Sentiment;
  confidence: number;
}

export interface TextCategory {
  /** A name that was given, or null: none fits. */
  category: string | null;
  confidence: number;
}

export interface TextTranslation {
  translation: string;
  /** ISO 639-1; null: not known. */
  detectedLanguage: string | null;
}

/** Something that several texts are about. */
export interface ProposedTheme {
  name: string;
  description: string;
  /** By which texts are recognized: words and stems of them. */
  keywords: readonly string[];
  /** Indices of texts that show it best, of those that were read. */
  examples: readonly number[];
}

export interface Summary {
  summary: string;
  /** What it rests on: each with the indices of texts that say so. */
  points: readonly { text: string; texts: readonly number[] }[];
}

/** Something that statistics found in the figures of a survey; numbers are ours, never a model's. */
export interface FindingFact {
  /** Unique among those that are worded together. */
  id: string;
  /** What kind of finding: `difference`, `trend_break`, `outlier`, …. */
  kind: string;
  /** A full sentence with its figures, as we would say it ourselves. */
  statement: string;
  /** The figures, by name, for the wording. */
  figures: Readonly<Record<string, string | number | null>>;
}

export interface Wording {
  headline: string;
  explanation: string;
  /** What one could do about it; null: nothing follows. */
  suggestion: string | null;
}

/** What an operation does with the texts: needed to know what it may take. */
export interface TokenEstimateInput {
  operation: AnalysisOperation;
  /** Names of categories or themes, where there are some. */
  names?: readonly string[];
}

/**
 * Reads texts: a language model, or what is built in. Results are parallel to the texts that were given. What it took is told to the
 * held credits. Whatever comes back is checked: names and indices are of those that were given.
 */
export interface TextAnalyzer {
  readonly engine: Engine;
  readonly model: string;
  /** How it comes to its results, in one or two honest sentences that replies carry. */
  describeMethod(operation: AnalysisOperation): string;
  /** What is read at once of an operation that reads each text for itself, and how many such readings run at once. */
  readonly batchLimits: { texts: number; characters: number; parallel: number };
  /** At most so many texts are read for operations that look at all of them together; more are sampled evenly. */
  readonly maxSampleSize: number;
  /** An upper bound of the tokens that it takes, in and out together. */
  maxTokens(asked: TokenEstimateInput, texts: readonly string[]): number;

  detectSentiments(
    held: HeldCredits,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<TextSentiment[]>;
  classify(
    held: HeldCredits,
    texts: readonly string[],
    categories: readonly ProposedCategory[],
    signal: AbortSignal,
  ): Promise<TextCategory[]>;
  /** 503 `ai_provider_required` where it cannot. */
  translate(
    held: HeldCredits,
    texts: readonly string[],
    targetLanguage: string,
    signal: AbortSignal,
  ): Promise<TextTranslation[]>;
  /** At most so many, the most common first. */
  proposeThemes(
    held: HeldCredits,
    texts: readonly string[],
    most: number,
    signal: AbortSignal,
  ): Promise<ProposedTheme[]>;
  /** For each text the indices of the themes that it is about. */
  assignThemes(
    held: HeldCredits,
    texts: readonly string[],
    themes: readonly ProposedTheme[],
    signal: AbortSignal,
  ): Promise<number[][]>;
  /** Categories in which texts could be sorted, for people to choose from. */
  proposeCategories(
    held: HeldCredits,
    texts: readonly string[],
    most: number,
    signal: AbortSignal,
  ): Promise<ProposedTheme[]>;
  summarize(held: HeldCredits, texts: readonly string[], signal: AbortSignal): Promise<Summary>;
  /** Words for what statistics found, parallel to it. */
  wordFacts(held: HeldCredits, facts: readonly FindingFact[], signal: AbortSignal): Promise<Wording[]>;
}

/** A category to sort texts into; a description and keywords where it was proposed by us. */
export interface ProposedCategory {
  name: string;
  description?: string;
  keywords?: readonly string[];
}
