import { dropdown, multipleChoice, ranking, singleChoice } from './choices.ts';
import { nps, number, scale, slider } from './numbers.ts';
import { date, fileUpload, statement, text } from './open-answers.ts';
import type { QuestionType, StudioQuestionType } from './question-type.ts';
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
  dropdown,
  ranking,
  slider,
  date,
  constant_sum: constantSum,
  file_upload: fileUpload,
  statement,
};

export const studioTypeOf = ({ question_type: type }: { question_type: QuestionType }): StudioQuestionType =>
  TYPES[type];

/** Whether respondents answer questions of the type. A statement is only read. */
export const takesAnswers = (question: { question_type: QuestionType }): boolean =>
  studioTypeOf(question).isReadOnly !== true;

/** All types with their names, in the order of the menu. */
export const listStudioTypes = (): (StudioQuestionType & { name: QuestionType })[] =>
  (Object.keys(TYPES) as QuestionType[]).map((name) => ({ ...TYPES[name], name }));
