import type { QuotaMatch } from './quota-match.ts';
import type { Quota, QuotaCell } from './quota.ts';

/** The counts that fill a cell. */
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
const occupancyOf = (occupancy: OccupancyByCell, { cellId }: QuotaCell): CellOccupancy =>
  occupancy.get(cellId) ?? EMPTY_CELL;

/** Returns the filled share of the target. Cells without a target rank after unfilled ones with a target, the smallest first. */
function fillShare(cell: QuotaCell, occupancy: OccupancyByCell): [share: number, places: number] {
  const { completed, pending } = occupancyOf(occupancy, cell);
  const filled = completed + pending;
  if (cell.target === null) return [1, filled];
  return [cell.target === 0 ? Infinity : filled / cell.target, 0];
}

/** Returns the least filled cell, the first of ties; null if there are none. */
function leastFilled(cells: readonly QuotaCell[], occupancy: OccupancyByCell): QuotaCell | null {
  let least: QuotaCell | null = null;
  let leastShare = Infinity;
  let leastFilledCount = Infinity;
  for (const cell of cells) {
    const [share, filled] = fillShare(cell, occupancy);
    if (least !== null && (share > leastShare || (share === leastShare && filled >= leastFilledCount)))
      continue;
    [least, leastShare, leastFilledCount] = [cell, share, filled];
  }
  return least;
}

function hasRoom({ mode }: Quota, cell: QuotaCell, occupancy: OccupancyByCell): boolean {
  if (mode !== 'hard' || cell.target === null) return true;
  const { completed, pending } = occupancyOf(occupancy, cell);
  return completed + pending < cell.target;
}

/**
 * Allocates cells to a response: in each quota the least filled matching cell with room. A reserved cell is kept while the response can
 * still match it. All or nothing: one hard quota without room makes the response over quota, unless later answers can still lead to another
 * of its cells.
 *
 * @param reservedIds ids of the cells reserved by the response
 * @param occupancy occupancy by all other responses, and by this one for its reserved cells
 * @param end `open`: in progress. `complete`: about to count, so that a reservation fails if complete responses fill the cell (after the
 * target was lowered). `counted`: already counts, beyond a target if necessary; never over quota.
 */
export function allocateCells(
  fits: readonly QuotaMatch[],
  reservedIds: ReadonlySet<number>,
  occupancy: OccupancyByCell,
  end: 'open' | 'complete' | 'counted',
): CellAllocation {
  const cellIds: number[] = [];
  const full: number[] = [];
  for (const { quota, cells, possibleCells } of fits) {
    const isComplete = (cell: QuotaCell) =>
      end === 'complete' &&
      quota.mode === 'hard' &&
      cell.target !== null &&
      occupancyOf(occupancy, cell).completed >= cell.target;
    const kept = [...cells, ...possibleCells].find(
      (cell) => reservedIds.has(cell.cellId) && !isComplete(cell),
    );
    const found =
      kept ??
      leastFilled(
        cells.filter((cell) => hasRoom(quota, cell, occupancy)),
        occupancy,
      );
    if (found !== null) {
      cellIds.push(found.cellId);
      continue;
    }
    const nearest = leastFilled(cells, occupancy);
    if (nearest === null || possibleCells.length > 0) continue;
    if (end === 'counted') cellIds.push(nearest.cellId);
    else full.push(nearest.cellId);
  }
  return full.length > 0 ? { isOver: true, cellIds: full } : { isOver: false, cellIds };
}
