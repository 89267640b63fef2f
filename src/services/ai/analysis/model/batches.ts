export interface BatchLimits {
  texts: number;
  characters: number;
}

/** Splits items into batches within the limits, in order. An item longer than the limit becomes a batch by itself. */
export function splitIntoBatches<T>(
  items: readonly T[],
  lengthOf: (item: T) => number,
  { texts: limit, characters: mostCharacters }: BatchLimits,
): T[][] {
  const batches: T[][] = [];
  let batch: T[] = [];
  let characters = 0;
  for (const item of items) {
    const length = lengthOf(item);
    if (batch.length === limit || (batch.length > 0 && characters + length > mostCharacters)) {
      batches.push(batch);
      batch = [];
      characters = 0;
    }
    batch.push(item);
    characters += length;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
