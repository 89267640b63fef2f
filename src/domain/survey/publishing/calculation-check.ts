import { readExpression } from '../../expressions/evaluate-expression.ts';
import { describeExpressionError } from '../../expressions/parse-expression.ts';
import { isCalculated, type SurveyDefinition } from '../definition.ts';
import { SurveyVariables } from '../logic/calculate.ts';
import type { PublishProblem } from './publish-check.ts';

/** Returns expressions that are missing, name what does not exist, or have another type than their question. */
export function findCalculationProblems(definition: SurveyDefinition): PublishProblem[] {
  const variables = new SurveyVariables(definition);
  return definition.pages.flatMap((page, pageIndex) =>
    page.questions.flatMap((question, index): PublishProblem[] => {
      if (page.retired || question.retired || !isCalculated(question)) return [];
      const { code, settings } = question;
      const checked = readExpression(settings.expression, variables.columns, settings.result);
      if (checked.ok) return [];
      const isMissing = settings.expression.trim() === '';
      const message = isMissing
        ? `${code} needs an expression`
        : `the expression of ${code} is invalid: ${describeExpressionError(checked.error)}`;
      const field = `pages[${pageIndex}].questions[${index}].question_settings.expression`;
      return [{ code: 'invalid_expression', message, field, question_code: code }];
    }),
  );
}
