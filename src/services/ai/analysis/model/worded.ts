import type { HeldCredits } from '../../../../domain/credits/held-credits.ts';
import type { FoundFact, Wording } from '../analyst.ts';
import type { Asker } from './asker.ts';
import { inParallel } from './in-parallel.ts';
import { answersById } from './numbered-texts.ts';
import { piecesOf } from './pieces.ts';
import {
  longestFact,
  type NumberedFact,
  numberedFact,
  usableWording,
  wordingQuestion,
} from './wording-question.ts';

const AT_ONCE = 10;

/** As they are asked about at once. */
export const factPieces = (facts: readonly NumberedFact[]): NumberedFact[][] =>
  piecesOf(facts, () => 1, { texts: AT_ONCE, characters: AT_ONCE });

/** Facts of these statements, as long as they can be. */
export const longestFacts = (statements: readonly string[]): NumberedFact[] => statements.map(longestFact);

export async function wordedBy(
  asker: Asker,
  held: HeldCredits,
  facts: readonly FoundFact[],
  signal: AbortSignal,
): Promise<Wording[]> {
  const pieces = factPieces(facts.map(numberedFact));
  const told = await inParallel(pieces, asker.parallel, signal, (piece, stop) =>
    answersById(asker, held, piece, wordingQuestion, stop),
  );
  const all = told.flat();
  return facts.map((fact, index) => usableWording(fact, all[index]));
}
