import type { CreditReservation } from '../../../../domain/credits/credit-reservation.ts';
import type { FindingFact, Wording } from '../text-analyzer.ts';
import type { StructuredCompletion } from './structured-completion.ts';
import { mapConcurrently } from './map-concurrently.ts';
import { answerById } from './numbered-texts.ts';
import { splitIntoBatches } from './batches.ts';
import {
  longestFact,
  type NumberedFact,
  numberFact,
  sanitizeWording,
  wordingRequest,
} from './wording-request.ts';

const BATCH_SIZE = 10;

/** The batches of facts that one request asks about. */
export const batchFacts = (facts: readonly NumberedFact[]): NumberedFact[][] =>
  splitIntoBatches(facts, () => 1, { texts: BATCH_SIZE, characters: BATCH_SIZE });

/** Facts with these statements and figures of the maximum size, for token estimates. */
export const longestFacts = (statements: readonly string[]): NumberedFact[] => statements.map(longestFact);

export async function wordFacts(
  completion: StructuredCompletion,
  reservation: CreditReservation,
  facts: readonly FindingFact[],
  signal: AbortSignal,
): Promise<Wording[]> {
  const batches = batchFacts(facts.map(numberFact));
  const result = await mapConcurrently(batches, completion.parallel, signal, (batch, stop) =>
    answerById(completion, reservation, batch, wordingRequest, stop),
  );
  const all = result.flat();
  return facts.map((fact, index) => sanitizeWording(fact, all[index]));
}
