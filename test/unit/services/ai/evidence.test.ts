import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  collectEvidence,
  sampleIndices,
  truncateText,
} from '../../../../src/services/ai/analysis/evidence.ts';

describe('collectEvidence', () => {
  const texts = {
    responseIds: Float64Array.from([11, 12, 13, 14, 15, 16, 17]),
    texts: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
  };

  it('lists the responses and at most five quotes, best examples first', () => {
    expect(collectEvidence(texts, [0, 2, 3, 4, 5, 6], [4, 1, 4, 0])).toEqual({
      count: 6,
      response_ids: [11, 13, 14, 15, 16, 17],
      examples: [
        { response_id: 15, text: 'e' },
        { response_id: 11, text: 'a' },
        { response_id: 13, text: 'c' },
        { response_id: 14, text: 'd' },
        { response_id: 16, text: 'f' },
      ],
    });
  });

  it('counts all responses and lists at most a thousand', () => {
    const many = {
      responseIds: Float64Array.from({ length: 1_500 }, (_, index) => index),
      texts: Array.from({ length: 1_500 }, () => 'x'),
    };
    const evidence = collectEvidence(
      many,
      many.texts.map((_, index) => index),
    );
    expect(evidence.count).toBe(1_500);
    expect(evidence.response_ids).toHaveLength(1_000);
  });

  it('is empty without responses', () => {
    expect(collectEvidence(texts, [], [1])).toEqual({ count: 0, response_ids: [], examples: [] });
  });
});

describe('truncateText', () => {
  it('keeps a short text unchanged', () => {
    expect(truncateText('x'.repeat(20), 20)).toBe('x'.repeat(20));
  });

  it('never splits a character as displayed', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(truncateText(`ab${family}${family}`, 15)).toBe(`ab${family}…`);
    expect(truncateText(`ab${family}${family}`, 12)).toBe('ab…');
    expect(truncateText('e\u0301'.repeat(10), 8)).toBe(`${'e\u0301'.repeat(3)}…`);
  });

  it('respects the maximum length and keeps the text well-formed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 1, max: 200 }),
        (text, maxLength) => {
          const short = truncateText(text, maxLength);
          expect(short.length).toBeLessThanOrEqual(Math.max(maxLength, 1));
          expect(short.isWellFormed()).toBe(text.isWellFormed());
          if (short !== text) expect(text.startsWith(short.slice(0, -1))).toBe(true);
        },
      ),
    );
  });
});

describe('sampleIndices', () => {
  it('returns all indices of a short list', () => {
    expect(sampleIndices(3, 5)).toEqual([0, 1, 2]);
  });

  it('spreads distinct indices evenly', () => {
    expect(sampleIndices(10, 4)).toEqual([0, 2, 5, 7]);
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000 }),
        fc.integer({ min: 1, max: 600 }),
        (length, maxLength) => {
          const indices = sampleIndices(length, maxLength);
          expect(indices).toHaveLength(Math.min(length, maxLength));
          expect(new Set(indices).size).toBe(indices.length);
          const steps = indices.slice(1).map((place, index) => place - indices[index]!);
          if (steps.length > 0) expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1);
        },
      ),
    );
  });
});
