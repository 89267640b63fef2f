export interface BatchLimits {
  texts: number;
  characters: number;
}

/** Splits items into batches within the limits, in order. An item longer than the limit becomes a batch by itself. */
export function splitIntoBatches<T>(
  items: readonly T[],
  lengthOf: (item: T) => number,
  { texts: most, characters: mostCharacters }: BatchLimits,
): T[][] {
  const pieces: T[][] = [];
  let piece: T[] = [];
  let characters = 0;
  for (const item of items) {
    const length = lengthOf(item);
    if (piece.length === most || (piece.length > 0 && characters + length > mostCharacters)) {
      pieces.push(piece);
      piece = [];
      characters = 0;
    }
    piece.push(item);
    characters += length;
  }
  if (piece.length > 0) pieces.push(piece);
  return pieces;
}
