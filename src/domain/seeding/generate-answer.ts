import type { Option, Question } from '../survey/definition.ts';
import { generateChoice, generateMatrix, generateRanking, generateSelection } from './generate-choices.ts';
import { generateDate } from './generate-date.ts';
import { generateNumber, generateScalePoint } from './generate-number.ts';
import { generateText } from './generate-text.ts';
import type { SyntheticRespondent } from './synthetic-respondent.ts';
import type { QuestionProfile } from './question-profile.ts';

/** What somebody might answer, in a client's form; whether it may be answered so is for the survey's own validation to say. */
export function generateAnswer(
  question: Question,
  offered: readonly Option[],
  habit: QuestionProfile,
  person: SyntheticRespondent,
): unknown {
  switch (question.type) {
    case 'single_choice':
    case 'dropdown':
      return generateChoice(offered, habit, person);
    case 'multiple_choice':
      return generateSelection(question, offered, habit, person);
    case 'ranking':
      return generateRanking(question, offered, habit, person);
    case 'matrix':
      return generateMatrix(question, offered, habit, person);
    case 'scale':
    case 'slider':
    case 'nps':
      return generateScalePoint(question, habit, person);
    case 'number':
      return generateNumber(question, habit, person);
    case 'date':
      return generateDate(question, person);
    case 'text':
      return generateText(question, habit, person);
    // There is no file to hand in.
    case 'file_upload':
      return null;
  }
}
