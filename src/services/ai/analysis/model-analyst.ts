import type { HeldCredits } from '../../../domain/credits/held-credits.ts';
import type { LanguageModel } from '../../../providers/language/language-model.ts';
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
import { Asker, mostTokensOfAll } from './model/asker.ts';
import {
  assignedBy,
  AT_ONCE,
  classifiedBy,
  readPieces,
  sentimentsBy,
  translatedBy,
  translatedPieces,
} from './model/each-text.ts';
import { piecesOf } from './model/pieces.ts';
import {
  aboutQuestion,
  classifyQuestion,
  READ_CHARACTERS,
  sentimentQuestion,
  translateQuestion,
} from './model/text-questions.ts';
import { mostTokensOfProposed, mostTokensOfSummary, proposedBy, summarizedBy } from './model/together.ts';
import { factPieces, longestFacts, wordedBy } from './model/worded.ts';
import { wordingQuestion } from './model/wording-question.ts';

/** More themes or categories are never asked for. */
const MOST_PROPOSED = 10;
/** Takes as much room as what names may bring along: descriptions and keywords are in their own text already. */
const NO_MORE = { description: '', keywords: Array.from({ length: 10 }, () => '') };
const LONGEST_LANGUAGE = 'xx-Xxxx-XX';

/** Has texts read by a language model. What it says is held against what it was given, and the rest is dropped. */
export class ModelAnalyst implements Analyst {
  readonly engine: LanguageModel['engine'];
  readonly model: string;
  readonly atOnce: Analyst['atOnce'];
  readonly mostTogether = 1_000;
  private readonly asker: Asker;

  constructor(model: LanguageModel) {
    this.engine = model.engine;
    this.model = model.model;
    this.atOnce = { ...AT_ONCE, parallel: model.parallel };
    this.asker = new Asker(model);
  }

  methodOf(operation: AnalysisOperation): string {
    return METHODS[operation];
  }

  /**
   * For insights and anomalies the texts are the statements of the facts; names of themes and categories may hold their descriptions and
   * keywords as well. Without names, themes and categories are proposed; with them, texts are held against them.
   */
  mostTokens({ operation, names }: Asked, texts: readonly string[]): number {
    switch (operation) {
      case 'sentiment':
        return mostTokensOfAll(readPieces(texts).map(sentimentQuestion));
      case 'classify': {
        const categories = (names ?? []).map((name) => ({ name, ...NO_MORE }));
        return mostTokensOfAll(readPieces(texts).map((piece) => classifyQuestion(piece, categories)));
      }
      case 'themes': {
        if (names === undefined) return mostTokensOfProposed('themes', texts, MOST_PROPOSED);
        const themes = names.map((name) => ({ name, ...NO_MORE }));
        return mostTokensOfAll(readPieces(texts).map((piece) => aboutQuestion(piece, themes)));
      }
      case 'suggest-categories':
        return mostTokensOfProposed('categories', texts, MOST_PROPOSED);
      case 'summarize':
        return mostTokensOfSummary(texts);
      case 'translate':
        return mostTokensOfAll(
          piecesOf(texts, lengthOf, AT_ONCE)
            .flatMap(translatedPieces)
            .map((piece) => translateQuestion(piece, names?.[0] ?? LONGEST_LANGUAGE)),
        );
      case 'insights':
      case 'anomalies':
        return mostTokensOfAll(factPieces(longestFacts(texts)).map(wordingQuestion));
    }
  }

  sentiments(held: HeldCredits, texts: readonly string[], signal: AbortSignal): Promise<TextSentiment[]> {
    return sentimentsBy(this.asker, held, texts, signal);
  }

  classify(
    held: HeldCredits,
    texts: readonly string[],
    categories: readonly ProposedCategory[],
    signal: AbortSignal,
  ): Promise<TextCategory[]> {
    return classifiedBy(this.asker, held, texts, categories, signal);
  }

  translate(
    held: HeldCredits,
    texts: readonly string[],
    targetLanguage: string,
    signal: AbortSignal,
  ): Promise<TextTranslation[]> {
    return translatedBy(this.asker, held, texts, targetLanguage, signal);
  }

  proposeThemes(
    held: HeldCredits,
    texts: readonly string[],
    most: number,
    signal: AbortSignal,
  ): Promise<ProposedTheme[]> {
    return proposedBy(this.asker, held, 'themes', texts, Math.min(most, MOST_PROPOSED), signal);
  }

  assignThemes(
    held: HeldCredits,
    texts: readonly string[],
    themes: readonly ProposedTheme[],
    signal: AbortSignal,
  ): Promise<number[][]> {
    return assignedBy(this.asker, held, texts, themes, signal);
  }

  proposeCategories(
    held: HeldCredits,
    texts: readonly string[],
    most: number,
    signal: AbortSignal,
  ): Promise<ProposedTheme[]> {
    return proposedBy(this.asker, held, 'categories', texts, Math.min(most, MOST_PROPOSED), signal);
  }

  summarize(held: HeldCredits, texts: readonly string[], signal: AbortSignal): Promise<Summary> {
    return summarizedBy(this.asker, held, texts, signal);
  }

  word(held: HeldCredits, facts: readonly FoundFact[], signal: AbortSignal): Promise<Wording[]> {
    return wordedBy(this.asker, held, facts, signal);
  }
}

const lengthOf = (text: string): number => text.length;

const READ = `Of each text the first ${READ_CHARACTERS} characters are read`;

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
