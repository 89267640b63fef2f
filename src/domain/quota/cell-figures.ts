import type { QuotaMode } from './quota.ts';

/** Stored counts of a cell. */
interface CellCounts {
  target: number | null;
  completed: number;
  /** Reserved by responses in progress. */
  pending: number;
  /** Responses rejected because the cell was full. */
  rejected: number;
}

/** Displayed figures: target = completed + pending + remaining, until a soft quota exceeds its target. */
export interface CellFigures {
  completed: number;
  pending: number;
  /** Rejected responses; for a soft quota, which rejects none, the number above its target. */
  overQuota: number;
  /** Target minus completed and pending; null without a target. */
  remaining: number | null;
}

export function computeCellFigures(
  mode: QuotaMode,
  { target, completed, pending, rejected }: CellCounts,
): CellFigures {
  return {
    completed,
    pending,
    overQuota: mode === 'soft' ? Math.max(0, completed - (target ?? completed)) : rejected,
    remaining: target === null ? null : Math.max(0, target - completed - pending),
  };
}
