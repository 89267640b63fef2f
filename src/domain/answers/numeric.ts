import type { ColumnValue } from '../dataset/columns/column-spec.ts';
import type { QuestionWithType } from '../survey/definition.ts';
import type { AnswerCodec, ReadResult } from './codec.ts';
import { questionColumn } from './question-columns.ts';
import { mustBe, sizeAtMost } from '../../lib/error-messages.ts';
import { accept, editSingleCell, isNoAnswer, NO_ANSWER, reject } from './read-result.ts';

type NumericQuestion = QuestionWithType<'number' | 'scale' | 'slider' | 'nps'>;

/** Scales with more points have no labelled categories. */
const MAX_LABELLED_POINTS = 101;

interface Range {
  min: number | null;
  max: number | null;
  step: number | null;
  /** Maximum number of decimals; null where the step decides. */
  decimals: number | null;
}

function rangeOf(question: NumericQuestion): Range {
  switch (question.type) {
    case 'nps':
      return { min: 0, max: 10, step: 1, decimals: null };
    case 'number': {
      const { min, max, step, decimals } = question.settings;
      return { min, max, step, decimals };
    }
    case 'scale':
    case 'slider': {
      const { min, max, step } = question.settings;
      return { min, max, step, decimals: null };
    }
  }
}

/** Whether a quotient is an integer up to floating-point error: 0.1 + 0.2 is three steps of 0.1. */
function isWhole(quotient: number): boolean {
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

/** Parses a number; texts only in an unambiguous form ("7", "-2.50", not "1e3", "0x1", "1,5"). Returns null otherwise. */
export function readNumber(input: unknown): number | null {
  const value =
    typeof input === 'number'
      ? input
      : typeof input === 'string' && /^-?\d{1,20}(\.\d{1,20})?$/.test(input)
        ? Number(input)
        : NaN;
  return Number.isFinite(value) ? value : null;
}

function read(question: NumericQuestion, input: unknown): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  const value = readNumber(input);
  if (value === null) return reject(mustBe('a number', input));
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return reject(
      mustBe(
        `from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, the numbers that are stored exactly`,
        value,
      ),
    );
  }
  const { min, max, step, decimals } = rangeOf(question);
  if ((min !== null && value < min) || (max !== null && value > max)) {
    const range =
      min === null ? `at most ${max}` : max === null ? `at least ${min}` : `between ${min} and ${max}`;
    return reject(mustBe(range, value));
  }
  if (decimals !== null && !isWhole(value * 10 ** decimals)) {
    return reject(
      decimals === 0 ? mustBe('a whole number', value) : `${sizeAtMost(decimals, 'decimal')}, not ${value}`,
    );
  }
  if (step !== null && !isWhole((value - (min ?? 0)) / step)) {
    const from = min === null || min === 0 ? '' : ` above ${min}`;
    return reject(
      step === 1 && Number.isInteger(min ?? 0)
        ? mustBe('a whole number', value)
        : mustBe(`a multiple of ${step}${from}`, value),
    );
  }
  // A double holds 15 digits reliably: 0.30000000000000004 is stored as 0.3. `+ 0` turns -0 into 0.
  return accept(Number.isInteger(value) ? value + 0 : Number(value.toPrecision(15)));
}

/** Returns the labelled points of a scale; empty if there are too many. */
function scalePoints(question: NumericQuestion): ColumnValue[] {
  if (question.type === 'number' || question.type === 'slider') return [];
  const { min, max, step } = question.type === 'nps' ? { min: 0, max: 10, step: 1 } : question.settings;
  const count = Math.floor((max - min) / step) + 1;
  if (count > MAX_LABELLED_POINTS) return [];
  return Array.from({ length: count }, (_, index) => {
    const point = min + index * step;
    return {
      code: point,
      value: String(point),
      label: pointLabel(question, point, index, count),
      missing: false,
    };
  });
}

function pointLabel(
  question: QuestionWithType<'scale' | 'nps'>,
  point: number,
  index: number,
  count: number,
): string {
  const { settings } = question;
  const mid = question.type === 'scale' && index * 2 === count - 1 ? question.settings.mid_label : null;
  const own =
    question.type === 'scale' &&
    question.settings.point_labels !== null &&
    Object.hasOwn(question.settings.point_labels, String(point))
      ? question.settings.point_labels[String(point)]
      : null;
  const end = index === 0 ? settings.min_label : index === count - 1 ? settings.max_label : null;
  return own || end || mid || String(point);
}

/** Codec for a number within the range and steps of the question. */
export const numericCodec: AnswerCodec<NumericQuestion> = {
  read,
  columns: (question) => [
    questionColumn(question, { type: 'number', measure: 'scale', values: scalePoints(question) }),
  ],
  toCells: (_question, answer) => [typeof answer === 'number' ? answer : null],
  fromCells: (question, answer, changes) =>
    editSingleCell(question.code, answer, changes, (cell) => read(question, cell)),
};
