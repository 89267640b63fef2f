import type { z } from 'zod';
import type { CreditReservation } from '../../../../domain/credits/credit-reservation.ts';
import type { ProposedTheme, Summary } from '../text-analyzer.ts';
import {
  type StructuredCompletion,
  maxTokensOfAll,
  type CompletionRequest,
} from './structured-completion.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { type NumberedText, numberTexts } from './numbered-texts.ts';
import { splitIntoBatches } from './batches.ts';
import { maxRetries } from './retry-budget.ts';
import {
  mergeSummariesRequest,
  MAX_SUMMARY_TOKENS,
  summaryRequest,
  sanitizeSummary,
} from './summary-requests.ts';
import {
  mergeProposalsRequest,
  maxProposalTokens,
  proposeRequest,
  type ProposalKind,
  sanitizeThemes,
} from './theme-requests.ts';

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
export async function proposeFromTexts(
  completion: StructuredCompletion,
  reservation: CreditReservation,
  proposalKind: ProposalKind,
  texts: readonly string[],
  limit: number,
  signal: AbortSignal,
): Promise<ProposedTheme[]> {
  const found = await mapConcurrently(
    batchAllTexts(texts),
    completion.parallel,
    signal,
    async (batch, stop) => {
      const { themes } = await completion.complete(
        reservation,
        proposeRequest(proposalKind, batch, limit),
        stop,
      );
      const indices = indexLookup(batch);
      return sanitizeThemes(themes, limit, ({ examples }) => indices(examples));
    },
  );
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

export async function summarizeTexts(
  completion: StructuredCompletion,
  reservation: CreditReservation,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Summary> {
  const parts = await mapConcurrently(
    batchAllTexts(texts),
    completion.parallel,
    signal,
    async (batch, stop) => {
      const result = await completion.complete(reservation, summaryRequest(batch), stop);
      const indices = indexLookup(batch);
      return sanitizeSummary(result, (point) => indices(point.texts));
    },
  );
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
