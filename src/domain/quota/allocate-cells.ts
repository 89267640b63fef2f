import type { QuotaMatch } from './quota-match.ts';
import type { Quota, QuotaCell } from './quota.ts';

/** How far a cell is filled. */
export interface CellOccupancy {
  completed: number;
  /** Reserved by responses in progress. */
  pending: number;
}

/** By cell id. */
export type OccupancyByCell = ReadonlyMap<number, Readonly<CellOccupancy>>;

export type CellAllocation =
  /** The allocated cells, at most one per quota. */
  | { isOver: false; cellIds: number[] }
  /** The full cells: for each hard quota without room, the least filled matching cell. */
  | { isOver: true; cellIds: number[] };

const EMPTY_CELL: CellOccupancy = { completed: 0, pending: 0 };
const occupancyOf = (taken: OccupancyByCell, { cellId }: QuotaCell): CellOccupancy =>
  taken.get(cellId) ?? EMPTY_CELL;

/** Returns the filled share of the target. Cells without a target rank after unfilled ones with a target, the smallest first. */
function fillShare(cell: QuotaCell, taken: OccupancyByCell): [share: number, places: number] {
  const { completed, pending } = occupancyOf(taken, cell);
  const places = completed + pending;
  if (cell.target === null) return [1, places];
  return [cell.target === 0 ? Infinity : places / cell.target, 0];
}

/** Returns the least filled cell, the first of ties; null if there are none. */
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
 * Allocates cells to a response: in each quota the least filled matching cell with room. A reserved cell is kept while the response can
 * still match it. All or nothing: one hard quota without room makes the response over quota, unless later answers can still lead to another
 * of its cells.
 * | @param held reserved cells of the response
 * @param taken occupancy by all other responses, and by this one for its reserved cells
 * @param end `open`: in progress. `complete`: about to count, so that a reservation fails if all places are complete (the target was
 * lowered meanwhile). `counted`: already counts, beyond a target if necessary; never over quota.
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
