import { type OperandSoFar, truthOf } from './condition-truth.ts';
import type { Quota, QuotaCell } from './quota.ts';

/** What a response is to a quota, by the answers so far. */
export interface Fit {
  quota: Quota;
  /** Those that it counts in for certain. */
  cells: readonly QuotaCell[];
  /** Those of which answers to come decide. */
  mayFit: readonly QuotaCell[];
}

export function fitsOf(quotas: readonly Quota[], operandOf: OperandSoFar): Fit[] {
  return quotas.map((quota) => {
    const cells: QuotaCell[] = [];
    const mayFit: QuotaCell[] = [];
    for (const cell of quota.cells) {
      const truth = truthOf(cell.condition, operandOf);
      if (truth === null) mayFit.push(cell);
      else if (truth) cells.push(cell);
    }
    return { quota, cells, mayFit };
  });
}
