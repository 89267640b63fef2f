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
const indexLookup = (piece: readonly NumberedText[]) => {
  const ids = new Set(piece.map(({ id }) => id));
  return (told: readonly number[]) => told.filter((id) => ids.has(id)).map((id) => id - 1);
};

/** Proposes themes per batch and merges the proposals of all batches. */
export async function proposeFromTexts(
  asker: StructuredCompletion,
  held: CreditReservation,
  what: ProposalKind,
  texts: readonly string[],
  most: number,
  signal: AbortSignal,
): Promise<ProposedTheme[]> {
  const found = await mapConcurrently(batchAllTexts(texts), asker.parallel, signal, async (piece, stop) => {
    const { themes } = await asker.complete(held, proposeRequest(what, piece, most), stop);
    const indices = indexLookup(piece);
    return sanitizeThemes(themes, most, ({ examples }) => indices(examples));
  });
  if (found.length <= 1) return found[0] ?? [];
  const proposals = found.flat();
  if (proposals.length === 0) return [];
  const { themes } = await asker.complete(held, mergeProposalsRequest(what, proposals, most), signal);
  return sanitizeThemes(themes, most, ({ from }) =>
    roundRobin(from.flatMap((number) => proposals[number - 1] ?? []).map(({ examples }) => examples)),
  );
}

/** Upper bound of the tokens to propose at most `most` themes or categories. */
export function maxTokensOfProposal(what: ProposalKind, texts: readonly string[], most: number): number {
  const pieces = batchAllTexts(texts);
  const reading = maxTokensOfAll(pieces.map((piece) => proposeRequest(what, piece, most)));
  if (pieces.length <= 1) return reading;
  return (
    reading + maxTokensOfMerge(mergeProposalsRequest(what, [], most), pieces.length * maxProposalTokens(most))
  );
}

export async function summarizeTexts(
  asker: StructuredCompletion,
  held: CreditReservation,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Summary> {
  const parts = await mapConcurrently(batchAllTexts(texts), asker.parallel, signal, async (piece, stop) => {
    const told = await asker.complete(held, summaryRequest(piece), stop);
    const indices = indexLookup(piece);
    return sanitizeSummary(told, (point) => indices(point.texts));
  });
  if (parts.length <= 1) return parts[0] ?? { summary: '', points: [] };
  const points = parts.flatMap((part) => part.points);
  const told = await asker.complete(held, mergeSummariesRequest(parts), signal);
  return sanitizeSummary(told, ({ from }) => from.flatMap((number) => points[number - 1]?.texts ?? []));
}

/** Upper bound of the tokens to summarize the texts. */
export function maxTokensOfSummary(texts: readonly string[]): number {
  const pieces = batchAllTexts(texts);
  const reading = maxTokensOfAll(pieces.map(summaryRequest));
  if (pieces.length <= 1) return reading;
  return reading + maxTokensOfMerge(mergeSummariesRequest([]), pieces.length * MAX_SUMMARY_TOKENS);
}

/** Upper bound of the tokens to merge intermediate results, which are sent again with each retry. */
function maxTokensOfMerge(question: CompletionRequest<z.ZodType>, tokensWritten: number): number {
  const times = 1 + maxRetries(1);
  return maxTokensOfAll([question]) + times * (tokensWritten + PROMPT_OVERHEAD_TOKENS);
}

/** The first element of each list, then the second of each, and so on. */
function roundRobin(lists: readonly (readonly number[])[]): number[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat();
}
