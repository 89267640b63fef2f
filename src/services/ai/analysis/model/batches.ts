export interface BatchLimits {
  texts: number;
  characters: number;
}

/** Items in their order, in pieces within the limits; one that is too long by itself is a piece of its own. */
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
