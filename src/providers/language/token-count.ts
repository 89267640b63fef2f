import { z } from 'zod';
import type { TokenUsage } from '../../domain/credits/prices.ts';
import { estimatedTokensOf } from './language-model.ts';

/** Of what a server puts around messages and functions. */
const TOKENS_AROUND = 512;

const count = z.int().min(0);
const wireUsage = z.object({ prompt_tokens: count, completion_tokens: count });

export interface TokenCount {
  usage: TokenUsage;
  estimated: boolean;
}

/**
 * What a call took, as the server says it where that is possible at all (a token has at least a byte, and the output has a limit), else
 * by what was sent and what came.
 */
export function countTokens(told: unknown, sent: string, came: string, maxOutputTokens: number): TokenCount {
  const parsed = wireUsage.safeParse(told);
  if (parsed.success) {
    const { prompt_tokens: input, completion_tokens: output } = parsed.data;
    const possible =
      input <= Buffer.byteLength(sent) + TOKENS_AROUND &&
      output <= Math.max(maxOutputTokens, Buffer.byteLength(came));
    if (possible) return { usage: { input_tokens: input, output_tokens: output }, estimated: false };
  }
  const usage = { input_tokens: estimatedTokensOf(sent), output_tokens: estimatedTokensOf(came) };
  return { usage, estimated: true };
}
