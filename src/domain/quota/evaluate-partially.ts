import { compare, type Operand } from '../survey/logic/compare.ts';
import { type Comparison, type Condition, isGroup } from '../survey/logic/condition.ts';

/** null: it depends on what is not known yet. */
export type PartialTruth = boolean | null;

/** The left side of a comparison: null is missing for good, undefined may still come. */
export type PartialOperandOf = (left: Comparison['left']) => Operand | null | undefined;

/** What a condition is while some of its left sides are not known; certain as soon as these no longer matter. */
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
    const ofPart = evaluatePartially(part, operandOf);
    if (ofPart === decisive) return decisive;
    if (ofPart === null) truth = null;
  }
  return truth;
}
