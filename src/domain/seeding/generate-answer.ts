import type { Option, Question } from '../survey/definition.ts';
import { generateChoice, generateMatrix, generateRanking, generateSelection } from './generate-choices.ts';
import { generateDate } from './generate-date.ts';
import { generateNumber, generateScalePoint } from './generate-number.ts';
import { generateText } from './generate-text.ts';
import type { SyntheticRespondent } from './synthetic-respondent.ts';
import type { QuestionProfile } from './question-profile.ts';

/** Generates a plausible answer in client form; the survey's validation decides whether it is accepted. */
export function generateAnswer(
  question: Question,
  offered: readonly Option[],
  profile: QuestionProfile,
  respondent: SyntheticRespondent,
): unknown {
  switch (question.type) {
    case 'single_choice':
    case 'dropdown':
      return generateChoice(offered, profile, respondent);
    case 'multiple_choice':
      return generateSelection(question, offered, profile, respondent);
    case 'ranking':
      return generateRanking(question, offered, profile, respondent);
    case 'matrix':
      return generateMatrix(question, offered, profile, respondent);
    case 'scale':
    case 'slider':
    case 'nps':
      return generateScalePoint(question, profile, respondent);
    case 'number':
      return generateNumber(question, profile, respondent);
    case 'date':
      return generateDate(question, respondent);
    case 'text':
      return generateText(question, profile, respondent);
    // The generator has no files to upload.
    case 'file_upload':
      return null;
  }
}
