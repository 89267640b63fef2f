import type { StoredAnswers } from '../answers/codec.ts';
import type { RespondentContext } from '../survey/logic/respondent-context.ts';
import { contextOperand, operandOf } from '../survey/logic/condition-evaluator.ts';
import type { PreparedDefinition } from '../survey/prepared-definition.ts';
import type { PartialOperandOf } from './evaluate-partially.ts';

/**
 * Returns the operands of quota conditions for a response in progress or at its end. A question is undecided while it is unanswered and
 * after the submitted page.
 *
 * @param answers of the shown questions, null where skipped
 * @param submittedPageId null: the response has ended and all operands are decided
 */
export function createPartialOperands(
  { byCode, positions }: PreparedDefinition,
  answers: StoredAnswers,
  context: RespondentContext,
  submittedPageId: number | null,
): PartialOperandOf {
  const pageIndexOf = (pageId: number) => positions.pageIndexById.get(pageId) ?? -1;
  const reached = submittedPageId === null ? Infinity : pageIndexOf(submittedPageId);
  return (left) => {
    if (left.type !== 'question') return contextOperand(left, context);
    const prepared = byCode.get(left.code);
    if (prepared === undefined) return null;
    const answer = Object.hasOwn(answers, left.code) ? answers[left.code] : null;
    const operand = operandOf(prepared.question, answer, left.row_code);
    const mayCome = !prepared.retired && pageIndexOf(prepared.question.pageId) > reached;
    return operand === null && mayCome ? undefined : operand;
  };
}
