import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  priceOfCredits,
  CREDIT_AMOUNT,
  CREDIT_PACKS,
  MAX_CREDITS,
  MIN_CREDITS,
} from '../../../../src/domain/credits/credits.ts';

const anyNumber = fc.integer({ min: MIN_CREDITS, max: MAX_CREDITS });

describe('the price of credits', () => {
  it.each(CREDIT_PACKS)('of a pack of $credits is its listed price', ({ credits, amount }) => {
    expect(priceOfCredits(credits)).toBe(amount);
  });

  it.each([
    ['the minimum', 100, 50],
    ['less than any pack, at the single price', 300, 150],
    ["half a cent rounded in the buyer's favor", 101, 50],
    ['just below a pack, at most the pack price', 999, 499],
    ['at the price of the next smaller pack', 6_000, 2_700],
    ['capped at the price of the next larger pack', 4_900, 2_250],
    ['above the largest pack, at its price', 250_000, 87_500],
    ['the maximum', 1_000_000, 350_000],
  ])('%s: %i credits', (_which, credits, amount) => {
    expect(priceOfCredits(credits)).toBe(amount);
  });

  it('is in whole cents and never above the single price', () => {
    fc.assert(
      fc.property(anyNumber, (credits) => {
        const amount = priceOfCredits(credits);
        expect(Number.isSafeInteger(amount)).toBe(true);
        expect(amount).toBeGreaterThanOrEqual(50);
        expect(amount).toBeLessThanOrEqual(credits * CREDIT_AMOUNT);
      }),
    );
  });

  it('never decreases with the number of credits', () => {
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

  it.each([0, -5, 1.5, MIN_CREDITS - 1, MAX_CREDITS + 1, NaN, Infinity])('rejects %d credits', (credits) => {
    expect(() => priceOfCredits(credits)).toThrow(RangeError);
  });
});
