import type { QuestionWithType } from '../survey/definition.ts';
import type { AnswerCodec, ReadResult } from './codec.ts';
import { questionColumn } from './question-columns.ts';
import { mustBe } from '../../lib/error-messages.ts';
import { quote } from '../../lib/quote.ts';
import { accept, editSingleCell, isNoAnswer, NO_ANSWER, reject } from './read-result.ts';

type DateQuestion = QuestionWithType<'date'>;
export type DatePrecision = DateQuestion['settings']['precision'];

const DATE = String.raw`(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})`;
const TIME = String.raw`(?<hour>\d{2}):(?<minute>\d{2})(?::00(?:\.0+)?)?`;

const FORMATS: Record<DatePrecision, { pattern: RegExp; example: string }> = {
  date: { pattern: new RegExp(`^${DATE}$`), example: 'YYYY-MM-DD' },
  datetime: { pattern: new RegExp(`^${DATE}[T ]${TIME}$`), example: 'YYYY-MM-DDTHH:mm' },
  time: { pattern: new RegExp(`^${TIME}$`), example: 'HH:mm' },
  month: { pattern: /^(?<year>\d{4})-(?<month>\d{2})$/, example: 'YYYY-MM' },
  year: { pattern: /^(?<year>\d{4})$/, example: 'YYYY' },
};

function daysInMonth(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

export type DateText = { ok: true; text: string } | { ok: false; message: string };

/** Parses an existing date in the form of its precision; seconds must be zero. */
export function readDateText(input: unknown, precision: DatePrecision): DateText {
  const { pattern, example } = FORMATS[precision];
  const text = precision === 'year' && Number.isInteger(input) ? String(input) : input;
  const parts = typeof text === 'string' ? pattern.exec(text)?.groups : undefined;
  if (!parts || typeof text !== 'string') return { ok: false, message: mustBe(example, input) };
  const { year, month, day, hour, minute } = parts;
  const exists =
    (year === undefined || Number(year) > 0) &&
    (month === undefined || (Number(month) >= 1 && Number(month) <= 12)) &&
    (day === undefined || (Number(day) >= 1 && Number(day) <= daysInMonth(Number(year), Number(month)))) &&
    (hour === undefined || (Number(hour) <= 23 && Number(minute) <= 59));
  if (!exists)
    return {
      ok: false,
      message: `${quote(input)} does not exist in the calendar; ${mustBe(example, input)}`,
    };
  return { ok: true, text: text.slice(0, example.length).replace(' ', 'T') };
}

function read(question: DateQuestion, input: unknown): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  const { precision, min, max } = question.settings;
  const date = readDateText(input, precision);
  if (!date.ok) return reject(date.message);
  // Texts of the same precision sort chronologically.
  if (min !== null && date.text < min) return reject(mustBe(`${min} or later`, input));
  if (max !== null && date.text > max) return reject(mustBe(`${max} or earlier`, input));
  return accept(date.text);
}

/** Codec for a date or time of the question's precision. */
export const dateCodec: AnswerCodec<DateQuestion> = {
  read,
  columns: (question) => [
    questionColumn(question, { type: 'date', measure: 'scale', precision: question.settings.precision }),
  ],
  toCells: (_question, answer) => [typeof answer === 'string' ? answer : null],
  fromCells: (question, answer, changes) =>
    editSingleCell(question.code, answer, changes, (cell) => read(question, cell)),
};
