import { typeOf } from '../questions/registry.ts';
import { isSatisfiableByText } from '../questions/types/possible-operands.ts';
import type { Question } from '../survey/definition.ts';
import { type Comparison, type Condition, isGroup } from '../survey/logic/condition.ts';

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
  const bySide = new Map<string, Comparison[]>();
  for (const comparison of comparisons) {
    const { type, code, row_code: row } = comparison.left;
    const side = JSON.stringify([type, code, row]);
    bySide.set(side, [...(bySide.get(side) ?? []), comparison]);
  }
  return [...bySide.values()].every((sameSide) => {
    const { type, code } = sameSide[0]!.left;
    // A missing answer satisfies not_answered only.
    if (sameSide.every(({ operator }) => operator === 'not_answered')) return true;
    if (sameSide.some(({ operator }) => operator === 'not_answered')) return false;
    const question = type === 'question' ? questionOf(code) : undefined;
    return question === undefined
      ? isSatisfiableByText(sameSide)
      : typeOf(question).comparison.isSatisfiable(question, sameSide);
  });
}
