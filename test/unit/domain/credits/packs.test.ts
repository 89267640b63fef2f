import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  priceOfCredits,
  CREDIT_AMOUNT,
  CREDIT_PACKS,
  MAX_CREDITS,
  MIN_CREDITS,
} from '../../../../src/domain/credits/packs.ts';

const anyNumber = fc.integer({ min: MIN_CREDITS, max: MAX_CREDITS });

describe('what credits cost', () => {
  it.each(CREDIT_PACKS)('a pack of $credits costs what it says', ({ credits, amount }) => {
    expect(priceOfCredits(credits)).toBe(amount);
  });

  it.each([
    ['the fewest', 100, 50],
    ['less than any pack, one by one', 300, 150],
    ['a half of a cent is the buyer’s', 101, 50],
    ['almost a pack is no dearer than the pack', 999, 499],
    ['by the price of the pack below', 6_000, 2_700],
    ['what would cost more than the next pack costs what that does', 4_900, 2_250],
    ['beyond the largest pack, by its price', 250_000, 87_500],
    ['the most', 1_000_000, 350_000],
  ])('%s: %i credits', (_which, credits, amount) => {
    expect(priceOfCredits(credits)).toBe(amount);
  });

  it('is whole cents, and more for each than none', () => {
    fc.assert(
      fc.property(anyNumber, (credits) => {
        const amount = priceOfCredits(credits);
        expect(Number.isSafeInteger(amount)).toBe(true);
        expect(amount).toBeGreaterThanOrEqual(50);
        expect(amount).toBeLessThanOrEqual(credits * CREDIT_AMOUNT);
      }),
    );
  });

  it('is never less for more', () => {
    fc.assert(
      fc.property(anyNumber, anyNumber, (one, other) => {
        expect(priceOfCredits(Math.min(one, other))).toBeLessThanOrEqual(
          priceOfCredits(Math.max(one, other)),
        );
      }),
    );
    for (const { credits } of CREDIT_PACKS) {
      expect(priceOfCredits(credits - 1)).toBeLessThanOrEqual(priceOfCredits(credits));
      expect(priceOfCredits(credits)).toBeLessThanOrEqual(priceOfCredits(credits + 1));
    }
  });

  it.each([0, -5, 1.5, MIN_CREDITS - 1, MAX_CREDITS + 1, NaN, Infinity])('is not said of %d', (credits) => {
    expect(() => priceOfCredits(credits)).toThrow(RangeError);
  });
});
