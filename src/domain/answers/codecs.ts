import type { Question, QuestionType } from '../survey/definition.ts';
import { choiceCodec } from './choice.ts';
import type { AnswerCodec } from './codec.ts';
import { dateCodec } from './date.ts';
import { fileUploadCodec } from './file-upload.ts';
import { matrixCodec } from './matrix.ts';
import { multipleChoiceCodec } from './multiple-choice.ts';
import { numericCodec } from './numeric.ts';
import { rankingCodec } from './ranking.ts';
import { textCodec } from './text.ts';

const CODECS: { [T in QuestionType]: AnswerCodec<Extract<Question, { type: T }>> } = {
  single_choice: choiceCodec,
  dropdown: choiceCodec,
  multiple_choice: multipleChoiceCodec,
  text: textCodec,
  number: numericCodec,
  scale: numericCodec,
  slider: numericCodec,
  nps: numericCodec,
  matrix: matrixCodec,
  ranking: rankingCodec,
  date: dateCodec,
  file_upload: fileUploadCodec,
};

/** Returns the codec for the question's type. */
export function codecFor(question: Question): AnswerCodec {
  return CODECS[question.type];
}
