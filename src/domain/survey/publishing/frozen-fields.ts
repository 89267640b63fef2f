import type { ErrorDetail } from '../../../lib/errors.ts';
import { quote } from '../../../lib/quote.ts';
import { typeOf } from '../../questions/registry.ts';
import type { Question } from '../definition.ts';

/**
 * Returns changes that are not allowed once a question has data: type, code, matrix rows and kind, date precision. options.ts checks
 * options.
 */
export function findFrozenChanges(before: Question, after: Question): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  const addProblem = (field: string, message: string) => problems.push({ field, message });
  if (after.code !== before.code) {
    addProblem(
      'question_code',
      `${quote(before.code)} names its data and stays; ${quote(after.code)} needs a new question`,
    );
  }
  if (after.type !== before.type) {
    addProblem('question_type', `its data are those of a ${before.type} question, and it stays one`);
  } else problems.push(...typeOf(after).frozenChanges(before, after));
  return problems;
}
