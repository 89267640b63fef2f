import type { QuotaMode } from './quota.ts';

/** How a cell is filled, as it is stored. */
interface CellCounts {
  target: number | null;
  completed: number;
  /** Places held by responses that have begun and not ended. */
  pending: number;
  /** Responses that it turned away. */
  turnedAway: number;
}

/** As it is shown: target = completed + pending + remaining, until a soft quota is over its target. */
export interface CellFigures {
  completed: number;
  pending: number;
  /** Turned away; of a soft quota, which turns nobody away, how many it has over its target. */
  overQuota: number;
  /** Places that nobody has or holds; null without a target. */
  remaining: number | null;
}

export function computeCellFigures(
  mode: QuotaMode,
  { target, completed, pending, turnedAway }: CellCounts,
): CellFigures {
  return {
    completed,
    pending,
    overQuota: mode === 'soft' ? Math.max(0, completed - (target ?? completed)) : turnedAway,
    remaining: target === null ? null : Math.max(0, target - completed - pending),
  };
}
