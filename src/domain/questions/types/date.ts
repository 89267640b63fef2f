import { z } from 'zod';
import { mustBe, quote } from '../../../lib/error-messages.ts';
import { type CellCodec, questionColumn, type ReadResult } from '../answers/codec.ts';
import { acceptAnswer, editSingleCell, isNoAnswer, NO_ANSWER, rejectAnswer } from '../answers/read-answer.ts';
import type { SyntheticRespondent } from '../generate-answers.ts';
import type { Comparison } from '../condition.ts';
import { commonSettings, defineSettings, withOrderedBounds, textSetting } from '../common-settings.ts';
import type { TypedQuestion } from '../question.ts';
import type { QuestionAnswers, QuestionTypeModule } from '../question-type.ts';
import { PLAIN_ANSWERS, PLAIN_COMPARISON, PLAIN_SEEDING, PLAIN_TYPE } from './plain-type.ts';
import { comparedValues } from './possible-operands.ts';
import { trimCharactersEnd } from '../../../lib/trim-characters.ts';

const settings = defineSettings(() =>
  withOrderedBounds(
    z.strictObject({
      ...commonSettings,
      precision: z.enum(['date', 'datetime', 'time', 'month', 'year']).default('date'),
      min: textSetting(20).nullable().default(null),
      max: textSetting(20).nullable().default(null),
    }),
    'min',
    'max',
  ),
);

type DateQuestion = TypedQuestion<'date', z.infer<typeof settings>>;
export type DatePrecision = DateQuestion['settings']['precision'];

const DATE = String.raw`(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})`;
const TIME = String.raw`(?<hour>\d{2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:\.(?<fraction>\d{1,9}))?)?`;

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

/** Seconds beyond the minutes, with at most three decimals; nothing where they are zero. */
function secondsText(second = '00', fraction = ''): string {
  const decimals = trimCharactersEnd(fraction.slice(0, 3), /0/);
  if (decimals !== '') return `:${second}.${decimals}`;
  return second === '00' ? '' : `:${second}`;
}

/** Parses an existing date in the form of its precision. A time may have seconds with at most three decimals, as those of imported files do. */
export function readDateText(input: unknown, precision: DatePrecision): DateText {
  const { pattern, example } = FORMATS[precision];
  const text = precision === 'year' && Number.isInteger(input) ? String(input) : input;
  const parts = typeof text === 'string' ? pattern.exec(text)?.groups : undefined;
  if (!parts || typeof text !== 'string') return { ok: false, message: mustBe(example, input) };
  const { year, month, day, hour, minute, second, fraction } = parts;
  if (fraction !== undefined && /[1-9]/.test(fraction.slice(3)))
    return { ok: false, message: mustBe(`${example}, with at most three decimals of a second`, input) };
  const exists =
    (year === undefined || Number(year) > 0) &&
    (month === undefined || (Number(month) >= 1 && Number(month) <= 12)) &&
    (day === undefined || (Number(day) >= 1 && Number(day) <= daysInMonth(Number(year), Number(month)))) &&
    (hour === undefined || (Number(hour) <= 23 && Number(minute) <= 59 && Number(second ?? 0) <= 59));
  if (!exists)
    return {
      ok: false,
      message: `${quote(input)} does not exist in the calendar; ${mustBe(example, input)}`,
    };
  const minutes = text.slice(0, example.length).replace(' ', 'T');
  return { ok: true, text: minutes + (hour === undefined ? '' : secondsText(second, fraction)) };
}

function read(question: DateQuestion, input: unknown): ReadResult {
  if (isNoAnswer(input)) return NO_ANSWER;
  const { precision, min, max } = question.settings;
  const date = readDateText(input, precision);
  if (!date.ok) return rejectAnswer(date.message);
  // Texts of the same precision sort chronologically.
  if (min !== null && date.text < min) return rejectAnswer(mustBe(`${min} or later`, input));
  if (max !== null && date.text > max) return rejectAnswer(mustBe(`${max} or earlier`, input));
  return acceptAnswer(date.text);
}

/** A date or time in the question's precision: a text that sorts chronologically. */
export const dateAnswers: QuestionAnswers<DateQuestion> = {
  ...PLAIN_ANSWERS,
  read,
  operand: (_question, answer) => ({ kind: 'date', text: answer as string }),
};

const dateCells: CellCodec<DateQuestion> = {
  columns: (question) => [
    questionColumn(question, { type: 'date', measure: 'scale', precision: question.settings.precision }),
  ],
  toCells: (_question, answer) => [typeof answer === 'string' ? answer : null],
  fromCells: (question, answer, changes) =>
    editSingleCell(question.code, answer, changes, (cell) => read(question, cell)),
};

const SECONDS_PER_DAY = 86_400;

/** Years are numbers in files, and times are seconds since midnight; other dates are numbers far above every code. */
function numberRange({ settings: { precision, min, max } }: DateQuestion) {
  if (precision === 'time') return { min: 0, max: SECONDS_PER_DAY - 1 };
  const year = (bound: string | null) => (bound === null ? null : Number(bound));
  return precision === 'year' ? { min: year(min), max: year(max) } : undefined;
}

export const dateType: QuestionTypeModule<DateQuestion, typeof settings> = {
  ...PLAIN_TYPE,
  answers: dateAnswers,
  cells: dateCells,
  settings,
  numberRange,
  showsPlaceholder: ({ precision }) => precision === 'month' || precision === 'year',
  settingsProblems: ({ precision, min, max }) =>
    [
      { field: 'min', bound: min },
      { field: 'max', bound: max },
    ].flatMap(({ field, bound }) => {
      if (bound === null) return [];
      const date = readDateText(bound, precision);
      if (!date.ok) return [{ field, message: date.message }];
      // Bounds are compared as texts, so they must be written as answers are stored.
      return date.text === bound ? [] : [{ field, message: `must be written ${date.text}` }];
    }),
  frozenChanges: ({ settings: before }, { settings: after }) =>
    after.precision === before.precision
      ? []
      : [{ field: 'question_settings.precision', message: `stays ${before.precision}` }],
  comparison: {
    ...PLAIN_COMPARISON,
    isSatisfiable: ({ settings }, comparisons) =>
      isSatisfiableByDate(comparisons, CHARACTERS[settings.precision]),
  },
  seeding: {
    ...PLAIN_SEEDING,
    answer: ({ question, respondent }) => generateDate(question, respondent),
  },
  describeAnswers: ({ settings }) => (settings.precision === 'time' ? 'a time' : 'a date'),
  answerFormat: 'a string',
  example: {
    page_id: 2,
    question_code: 'Q10',
    question_text: 'When did you start in your job?',
    question_settings: { precision: 'month' },
  },
};

const CHARACTERS = { date: 10, datetime: 23, time: 12, month: 7, year: 4 } as const;

/** Whether any date satisfies all comparisons, at the precision of the answers. */
function isSatisfiableByDate(comparisons: readonly Comparison[], characters: number): boolean {
  const lowest: string[] = [];
  const highest: string[] = [];
  for (const comparison of comparisons) {
    const [first = '', second = ''] = comparedValues(comparison).map((value) =>
      String(value).slice(0, characters),
    );
    switch (comparison.operator) {
      case 'equals':
        lowest.push(first);
        highest.push(first);
        break;
      case 'between':
        lowest.push(first);
        highest.push(second);
        break;
      case 'gt':
      case 'gte':
      case 'after':
        lowest.push(first);
        break;
      case 'lt':
      case 'lte':
      case 'before':
        highest.push(first);
        break;
      default:
    }
  }
  return lowest.every((low) => highest.every((high) => !isAfter(low, high)));
}

function isAfter(low: string, high: string): boolean {
  const length = Math.min(low.length, high.length);
  return low.slice(0, length) > high.slice(0, length);
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Conversion between dates and integers in the precision's unit. */
const UNITS: Record<
  DatePrecision,
  { read: (text: string) => number; write: (units: number) => string; span: number }
> = {
  date: {
    read: (text) => Date.parse(`${text}T00:00Z`) / DAY_MS,
    write: (days) => iso(days * DAY_MS).slice(0, 10),
    span: 365,
  },
  datetime: {
    read: (text) => Date.parse(`${text}Z`) / MINUTE_MS,
    write: (minutes) => iso(minutes * MINUTE_MS).slice(0, 16),
    span: 365 * 24 * 60,
  },
  time: {
    read: (text) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3)),
    write: (minutes) => iso(minutes * MINUTE_MS).slice(11, 16),
    span: 12 * 60,
  },
  month: {
    read: (text) => Number(text.slice(0, 4)) * 12 + Number(text.slice(5)) - 1,
    write: (months) => `${padded(Math.floor(months / 12), 4)}-${padded((months % 12) + 1, 2)}`,
    span: 12,
  },
  year: { read: Number, write: (years) => padded(years, 4), span: 20 },
};

/** The range that each precision can represent. */
const FULL_RANGE: Record<DatePrecision, [string, string]> = {
  date: ['0001-01-01', '9999-12-31'],
  datetime: ['0001-01-01T00:00', '9999-12-31T23:59'],
  time: ['00:00', '23:59'],
  month: ['0001-01', '9999-12'],
  year: ['0001', '9999'],
};

/** Range for questions without bounds. Fixed, so that a seed gives the same dates on any day. */
const DEFAULT_RANGE: Record<DatePrecision, [string, string]> = {
  date: ['2024-01-01', '2025-12-31'],
  datetime: ['2025-01-01T00:00', '2025-12-31T23:59'],
  time: ['07:00', '21:59'],
  month: ['2023-01', '2025-12'],
  year: ['1950', '2025'],
};

/** Generates a date within the bounds; with one bound only, near it. */
function generateDate({ settings }: DateQuestion, { random }: SyntheticRespondent): string {
  const { precision, min, max } = settings;
  const { read, write, span } = UNITS[precision];
  const usual = DEFAULT_RANGE[precision].map(read) as [number, number];
  const low = min === null ? null : read(min);
  const high = max === null ? null : read(max);
  const isUsual = (low === null || low <= usual[0]) && (high === null || high >= usual[1]);
  const [first, last] = FULL_RANGE[precision].map(read) as [number, number];
  const from = isUsual ? usual[0] : (low ?? Math.max(first, (high ?? last) - span));
  const to = isUsual ? usual[1] : (high ?? Math.min(last, (low ?? first) + span));
  return write(from + random.integer(to - from + 1));
}

const iso = (milliseconds: number): string => {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
};

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0');
