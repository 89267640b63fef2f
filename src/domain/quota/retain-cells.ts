import type { QuotaMatch } from './quota-match.ts';

/**
 * What becomes of the places that a response holds, by its answers now: those it keeps, and whether there is a quota in which it needs
 * one and has none.
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
