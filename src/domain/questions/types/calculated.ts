import { z } from 'zod';
import { mustBe } from '../../../lib/error-messages.ts';
import type { Cell } from '../../columns/column-spec.ts';
import { MAX_TEXT_LENGTH } from '../../expressions/compile-loops.ts';
import { MAX_EXPRESSION_LENGTH, syntaxProblem } from '../../expressions/parse-expression.ts';
import { type CellCodec, FLAG_VALUES, questionColumn, type ReadResult } from '../answers/codec.ts';
import {
  acceptAnswer,
  editSingleCell,
  isNoAnswer,
  NO_ANSWER,
  readFlag,
  readTypedText,
  rejectAnswer,
} from '../answers/read-answer.ts';
import { commonSettings, defineSettings, textSetting } from '../common-settings.ts';
import type { TypedQuestion } from '../question.ts';
import type { QuestionAnswers, QuestionTypeModule } from '../question-type.ts';
import { readDateText } from './date.ts';
import { type NumberRange, readNumberInRange } from './numeric-answers.ts';
import { PLAIN_ANSWERS, PLAIN_COMPARISON, PLAIN_SEEDING, PLAIN_TYPE, textBytes } from './plain-type.ts';
import { isSatisfiableByNumber, isSatisfiableByText } from './possible-operands.ts';

const MAX_DECIMALS = 10;

const settings = defineSettings(() => {
  const flagLabel = textSetting(200).min(1).nullable().default(null);
  return z.strictObject({
    ...commonSettings,
    expression: textSetting(MAX_EXPRESSION_LENGTH)
      .default('')
      .describe(
        'Computes the value from answers of earlier questions, in the language of computed columns: `Q2 * 12 + Q3_1`. ' +
          'Backquotes name values of the link, attributes of the respondent and arms: `hidden.source`, `attribute.Age`, `arm.PRICE`',
      ),
    result: z
      .enum(['number', 'text', 'boolean', 'date'])
      .default('number')
      .describe('The type of the value. It cannot change once there are answers'),
    decimals: z
      .int()
      .min(0)
      .max(MAX_DECIMALS)
      .nullable()
      .default(null)
      .describe(
        'Decimals of a number in texts for respondents; null: as many as it has. The stored value is not rounded',
      ),
    prefix: textSetting(20)
      .nullable()
      .default(null)
      .describe('Text before the value, such as a currency sign'),
    suffix: textSetting(20).nullable().default(null).describe('Text after the value, such as a unit'),
    yes_label: flagLabel.describe('Text for a boolean that is true; null: Yes'),
    no_label: flagLabel.describe('Text for a boolean that is false; null: No'),
  });
});

type CalculatedQuestion = TypedQuestion<'calculated', z.infer<typeof settings>>;

/**
 * A value that an expression computes from other answers. Clients cannot answer it: what they send is ignored. A boolean is stored as "1" or
 * "0", the others as answers to questions of their type.
 */
export const calculatedAnswers: QuestionAnswers<CalculatedQuestion> = {
  ...PLAIN_ANSWERS,
  isCalculated: true,
  read: () => NO_ANSWER,
  operand({ settings: { result } }, answer) {
    if (result === 'number') return { kind: 'number', value: answer as number };
    const text = answer as string;
    return result === 'boolean' ? { kind: 'choice', values: [text] } : { kind: result, text };
  },
  pipedText({ settings }, answer, texts, language) {
    if (typeof answer === 'number') return numberText(settings, answer, language);
    if (settings.result !== 'boolean') return answer as string;
    return answer === '1'
      ? (texts.text('yes_label', settings.yes_label) ?? 'Yes')
      : (texts.text('no_label', settings.no_label) ?? 'No');
  },
};

function numberText({ decimals }: CalculatedQuestion['settings'], value: number, language: string): string {
  return value.toLocaleString(language, {
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: decimals ?? MAX_DECIMALS,
  });
}

/** Any number. */
const RANGE: NumberRange = { min: null, max: null, step: null, decimals: null, isExact: true };

/** Reads the cell of an edit or an import, which may correct the value. */
function readCell({ settings: { result } }: CalculatedQuestion, cell: Cell): ReadResult {
  if (isNoAnswer(cell)) return NO_ANSWER;
  switch (result) {
    case 'number':
      return readNumberInRange(RANGE, cell);
    case 'boolean': {
      const flag = readFlag(cell);
      return flag == null ? rejectAnswer(mustBe('1, 0 or null', cell)) : acceptAnswer(flag ? '1' : '0');
    }
    case 'date': {
      const date = readDateText(cell, 'date');
      return date.ok ? acceptAnswer(date.text) : rejectAnswer(date.message);
    }
    case 'text': {
      const typed = readTypedText(cell, MAX_TEXT_LENGTH);
      if (!typed.ok) return rejectAnswer(typed.message);
      return typed.text === null ? NO_ANSWER : acceptAnswer(typed.text);
    }
  }
}

const COLUMNS = {
  number: { type: 'number', measure: 'scale' },
  text: { type: 'text', measure: 'nominal' },
  date: { type: 'date', measure: 'scale', precision: 'date' },
} as const;

const calculatedCells: CellCodec<CalculatedQuestion> = {
  columns(question) {
    const { result, yes_label: yes, no_label: no } = question.settings;
    if (result !== 'boolean') return [questionColumn(question, COLUMNS[result])];
    const values = FLAG_VALUES.map((flag) => ({
      ...flag,
      label: (flag.value === '1' ? yes : no) ?? flag.label,
    }));
    return [questionColumn(question, { type: 'categorical', measure: 'nominal', values })];
  },
  toCells: (_question, answer) => [typeof answer === 'object' ? null : (answer ?? null)],
  fromCells: (question, answer, changes) =>
    editSingleCell(question.code, answer, changes, (cell) => readCell(question, cell)),
};

export const calculatedType: QuestionTypeModule<CalculatedQuestion, typeof settings> = {
  ...PLAIN_TYPE,
  answers: calculatedAnswers,
  cells: calculatedCells,
  settings,
  settingsProblems({ expression }) {
    const message = expression.trim() === '' ? null : syntaxProblem(expression);
    return message === null ? [] : [{ field: 'expression', message }];
  },
  frozenChanges: ({ settings: before }, { settings: after }) =>
    after.result === before.result
      ? []
      : [{ field: 'question_settings.result', message: `stays ${before.result}` }],
  comparison: {
    ...PLAIN_COMPARISON,
    isSatisfiable: ({ settings: { result } }, comparisons) =>
      result === 'number'
        ? isSatisfiableByNumber(RANGE, comparisons)
        : result !== 'text' || isSatisfiableByText(comparisons),
  },
  // The logic of the survey computes the value also for test responses.
  seeding: { ...PLAIN_SEEDING, answer: () => null, seconds: () => 0 },
  spss: {
    decimals: ({ settings: { decimals } }) => decimals ?? 2,
    maxTextBytes: () => textBytes(MAX_TEXT_LENGTH),
  },
  describeAnswers: ({ settings: { expression } }) => `calculated: ${expression}`,
  answerFormat: 'no answer: the server calculates the value, and ignores one that is sent',
  example: {
    page_id: 2,
    question_code: 'Q15',
    question_text: 'Your coffee costs you this much in a year:',
    question_settings: { expression: 'Q2 * 12', suffix: '€' },
  },
};
