import { centroidOf, cosine, type Vector } from './vectors.ts';

const MAX_ROUNDS = 12;

/**
 * Spherical k-means (Dhillon and Modha 2001) that begins at given centres, so that the same texts always fall into the same groups.
 * Gives the number of the group of each vector; -1: it has nothing in common with any. Pauses after each vector.
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
    // The first of equals: the one whose theme is more common.
    if (similarity > most) [group, most] = [number, similarity];
  }
  return group;
}
