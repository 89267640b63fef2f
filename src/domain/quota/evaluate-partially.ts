import { compare, type Operand } from '../survey/logic/compare.ts';
import { type Comparison, type Condition, isGroup } from '../survey/logic/condition.ts';

/** null: not decided yet. */
export type PartialTruth = boolean | null;

/** Returns the left operand: null is missing, undefined is undecided. */
export type PartialOperandOf = (left: Comparison['left']) => Operand | null | undefined;

/** Evaluates a condition while some operands are undecided. The result is final as soon as they cannot change it. */
export function evaluatePartially(condition: Condition, operandOf: PartialOperandOf): PartialTruth {
  if (!isGroup(condition)) {
    const left = operandOf(condition.left);
    return left === undefined ? null : compare(left, condition.operator, condition.right);
  }
  const { connector, conditions } = condition;
  if (conditions.length === 0) return true;
  const decisive = connector === 'or';
  let truth: PartialTruth = !decisive;
  for (const part of conditions) {
    const partResult = evaluatePartially(part, operandOf);
    if (partResult === decisive) return decisive;
    if (partResult === null) truth = null;
  }
  return truth;
}
