/** Credits together, for less than one by one. */
export interface CreditPack {
  credits: number;
  /** In the smallest unit of the currency: cents. */
  amount: number;
}

/** ISO 4217, in small letters as payment providers write it. */
export const CREDIT_CURRENCY = 'usd';
/** Cents: less than 50 of them no card can be charged. */
export const CREDIT_AMOUNT = 0.5;
export const MIN_CREDITS = 100;
export const MAX_CREDITS = 1_000_000;

/** From few to many; the more, the less for each. */
export const CREDIT_PACKS: readonly CreditPack[] = [
  { credits: 1_000, amount: 500 },
  { credits: 5_000, amount: 2_250 },
  { credits: 20_000, amount: 8_000 },
  { credits: 100_000, amount: 35_000 },
];

/**
 * What so many credits cost, in the smallest unit of the currency. A pack costs what it says. Any other number costs what each credit
 * of the largest pack below it does, and below all packs `CREDIT_AMOUNT`, rounded to the nearest unit, a half in the buyer's favour;
 * but never more than the next pack, in which there is more. So more credits never cost less, and nobody pays more for having asked
 * for a number of their own.
 *
 * `credits` is a whole number from `MIN_CREDITS` to `MAX_CREDITS`; anything else throws a RangeError.
 */
export function priceOfCredits(credits: number): number {
  if (!Number.isInteger(credits) || credits < MIN_CREDITS || credits > MAX_CREDITS)
    throw new RangeError(`No price for ${credits} credits`);
  const below = CREDIT_PACKS.findLast((pack) => pack.credits <= credits);
  const next = CREDIT_PACKS.find((pack) => pack.credits >= credits);
  // Twelve digits: what is meant to be a half is one.
  const exact = Number(
    (credits * (below === undefined ? CREDIT_AMOUNT : below.amount / below.credits)).toPrecision(12),
  );
  return Math.min(Math.ceil(exact - 0.5), next?.amount ?? Infinity);
}
