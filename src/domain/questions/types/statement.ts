import { z } from 'zod';
import { mustBe } from '../../../lib/error-messages.ts';
import type { CellCodec, ReadResult } from '../answers/codec.ts';
import { isNoAnswer, NO_ANSWER, rejectAnswer } from '../answers/read-answer.ts';
import { commonSettings, defineSettings } from '../common-settings.ts';
import type { TypedQuestion } from '../question.ts';
import type { QuestionAnswers, QuestionTypeModule } from '../question-type.ts';
import { PLAIN_ANSWERS, PLAIN_COMPARISON, PLAIN_SEEDING, PLAIN_TYPE } from './plain-type.ts';

const MAX_SECONDS = 600;

const settings = defineSettings(() =>
  z.strictObject({
    ...commonSettings,
    min_seconds: z
      .int()
      .min(1)
      .max(MAX_SECONDS)
      .nullable()
      .default(null)
      .describe('How long the page with the statement is shown at least; null: as long as respondents like'),
  }),
);

type Statement = TypedQuestion<'statement', z.infer<typeof settings>>;

const read = (_question: Statement, input: unknown): ReadResult =>
  isNoAnswer(input) ? NO_ANSWER : rejectAnswer(mustBe('null: a statement has no answer', input));

/** A text or image that respondents read, without an answer and so without columns. */
export const statementAnswers: QuestionAnswers<Statement> = {
  ...PLAIN_ANSWERS,
  takesAnswers: false,
  read,
  operand: () => null,
};

const statementCells: CellCodec<Statement> = {
  columns: () => [],
  toCells: () => [],
  fromCells: () => NO_ANSWER,
};

/** Silent reading, with a moment to look at the page. */
const WORDS_PER_SECOND = 4;

export const statementType: QuestionTypeModule<Statement, typeof settings> = {
  ...PLAIN_TYPE,
  answers: statementAnswers,
  cells: statementCells,
  settings,
  columnCount: () => 0,
  comparison: { ...PLAIN_COMPARISON, isSatisfiable: () => false },
  seeding: {
    ...PLAIN_SEEDING,
    answer: () => null,
    seconds: ({ text, settings: { description, min_seconds: least } }) =>
      Math.max(least ?? 0, `${text} ${description ?? ''}`.split(/\s+/).length / WORDS_PER_SECOND),
  },
  describeAnswers: () => 'no answer: a statement',
  answerFormat: 'no answer',
  example: {
    page_id: 2,
    question_code: 'Q14',
    question_text: 'Now we show you a new coffee machine.',
    question_settings: { min_seconds: 5 },
  },
};
