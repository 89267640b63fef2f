import { acceptAnswer, editSingleCell, isNoAnswer, NO_ANSWER, rejectAnswer } from '../answers/read-answer.ts';
import { type CellCodec, questionColumn, type ReadResult } from '../answers/codec.ts';
import type { ColumnValue } from '../../columns/column-spec.ts';
import { mustBe, quote, sizeAtMost } from '../../../lib/error-messages.ts';
import { type NumberReading, readNumberText } from '../../numbers/read-number-text.ts';
import type { AnyQuestion } from '../question.ts';
import type { QuestionAnswers } from '../question-type.ts';
import { PLAIN_ANSWERS } from './plain-type.ts';
import { trimCharacters } from '../../../lib/trim-characters.ts';

/** The numbers that a question accepts. */
export interface NumberRange {
  min: number | null;
  max: number | null;
  step: number | null;
  /** Maximum number of decimals; null where the step decides. */
  decimals: number | null;
  /** Texts that may be entered with the number. */
  prefix?: string | null;
  suffix?: string | null;
  /** Whether every double is stored as it is, also beyond the exact integers. */
  isExact?: boolean;
}

/** A double holds this many digits reliably. */
const EXACT_DIGITS = 15;

/** Scales with more points have no labeled categories. */
const MAX_LABELED_POINTS = 101;

/** Whether a quotient is an integer up to floating-point error: 0.1 + 0.2 is three steps of 0.1. */
function isWhole(quotient: number): boolean {
  if (Number.isInteger(quotient)) return true;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}

/** Returns the maximum number of decimals in a range; null if any number of them is accepted. */
function decimalsIn({ min, step, decimals }: NumberRange): number | null {
  if (decimals !== null || step === null) return decimals;
  return Math.max(digitsAfterPoint(step), digitsAfterPoint(min ?? 0));
}

/** Reads a number, or its text, as far as a range determines its notation. Values other than numbers and texts are no numbers. */
export function readNumberInput(range: NumberRange, input: unknown): NumberReading {
  if (typeof input === 'string') {
    return readNumberText(input, {
      decimals: decimalsIn(range),
      affixes: [range.prefix ?? null, range.suffix ?? null],
    });
  }
  return typeof input === 'number' && Number.isFinite(input)
    ? { kind: 'number', value: input, text: String(input) }
    : { kind: 'not_a_number', reason: 'text' };
}

/** Whether a number as text has more digits than are stored; zeros at its ends do not count. */
const hasTooManyDigits = (text: string): boolean =>
  text.length > EXACT_DIGITS && trimCharacters(text.replace(/[-.]/g, ''), /0/).length > EXACT_DIGITS;

const decimalsMessage = (decimals: number, value: unknown): string =>
  decimals === 0
    ? mustBe('a whole number', value)
    : `${sizeAtMost(decimals, 'decimal')}, not ${String(value)}`;

/** Reads a number within a range. */
export function readNumberInRange(range: NumberRange, input: unknown): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  const { min, max, step, decimals, isExact = false } = range;
  const reading = readNumberInput(range, input);
  if (reading.kind === 'ambiguous') {
    const [grouped, decimal] = reading.readings;
    return rejectAnswer(
      `${quote(input)} can mean ${grouped.value} or ${decimal.value}; send the number that is meant, without quotation marks`,
    );
  }
  if (reading.kind === 'not_a_number') {
    const allowed = reading.reason === 'decimals' ? decimalsIn(range) : null;
    return rejectAnswer(allowed === null ? mustBe('a number', input) : decimalsMessage(allowed, input));
  }
  const { value } = reading;
  if (!isExact && Math.abs(value) > Number.MAX_SAFE_INTEGER) {
    return rejectAnswer(
      mustBe(
        `from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, the numbers that are stored exactly`,
        value,
      ),
    );
  }
  if (typeof input === 'string' && hasTooManyDigits(reading.text)) {
    return rejectAnswer(mustBe(`a number with at most ${EXACT_DIGITS} digits`, input));
  }
  if ((min !== null && value < min) || (max !== null && value > max)) {
    const accepted =
      min === null ? `at most ${max}` : max === null ? `at least ${min}` : `between ${min} and ${max}`;
    return rejectAnswer(mustBe(accepted, value));
  }
  if (decimals !== null && !isWhole(value * 10 ** decimals)) {
    return rejectAnswer(decimalsMessage(decimals, value));
  }
  if (step !== null && !isWhole((value - (min ?? 0)) / step)) {
    const from = min === null || min === 0 ? '' : ` above ${min}`;
    return rejectAnswer(
      step === 1 && Number.isInteger(min ?? 0)
        ? mustBe('a whole number', value)
        : mustBe(`a multiple of ${step}${from}`, value),
    );
  }
  // 0.30000000000000004 is stored as 0.3. `+ 0` turns -0 into 0.
  return acceptAnswer(
    isExact || Number.isInteger(value) ? value + 0 : Number(value.toPrecision(EXACT_DIGITS)),
  );
}

/**
 * Returns the points of a scale as column values; none if there are too many.
 *
 * @param labelOf returns the label of the point at an index of `count` points
 */
export function scalePoints(
  { min, max, step }: { min: number; max: number; step: number },
  labelOf: (point: number, index: number, count: number) => string,
): ColumnValue[] {
  const count = Math.floor((max - min) / step) + 1;
  if (count > MAX_LABELED_POINTS) return [];
  return Array.from({ length: count }, (_, index) => {
    const point = min + index * step;
    const label = labelOf(point, index, count);
    return { code: point, value: String(point), number: point, label, missing: false };
  });
}

/** Answers of a question with one number in its range. */
export function numericAnswers<Q extends AnyQuestion>(
  rangeOf: (question: Q) => NumberRange,
): QuestionAnswers<Q> {
  return {
    ...PLAIN_ANSWERS,
    read: (question, input) => readNumberInRange(rangeOf(question), input),
    operand: (_question, answer) => ({ kind: 'number', value: answer as number }),
  };
}

/** The column of a number; `pointsOf` gives the labeled points of a scale. */
export function numericCells<Q extends AnyQuestion>(
  rangeOf: (question: Q) => NumberRange,
  pointsOf: (question: Q) => ColumnValue[] = () => [],
): CellCodec<Q> {
  return {
    columns: (question) => [
      questionColumn(question, { type: 'number', measure: 'scale', values: pointsOf(question) }),
    ],
    toCells: (_question, answer) => [typeof answer === 'number' ? answer : null],
    fromCells: (question, answer, changes) =>
      editSingleCell(question.code, answer, changes, (cell) => readNumberInRange(rangeOf(question), cell)),
  };
}

type ScaleEnd = readonly [point: number, label: string | null];

/** Describes a scale by its ends: `from 1 “Never” to 5`. */
export function describeScale(min: ScaleEnd, max: ScaleEnd): string {
  const describeEnd = ([point, label]: ScaleEnd) => (label === null ? String(point) : `${point} “${label}”`);
  return `from ${describeEnd(min)} to ${describeEnd(max)}`;
}

/** Number of digits after the decimal point. */
export function digitsAfterPoint(value: number): number {
  if (Number.isInteger(value)) return 0;
  return /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0;
}
