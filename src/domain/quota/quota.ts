import type { Condition } from '../survey/logic/condition.ts';

/** hard: its targets are never exceeded. soft: they may be, and nobody is turned away. counter: it only counts. */
export const QUOTA_MODES = ['hard', 'soft', 'counter'] as const;
export type QuotaMode = (typeof QUOTA_MODES)[number];

/** Who counts in it, and how many of them are wanted. */
export interface QuotaCell {
  cellId: number;
  label: string;
  condition: Condition;
  /** null: no end; a counter alone may have none. */
  target: number | null;
}

/** Of a wave. A response counts in at most one cell of each quota. */
export interface Quota {
  quotaId: number;
  name: string;
  mode: QuotaMode;
  cells: readonly QuotaCell[];
}

/** The cells of all quotas, in order. */
export const cellsOf = (quotas: readonly Quota[]): QuotaCell[] => quotas.flatMap(({ cells }) => cells);
