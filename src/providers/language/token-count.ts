import { z } from 'zod';
import type { TokenUsage } from '../../domain/credits/prices.ts';
import { estimatedTokensOf } from './language-model.ts';

/** Tokens that a server adds around messages and functions. */
const OVERHEAD_TOKENS = 512;

const count = z.int().min(0);
const wireUsage = z.object({ prompt_tokens: count, completion_tokens: count });

export interface TokenCount {
  usage: TokenUsage;
  isEstimated: boolean;
}

/**
 * Returns the usage that the server reports if it is plausible (a token has at least one byte, and the output has a limit), else an
 * estimate from the sent and received text.
 */
export function countTokens(
  reportedUsage: unknown,
  sentText: string,
  receivedText: string,
  maxOutputTokens: number,
): TokenCount {
  const parsed = wireUsage.safeParse(reportedUsage);
  if (parsed.success) {
    const { prompt_tokens: input, completion_tokens: output } = parsed.data;
    const isPlausible =
      input <= Buffer.byteLength(sentText) + OVERHEAD_TOKENS &&
      output <= Math.max(maxOutputTokens, Buffer.byteLength(receivedText));
    if (isPlausible) return { usage: { input_tokens: input, output_tokens: output }, isEstimated: false };
  }
  const usage = { input_tokens: estimatedTokensOf(sentText), output_tokens: estimatedTokensOf(receivedText) };
  return { usage, isEstimated: true };
}
