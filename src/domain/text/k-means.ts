import { centroidOf, cosine, type Vector } from './vectors.ts';

const MAX_ROUNDS = 12;

/**
 * Spherical k-means (Dhillon and Modha 2001) from given centres, so that the result is deterministic. Returns the group index of each
 * vector; -1: similar to none. Yields after each vector.
 */
export function* kMeans(vectors: readonly Vector[], begin: readonly Vector[]): Generator<void, number[]> {
  let centres: readonly Vector[] = begin;
  let groups: number[] = vectors.map(() => -1);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const next: number[] = [];
    for (const vector of vectors) {
      next.push(nearest(vector, centres));
      yield;
    }
    const isSettled = next.every((group, index) => group === groups[index]);
    groups = next;
    if (isSettled) break;
    const moved: Vector[] = [];
    for (const [number, centre] of centres.entries()) {
      const members = vectors.filter((_, index) => groups[index] === number);
      moved.push(members.length === 0 ? centre : centroidOf(members));
      yield;
    }
    centres = moved;
  }
  return groups;
}

function nearest(vector: Vector, centres: readonly Vector[]): number {
  let group = -1;
  let most = 0;
  for (const [number, centre] of centres.entries()) {
    const similarity = cosine(vector, centre);
    // Ties go to the first group, whose theme is more common.
    if (similarity > most) [group, most] = [number, similarity];
  }
  return group;
}
