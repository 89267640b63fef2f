import { canonicalCondition } from './canonical-condition.ts';
import type { Quota } from './quota.ts';
import type { QuotaDraft } from './quota-problems.ts';

/** The new quotas; ids are null for new ones. */
export type QuotaUpdate = Omit<QuotaDraft, 'cells'> & {
  quotaId: number | null;
  cells: readonly (QuotaDraft['cells'][number] & { cellId: number | null })[];
};

/**
 * Matches new quotas to the existing ones of a wave: quotas by name, cells by condition. Targets and labels can change while responses
 * keep their reservations and counts; a changed condition is a new cell.
 */
export function matchExistingCells(
  drafts: readonly QuotaDraft[],
  before: readonly Quota[],
): { quotas: QuotaUpdate[]; sameCells: boolean } {
  const byName = new Map(before.map((quota) => [quota.name.toLowerCase(), quota]));
  let kept = 0;
  let newCount = 0;
  const quotas = drafts.map((draft): QuotaUpdate => {
    const known = byName.get(draft.name.toLowerCase());
    const byCondition = new Map(
      known?.cells.map(({ cellId, condition }) => [canonicalCondition(condition), cellId]),
    );
    const cells = draft.cells.map((cell) => {
      const cellId = byCondition.get(canonicalCondition(cell.condition)) ?? null;
      if (cellId === null) newCount += 1;
      else kept += 1;
      return { ...cell, cellId };
    });
    return { ...draft, quotaId: known?.quotaId ?? null, cells };
  });
  const previousCount = before.reduce((sum, { cells }) => sum + cells.length, 0);
  return { quotas, sameCells: newCount === 0 && kept === previousCount };
}
