import { expect } from 'vitest';
import { z } from 'zod';
import { CreditReservation } from '../../src/domain/credits/credit-reservation.ts';
import { AppError } from '../../src/lib/errors.ts';
import { OpenAiModel } from '../../src/providers/language/openai-model.ts';

export const KEY = 'sk-only-a-test-0123456789';
export const FEELINGS = z.object({
  results: z.array(
    z.object({
      id: z.number(),
      sentiment: z.enum(['negative', 'neutral', 'positive']),
      confidence: z.number(),
    }),
  ),
});
export const GOOD = { results: [{ id: 1, sentiment: 'positive', confidence: 1 }] };

export const modelAt = (baseUrl: string, settings: { timeoutSeconds?: number; concurrency?: number } = {}) =>
  new OpenAiModel({
    baseUrl,
    apiKey: KEY,
    model: 'test-model',
    concurrency: 4,
    timeoutSeconds: 20,
    backOffMs: 5,
    ...settings,
  });

export function question(
  settings: { texts?: string[]; signal?: AbortSignal; maxOutputTokens?: number } = {},
) {
  const { texts = ['I love it'], signal = new AbortController().signal, maxOutputTokens = 500 } = settings;
  return {
    instruction: 'Say how each text feels.',
    data: { texts: texts.map((text, index) => ({ id: index + 1, text })) },
    schema: FEELINGS,
    name: 'sentiments',
    maxOutputTokens,
    signal,
  };
}

export const held = () => new CreditReservation(1);

/** Returns the error, which contains no text of the provider, no key and no address. */
export async function failure(promise: Promise<unknown>): Promise<AppError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  const told = JSON.stringify([(error as AppError).message, (error as AppError).details]);
  expect(told).not.toMatch(/sk-only|127\.0\.0\.1|Scripted|secret/);
  return error as AppError;
}
