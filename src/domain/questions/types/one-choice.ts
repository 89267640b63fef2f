import { z } from 'zod';
import {
  type CellCodec,
  type CellAsker,
  type CellReader,
  joinLabels,
  optionValues,
  type OtherChoice,
  questionColumn,
  type ReadResult,
  type StoredAnswer,
} from '../answers/codec.ts';
import {
  acceptAnswer,
  isNoAnswer,
  NO_ANSWER,
  readChoice,
  rejectAnswer,
  rejectAnswerForAll,
  storedChoice,
  type Strictness,
  unknownColumnProblem,
  valueOfChoice,
} from '../answers/read-answer.ts';
import type { Cell, ColumnSpec } from '../../columns/column-spec.ts';
import { mustBe, quote, requiredField } from '../../../lib/error-messages.ts';
import { generateChoice } from '../generate-answers.ts';
import { defineSettings, measureSchema } from '../common-settings.ts';
import type { Option, TypedQuestion } from '../question.ts';
import type { QuestionAnswers, QuestionTypeModule } from '../question-type.ts';
import { choiceSettings } from './choice-settings.ts';
import { choiceCodes, choiceLabels, choiceOperand } from './choice-lists.ts';
import { listOptions, PLAIN_ANSWERS, PLAIN_COMPARISON, PLAIN_SEEDING, PLAIN_TYPE } from './plain-type.ts';
import { isSatisfiableByChoice } from './possible-operands.ts';

/** Settings of single-answer choices, whose codes can be ordinal. */
const settings = defineSettings(() =>
  z.strictObject({ ...choiceSettings.shape, measure: measureSchema.default('nominal') }),
);

/** A choice of one option, whatever its presentation. */
export type OneChoiceQuestion<Type extends string = string> = TypedQuestion<Type, z.infer<typeof settings>>;
export type OneChoiceType<Type extends string> = QuestionTypeModule<OneChoiceQuestion<Type>, typeof settings>;
type Choice = string | OtherChoice;

function otherOptions(question: OneChoiceQuestion): Option[] {
  return question.options.filter((option) => option.other);
}

function otherColumnCode(question: OneChoiceQuestion): string {
  return `${question.code}_other`;
}

function read(question: OneChoiceQuestion, input: unknown, strictness: Strictness): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  if (Array.isArray(input)) return rejectAnswer(mustBe('one option value', input));
  const result = readChoice(question.options, input, strictness);
  return result.ok ? acceptAnswer(storedChoice(result.chosen)) : rejectAnswerForAll([result.problem]);
}

function columns(question: OneChoiceQuestion): ColumnSpec[] {
  const main = questionColumn(question, {
    type: 'categorical',
    measure: question.settings.measure,
    values: optionValues(question.options),
  });
  const [first, ...more] = otherOptions(question);
  if (!first) return [main];
  const otherLabel = question.settings.other_label ?? (more.length === 0 ? first.label : 'Other');
  return [
    main,
    questionColumn(question, {
      columnCode: otherColumnCode(question),
      label: joinLabels(question.text, `${otherLabel} (text)`),
      type: 'text',
      measure: 'nominal',
      retired: question.retired || otherOptions(question).every((option) => option.retired),
    }),
  ];
}

function splitOther(answer: StoredAnswer | null | undefined): { value: string | null; other: string | null } {
  if (answer === null || answer === undefined) return { value: null, other: null };
  if (typeof answer === 'string') return { value: answer, other: null };
  const { value, other } = answer as OtherChoice;
  return { value, other };
}

function cellReader(question: OneChoiceQuestion): CellReader {
  const hasText = otherOptions(question).length > 0;
  return (answer) => {
    if (typeof answer === 'string') return hasText ? [answer, null] : [answer];
    const { value, other } = splitOther(answer);
    return hasText ? [value, other] : [value];
  };
}

/** Changing the choice removes the text of the previous one unless a new text is given. */
function fromCells(
  question: OneChoiceQuestion,
  answer: StoredAnswer | null | undefined,
  changes: ReadonlyMap<string, Cell>,
): ReadResult {
  const codes = columns(question).map(({ columnCode }) => columnCode);
  const unknownCodes = [...changes.keys()].filter((columnCode) => !codes.includes(columnCode));
  if (unknownCodes.length > 0)
    return rejectAnswerForAll(unknownCodes.map((code) => unknownColumnProblem(code, question.code)));

  const before = splitOther(answer);
  const givenValue = changes.get(question.code);
  const givenOther = changes.get(otherColumnCode(question));
  const value = givenValue === undefined ? before.value : givenValue === '' ? null : givenValue;
  const kept = String(value) === before.value ? before.other : null;
  const other = givenOther === undefined ? kept : givenOther === '' ? null : givenOther;
  if (value === null) {
    return other === null
      ? NO_ANSWER
      : rejectAnswer(
          requiredField(`in ${question.code}: select an option before the text ${quote(other)}`),
          otherColumnCode(question),
        );
  }
  const result = read(question, other === null ? value : { value, other }, 'edit');
  if (result.ok) return result;
  return rejectAnswerForAll(
    result.problems.map(({ field, message }) => ({
      field: field === 'other' ? otherColumnCode(question) : question.code,
      message,
    })),
  );
}

/** One option or none: `"2"`, or `{"value":"9","other":"text"}`. */
export const oneChoiceAnswers: QuestionAnswers<OneChoiceQuestion> = {
  ...PLAIN_ANSWERS,
  read: (question, input, strictness = 'answer') => read(question, input, strictness),
  operand: ({ options }, answer) => choiceOperand(options, [valueOfChoice(answer as Choice)]),
  withoutOptions: (_question, answer, withheld) =>
    withheld.has(valueOfChoice(answer as Choice)) ? null : answer,
  pipedText: (question, answer, texts, language) =>
    choiceLabels(question, [answer as Choice], { texts, language }),
  pipedCode: (question, answer) => choiceCodes(question, [answer as Choice]),
};

/** The second column is the text of the options that have one. */
function cellAsker(question: OneChoiceQuestion): CellAsker {
  const values = new Set(otherOptions(question).map(({ value }) => value));
  return (answer, index) => index === 0 || values.has(splitOther(answer).value ?? '');
}

const oneChoiceCells: CellCodec<OneChoiceQuestion> = {
  columns,
  toCells: (question, answer) => cellReader(question)(answer),
  cellReader,
  cellAsker,
  fromCells,
};

/** A choice of one option. Types that only look different share it. */
export const ONE_CHOICE_TYPE: Omit<QuestionTypeModule<OneChoiceQuestion, typeof settings>, 'example'> = {
  ...PLAIN_TYPE,
  answers: oneChoiceAnswers,
  cells: oneChoiceCells,
  settings,
  options: { takeOtherText: true, noun: 'options', problems: () => [] },
  columnCount: ({ options }) => (options.some(({ other }) => other) ? 2 : 1),
  comparison: { ...PLAIN_COMPARISON, namesOptions: true, isSatisfiable: isSatisfiableByChoice },
  seeding: {
    ...PLAIN_SEEDING,
    answer: ({ offered, profile, respondent }) => generateChoice(offered, profile, respondent),
  },
  describeAnswers: (question) => `one of: ${listOptions(question)}`,
  answerFormat: '`"2"`; with a text, `{"value":"9","other":"text"}`',
};
