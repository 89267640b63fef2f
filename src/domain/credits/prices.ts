/** What reads and writes texts: a language model behind an API, or what is built in. */

export type Engine = 'openai' | 'built-in';

export interface TokenUsage {
  input_tokens: number;
  output_tokens: number;
}

export interface Price {
  engine: Engine;
  /** null: every model of the engine that has no price of its own. */
  model: string | null;
  /** Of tokens in and out together. */
  credits_per_1000_tokens: number;
}

export const PRICES: readonly Price[] = [
  { engine: 'openai', model: null, credits_per_1000_tokens: 1 },
  { engine: 'built-in', model: null, credits_per_1000_tokens: 0.1 },
];

/** Nothing is cheaper. */
const MIN_CREDITS = 1;

/** What tokens cost: whole credits, rounded up, at least one. */
export function creditsFor(
  engine: Engine,
  model: string,
  { input_tokens: input, output_tokens: output }: TokenUsage,
  prices: readonly Price[] = PRICES,
): number {
  const ofEngine = prices.filter((price) => price.engine === engine);
  const price = ofEngine.find((one) => one.model === model) ?? ofEngine.find((one) => one.model === null);
  if (price === undefined) throw new Error(`No price for ${engine} ${model}`);
  // Twelve digits: 30 × 0.1 is meant to be 3, and not a little more.
  const exact = Number((((input + output) * price.credits_per_1000_tokens) / 1_000).toPrecision(12));
  return Math.max(MIN_CREDITS, Math.ceil(exact));
}
