import { type Comparison, type Condition, isGroup } from '../survey/logic/condition.ts';

/**
 * Returns a canonical text: conditions with equal texts hold for the same responses. Order, redundant nesting, and 2 versus "2" do not
 * matter.
 */
export function canonicalCondition(condition: Condition): string {
  return JSON.stringify(canonical(condition));
}

function canonical(condition: Condition): unknown {
  if (!isGroup(condition)) return comparison(condition);
  const { connector, conditions } = condition;
  // An empty group is true for every response.
  if (conditions.length === 0) return [];
  const parts = new Map(flatten(condition, connector).map((part) => [canonicalCondition(part), part]));
  if (parts.size === 1) return canonical([...parts.values()][0]!);
  return [connector, ...[...parts.keys()].sort()];
}

function flatten(condition: Condition, connector: 'and' | 'or'): Condition[] {
  if (!isGroup(condition)) return [condition];
  const { conditions } = condition;
  const joins = condition.connector === connector || conditions.length === 1;
  return joins && conditions.length > 0
    ? conditions.flatMap((part) => flatten(part, connector))
    : [condition];
}

function comparison({ left, operator, right }: Comparison): unknown {
  const values = right === undefined ? [] : [right].flat().map(String);
  if (operator !== 'between') values.sort();
  return { of: [left.type, left.code, left.row_code ?? null], operator, values };
}

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
interface CellFigures {
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
