import type { Fit } from './fitting-cells.ts';

/**
 * What becomes of the places that a response holds, by its answers now: those it keeps, and whether there is a quota in which it needs
 * one and has none.
 */
export function keptPlaces(
  fits: readonly Fit[],
  held: ReadonlySet<number>,
): { kept: number[]; isWanting: boolean } {
  const kept: number[] = [];
  let isWanting = false;
  for (const { cells, mayFit } of fits) {
    const own = [...cells, ...mayFit].find(({ cellId }) => held.has(cellId));
    if (own !== undefined) kept.push(own.cellId);
    else if (cells.length > 0) isWanting = true;
  }
  return { kept, isWanting };
}
