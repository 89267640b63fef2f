import { dropdown, multipleChoice, ranking, singleChoice } from './choices.ts';
import { nps, number, scale, slider } from './numbers.ts';
import { calculated } from './calculated.ts';
import { date, fileUpload, statement, text } from './open-answers.ts';
import type { QuestionType, StudioQuestionType } from './question-type.ts';
import { sideBySide } from './side-by-side.ts';
import { constantSum, matrix } from './tables.ts';

/** In the order of the menu. */
const TYPES: Readonly<Record<QuestionType, StudioQuestionType>> = {
  single_choice: singleChoice,
  multiple_choice: multipleChoice,
  text,
  number,
  scale,
  nps,
  matrix,
  side_by_side: sideBySide,
  dropdown,
  ranking,
  slider,
  date,
  constant_sum: constantSum,
  file_upload: fileUpload,
  calculated,
  statement,
};

export const studioTypeOf = ({ question_type: type }: { question_type: QuestionType }): StudioQuestionType =>
  TYPES[type];

/** Whether questions of the type have answers. A statement is only read. */
export const takesAnswers = (question: { question_type: QuestionType }): boolean =>
  studioTypeOf(question).isReadOnly !== true;

/** Whether respondents can be required to answer, and can give a reason instead. */
export const asksRespondents = (question: { question_type: QuestionType }): boolean =>
  takesAnswers(question) && studioTypeOf(question).isCalculated !== true;

/** All types with their names, in the order of the menu. */
export const listStudioTypes = (): (StudioQuestionType & { name: QuestionType })[] =>
  (Object.keys(TYPES) as QuestionType[]).map((name) => ({ ...TYPES[name], name }));
