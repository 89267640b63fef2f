/** An engine that analyzes and writes texts: a language model behind an API, or the built-in one. */

export type Engine = 'openai' | 'built-in';

export interface TokenUsage {
  input_tokens: number;
  output_tokens: number;
}

export interface Price {
  engine: Engine;
  /** null: applies to every model of the engine that is not listed. */
  model: string | null;
  /** For input and output tokens together. */
  credits_per_1000_tokens: number;
}

export const PRICES: readonly Price[] = [
  { engine: 'openai', model: null, credits_per_1000_tokens: 1 },
  { engine: 'built-in', model: null, credits_per_1000_tokens: 0.1 },
];

/** The minimum charge of a call. */
const MIN_CREDITS = 1;

/** Returns the credits that tokens cost: an integer, rounded up, at least one. */
export function creditsFor(
  engine: Engine,
  model: string,
  { input_tokens: input, output_tokens: output }: TokenUsage,
  prices: readonly Price[] = PRICES,
): number {
  const ofEngine = prices.filter((price) => price.engine === engine);
  const price = ofEngine.find((one) => one.model === model) ?? ofEngine.find((one) => one.model === null);
  if (price === undefined) throw new Error(`No price for ${engine} ${model}`);
  // Rounding to twelve digits removes floating-point error: 30 × 0.1 must be 3.
  const exact = Number((((input + output) * price.credits_per_1000_tokens) / 1_000).toPrecision(12));
  return Math.max(MIN_CREDITS, Math.ceil(exact));
}
