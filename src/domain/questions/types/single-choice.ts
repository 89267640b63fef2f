import type { QuestionAnswers } from '../question-type.ts';
import {
  ONE_CHOICE_TYPE,
  oneChoiceAnswers,
  type OneChoiceQuestion,
  type OneChoiceType,
} from './one-choice.ts';

/** One option, shown as radio buttons. */
export const singleChoiceAnswers: QuestionAnswers<OneChoiceQuestion<'single_choice'>> = oneChoiceAnswers;

export const singleChoiceType: OneChoiceType<'single_choice'> = ONE_CHOICE_TYPE;
