import type { Cell, ColumnSpec } from '../dataset/columns/column-spec.ts';
import type { Option, QuestionWithType } from '../survey/definition.ts';
import { readChoice, storedChoice } from './read-options.ts';
import type { AnswerCodec, OtherChoice, ReadResult, StoredAnswer } from './codec.ts';
import { joinLabels, optionValues, questionColumn } from './question-columns.ts';
import { mustBe, required } from '../../lib/error-messages.ts';
import { quote } from '../../lib/quote.ts';
import {
  accept,
  isNoAnswer,
  NO_ANSWER,
  unknownColumnProblem,
  reject,
  rejectAll,
  type Strictness,
} from './read-result.ts';

type ChoiceQuestion = QuestionWithType<'single_choice' | 'dropdown'>;

function otherOptions(question: ChoiceQuestion): Option[] {
  return question.options.filter((option) => option.other);
}

function otherColumnCode(question: ChoiceQuestion): string {
  return `${question.code}_other`;
}

function read(question: ChoiceQuestion, input: unknown, strictness: Strictness): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  if (Array.isArray(input)) return reject(mustBe('one option value', input));
  const result = readChoice(question.options, input, strictness);
  return result.ok ? accept(storedChoice(result.chosen)) : rejectAll([result.problem]);
}

function columns(question: ChoiceQuestion): ColumnSpec[] {
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

/** Changing the choice removes the text of the previous one unless a new text is given. */
function fromCells(
  question: ChoiceQuestion,
  answer: StoredAnswer | null | undefined,
  changes: ReadonlyMap<string, Cell>,
): ReadResult {
  const codes = columns(question).map(({ columnCode }) => columnCode);
  const unknownCodes = [...changes.keys()].filter((columnCode) => !codes.includes(columnCode));
  if (unknownCodes.length > 0)
    return rejectAll(unknownCodes.map((code) => unknownColumnProblem(code, question.code)));

  const before = splitOther(answer);
  const givenValue = changes.get(question.code);
  const givenOther = changes.get(otherColumnCode(question));
  const value = givenValue === undefined ? before.value : givenValue === '' ? null : givenValue;
  const kept = String(value) === before.value ? before.other : null;
  const other = givenOther === undefined ? kept : givenOther === '' ? null : givenOther;
  if (value === null) {
    return other === null
      ? NO_ANSWER
      : reject(
          required(`in ${question.code}: select an option before the text ${quote(other)}`),
          otherColumnCode(question),
        );
  }
  const result = read(question, other === null ? value : { value, other }, 'edit');
  if (result.ok) return result;
  return rejectAll(
    result.problems.map(({ field, message }) => ({
      field: field === 'other' ? otherColumnCode(question) : question.code,
      message,
    })),
  );
}

/** Codec for one option or none: `"2"`, or `{"value":"9","other":"text"}`. */
export const choiceCodec: AnswerCodec<ChoiceQuestion> = {
  read: (question, input, strictness = 'answer') => read(question, input, strictness),
  columns,
  toCells(question, answer) {
    const { value, other } = splitOther(answer);
    return question.options.some((option) => option.other) ? [value, other] : [value];
  },
  fromCells,
};
