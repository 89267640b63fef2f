import { typeOf } from '../../questions/registry.ts';
import type { SurveyDefinition } from '../definition.ts';
import type { PublishWarning } from './publish-check.ts';

/** Returns warnings for questions that name an amount of money and accept only whole numbers. */
export function findMoneyWarnings(definition: SurveyDefinition): PublishWarning[] {
  return definition.pages.flatMap((page, pageIndex) =>
    page.questions.flatMap((question, index): PublishWarning[] => {
      const isShown = !page.retired && !question.retired && !question.settings.hidden;
      if (!isShown || !typeOf(question).asksWholeAmount(question)) return [];
      return [
        {
          code: 'whole_amounts',
          message: `${question.code} names an amount of money and accepts only whole numbers: set decimals to 2 to accept cents, or step to 1 if whole numbers are meant`,
          field: `pages[${pageIndex}].questions[${index}].question_settings.decimals`,
          question_code: question.code,
        },
      ];
    }),
  );
}
