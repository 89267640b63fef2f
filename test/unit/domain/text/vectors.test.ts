import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  centroidOf,
  cosineSimilarity,
  kMeans,
  normalizeVector,
  tfIdfVectors,
} from '../../../../src/domain/text/themes.ts';
import { runToCompletion } from '../../../../src/lib/concurrency.ts';

const terms = (...stems: string[]) => ({
  terms: stems.map((stem) => ({ stem, written: stem, link: null })),
});
const vector = fc
  .dictionary(fc.integer({ min: 0, max: 20 }).map(String), fc.double({ min: 0.01, max: 10, noNaN: true }), {
    minKeys: 1,
  })
  .map((weights) =>
    normalizeVector(new Map(Object.entries(weights).map(([key, weight]) => [Number(key), weight]))),
  );

describe('vectors of texts', () => {
  test('weigh a rare word more than a common one', () => {
    const { weighted, stems } = runToCompletion(
      tfIdfVectors([terms('app', 'price'), terms('app'), terms('app')], 1),
    );
    const { vector: first } = weighted[0]!;
    expect(first.get(stems.indexOf('price'))!).toBeGreaterThan(first.get(stems.indexOf('app'))!);
  });

  test('have length 1, so that the similarity of each to itself is 1', () => {
    fc.assert(
      fc.property(vector, (one) => {
        expect(cosineSimilarity(one, one)).toBeCloseTo(1, 9);
      }),
    );
  });

  test('have a symmetric similarity from 0 to 1', () => {
    fc.assert(
      fc.property(vector, vector, (a, b) => {
        expect(cosineSimilarity(a, b)).toBeCloseTo(cosineSimilarity(b, a), 12);
        expect(cosineSimilarity(a, b)).toBeGreaterThanOrEqual(0);
        expect(cosineSimilarity(a, b)).toBeLessThanOrEqual(1 + 1e-9);
      }),
    );
  });
});

test('k-means assigns texts to the given centroids, and texts without common words to none', () => {
  const { weighted } = runToCompletion(
    tfIdfVectors(
      [terms('app', 'crash'), terms('app', 'slow'), terms('price'), terms('price', 'high'), terms()],
      1,
    ),
  );
  const vectors = weighted.map((text) => text.vector);
  const begin = [centroidOf([vectors[0]!]), centroidOf([vectors[2]!])];
  expect(runToCompletion(kMeans(vectors, begin))).toEqual([0, 0, 1, 1, -1]);
});
