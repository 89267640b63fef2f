import type { Term } from './terms.ts';

/** TF-IDF weights by stem index; unit length, or empty. */
export type Vector = ReadonlyMap<number, number>;

export interface VectorSpace {
  /** Parallel to the texts. */
  vectors: Vector[];
  /** Stem by index. */
  stems: string[];
}

/** Maximum number of stems; rarer ones do not help to group texts. */
const MAX_STEMS = 5_000;

/**
 * TF-IDF vectors: (1 + ln tf) · ln(1 + N / df), normalized to unit length (Salton and Buckley 1988). Stems in fewer than `least` texts are
 * ignored.
 */
export function* tfIdfVectors(
  all: readonly (readonly Term[])[],
  least: number,
): Generator<void, VectorSpace> {
  const counts = new Map<string, number>();
  for (const terms of all) {
    for (const stem of new Set(terms.map(({ stem }) => stem))) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    yield;
  }
  const kept = [...counts].filter(([, count]) => count >= least);
  if (kept.length > MAX_STEMS) kept.sort(([, x], [, y]) => y - x);
  const stems = kept.slice(0, MAX_STEMS).map(([stem]) => stem);
  const numbers = new Map(stems.map((stem, number) => [stem, number]));
  const vectors: Vector[] = [];
  for (const terms of all) {
    const vector = new Map<number, number>();
    for (const { stem } of terms) {
      const number = numbers.get(stem);
      if (number !== undefined) vector.set(number, (vector.get(number) ?? 0) + 1);
    }
    for (const [number, times] of vector)
      vector.set(number, (1 + Math.log(times)) * Math.log(1 + all.length / counts.get(stems[number]!)!));
    vectors.push(normalizeVector(vector));
    yield;
  }
  return { vectors, stems };
}

export function normalizeVector(vector: Map<number, number>): Map<number, number> {
  let squares = 0;
  for (const weight of vector.values()) squares += weight * weight;
  const length = Math.sqrt(squares);
  if (length > 0) for (const [number, weight] of vector) vector.set(number, weight / length);
  return vector;
}

/** Returns the cosine similarity of unit vectors, from 0 to 1. */
export function cosine(a: Vector, b: Vector): number {
  if (a.size > b.size) return cosine(b, a);
  let sum = 0;
  for (const [number, weight] of a) sum += weight * (b.get(number) ?? 0);
  return sum;
}

/** Returns the normalized centroid. */
export function centroidOf(vectors: Iterable<Vector>): Map<number, number> {
  const sum = new Map<number, number>();
  for (const vector of vectors) {
    for (const [number, weight] of vector) sum.set(number, (sum.get(number) ?? 0) + weight);
  }
  return normalizeVector(sum);
}
