import { type PartialOperandOf, evaluatePartially } from './evaluate-partially.ts';
import type { Quota, QuotaCell } from './quota.ts';

/** How a response matches a quota, by the answers so far. */
export interface QuotaMatch {
  quota: Quota;
  /** Cells that it certainly belongs to. */
  cells: readonly QuotaCell[];
  /** Cells that later answers decide. */
  possibleCells: readonly QuotaCell[];
}

export function matchQuotas(quotas: readonly Quota[], operandOf: PartialOperandOf): QuotaMatch[] {
  return quotas.map((quota) => {
    const cells: QuotaCell[] = [];
    const possibleCells: QuotaCell[] = [];
    for (const cell of quota.cells) {
      const truth = evaluatePartially(cell.condition, operandOf);
      if (truth === null) possibleCells.push(cell);
      else if (truth) cells.push(cell);
    }
    return { quota, cells, possibleCells };
  });
}
