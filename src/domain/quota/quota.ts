import { duplicateOf, formatList, quote, sizeAtMost, unknownObject } from '../../lib/error-messages.ts';
import type { ErrorDetail } from '../../lib/errors.ts';
import { typeOf } from '../questions/registry.ts';
import { isSatisfiableByText } from '../questions/types/possible-operands.ts';
import type { Question } from '../survey/definition.ts';
import {
  compareOperands,
  type Comparison,
  comparisonsIn,
  type Condition,
  isGroup,
} from '../questions/condition.ts';
import { previousCode } from '../survey/previous-codes.ts';
import { comparisonMismatch } from '../survey/publishing/publish-check.ts';

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
  const [first, ...others] = parts.values();
  if (first !== undefined && others.length === 0) return canonical(first);
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

/** Limit of the disjunctive normal form; larger conditions are assumed to be satisfiable. */
const MAX_CONJUNCTIONS = 2_000;

/** Returns the conjunctions of the disjunctive normal form; null if there are too many. */
function toConjunctions(condition: Condition): Comparison[][] | null {
  if (!isGroup(condition)) return [[condition]];
  const { connector, conditions } = condition;
  if (conditions.length === 0) return [[]];
  let conjunctions: Comparison[][] | null = null;
  for (const part of conditions) {
    const partConjunctions = toConjunctions(part);
    if (partConjunctions === null) return null;
    if (conjunctions === null) conjunctions = partConjunctions;
    else if (connector === 'or') conjunctions = [...conjunctions, ...partConjunctions];
    else if (conjunctions.length * partConjunctions.length > MAX_CONJUNCTIONS) return null;
    else
      conjunctions = conjunctions.flatMap((conjunction) =>
        partConjunctions.map((other) => [...conjunction, ...other]),
      );
    if (conjunctions.length > MAX_CONJUNCTIONS) return null;
  }
  return conjunctions;
}

/**
 * Whether any response can satisfy the condition. False is certain, such as Q1 = 1 and Q1 = 2 of one choice. True is not: contradictions
 * within text answers, and survey logic, are not considered.
 *
 * @param questionOf returns the question with a code; undefined if it does not exist
 */
export function isSatisfiable(
  condition: Condition,
  questionOf: (code: string) => Question | undefined,
): boolean {
  const conjunctions = toConjunctions(condition);
  return (
    conjunctions === null || conjunctions.some((conjunction) => isJointlySatisfiable(conjunction, questionOf))
  );
}

function isJointlySatisfiable(
  comparisons: readonly Comparison[],
  questionOf: (code: string) => Question | undefined,
): boolean {
  const bySide = new Map<string, { left: Comparison['left']; sameSide: Comparison[] }>();
  for (const comparison of comparisons) {
    const { left } = comparison;
    const key = JSON.stringify([left.type, left.code, left.row_code]);
    const side = bySide.get(key) ?? { left, sameSide: [] };
    side.sameSide.push(comparison);
    bySide.set(key, side);
  }
  return [...bySide.values()].every(({ left: { type, code }, sameSide }) => {
    // A missing answer satisfies not_answered only.
    if (sameSide.every(({ operator }) => operator === 'not_answered')) return true;
    if (sameSide.some(({ operator }) => operator === 'not_answered')) return false;
    const question = type === 'question' ? questionOf(code) : undefined;
    return question === undefined
      ? isSatisfiableByText(sameSide)
      : isSatisfiableByReason(question, sameSide) ||
          typeOf(question).comparison.isSatisfiable(question, sameSide);
  });
}

/** Whether a reason that the question offers satisfies all comparisons. */
const isSatisfiableByReason = ({ settings }: Question, comparisons: readonly Comparison[]): boolean =>
  settings.no_answers.some(({ reason }) =>
    comparisons.every(({ operator, right }) =>
      compareOperands({ kind: 'no_answer', reason }, operator, right),
    ),
  );

export const MAX_QUOTAS = 50;
/** Maximum per wave, over all its quotas. */
export const MAX_CELLS = 1_000;
const MAX_PROBLEMS = 100;
const MAX_LISTED_VALUES = 5;

/** Quotas as requested by a client. */
export type QuotaDraft = Omit<Quota, 'quotaId' | 'cells'> & { cells: readonly Omit<QuotaCell, 'cellId'>[] };

/**
 * Returns the problems of a wave's quotas, each with its field.
 *
 * @param questionOf returns the current question of a code, including retired ones
 */
export function quotaProblems(
  quotas: readonly QuotaDraft[],
  questionOf: (code: string) => Question | undefined,
): ErrorDetail[] {
  const cellCount = quotas.reduce((sum, { cells }) => sum + cells.length, 0);
  if (quotas.length > MAX_QUOTAS)
    return [{ field: 'quotas', message: sizeAtMost(MAX_QUOTAS, 'quota', quotas.length) }];
  if (cellCount > MAX_CELLS)
    return [{ field: 'quotas', message: `${sizeAtMost(MAX_CELLS, 'cell')} in total, not ${cellCount}` }];
  const problems: ErrorDetail[] = [];
  const names = new Map<string, number>();
  for (const [index, quota] of quotas.entries()) {
    const field = `quotas[${index}]`;
    const sameName = names.get(quota.name.toLowerCase());
    if (sameName !== undefined) {
      const message = `quotas[${sameName}] is called ${quote(quota.name)} too`;
      problems.push({ field: `${field}.quota_name`, message });
    }
    names.set(quota.name.toLowerCase(), index);
    problems.push(...problemsOf(quota, field, questionOf));
    if (problems.length >= MAX_PROBLEMS) break;
  }
  return problems.slice(0, MAX_PROBLEMS);
}

function problemsOf(
  { mode, cells }: QuotaDraft,
  field: string,
  questionOf: (code: string) => Question | undefined,
): ErrorDetail[] {
  if (cells.length === 0) return [{ field: `${field}.cells`, message: 'must not be empty' }];
  const problems: ErrorDetail[] = [];
  if (mode === 'hard' && cells.every(({ target }) => target === 0))
    problems.push({ field: `${field}.cells`, message: 'must have at least one target above 0' });
  const known = new Map<string, number>();
  for (const [index, { condition, target }] of cells.entries()) {
    const at = `${field}.cells[${index}]`;
    if (target === null && mode !== 'counter') {
      const message = `is required in a ${mode} quota; only a counter counts without one`;
      problems.push({ field: `${at}.target`, message });
    }
    const wrong = comparisonsWithField(condition, `${at}.condition`).flatMap(([comparison, side]) => {
      const message = comparisonProblem(comparison, questionOf);
      return message === null ? [] : [{ field: side, message }];
    });
    problems.push(...wrong);
    if (wrong.length > 0) continue;
    if (!isSatisfiable(condition, questionOf))
      problems.push(...unsatisfiableProblems(condition, `${at}.condition`, questionOf));
    const canonical = canonicalCondition(condition);
    const same = known.get(canonical);
    if (same === undefined) known.set(canonical, index);
    else problems.push({ field: `${at}.condition`, message: duplicateOf(`the condition of cells[${same}]`) });
  }
  return problems;
}

/** Reports the comparisons that no answer satisfies, or the whole condition if each can be satisfied by itself. */
function unsatisfiableProblems(
  condition: Condition,
  field: string,
  questionOf: (code: string) => Question | undefined,
): ErrorDetail[] {
  const unsatisfiable = comparisonsWithField(condition, field).filter(
    ([one]) => !isSatisfiable(one, questionOf),
  );
  if (unsatisfiable.length > 0)
    return unsatisfiable.map(([{ left, operator, right }, side]) => {
      const values = right === undefined ? '' : ` ${formatList([right].flat(), MAX_LISTED_VALUES, quote)}`;
      return {
        field: side,
        message: `no response can match this condition: ${left.code} is never ${operator}${values}`,
      };
    });
  const message = `contradicts itself: no response can match this condition (${sidesOf(condition)})`;
  return [{ field, message }];
}

const sidesOf = (condition: Condition): string =>
  [...new Set(comparisonsIn(condition).map(({ left }) => left.code))].slice(0, 5).join(', ');

function comparisonsWithField(condition: Condition, field: string): [Comparison, string][] {
  if (!isGroup(condition)) return [[condition, field]];
  return condition.conditions.flatMap((part, index) =>
    comparisonsWithField(part, `${field}.conditions[${index}]`),
  );
}

function comparisonProblem(
  comparison: Comparison,
  questionOf: (code: string) => Question | undefined,
): string | null {
  const { type, code } = comparison.left;
  if (type === 'arm')
    return `quotas cannot ask for an arm: the block ${quote(code)} fills its arms evenly with "arm_assignment": "least_filled"`;
  if (type === 'column')
    return `quotas can refer to questions, hidden values and attributes, not to the column ${quote(code)}`;
  if (type === 'previous')
    return `quotas cannot ask for earlier answers: ask for a calculated question with the expression ${quote(`\`${previousCode(code)}\``)}`;
  if (type !== 'question') return null;
  const question = questionOf(code);
  if (question === undefined)
    return unknownObject({ kind: 'question', idOrCode: code, scope: 'in this survey' });
  if (question.retired) return `question ${code} is retired`;
  return comparisonMismatch(question, comparison);
}

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
