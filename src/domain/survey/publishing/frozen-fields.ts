import type { ErrorDetail } from '../../../lib/errors.ts';
import { quote } from '../../../lib/quote.ts';
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
  }
  if (before.type === 'matrix' && after.type === 'matrix') {
    const codes = new Set(after.settings.rows.map((row) => row.row_code));
    for (const row of before.settings.rows) {
      if (!codes.has(row.row_code))
        addProblem('question_settings.rows', `row ${quote(row.row_code)} has data and stays`);
    }
    if (after.settings.matrix_type !== before.settings.matrix_type) {
      addProblem('question_settings.matrix_type', `stays ${before.settings.matrix_type}`);
    }
  }
  if (
    before.type === 'date' &&
    after.type === 'date' &&
    after.settings.precision !== before.settings.precision
  ) {
    addProblem('question_settings.precision', `stays ${before.settings.precision}`);
  }
  return problems;
}
