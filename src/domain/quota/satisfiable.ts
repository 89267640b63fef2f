import type { Question } from '../survey/definition.ts';
import { type Comparison, type Condition, isGroup } from '../survey/logic/condition.ts';
import { hasSatisfyingOperand } from './possible-operands.ts';

/** Beyond so many ways to fulfil a condition nobody looks further: it is taken to be possible. */
const MAX_CONJUNCTIONS = 2_000;

/** Every list of comparisons that together fulfil the condition; null: too many. */
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
 * Whether any response could fulfil the condition. False is certain: it contradicts itself, such as Q1 = 1 and Q1 = 2 of one choice.
 * True is not: contradictions in the texts of answers, and what the survey's own logic rules out, are not seen.
 *
 * @param questionOf the question of a code; undefined where the left side is none
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
    // Missing fulfils not_answered, and nothing else.
    if (ofSide.every(({ operator }) => operator === 'not_answered')) return true;
    if (ofSide.some(({ operator }) => operator === 'not_answered')) return false;
    return hasSatisfyingOperand(ofSide, type === 'question' ? questionOf(code) : undefined);
  });
}
