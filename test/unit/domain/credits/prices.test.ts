import { describe, expect, it } from 'vitest';
import { creditsFor, type Price } from '../../../../src/domain/credits/credits.ts';

const tokens = (input_tokens: number, output_tokens = 0) => ({ input_tokens, output_tokens });

describe('credits for tokens', () => {
  it.each([
    [0, 0, 1],
    [1, 0, 1],
    [999, 1, 1],
    [1_000, 1, 2],
    [12_345, 655, 13],
    [12_345, 656, 14],
  ])('of a model: %d in and %d out are %d credits', (input, output, credits) => {
    expect(creditsFor({ engine: 'openai', model: 'any', tokenUsage: tokens(input, output) })).toBe(credits);
  });

  it.each([
    [9_999, 1],
    [10_000, 1],
    [10_001, 2],
    [30_000, 3],
  ])('of a built-in engine cost a tenth: %d tokens are %d credits', (input, credits) => {
    expect(creditsFor({ engine: 'built-in', model: 'lexicon', tokenUsage: tokens(input) })).toBe(credits);
  });

  it('use the price of a model before that of its engine', () => {
    const prices: Price[] = [
      { engine: 'openai', model: null, credits_per_1000_tokens: 1 },
      { engine: 'openai', model: 'large', credits_per_1000_tokens: 10 },
    ];
    expect(creditsFor({ engine: 'openai', model: 'large', tokenUsage: tokens(2_000), prices })).toBe(20);
    expect(creditsFor({ engine: 'openai', model: 'small', tokenUsage: tokens(2_000), prices })).toBe(2);
  });
});
