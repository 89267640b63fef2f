import type { QuotaMatch } from './quota-match.ts';

/**
 * Returns the reserved cells that a response keeps, given its current answers, and whether it needs a cell in a quota where it has none.
 */
export function retainCells(
  fits: readonly QuotaMatch[],
  reservedIds: ReadonlySet<number>,
): { kept: number[]; isWanting: boolean } {
  const kept: number[] = [];
  let needsCell = false;
  for (const { cells, possibleCells } of fits) {
    const own = [...cells, ...possibleCells].find(({ cellId }) => reservedIds.has(cellId));
    if (own !== undefined) kept.push(own.cellId);
    else if (cells.length > 0) needsCell = true;
  }
  return { kept, isWanting: needsCell };
}
