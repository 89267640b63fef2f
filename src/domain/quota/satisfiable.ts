import type { Question } from '../survey/definition.ts';
import { type Comparison, type Condition, isGroup } from '../survey/logic/condition.ts';
import { hasSatisfyingOperand } from './possible-operands.ts';

/** Limit of the disjunctive normal form; larger conditions are assumed to be satisfiable. */
const MAX_CONJUNCTIONS = 2_000;

/** Returns the conjunctions of the disjunctive normal form; null if there are too many. */
function toConjunctions(condition: Condition): Comparison[][] | null {
  if (!isGroup(condition)) return [[condition]];
  const { connector, conditions } = condition;
  if (conditions.length === 0) return [[]];
  let ways: Comparison[][] | null = null;
  for (const part of conditions) {
    const ofPart = toConjunctions(part);
    if (ofPart === null) return null;
    if (ways === null) ways = ofPart;
    else if (connector === 'or') ways = [...ways, ...ofPart];
    else if (ways.length * ofPart.length > MAX_CONJUNCTIONS) return null;
    else ways = ways.flatMap((way) => ofPart.map((other) => [...way, ...other]));
    if (ways.length > MAX_CONJUNCTIONS) return null;
  }
  return ways;
}

/**
 * Whether any response can satisfy the condition. False is certain, such as Q1 = 1 and Q1 = 2 of one choice. True is not: contradictions
 * within text answers, and survey logic, are not considered.
 * | @param questionOf returns the question of a code; undefined if there is none
 */
export function isSatisfiable(
  condition: Condition,
  questionOf: (code: string) => Question | undefined,
): boolean {
  const ways = toConjunctions(condition);
  return ways === null || ways.some((way) => isJointlySatisfiable(way, questionOf));
}

function isJointlySatisfiable(
  comparisons: readonly Comparison[],
  questionOf: (code: string) => Question | undefined,
): boolean {
  const bySide = new Map<string, Comparison[]>();
  for (const comparison of comparisons) {
    const { type, code, row_code: row } = comparison.left;
    const side = JSON.stringify([type, code, row]);
    bySide.set(side, [...(bySide.get(side) ?? []), comparison]);
  }
  return [...bySide.values()].every((ofSide) => {
    const { type, code } = ofSide[0]!.left;
    // A missing answer satisfies not_answered only.
    if (ofSide.every(({ operator }) => operator === 'not_answered')) return true;
    if (ofSide.some(({ operator }) => operator === 'not_answered')) return false;
    return hasSatisfyingOperand(ofSide, type === 'question' ? questionOf(code) : undefined);
  });
}
