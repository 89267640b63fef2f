import { z } from 'zod';
import type { CreditReservation } from '../../../../domain/credits/credits.ts';
import type { ProposedTheme, Summary } from '../text-analyzer.ts';
import {
  type CompletionRequest,
  mapConcurrently,
  maxRetries,
  maxTokensOfAll,
  type NumberedText,
  numberTexts,
  sanitizeLine,
  sanitizeParagraphs,
  splitIntoBatches,
  type StructuredCompletion,
} from './structured-completion.ts';

const SUMMARY_CHARACTERS = 1_500;
const MAX_POINTS = 7;
const POINT_CHARACTERS = 300;
const TEXTS_PER_POINT = 100;
const SUMMARY_OUTPUT_TOKENS = 2_000;

const SUMMARY_INSTRUCTION =
  'Write a summary of at most 150 words and up to 7 points, the most common first, each one sentence. Write in the language in which most ' +
  'of the texts are written. Say nothing that they do not say, count nothing, and name no person.';

const summarySchema = z.object({
  summary: z.string(),
  points: z.array(z.object({ text: z.string(), texts: z.array(z.number()) })),
});
const mergedSummarySchema = z.object({
  summary: z.string(),
  points: z.array(z.object({ text: z.string(), from: z.array(z.number()) })),
});

const summaryRequest = (texts: readonly NumberedText[]): CompletionRequest<typeof summarySchema> => ({
  name: 'summary',
  instruction: `The texts are answers to an open question of a survey, in any language. ${SUMMARY_INSTRUCTION} With each point go the ids of the texts that say so.`,
  schema: summarySchema,
  data: { texts },
  maxOutputTokens: SUMMARY_OUTPUT_TOKENS,
});

/** Maximum tokens that one answer to `summaryRequest` adds to the data of `mergeSummariesRequest`. */
const MAX_SUMMARY_TOKENS = SUMMARY_OUTPUT_TOKENS;

const mergeSummariesRequest = (parts: readonly Summary[]): CompletionRequest<typeof mergedSummarySchema> => {
  let number = 0;
  const data = parts.map((part) => ({
    summary: part.summary,
    points: part.points.map(({ text }) => ({ number: (number += 1), text })),
  }));
  return {
    name: 'joined_summary',
    instruction:
      'The answers to an open question of a survey were read in pieces, and each part summarizes one of them. Make one summary of them ' +
      `all. ${SUMMARY_INSTRUCTION} With each point go, as \`from\`, the numbers of the points that it is made of.`,
    schema: mergedSummarySchema,
    data: { parts: data },
    maxOutputTokens: SUMMARY_OUTPUT_TOKENS,
  };
};

/** Truncates a summary and drops points without supporting texts. `textsOf` returns the text indices of a point. */
function sanitizeSummary<T extends { text: string }>(
  result: { summary: string; points: readonly T[] },
  textsOf: (point: T) => readonly number[],
): Summary {
  const points = result.points.map((point) => ({
    text: sanitizeLine(point.text, POINT_CHARACTERS),
    texts: [...new Set(textsOf(point))].slice(0, TEXTS_PER_POINT),
  }));
  return {
    summary: sanitizeParagraphs(result.summary, SUMMARY_CHARACTERS),
    points: points.filter(({ text, texts }) => text !== '' && texts.length > 0).slice(0, MAX_POINTS),
  };
}

/** Themes may share a text, categories may not. */
type ProposalKind = 'themes' | 'categories';

const NAME_CHARACTERS = 60;
const DESCRIPTION_CHARACTERS = 160;
const MAX_KEYWORDS = 8;
const KEYWORD_CHARACTERS = 30;
const MAX_EXAMPLES = 5;
const OUTPUT_TOKENS_FOR_ALL = 300;
const OUTPUT_TOKENS_PER_THEME = 160;

const PROPOSAL_GOALS: Readonly<Record<ProposalKind, string>> = {
  themes: 'the themes that they keep coming back to; a text may be about several',
  categories: 'categories to sort them into, that do not overlap and together hold most of the texts',
};

const PROPOSAL_INSTRUCTION =
  'at most as many as `most` says, the most common first, fewer where the texts are about less. Each has a short name, a description of ' +
  'one sentence, up to 8 keywords (words as they stand in the texts), all in the language in which most of the texts are written';

const themeFields = { name: z.string(), description: z.string(), keywords: z.array(z.string()) };
const proposalSchema = z.object({
  themes: z.array(z.object({ ...themeFields, examples: z.array(z.number()) })),
});
const mergedProposalSchema = z.object({
  themes: z.array(z.object({ ...themeFields, from: z.array(z.number()) })),
});

const estimateOutputTokens = (limit: number) => OUTPUT_TOKENS_FOR_ALL + OUTPUT_TOKENS_PER_THEME * limit;

const proposeRequest = (
  proposalKind: ProposalKind,
  texts: readonly NumberedText[],
  limit: number,
): CompletionRequest<typeof proposalSchema> => ({
  name: `propose_${proposalKind}`,
  instruction:
    `The texts are answers to an open question of a survey, in any language. Find ${PROPOSAL_GOALS[proposalKind]}: ${PROPOSAL_INSTRUCTION}, and as examples the ids of up ` +
    `to ${MAX_EXAMPLES} texts that show it best. Invent nothing that the texts do not say, and name no person.`,
  schema: proposalSchema,
  data: { most: limit, texts },
  maxOutputTokens: estimateOutputTokens(limit),
});

/** Maximum tokens that one answer to `proposeRequest` adds to the data of `mergeProposalsRequest`. */
const maxProposalTokens = estimateOutputTokens;

const mergeProposalsRequest = (
  proposalKind: ProposalKind,
  proposals: readonly ProposedTheme[],
  limit: number,
): CompletionRequest<typeof mergedProposalSchema> => ({
  name: `merge_${proposalKind}`,
  instruction:
    'The answers to an open question of a survey were read in pieces, and the proposals were found in them, those of the same piece in ' +
    `the order of how common they are. Make of them ${PROPOSAL_GOALS[proposalKind]}: ${PROPOSAL_INSTRUCTION}, and in \`from\` the numbers of the proposals that it is made ` +
    'of. Put together what means the same, and invent nothing.',
  schema: mergedProposalSchema,
  data: {
    most: limit,
    proposals: proposals.map(({ name, description, keywords }, index) => ({
      number: index + 1,
      name,
      description,
      keywords,
    })),
  },
  maxOutputTokens: estimateOutputTokens(limit),
});

/** Truncates themes, drops unnamed and duplicate ones, and keeps at most `most`. `examplesOf` returns the example indices of a theme. */
function sanitizeThemes<T extends Pick<ProposedTheme, 'name' | 'description' | 'keywords'>>(
  result: readonly T[],
  limit: number,
  examplesOf: (theme: T) => readonly number[],
): ProposedTheme[] {
  const byName = new Map<string, ProposedTheme>();
  for (const one of result) {
    const name = sanitizeLine(one.name, NAME_CHARACTERS);
    const key = name.toLowerCase();
    if (name === '' || byName.has(key) || byName.size === limit) continue;
    const keywords = one.keywords.map((word) => sanitizeLine(word, KEYWORD_CHARACTERS));
    byName.set(key, {
      name,
      description: sanitizeLine(one.description, DESCRIPTION_CHARACTERS),
      keywords: [...new Set(keywords)].filter((word) => word !== '').slice(0, MAX_KEYWORDS),
      examples: [...new Set(examplesOf(one))].slice(0, MAX_EXAMPLES),
    });
  }
  return [...byName.values()];
}

/** Characters of each text that are sent when all texts are analyzed together. */
const MAX_TEXT_CHARACTERS = 600;
const BATCH_LIMITS = { texts: 200, characters: 16_000 };
/** Prompt tokens around the intermediate results of a merge request. */
const PROMPT_OVERHEAD_TOKENS = 400;

/** The batches of one request each; texts are numbered across all batches. */
function batchAllTexts(texts: readonly string[]): NumberedText[][] {
  return splitIntoBatches(numberTexts(texts, MAX_TEXT_CHARACTERS), ({ text }) => text.length, BATCH_LIMITS);
}

/** Maps ids from a model to text indices and drops ids that are not in the batch. */
const indexLookup = (batch: readonly NumberedText[]) => {
  const ids = new Set(batch.map(({ id }) => id));
  return (result: readonly number[]) => result.filter((id) => ids.has(id)).map((id) => id - 1);
};

/** Proposes themes per batch and merges the proposals of all batches. */
export async function proposeFromTexts({
  completion,
  reservation,
  proposalKind,
  texts,
  limit,
  signal,
}: {
  completion: StructuredCompletion;
  reservation: CreditReservation;
  proposalKind: ProposalKind;
  texts: readonly string[];
  limit: number;
  signal: AbortSignal;
}): Promise<ProposedTheme[]> {
  const found = await mapConcurrently({
    items: batchAllTexts(texts),
    atOnce: completion.parallel,
    signal,
    work: async (batch, stop) => {
      const { themes } = await completion.complete(
        reservation,
        proposeRequest(proposalKind, batch, limit),
        stop,
      );
      const indices = indexLookup(batch);
      return sanitizeThemes(themes, limit, ({ examples }) => indices(examples));
    },
  });
  if (found.length <= 1) return found[0] ?? [];
  const proposals = found.flat();
  if (proposals.length === 0) return [];
  const { themes } = await completion.complete(
    reservation,
    mergeProposalsRequest(proposalKind, proposals, limit),
    signal,
  );
  return sanitizeThemes(themes, limit, ({ from }) =>
    roundRobin(from.flatMap((number) => proposals[number - 1] ?? []).map(({ examples }) => examples)),
  );
}

/** Upper bound of the tokens to propose at most `most` themes or categories. */
export function maxTokensOfProposal(
  proposalKind: ProposalKind,
  texts: readonly string[],
  limit: number,
): number {
  const batches = batchAllTexts(texts);
  const reading = maxTokensOfAll(batches.map((batch) => proposeRequest(proposalKind, batch, limit)));
  if (batches.length <= 1) return reading;
  return (
    reading +
    maxTokensOfMerge(
      mergeProposalsRequest(proposalKind, [], limit),
      batches.length * maxProposalTokens(limit),
    )
  );
}

export async function summarizeTexts({
  completion,
  reservation,
  texts,
  signal,
}: {
  completion: StructuredCompletion;
  reservation: CreditReservation;
  texts: readonly string[];
  signal: AbortSignal;
}): Promise<Summary> {
  const parts = await mapConcurrently({
    items: batchAllTexts(texts),
    atOnce: completion.parallel,
    signal,
    work: async (batch, stop) => {
      const result = await completion.complete(reservation, summaryRequest(batch), stop);
      const indices = indexLookup(batch);
      return sanitizeSummary(result, (point) => indices(point.texts));
    },
  });
  if (parts.length <= 1) return parts[0] ?? { summary: '', points: [] };
  const points = parts.flatMap((part) => part.points);
  const result = await completion.complete(reservation, mergeSummariesRequest(parts), signal);
  return sanitizeSummary(result, ({ from }) => from.flatMap((number) => points[number - 1]?.texts ?? []));
}

/** Upper bound of the tokens to summarize the texts. */
export function maxTokensOfSummary(texts: readonly string[]): number {
  const batches = batchAllTexts(texts);
  const reading = maxTokensOfAll(batches.map(summaryRequest));
  if (batches.length <= 1) return reading;
  return reading + maxTokensOfMerge(mergeSummariesRequest([]), batches.length * MAX_SUMMARY_TOKENS);
}

/** Upper bound of the tokens to merge intermediate results, which are sent again with each retry. */
function maxTokensOfMerge(question: CompletionRequest<z.ZodType>, tokensWritten: number): number {
  const times = 1 + maxRetries(1);
  return maxTokensOfAll([question]) + times * (tokensWritten + PROMPT_OVERHEAD_TOKENS);
}

/** The first element of each list, then the second of each, and so on. */
function roundRobin(lists: readonly (readonly number[])[]): number[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, index) => lists.flatMap((list) => list[index] ?? [])).flat();
}
