import { z } from 'zod';
import type { CreditReservation } from '../../../../domain/credits/credits.ts';
import { readNumberText } from '../../../../domain/numbers/read-number-text.ts';
import type { LanguageModel } from '../../../../providers/language/language-model.ts';
import { dataPrompt } from '../../../../providers/language/structured-prompts.ts';
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
} from '../text-analyzer.ts';
import {
  answerById,
  type CompletionRequest,
  mapConcurrently,
  maxTokensOfAll,
  resultsSchema,
  sanitizeLine,
  sanitizeParagraphs,
  splitIntoBatches,
  StructuredCompletion,
  truncate,
} from './structured-completion.ts';
import {
  assignThemes,
  assignThemesRequest,
  BATCH_LIMITS,
  batchTexts,
  batchTranslationParts,
  classifyRequest,
  classifyTexts,
  detectSentiments,
  MAX_TEXT_CHARACTERS,
  sentimentRequest,
  translateRequest,
  translateTexts,
} from './per-text-analysis.ts';
import {
  maxTokensOfProposal,
  maxTokensOfSummary,
  proposeFromTexts,
  summarizeTexts,
} from './whole-set-analysis.ts';

/** Digits with decimal and thousands separators (12, 1,234.5), or with spaces between thousands (12 000). */
const NUMBER = /\p{Nd}+(?:[.,]\p{Nd}+)*/gu;
const SPACED_NUMBER = /\p{Nd}+(?:[\u00a0\u2009\u202f' ]\p{Nd}{3}(?!\p{Nd}))*(?:[.,]\p{Nd}+)*/gu;
const OTHER_NUMERALS = /[\p{No}\p{Nl}]/gu;
/** Numbers written as words. Without `one`, which is rarely a figure. */
const NUMBER_WORDS = new RegExp(
  '\\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|' +
    'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundreds?|thousands?|millions?|dozens?|half|halves|halved|thirds?|quarters?|' +
    'twice|doubled?|doubles|doubling|tripled?|triples|threefold|fourfold|tenfold|majority)\\b',
  'gi',
);

/** Whether every figure in the text occurs in the fact: the model may choose the words, not the figures. */
function hasOnlyFactFigures({ kind, statement, figures }: FindingFact, words: string): boolean {
  const values = Object.entries(figures).flatMap(([name, value]) => [name, String(value)]);
  const given = [kind, statement, ...values].join('\n');
  const known = new Set([...findFigures(given, NUMBER), ...findFigures(given, SPACED_NUMBER)]);
  return findFigures(words, SPACED_NUMBER).every((figure) => known.has(figure));
}

function findFigures(text: string, number: RegExp): string[] {
  const digits = [...text.matchAll(number)].map(([found]) => parseFigure(found));
  const otherMatches = [...text.matchAll(OTHER_NUMERALS), ...text.matchAll(NUMBER_WORDS)];
  return [...digits, ...otherMatches.map(([found]) => found.toLowerCase())];
}

/** Models answer in English, where a point begins decimals; `12,5`, which then means nothing, is read as elsewhere. Other texts stay, such as `1.2.3`. */
function parseFigure(found: string): string {
  const readings = [readNumberText(found, { decimalMark: '.' }), readNumberText(found)];
  const reading = readings.find(({ kind }) => kind === 'number');
  return reading?.kind === 'number' ? String(reading.value) : found;
}

const STATEMENT_CHARACTERS = 1_000;
const KIND_CHARACTERS = 60;
const HEADLINE_CHARACTERS = 160;
const EXPLANATION_CHARACTERS = 800;
const SUGGESTION_CHARACTERS = 400;
const OUTPUT_TOKENS_FOR_ALL = 300;
const OUTPUT_TOKENS_PER_FACT = 500;

const wordings = resultsSchema({
  headline: z.string(),
  explanation: z.string(),
  suggestion: z.string().nullable(),
});

/** A fact numbered within its request. */
type NumberedFact = Omit<FindingFact, 'id'> & { id: number };

const numberFact = ({ kind, statement, figures }: FindingFact, index: number): NumberedFact => ({
  id: index + 1,
  kind: truncate(kind, KIND_CHARACTERS),
  statement: truncate(statement, STATEMENT_CHARACTERS),
  figures: bytesOf(figures) > maxFigureBytes(statement) ? {} : figures,
});

/** Larger figures are not sent: the statement contains the important ones. */
const maxFigureBytes = (statement: string) => 2 * Buffer.byteLength(statement) + 400;
const bytesOf = (figures: object) => Buffer.byteLength(dataPrompt(figures));

/** A fact with this statement and figures of the maximum size. */
const longestFact = (statement: string, index: number): NumberedFact => ({
  id: index + 1,
  kind: 'k'.repeat(KIND_CHARACTERS),
  statement: truncate(statement, STATEMENT_CHARACTERS),
  figures: { f: 'f'.repeat(maxFigureBytes(statement)) },
});

const wordingRequest = (facts: readonly NumberedFact[]): CompletionRequest<typeof wordings> => ({
  name: 'wording',
  instruction:
    'Statistics found these facts in a survey. Word each for people who decide: a headline, an explanation of one to three sentences, ' +
    'and what one could do about it, null where nothing follows. Use the figures of the fact as they stand in its statement, and no other ' +
    'figure, in digits or in words: do not round, add up, compare or convert. Claim no cause that the fact does not state. ' +
    'Answer about every fact exactly once, under its id.',
  schema: wordings,
  data: { facts },
  maxOutputTokens: OUTPUT_TOKENS_FOR_ALL + OUTPUT_TOKENS_PER_FACT * facts.length,
});

/** The statement of the statistics as it is. */
const statementWording = ({ statement }: FindingFact): Wording => ({
  headline: statement,
  explanation: statement,
  suggestion: null,
});

/** The model's wording if all its figures occur in the fact, else the statement. */
function sanitizeWording(fact: FindingFact, result: Wording | undefined): Wording {
  if (result === undefined) return statementWording(fact);
  const headline = sanitizeLine(result.headline, HEADLINE_CHARACTERS);
  const explanation = sanitizeParagraphs(result.explanation, EXPLANATION_CHARACTERS);
  if (headline === '' || explanation === '' || !hasOnlyFactFigures(fact, `${headline}\n${explanation}`))
    return statementWording(fact);
  const suggestion = sanitizeLine(result.suggestion ?? '', SUGGESTION_CHARACTERS);
  return {
    headline,
    explanation,
    suggestion: suggestion === '' || !hasOnlyFactFigures(fact, suggestion) ? null : suggestion,
  };
}

const BATCH_SIZE = 10;

/** The batches of facts that one request asks about. */
const batchFacts = (facts: readonly NumberedFact[]): NumberedFact[][] =>
  splitIntoBatches(facts, () => 1, { texts: BATCH_SIZE, characters: BATCH_SIZE });

/** Facts with these statements and figures of the maximum size, for token estimates. */
const longestFacts = (statements: readonly string[]): NumberedFact[] => statements.map(longestFact);

async function phraseFacts({
  completion,
  reservation,
  facts,
  signal,
}: {
  completion: StructuredCompletion;
  reservation: CreditReservation;
  facts: readonly FindingFact[];
  signal: AbortSignal;
}): Promise<Wording[]> {
  const batches = batchFacts(facts.map(numberFact));
  const result = await mapConcurrently({
    items: batches,
    atOnce: completion.parallel,
    signal,
    work: (batch, stop) =>
      answerById({ completion, reservation, texts: batch, question: wordingRequest, signal: stop }),
  });
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

  detectSentiments(request: AnalysisRequest): Promise<TextSentiment[]> {
    return detectSentiments({ completion: this.completion, ...request });
  }

  classify(request: AnalysisRequest & { categories: readonly ProposedCategory[] }): Promise<TextCategory[]> {
    return classifyTexts({ completion: this.completion, ...request });
  }

  translate(request: AnalysisRequest & { targetLanguage: string }): Promise<TextTranslation[]> {
    return translateTexts({ completion: this.completion, ...request });
  }

  proposeThemes(request: AnalysisRequest & { limit: number }): Promise<ProposedTheme[]> {
    return proposeFromTexts({
      completion: this.completion,
      ...request,
      proposalKind: 'themes',
      limit: Math.min(request.limit, MOST_PROPOSED),
    });
  }

  assignThemes(request: AnalysisRequest & { themes: readonly ProposedTheme[] }): Promise<number[][]> {
    return assignThemes({ completion: this.completion, ...request });
  }

  proposeCategories(request: AnalysisRequest & { limit: number }): Promise<ProposedTheme[]> {
    return proposeFromTexts({
      completion: this.completion,
      ...request,
      proposalKind: 'categories',
      limit: Math.min(request.limit, MOST_PROPOSED),
    });
  }

  summarize(request: AnalysisRequest): Promise<Summary> {
    return summarizeTexts({ completion: this.completion, ...request });
  }

  phraseFacts(
    request: Omit<AnalysisRequest, 'texts'> & { facts: readonly FindingFact[] },
  ): Promise<Wording[]> {
    return phraseFacts({ completion: this.completion, ...request });
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
