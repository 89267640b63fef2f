import type { QuotaMatch } from './quota-match.ts';

/**
 * Returns the reserved cells that a response keeps, given its current answers, and whether it needs a cell in a quota where it has none.
 */
export function retainCells(
  fits: readonly QuotaMatch[],
  held: ReadonlySet<number>,
): { kept: number[]; isWanting: boolean } {
  const kept: number[] = [];
  let isWanting = false;
  for (const { cells, possibleCells: possibleCells } of fits) {
    const own = [...cells, ...possibleCells].find(({ cellId }) => held.has(cellId));
    if (own !== undefined) kept.push(own.cellId);
    else if (cells.length > 0) isWanting = true;
  }
  return { kept, isWanting };
}
