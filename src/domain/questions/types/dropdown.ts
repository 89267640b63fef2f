import type { QuestionAnswers } from '../question-type.ts';
import {
  ONE_CHOICE_TYPE,
  oneChoiceAnswers,
  type OneChoiceQuestion,
  type OneChoiceType,
} from './one-choice.ts';

/** One option, shown as a select list. */
export const dropdownAnswers: QuestionAnswers<OneChoiceQuestion<'dropdown'>> = oneChoiceAnswers;

export const dropdownType: OneChoiceType<'dropdown'> = {
  ...ONE_CHOICE_TYPE,
  showsPlaceholder: () => true,
  example: {
    page_id: 1,
    question_code: 'Q8',
    question_text: 'In which region do you work?',
    options: [
      { option_label: 'North', option_value: 'north' },
      { option_label: 'South', option_value: 'south' },
    ],
  },
};
