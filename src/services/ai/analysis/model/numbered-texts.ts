import { z } from 'zod';
import type { CreditReservation } from '../../../../domain/credits/credit-reservation.ts';
import { AppError } from '../../../../lib/errors.ts';
import { providerFailed } from '../../../../providers/language/provider-failures.ts';
import type { StructuredCompletion, CompletionRequest } from './structured-completion.ts';
import { truncate } from './sanitize-output.ts';

/** Numbered per request: response ids are never sent to a provider. */
export interface NumberedText {
  id: number;
  text: string;
}

export const numberTexts = (texts: readonly string[], mostCharacters: number): NumberedText[] =>
  texts.map((text, index) => ({ id: index + 1, text: truncate(text, mostCharacters) }));

/** Schema of one result per text. */
export const resultsSchema = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object({ results: z.array(z.object({ id: z.number(), ...shape })) });

type ResultsSchema<R> = z.ZodType<{ results: (R & { id: number })[] }>;

/**
 * Asks a model about each text and matches the results by number. Ignores unknown numbers and asks once more about missing texts; texts
 * still missing are undefined.
 */
export async function answerById<R, T extends { id: number }>(
  completion: StructuredCompletion,
  reservation: CreditReservation,
  texts: readonly T[],
  question: (texts: readonly T[]) => CompletionRequest<ResultsSchema<R>>,
  signal: AbortSignal,
): Promise<(R | undefined)[]> {
  const open = new Set(texts.map(({ id }) => id));
  const byId = new Map<number, R>();
  const take = (results: readonly (R & { id: number })[]) => {
    for (const result of results) if (open.delete(result.id)) byId.set(result.id, result);
  };
  take((await completion.complete(reservation, question(texts), signal)).results);
  const left = texts.filter(({ id }) => open.has(id));
  if (left.length > 0)
    take((await nullIfUnusable(completion.retry(reservation, question(left), signal)))?.results ?? []);
  if (byId.size === 0 && texts.length > 0) throw providerFailed('returned results for none of the texts');
  return texts.map(({ id }) => byId.get(id));
}

async function nullIfUnusable<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof AppError && error.kind === 'bad_gateway') return null;
    throw error;
  }
}
