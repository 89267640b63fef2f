/** An engine that analyzes and writes texts: a language model behind an API, or the built-in one. */
export const ENGINES = ['openai', 'built-in'] as const;
export type Engine = (typeof ENGINES)[number];

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
const MIN_CHARGE = 1;

/** Returns the credits that tokens cost: an integer, rounded up, at least one. */
export function creditsFor({
  engine,
  model,
  tokenUsage: { input_tokens: input, output_tokens: output },
  prices = PRICES,
}: {
  engine: Engine;
  model: string;
  tokenUsage: TokenUsage;
  prices?: readonly Price[] | undefined;
}): number {
  const ofEngine = prices.filter((price) => price.engine === engine);
  const price = ofEngine.find((one) => one.model === model) ?? ofEngine.find((one) => one.model === null);
  if (price === undefined) throw new Error(`No price for ${engine} ${model}`);
  // Rounding to twelve digits removes floating-point error: 30 × 0.1 must be 3.
  const exact = Number((((input + output) * price.credits_per_1000_tokens) / 1_000).toPrecision(12));
  return Math.max(MIN_CHARGE, Math.ceil(exact));
}

/** Reserved credits. The code that calls a provider reserves them and adds the usage of each call. */
export class CreditReservation {
  private input = 0;
  private output = 0;
  private hasEstimates = false;

  constructor(readonly reservationId: number) {}

  /** `estimated`: the engine did not report its token usage. */
  addUsage({ input_tokens: input, output_tokens: output }: TokenUsage, estimated: boolean): void {
    this.input += input;
    this.output += output;
    this.hasEstimates ||= estimated;
  }

  /** The total usage of all calls so far. */
  get usage(): TokenUsage {
    return { input_tokens: this.input, output_tokens: this.output };
  }

  get isEstimated(): boolean {
    return this.hasEstimates;
  }
}

/** A number of credits at a discount. */
export interface CreditPack {
  credits: number;
  /** In cents. */
  amount: number;
}

/** ISO 4217 code in lower case, as Stripe expects it. */
export const CREDIT_CURRENCY = 'usd';
/** Price of one credit, in cents. The minimum charge of a card is 50 cents. */
export const CREDIT_AMOUNT = 0.5;
export const MIN_CREDITS = 100;
export const MAX_CREDITS = 1_000_000;

/** In ascending order of size; larger packs have a lower price per credit. */
export const CREDIT_PACKS: readonly CreditPack[] = [
  { credits: 1_000, amount: 500 },
  { credits: 5_000, amount: 2_250 },
  { credits: 20_000, amount: 8_000 },
  { credits: 100_000, amount: 35_000 },
];

/**
 * Returns the price of a number of credits, in cents. A pack has its own price. Any other number has the price per credit of the next
 * smaller pack, or `CREDIT_AMOUNT` below the smallest pack, rounded to the nearest cent with halves rounded down, and never costs more
 * than the next larger pack. So more credits never cost less, and a custom number never costs more than a larger pack.
 *
 * `credits` is a whole number from `MIN_CREDITS` to `MAX_CREDITS`; anything else throws a RangeError.
 */
export function priceOfCredits(credits: number): number {
  if (!Number.isInteger(credits) || credits < MIN_CREDITS || credits > MAX_CREDITS)
    throw new RangeError(`No price for ${credits} credits`);
  const below = CREDIT_PACKS.findLast((pack) => pack.credits <= credits);
  const next = CREDIT_PACKS.find((pack) => pack.credits >= credits);
  // Rounding to twelve digits removes floating-point error, so that exact halves stay halves.
  const exact = Number(
    (credits * (below === undefined ? CREDIT_AMOUNT : below.amount / below.credits)).toPrecision(12),
  );
  return Math.min(Math.ceil(exact - 0.5), next?.amount ?? Infinity);
}
