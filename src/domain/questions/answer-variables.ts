import { type DatePrecision, spanOfWritten, textToDate } from '../columns/dates.ts';
import { noAnswerReasonOf } from '../columns/no-answer.ts';
import { withNumbers } from '../columns/option-numbers.ts';
import type { ExpressionColumn } from '../expressions/check-expression.ts';
import { formatOptionCode, type OtherChoice, type StoredAnswer } from './answers/codec.ts';
import { isRecord, valueOfChoice } from './answers/read-answer.ts';
import type { AnyQuestion, Option } from './question.ts';
import type { Question, QuestionType, QuestionWithType } from './registry.ts';
import { hasOnlyFlagged } from './types/choice-lists.ts';
import { rowTextKey } from './types/matrix.ts';

/** A value that expressions read from the answer to a question: what the data column of the same name holds. */
export interface AnswerVariable extends ExpressionColumn {
  /** As the data column. */
  name: string;
  /** The value in an answer, null if it is missing. Options are numbers, dates milliseconds since 1970 UTC, times minutes. */
  read: (answer: StoredAnswer) => number | string | null;
}

type ReadValue = AnswerVariable['read'];

const variable = (name: string, column: Omit<ExpressionColumn, 'name'>, read: ReadValue): AnswerVariable => ({
  name,
  ...column,
  read,
});

const numberVariable = (code: string): AnswerVariable =>
  variable(code, { type: 'number' }, (answer) => answer as number);

const textVariable = (code: string, read: ReadValue): AnswerVariable =>
  variable(code, { type: 'text' }, read);

const textOfAnswer: ReadValue = (answer) => answer as string;

function dateVariable(code: string, precision: DatePrecision): AnswerVariable {
  const read: ReadValue = (answer) => textToDate(answer as string, precision);
  if (precision === 'time') return variable(code, { type: 'number' }, read);
  const spanOf = (written: string) => spanOfWritten({ precision, source: 'question' }, written);
  return variable(code, { type: 'date', spanOf }, read);
}

/** A variable with the numbers of options; `valueOf` returns the option_value in an answer. */
function optionVariable(
  code: string,
  { options }: AnyQuestion,
  valueOf: (answer: StoredAnswer) => unknown,
): AnswerVariable {
  const numbered = withNumbers(options);
  const numbers = new Map<unknown, number>(numbered.map(({ value, number }) => [value, number]));
  const labels = new Map(numbered.map(({ number, label }) => [number, label]));
  return variable(
    code,
    { type: 'number', labels, options: numbered },
    (answer) => numbers.get(valueOf(answer)) ?? null,
  );
}

const FLAG = {
  type: 'number',
  isFlag: true,
  labels: new Map([
    [0, 'No'],
    [1, 'Yes'],
  ]),
} as const;

/** A 0/1 variable per option; where only options flagged as missing are chosen, those of the others are missing. */
function flagVariables(
  prefix: string,
  { options }: AnyQuestion,
  chosenIn: (answer: StoredAnswer) => readonly string[] | null,
): AnswerVariable[] {
  return options.map(({ code, value, missing }) =>
    variable(`${prefix}_${formatOptionCode(code)}`, FLAG, (answer) => {
      const chosen = chosenIn(answer);
      if (chosen === null) return null;
      if (chosen.includes(value)) return 1;
      return hasOnlyFlagged(options, chosen) && !missing ? null : 0;
    }),
  );
}

const isOther = (answer: unknown): answer is OtherChoice =>
  typeof answer === 'object' && answer !== null && 'other' in answer;

function oneChoiceVariables(question: AnyQuestion): AnswerVariable[] {
  const { code, options } = question;
  const valueOf = (answer: StoredAnswer) => (isOther(answer) ? answer.value : answer);
  const main = optionVariable(code, question, valueOf);
  if (!options.some(({ other }) => other)) return [main];
  return [main, textVariable(`${code}_other`, (answer) => (isOther(answer) ? answer.other : null))];
}

function severalChoiceVariables(question: AnyQuestion): AnswerVariable[] {
  const choicesIn = (answer: StoredAnswer) => answer as (string | OtherChoice)[];
  const textOf = (value: string) => (answer: StoredAnswer) => {
    const choice = choicesIn(answer).find((each) => isOther(each) && each.value === value);
    return isOther(choice) ? choice.other : null;
  };
  const texts = question.options
    .filter(({ other }) => other)
    .map(({ code, value }) =>
      textVariable(`${question.code}_${formatOptionCode(code)}_other`, textOf(value)),
    );
  return [
    ...flagVariables(question.code, question, (answer) => choicesIn(answer).map(valueOfChoice)),
    ...texts,
  ];
}

/** The value of a part of an answer, such as a row of a matrix; undefined: none. */
const partOf = (answer: StoredAnswer, code: string): unknown =>
  isRecord(answer) && Object.hasOwn(answer, code) ? answer[code] : undefined;

function matrixVariables(question: QuestionWithType<'matrix'>): AnswerVariable[] {
  const { rows, matrix_type: matrixType } = question.settings;
  const texts = rows
    .filter((row) => row.row_other)
    .map(({ row_code: rowCode }) =>
      textVariable(
        `${question.code}_${rowCode}_other`,
        (answer) => (partOf(answer, rowTextKey(rowCode)) as string | undefined) ?? null,
      ),
    );
  const rowVariables = rows.flatMap(({ row_code: rowCode }) => {
    const name = `${question.code}_${rowCode}`;
    if (matrixType === 'single') return [optionVariable(name, question, (answer) => partOf(answer, rowCode))];
    const chosenIn = (answer: StoredAnswer) => (partOf(answer, rowCode) as string[] | undefined) ?? null;
    return flagVariables(name, question, chosenIn);
  });
  return [...rowVariables, ...texts];
}

/** A number for each option. */
const numbersByOption = (
  { code, options }: AnyQuestion,
  numberOf: (answer: StoredAnswer, option: Option) => unknown,
): AnswerVariable[] =>
  options.map((option) =>
    variable(`${code}_${formatOptionCode(option.code)}`, { type: 'number' }, (answer) => {
      const number = numberOf(answer, option);
      return typeof number === 'number' ? number : null;
    }),
  );

const rankOf = (answer: StoredAnswer, { value }: Option): number | null => {
  const place = (answer as string[]).indexOf(value);
  return place === -1 ? null : place + 1;
};

function calculatedVariables({ code, settings }: QuestionWithType<'calculated'>): AnswerVariable[] {
  switch (settings.result) {
    case 'number':
      return [numberVariable(code)];
    case 'text':
      return [textVariable(code, textOfAnswer)];
    case 'date':
      return [dateVariable(code, 'date')];
    case 'boolean':
      return [variable(code, FLAG, Number)];
  }
}

const noVariables = (): AnswerVariable[] => [];

const VARIABLES: { readonly [T in QuestionType]: (question: QuestionWithType<T>) => AnswerVariable[] } = {
  single_choice: oneChoiceVariables,
  multiple_choice: severalChoiceVariables,
  text: ({ code }) => [textVariable(code, textOfAnswer)],
  number: ({ code }) => [numberVariable(code)],
  scale: ({ code }) => [numberVariable(code)],
  matrix: matrixVariables,
  ranking: (question) => numbersByOption(question, rankOf),
  date: ({ code, settings }) => [dateVariable(code, settings.precision)],
  nps: ({ code }) => [numberVariable(code)],
  dropdown: oneChoiceVariables,
  slider: ({ code }) => [numberVariable(code)],
  file_upload: noVariables,
  constant_sum: (question) => numbersByOption(question, (answer, { code }) => partOf(answer, String(code))),
  calculated: calculatedVariables,
  statement: noVariables,
  side_by_side: noVariables,
};

/** Returns what expressions read of the answers to a question, also of retired options. A reason instead of an answer is missing. */
export function answerVariables(question: Question): AnswerVariable[] {
  const variables = VARIABLES[question.type] as (question: Question) => AnswerVariable[];
  return variables(question).map((each) => ({
    ...each,
    read: (answer) => (noAnswerReasonOf(answer) === null ? each.read(answer) : null),
  }));
}
