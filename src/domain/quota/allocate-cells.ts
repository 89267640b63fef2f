import type { QuotaMatch } from './quota-match.ts';
import type { Quota, QuotaCell } from './quota.ts';

/** How a cell's places are taken. */
export interface CellOccupancy {
  completed: number;
  /** Held by responses that have begun and not ended. */
  pending: number;
}

/** By cell id. */
export type OccupancyByCell = ReadonlyMap<number, Readonly<CellOccupancy>>;

export type CellAllocation =
  /** The cells that it has a place in, at most one of each quota. */
  | { isOver: false; cellIds: number[] }
  /** The cells that turned it away: of each hard quota without room the one that it was nearest to. */
  | { isOver: true; cellIds: number[] };

const EMPTY_CELL: CellOccupancy = { completed: 0, pending: 0 };
const occupancyOf = (taken: OccupancyByCell, { cellId }: QuotaCell): CellOccupancy =>
  taken.get(cellId) ?? EMPTY_CELL;

/** The share of its target that is taken. A cell without a target comes when those with one are filled, of several the smallest. */
function fillShare(cell: QuotaCell, taken: OccupancyByCell): [share: number, places: number] {
  const { completed, pending } = occupancyOf(taken, cell);
  const places = completed + pending;
  if (cell.target === null) return [1, places];
  return [cell.target === 0 ? Infinity : places / cell.target, 0];
}

/** Of several equally filled ones the first; null: there are none. */
function leastFilled(cells: readonly QuotaCell[], taken: OccupancyByCell): QuotaCell | null {
  let least: QuotaCell | null = null;
  let leastShare = Infinity;
  let leastPlaces = Infinity;
  for (const cell of cells) {
    const [share, places] = fillShare(cell, taken);
    if (least !== null && (share > leastShare || (share === leastShare && places >= leastPlaces))) continue;
    [least, leastShare, leastPlaces] = [cell, share, places];
  }
  return least;
}

function hasRoom({ mode }: Quota, cell: QuotaCell, taken: OccupancyByCell): boolean {
  if (mode !== 'hard' || cell.target === null) return true;
  const { completed, pending } = occupancyOf(taken, cell);
  return completed + pending < cell.target;
}

/**
 * Gives a response its places: in each quota the least filled of the cells that it fits and that have room. A place that it holds it
 * keeps as long as it may fit there. All or nothing: one hard quota without room, and it is over. While answers to come may still
 * lead to a cell, a quota without room waits for them.
 *
 * @param held cells whose places it holds
 * @param taken by everybody else, and by itself where it holds
 * @param end `open`: it goes on. `complete`: it is to count, so that even who holds a place finds none where all are complete (its
 *   target was lowered meanwhile). `counted`: it does count, beyond a target if need be; never over.
 */
export function allocateCells(
  fits: readonly QuotaMatch[],
  held: ReadonlySet<number>,
  taken: OccupancyByCell,
  end: 'open' | 'complete' | 'counted',
): CellAllocation {
  const cellIds: number[] = [];
  const full: number[] = [];
  for (const { quota, cells, possibleCells: possibleCells } of fits) {
    const isComplete = (cell: QuotaCell) =>
      end === 'complete' &&
      quota.mode === 'hard' &&
      cell.target !== null &&
      occupancyOf(taken, cell).completed >= cell.target;
    const kept = [...cells, ...possibleCells].find((cell) => held.has(cell.cellId) && !isComplete(cell));
    const found =
      kept ??
      leastFilled(
        cells.filter((cell) => hasRoom(quota, cell, taken)),
        taken,
      );
    if (found !== null) {
      cellIds.push(found.cellId);
      continue;
    }
    const nearest = leastFilled(cells, taken);
    if (nearest === null || possibleCells.length > 0) continue;
    if (end === 'counted') cellIds.push(nearest.cellId);
    else full.push(nearest.cellId);
  }
  return full.length > 0 ? { isOver: true, cellIds: full } : { isOver: false, cellIds };
}
