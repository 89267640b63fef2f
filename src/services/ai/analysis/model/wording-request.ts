import { z } from 'zod';
import { dataPrompt } from '../../../../providers/language/structured-prompts.ts';
import type { FindingFact, Wording } from '../text-analyzer.ts';
import { resultsSchema } from './numbered-texts.ts';
import { sanitizeLine, sanitizeParagraphs, truncate } from './sanitize-output.ts';
import type { CompletionRequest } from './structured-completion.ts';

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

/** A comma before exactly three digits is a thousands separator, as in English; any other comma is a decimal separator. */
function parseFigure(found: string): string {
  const plain = found.replace(/[^\p{Nd}.,]/gu, '');
  const hasThousandsSeparators = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(plain);
  const value = Number(hasThousandsSeparators ? plain.replaceAll(',', '') : plain.replace(',', '.'));
  return Number.isNaN(value) ? plain : String(value);
}

const STATEMENT_CHARACTERS = 1_000;
const KIND_CHARACTERS = 60;
const HEADLINE_CHARACTERS = 160;
const EXPLANATION_CHARACTERS = 800;
const SUGGESTION_CHARACTERS = 400;
const OUT_FOR_ALL = 300;
const OUT_PER_FACT = 500;

const wordings = resultsSchema({
  headline: z.string(),
  explanation: z.string(),
  suggestion: z.string().nullable(),
});

/** A fact numbered within its request. */
export type NumberedFact = Omit<FindingFact, 'id'> & { id: number };

export const numberFact = ({ kind, statement, figures }: FindingFact, index: number): NumberedFact => ({
  id: index + 1,
  kind: truncate(kind, KIND_CHARACTERS),
  statement: truncate(statement, STATEMENT_CHARACTERS),
  figures: bytesOf(figures) > maxFigureBytes(statement) ? {} : figures,
});

/** Larger figures are not sent: the statement contains the important ones. */
const maxFigureBytes = (statement: string) => 2 * Buffer.byteLength(statement) + 400;
const bytesOf = (figures: object) => Buffer.byteLength(dataPrompt(figures));

/** A fact with this statement and figures of the maximum size. */
export const longestFact = (statement: string, index: number): NumberedFact => ({
  id: index + 1,
  kind: 'k'.repeat(KIND_CHARACTERS),
  statement: truncate(statement, STATEMENT_CHARACTERS),
  figures: { f: 'f'.repeat(maxFigureBytes(statement)) },
});

export const wordingRequest = (facts: readonly NumberedFact[]): CompletionRequest<typeof wordings> => ({
  name: 'wording',
  instruction:
    'Statistics found these facts in a survey. Word each for people who decide: a headline, an explanation of one to three sentences, ' +
    'and what one could do about it, null where nothing follows. Use the figures of the fact as they stand in its statement, and no other ' +
    'figure, in digits or in words: do not round, add up, compare or convert. Claim no cause that the fact does not state. ' +
    'Answer about every fact exactly once, under its id.',
  schema: wordings,
  data: { facts },
  maxOutputTokens: OUT_FOR_ALL + OUT_PER_FACT * facts.length,
});

/** The statement of the statistics as it is. */
const statementWording = ({ statement }: FindingFact): Wording => ({
  headline: statement,
  explanation: statement,
  suggestion: null,
});

/** The model's wording if all its figures occur in the fact, else the statement. */
export function sanitizeWording(fact: FindingFact, result: Wording | undefined): Wording {
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
