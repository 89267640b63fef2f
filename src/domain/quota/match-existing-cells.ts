import { canonicalCondition } from './canonical-condition.ts';
import type { Quota } from './quota.ts';
import type { QuotaDraft } from './quota-problems.ts';

/** Quotas as they are to be; without an id where they are new. */
export type QuotaUpdate = Omit<QuotaDraft, 'cells'> & {
  quotaId: number | null;
  cells: readonly (QuotaDraft['cells'][number] & { cellId: number | null })[];
};

/**
 * Which of the quotas a wave has are meant by those it is to have: a quota by its name, a cell of it by its condition. So a target may
 * be moved and a label put right while responses keep their places and counts; what is asked otherwise is another cell.
 */
export function matchExistingCells(
  drafts: readonly QuotaDraft[],
  before: readonly Quota[],
): { quotas: QuotaUpdate[]; sameCells: boolean } {
  const byName = new Map(before.map((quota) => [quota.name.toLowerCase(), quota]));
  let kept = 0;
  let made = 0;
  const quotas = drafts.map((draft): QuotaUpdate => {
    const known = byName.get(draft.name.toLowerCase());
    const byCondition = new Map(
      known?.cells.map(({ cellId, condition }) => [canonicalCondition(condition), cellId]),
    );
    const cells = draft.cells.map((cell) => {
      const cellId = byCondition.get(canonicalCondition(cell.condition)) ?? null;
      if (cellId === null) made += 1;
      else kept += 1;
      return { ...cell, cellId };
    });
    return { ...draft, quotaId: known?.quotaId ?? null, cells };
  });
  const had = before.reduce((sum, { cells }) => sum + cells.length, 0);
  return { quotas, sameCells: made === 0 && kept === had };
}
