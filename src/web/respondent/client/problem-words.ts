import type { StoredAnswer } from '../../../domain/answers/codec.ts';
import { codecFor } from '../../../domain/answers/codecs.ts';
import { isNoAnswer, isRecord, satisfiesRequired } from '../../../domain/answers/read-result.ts';
import { readDateText } from '../../../domain/answers/date.ts';
import { readNumber } from '../../../domain/answers/numeric.ts';
import { lengthOf } from '../../../domain/answers/typed-text.ts';
import type { Question, QuestionWithType } from '../../../domain/survey/definition.ts';
import { fill, type Words } from './words.ts';

const DATE_FORMS = {
  date: 'YYYY-MM-DD',
  datetime: 'YYYY-MM-DDTHH:mm',
  time: 'HH:mm',
  month: 'YYYY-MM',
  year: 'YYYY',
} as const;

/** What was entered, in the form that the codec reads: people type numbers with a comma and spaces around. */
function given(question: Question, input: unknown): unknown {
  if (question.type === 'number' && typeof input === 'string') return input.trim().replace(',', '.');
  return input ?? null;
}

/** The answer as it would be stored, or null where there is none that could be. */
export function answerOf(question: Question, input: unknown): StoredAnswer | null {
  const result = codecFor(question).read(question, given(question, input));
  return result.ok ? result.answer : null;
}

/** Why the page cannot be left with this input, in the page's words; null when it can. */
export function problemOf(question: Question, input: unknown, words: Words): string | null {
  const value = given(question, input);
  const result = codecFor(question).read(question, value);
  if (result.ok) return question.required && !satisfiesRequired(result.answer) ? words.answer_needed : null;
  // The codec decides; the words are ours where we know why, else its own.
  return worded(question, value, words) ?? result.problems[0]?.message ?? words.answer_needed;
}

function worded(question: Question, value: unknown, words: Words): string | null {
  switch (question.type) {
    case 'multiple_choice': {
      const { min_selections: min, max_selections: max } = question.settings;
      return countWords(value, min, max, words.select_min, words.select_max);
    }
    case 'ranking': {
      const { min_ranked: min, max_ranked: max } = question.settings;
      return countWords(value, min, max, words.rank_min, words.rank_max);
    }
    case 'matrix':
      return question.settings.require_all_rows && isRecord(value) ? words.rows_needed : null;
    case 'text':
      return typeof value === 'string' ? textWords(question, value, words) : null;
    case 'number':
    case 'scale':
    case 'slider':
    case 'nps':
      return numberWords(question, value, words);
    case 'date': {
      const { precision, min, max } = question.settings;
      const date = readDateText(value, precision);
      if (!date.ok) return fill(words.date_wrong, { n: DATE_FORMS[precision] });
      if (min !== null && date.text < min) return fill(words.date_min, { n: min });
      return max !== null && date.text > max ? fill(words.date_max, { n: max }) : null;
    }
    default:
      return null;
  }
}

function countWords(
  value: unknown,
  min: number | null,
  max: number | null,
  tooFew: string,
  tooMany: string,
): string | null {
  if (!Array.isArray(value)) return null;
  if (min !== null && value.length < min) return fill(tooFew, { n: min });
  return max !== null && value.length > max ? fill(tooMany, { n: max }) : null;
}

function textWords(question: QuestionWithType<'text'>, value: string, words: Words): string | null {
  const { min_length: min, max_length: max, format } = question.settings;
  const length = lengthOf(value);
  if (min !== null && length < min) return fill(words.too_short, { n: min, m: length });
  if (length > max) return fill(words.too_long, { n: max, m: length });
  switch (format) {
    case 'email':
      return words.email_wrong;
    case 'url':
      return words.url_wrong;
    case 'phone':
      return words.phone_wrong;
    case 'regex':
      return words.pattern_wrong;
    case 'none':
      return null;
  }
}

function numberWords(
  question: QuestionWithType<'number' | 'scale' | 'slider' | 'nps'>,
  input: unknown,
  words: Words,
): string | null {
  const value = readNumber(input);
  if (value === null) return words.number_wrong;
  if (question.type === 'nps') return fill(words.number_range, { n: 0, m: 10 });
  const { min, max, step } = question.settings;
  if (min !== null && max !== null && (value < min || value > max)) {
    return fill(words.number_range, { n: min, m: max });
  }
  if (min !== null && value < min) return fill(words.number_min, { n: min });
  if (max !== null && value > max) return fill(words.number_max, { n: max });
  const decimals = question.type === 'number' ? question.settings.decimals : null;
  if (decimals !== null && Number(value.toFixed(decimals)) !== value) {
    return decimals === 0 ? words.whole_wrong : fill(words.decimals_wrong, { n: decimals });
  }
  return step === null ? null : fill(words.step_wrong, { n: step });
}

/** Whether nothing was entered: in no row either. */
export function isEmpty(input: unknown): boolean {
  return isNoAnswer(input) || (isRecord(input) && Object.values(input).every(isNoAnswer));
}
