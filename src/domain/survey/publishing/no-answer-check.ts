import { unlimitedNoAnswerCodes } from '../../questions/no-answer-codes.ts';
import type { SurveyDefinition } from '../definition.ts';
import type { PublishWarning } from './publish-check.ts';

/** Returns warnings for reasons instead of an answer whose codes respondents can enter as numbers. */
export function findNoAnswerWarnings(definition: SurveyDefinition): PublishWarning[] {
  return definition.pages.flatMap((page, pageIndex) =>
    page.questions.flatMap((question, index) =>
      page.retired || question.retired
        ? []
        : unlimitedNoAnswerCodes(question).map(({ field, message }): PublishWarning => ({
            code: 'ambiguous_code',
            message,
            field: `pages[${pageIndex}].questions[${index}].question_settings.${field}`,
            question_code: question.code,
          })),
    ),
  );
}
