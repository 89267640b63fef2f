import { expect } from 'vitest';
import { z } from 'zod';
import { CreditReservation } from '../../src/domain/credits/credits.ts';
import { AppError } from '../../src/lib/errors.ts';
import { OpenAiModel } from '../../src/providers/language/openai-model.ts';

export const API_KEY = 'sk-only-a-test-0123456789';
export const SENTIMENT_SCHEMA = z.object({
  results: z.array(
    z.object({
      id: z.number(),
      sentiment: z.enum(['negative', 'neutral', 'positive']),
      confidence: z.number(),
    }),
  ),
});
export const VALID_REPLY = { results: [{ id: 1, sentiment: 'positive', confidence: 1 }] };

export const modelAt = (baseUrl: string, settings: { timeoutSeconds?: number; concurrency?: number } = {}) =>
  new OpenAiModel({
    baseUrl,
    apiKey: API_KEY,
    model: 'test-model',
    concurrency: 4,
    timeoutSeconds: 20,
    backOffMs: 5,
    ...settings,
  });

export function sentimentRequest(
  settings: { texts?: string[]; signal?: AbortSignal; maxOutputTokens?: number } = {},
) {
  const { texts = ['I love it'], signal = new AbortController().signal, maxOutputTokens = 500 } = settings;
  return {
    instruction: 'Say how each text feels.',
    data: { texts: texts.map((text, index) => ({ id: index + 1, text })) },
    schema: SENTIMENT_SCHEMA,
    name: 'sentiments',
    maxOutputTokens,
    signal,
  };
}

export const newReservation = () => new CreditReservation(1);

/** Returns the error, which contains no text of the provider, no key and no address. */
export async function expectProviderError(promise: Promise<unknown>): Promise<AppError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  const shown = JSON.stringify([(error as AppError).message, (error as AppError).details]);
  expect(shown).not.toMatch(/sk-only|127\.0\.0\.1|Scripted|secret/);
  return error as AppError;
}
