import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  collectEvidence,
  sampleIndices,
  truncateText,
} from '../../../../src/services/ai/analysis/analyzed-texts.ts';

describe('the evidence of a claim', () => {
  const support = {
    responseIds: Float64Array.from([11, 12, 13, 14, 15, 16, 17]),
    texts: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
  };

  it('lists the supporting responses, best quotes first, at most five', () => {
    expect(collectEvidence(support, [0, 2, 3, 4, 5, 6], [4, 1, 4, 0])).toEqual({
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

  it('is counted completely and listed up to a thousand', () => {
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

  it('is empty without supporting responses', () => {
    expect(collectEvidence(support, [], [1])).toEqual({ count: 0, response_ids: [], examples: [] });
  });
});

describe('a shortened text', () => {
  it('is unchanged if it is short', () => {
    expect(truncateText('x'.repeat(20), 20)).toBe('x'.repeat(20));
  });

  it('never ends within a grapheme', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(truncateText(`ab${family}${family}`, 15)).toBe(`ab${family}…`);
    expect(truncateText(`ab${family}${family}`, 12)).toBe('ab…');
    expect(truncateText('e\u0301'.repeat(10), 8)).toBe(`${'e\u0301'.repeat(3)}…`);
  });

  it('has at most the given length and is well-formed', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 300 }),
        fc.integer({ min: 1, max: 200 }),
        (text, most) => {
          const short = truncateText(text, most);
          expect(short.length).toBeLessThanOrEqual(Math.max(most, 1));
          expect(short.isWellFormed()).toBe(text.isWellFormed());
          if (short !== text) expect(text.startsWith(short.slice(0, -1))).toBe(true);
        },
      ),
    );
  });
});

describe('a sample', () => {
  it('contains everything if the input is small', () => {
    expect(sampleIndices(3, 5)).toEqual([0, 1, 2]);
  });

  it('is spread evenly without repetition', () => {
    expect(sampleIndices(10, 4)).toEqual([0, 2, 5, 7]);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 1, max: 600 }), (of, most) => {
        const places = sampleIndices(of, most);
        expect(places).toHaveLength(Math.min(of, most));
        expect(new Set(places).size).toBe(places.length);
        const steps = places.slice(1).map((place, index) => place - places[index]!);
        if (steps.length > 0) expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1);
      }),
    );
  });
});
