import type { Fit } from './fitting-cells.ts';
import type { Quota, QuotaCell } from './quota.ts';

/** How a cell's places are taken. */
export interface Taken {
  completed: number;
  /** Held by responses that have begun and not ended. */
  pending: number;
}

/** By cell id. */
export type TakenByCell = ReadonlyMap<number, Readonly<Taken>>;

export type Places =
  /** The cells that it has a place in, at most one of each quota. */
  | { isOver: false; cellIds: number[] }
  /** The cells that turned it away: of each hard quota without room the one that it was nearest to. */
  | { isOver: true; cellIds: number[] };

const NOTHING: Taken = { completed: 0, pending: 0 };
const takenIn = (taken: TakenByCell, { cellId }: QuotaCell): Taken => taken.get(cellId) ?? NOTHING;

/** The share of its target that is taken. A cell without a target comes when those with one are filled, of several the smallest. */
function filled(cell: QuotaCell, taken: TakenByCell): [share: number, places: number] {
  const { completed, pending } = takenIn(taken, cell);
  const places = completed + pending;
  if (cell.target === null) return [1, places];
  return [cell.target === 0 ? Infinity : places / cell.target, 0];
}

/** Of several equally filled ones the first; null: there are none. */
function leastFilled(cells: readonly QuotaCell[], taken: TakenByCell): QuotaCell | null {
  let least: QuotaCell | null = null;
  let leastShare = Infinity;
  let leastPlaces = Infinity;
  for (const cell of cells) {
    const [share, places] = filled(cell, taken);
    if (least !== null && (share > leastShare || (share === leastShare && places >= leastPlaces))) continue;
    [least, leastShare, leastPlaces] = [cell, share, places];
  }
  return least;
}

function hasRoom({ mode }: Quota, cell: QuotaCell, taken: TakenByCell): boolean {
  if (mode !== 'hard' || cell.target === null) return true;
  const { completed, pending } = takenIn(taken, cell);
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
export function givePlaces(
  fits: readonly Fit[],
  held: ReadonlySet<number>,
  taken: TakenByCell,
  end: 'open' | 'complete' | 'counted',
): Places {
  const cellIds: number[] = [];
  const full: number[] = [];
  for (const { quota, cells, mayFit } of fits) {
    const isComplete = (cell: QuotaCell) =>
      end === 'complete' &&
      quota.mode === 'hard' &&
      cell.target !== null &&
      takenIn(taken, cell).completed >= cell.target;
    const kept = [...cells, ...mayFit].find((cell) => held.has(cell.cellId) && !isComplete(cell));
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
    if (nearest === null || mayFit.length > 0) continue;
    if (end === 'counted') cellIds.push(nearest.cellId);
    else full.push(nearest.cellId);
  }
  return full.length > 0 ? { isOver: true, cellIds: full } : { isOver: false, cellIds };
}
