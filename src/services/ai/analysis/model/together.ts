import type { z } from 'zod';
import type { HeldCredits } from '../../../../domain/credits/held-credits.ts';
import type { ProposedTheme, Summary } from '../analyst.ts';
import { type Asker, mostTokensOfAll, type Prepared } from './asker.ts';
import { inParallel } from './in-parallel.ts';
import { type NumberedText, numbered } from './numbered-texts.ts';
import { piecesOf } from './pieces.ts';
import { mostSecondAsks } from './second-asks.ts';
import { joinQuestion, MOST_SUMMARY_TOKENS, summaryQuestion, usableSummary } from './summary-questions.ts';
import {
  mergeQuestion,
  mostProposedTokens,
  proposeQuestion,
  type Proposing,
  usableThemes,
} from './theme-questions.ts';

/** Of a text, so much is read where all are read together. */
const TOGETHER_CHARACTERS = 600;
const PIECE = { texts: 200, characters: 16_000 };
/** What stands around what models wrote when it is sent to one again. */
const TOKENS_AROUND = 400;

/** Texts that are read at once, under the numbers that they have among all. */
function piecesOfAll(texts: readonly string[]): NumberedText[][] {
  return piecesOf(numbered(texts, TOGETHER_CHARACTERS), ({ text }) => text.length, PIECE);
}

/** Indices of texts that were in the piece, of ids that a model named. */
const indicesIn = (piece: readonly NumberedText[]) => {
  const ids = new Set(piece.map(({ id }) => id));
  return (told: readonly number[]) => told.filter((id) => ids.has(id)).map((id) => id - 1);
};

/** Read in pieces, each for itself; what was found is then put together. */
export async function proposedBy(
  asker: Asker,
  held: HeldCredits,
  what: Proposing,
  texts: readonly string[],
  most: number,
  signal: AbortSignal,
): Promise<ProposedTheme[]> {
  const found = await inParallel(piecesOfAll(texts), asker.parallel, signal, async (piece, stop) => {
    const { themes } = await asker.first(held, proposeQuestion(what, piece, most), stop);
    const indices = indicesIn(piece);
    return usableThemes(themes, most, ({ examples }) => indices(examples));
  });
  if (found.length <= 1) return found[0] ?? [];
  const proposals = found.flat();
  if (proposals.length === 0) return [];
  const { themes } = await asker.first(held, mergeQuestion(what, proposals, most), signal);
  return usableThemes(themes, most, ({ from }) =>
    roundRobin(from.flatMap((number) => proposals[number - 1] ?? []).map(({ examples }) => examples)),
  );
}

/** An upper bound, where at most so many are asked for. */
export function mostTokensOfProposed(what: Proposing, texts: readonly string[], most: number): number {
  const pieces = piecesOfAll(texts);
  const reading = mostTokensOfAll(pieces.map((piece) => proposeQuestion(what, piece, most)));
  if (pieces.length <= 1) return reading;
  return reading + mostTokensOfRest(mergeQuestion(what, [], most), pieces.length * mostProposedTokens(most));
}

export async function summarizedBy(
  asker: Asker,
  held: HeldCredits,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Summary> {
  const parts = await inParallel(piecesOfAll(texts), asker.parallel, signal, async (piece, stop) => {
    const told = await asker.first(held, summaryQuestion(piece), stop);
    const indices = indicesIn(piece);
    return usableSummary(told, (point) => indices(point.texts));
  });
  if (parts.length <= 1) return parts[0] ?? { summary: '', points: [] };
  const points = parts.flatMap((part) => part.points);
  const told = await asker.first(held, joinQuestion(parts), signal);
  return usableSummary(told, ({ from }) => from.flatMap((number) => points[number - 1]?.texts ?? []));
}

/** An upper bound. */
export function mostTokensOfSummary(texts: readonly string[]): number {
  const pieces = piecesOfAll(texts);
  const reading = mostTokensOfAll(pieces.map(summaryQuestion));
  if (pieces.length <= 1) return reading;
  return reading + mostTokensOfRest(joinQuestion([]), pieces.length * MOST_SUMMARY_TOKENS);
}

/** Of one question about what a model wrote before, which is sent each time that it is asked. */
function mostTokensOfRest(question: Prepared<z.ZodType>, tokensWritten: number): number {
  const times = 1 + mostSecondAsks(1);
  return mostTokensOfAll([question]) + times * (tokensWritten + TOKENS_AROUND);
}

/** The first of each, then the second of each, …. */
function roundRobin(lists: readonly (readonly number[])[]): number[] {
  const longest = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat();
}
