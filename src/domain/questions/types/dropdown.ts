import type { QuestionAnswers } from '../question-type.ts';
import {
  ONE_CHOICE_TYPE,
  oneChoiceAnswers,
  type OneChoiceQuestion,
  type OneChoiceType,
} from './one-choice.ts';

/** One option, shown as a select list. */
export const dropdownAnswers: QuestionAnswers<OneChoiceQuestion<'dropdown'>> = oneChoiceAnswers;

export const dropdownType: OneChoiceType<'dropdown'> = ONE_CHOICE_TYPE;
