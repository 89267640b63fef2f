import type { Option, Question } from '../survey/definition.ts';
import { madeChoice, madeMatrix, madeRanking, madeSelection } from './made-choices.ts';
import { madeDate } from './made-date.ts';
import { madeNumber, madePoint } from './made-number.ts';
import { madeText } from './made-text.ts';
import type { Person } from './person.ts';
import type { QuestionHabit } from './question-habit.ts';

/** What somebody might answer, in a client's form; whether it may be answered so is for the survey's own validation to say. */
export function madeAnswer(
  question: Question,
  offered: readonly Option[],
  habit: QuestionHabit,
  person: Person,
): unknown {
  switch (question.type) {
    case 'single_choice':
    case 'dropdown':
      return madeChoice(offered, habit, person);
    case 'multiple_choice':
      return madeSelection(question, offered, habit, person);
    case 'ranking':
      return madeRanking(question, offered, habit, person);
    case 'matrix':
      return madeMatrix(question, offered, habit, person);
    case 'scale':
    case 'slider':
    case 'nps':
      return madePoint(question, habit, person);
    case 'number':
      return madeNumber(question, habit, person);
    case 'date':
      return madeDate(question, person);
    case 'text':
      return madeText(question, habit, person);
    // There is no file to hand in.
    case 'file_upload':
      return null;
  }
}
