import type { QuestionAnswers } from '../question-type.ts';
import {
  ONE_CHOICE_TYPE,
  oneChoiceAnswers,
  type OneChoiceQuestion,
  type OneChoiceType,
} from './one-choice.ts';

/** One option, shown as radio buttons. */
export const singleChoiceAnswers: QuestionAnswers<OneChoiceQuestion<'single_choice'>> = oneChoiceAnswers;

export const singleChoiceType: OneChoiceType<'single_choice'> = {
  ...ONE_CHOICE_TYPE,
  example: {
    page_id: 1,
    question_code: 'Q1',
    question_text: 'What is your gender?',
    question_required: true,
    options: [
      { option_label: 'Female', option_value: 'female' },
      { option_label: 'Male', option_value: 'male' },
      { option_label: 'Non-binary', option_value: 'non_binary' },
    ],
  },
};
