import type { Condition } from '../survey/logic/condition.ts';

/** hard: targets are never exceeded. soft: targets can be exceeded, no response is rejected. counter: counts only. */
export const QUOTA_MODES = ['hard', 'soft', 'counter'] as const;
export type QuotaMode = (typeof QUOTA_MODES)[number];

/** A group of responses and its target. */
export interface QuotaCell {
  cellId: number;
  label: string;
  condition: Condition;
  /** null: unlimited; only allowed for counters. */
  target: number | null;
}

/** A quota of a wave. A response counts in at most one of its cells. */
export interface Quota {
  quotaId: number;
  name: string;
  mode: QuotaMode;
  cells: readonly QuotaCell[];
}

/** Returns the cells of all quotas, in order. */
export const cellsOf = (quotas: readonly Quota[]): QuotaCell[] => quotas.flatMap(({ cells }) => cells);
