import { z } from 'zod';
import type { Summary } from '../text-analyzer.ts';
import type { CompletionRequest } from './structured-completion.ts';
import type { NumberedText } from './numbered-texts.ts';
import { sanitizeParagraphs, sanitizeLine } from './sanitize-output.ts';

const SUMMARY_CHARACTERS = 1_500;
const POINTS = 7;
const POINT_CHARACTERS = 300;
const TEXTS_PER_POINT = 100;
const OUT = 2_000;

const HOW =
  'Write a summary of at most 150 words and up to 7 points, the most common first, each one sentence. Write in the language in which most ' +
  'of the texts are written. Say nothing that they do not say, count nothing, and name no person.';

const summary = z.object({
  summary: z.string(),
  points: z.array(z.object({ text: z.string(), texts: z.array(z.number()) })),
});
const joined = z.object({
  summary: z.string(),
  points: z.array(z.object({ text: z.string(), from: z.array(z.number()) })),
});

export const summaryRequest = (texts: readonly NumberedText[]): CompletionRequest<typeof summary> => ({
  name: 'summary',
  instruction: `The texts are answers to an open question of a survey, in any language. ${HOW} With each point go the ids of the texts that say so.`,
  schema: summary,
  data: { texts },
  maxOutputTokens: OUT,
});

/** Maximum tokens that one answer to `summaryRequest` adds to the data of `mergeSummariesRequest`. */
export const MAX_SUMMARY_TOKENS = OUT;

export const mergeSummariesRequest = (parts: readonly Summary[]): CompletionRequest<typeof joined> => {
  let number = 0;
  const data = parts.map((part) => ({
    summary: part.summary,
    points: part.points.map(({ text }) => ({ number: (number += 1), text })),
  }));
  return {
    name: 'joined_summary',
    instruction:
      'The answers to an open question of a survey were read in pieces, and each part summarizes one of them. Make one summary of them ' +
      `all. ${HOW} With each point go, as \`from\`, the numbers of the points that it is made of.`,
    schema: joined,
    data: { parts: data },
    maxOutputTokens: OUT,
  };
};

/** Truncates a summary and drops points without supporting texts. `textsOf` returns the text indices of a point. */
export function sanitizeSummary<T extends { text: string }>(
  result: { summary: string; points: readonly T[] },
  textsOf: (point: T) => readonly number[],
): Summary {
  const points = result.points.map((point) => ({
    text: sanitizeLine(point.text, POINT_CHARACTERS),
    texts: [...new Set(textsOf(point))].slice(0, TEXTS_PER_POINT),
  }));
  return {
    summary: sanitizeParagraphs(result.summary, SUMMARY_CHARACTERS),
    points: points.filter(({ text, texts }) => text !== '' && texts.length > 0).slice(0, POINTS),
  };
}
