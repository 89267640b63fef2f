import type { StoredAnswer } from '../../../domain/answers/codec.ts';
import { codecFor } from '../../../domain/questions/registry.ts';
import { isNoAnswer, isRecord, satisfiesRequired } from '../../../domain/answers/read-result.ts';
import { readDateText } from '../../../domain/questions/types/date.ts';
import { readNumber } from '../../../domain/questions/types/numeric-answers.ts';
import { countCharacters } from '../../../domain/answers/typed-text.ts';
import type { Question, QuestionWithType } from '../../../domain/survey/definition.ts';
import { fillPlaceholders, type Messages } from './localization.ts';

const DATE_FORMATS = {
  date: 'YYYY-MM-DD',
  datetime: 'YYYY-MM-DDTHH:mm',
  time: 'HH:mm',
  month: 'YYYY-MM',
  year: 'YYYY',
} as const;

/** Converts an input for the codec: numbers may have a decimal comma and surrounding spaces. */
function toCodecInput(question: Question, input: unknown): unknown {
  if (question.type === 'number' && typeof input === 'string') return input.trim().replace(',', '.');
  return input ?? null;
}

/** Returns the answer as it would be stored, or null if the input is empty or invalid. */
export function parseAnswer(question: Question, input: unknown): StoredAnswer | null {
  const result = codecFor(question).read(question, toCodecInput(question, input));
  return result.ok ? result.answer : null;
}

/** Returns the problem of an input as a text for the respondent, or null if it is valid. */
export function validateAnswer(question: Question, input: unknown, messages: Messages): string | null {
  const value = toCodecInput(question, input);
  const result = codecFor(question).read(question, value);
  if (result.ok)
    return question.required && !satisfiesRequired(result.answer) ? messages.answer_needed : null;
  // The codec decides. The message is in the respondent's language if the cause is known, else it is the message of the codec.
  return specificMessage(question, value, messages) ?? result.problems[0]?.message ?? messages.answer_needed;
}

function specificMessage(question: Question, value: unknown, messages: Messages): string | null {
  switch (question.type) {
    case 'multiple_choice': {
      const { min_selections: min, max_selections: max } = question.settings;
      return selectionCountMessage(value, min, max, messages.select_min, messages.select_max);
    }
    case 'ranking': {
      const { min_ranked: min, max_ranked: max } = question.settings;
      return selectionCountMessage(value, min, max, messages.rank_min, messages.rank_max);
    }
    case 'matrix':
      return question.settings.require_all_rows && isRecord(value) ? messages.rows_needed : null;
    case 'text':
      return typeof value === 'string' ? textMessage(question, value, messages) : null;
    case 'number':
    case 'scale':
    case 'slider':
    case 'nps':
      return numberMessage(question, value, messages);
    case 'date': {
      const { precision, min, max } = question.settings;
      const date = readDateText(value, precision);
      if (!date.ok) return fillPlaceholders(messages.date_wrong, { n: DATE_FORMATS[precision] });
      if (min !== null && date.text < min) return fillPlaceholders(messages.date_min, { n: min });
      return max !== null && date.text > max ? fillPlaceholders(messages.date_max, { n: max }) : null;
    }
    default:
      return null;
  }
}

function selectionCountMessage(
  value: unknown,
  min: number | null,
  max: number | null,
  tooFew: string,
  tooMany: string,
): string | null {
  if (!Array.isArray(value)) return null;
  if (min !== null && value.length < min) return fillPlaceholders(tooFew, { n: min });
  return max !== null && value.length > max ? fillPlaceholders(tooMany, { n: max }) : null;
}

function textMessage(question: QuestionWithType<'text'>, value: string, messages: Messages): string | null {
  const { min_length: min, max_length: max, format } = question.settings;
  const length = countCharacters(value);
  if (min !== null && length < min) return fillPlaceholders(messages.too_short, { n: min, m: length });
  if (length > max) return fillPlaceholders(messages.too_long, { n: max, m: length });
  switch (format) {
    case 'email':
      return messages.email_wrong;
    case 'url':
      return messages.url_wrong;
    case 'phone':
      return messages.phone_wrong;
    case 'regex':
      return messages.pattern_wrong;
    case 'none':
      return null;
  }
}

function numberMessage(
  question: QuestionWithType<'number' | 'scale' | 'slider' | 'nps'>,
  input: unknown,
  messages: Messages,
): string | null {
  const value = readNumber(input);
  if (value === null) return messages.number_wrong;
  if (question.type === 'nps') return fillPlaceholders(messages.number_range, { n: 0, m: 10 });
  const { min, max, step } = question.settings;
  if (min !== null && max !== null && (value < min || value > max)) {
    return fillPlaceholders(messages.number_range, { n: min, m: max });
  }
  if (min !== null && value < min) return fillPlaceholders(messages.number_min, { n: min });
  if (max !== null && value > max) return fillPlaceholders(messages.number_max, { n: max });
  const decimals = question.type === 'number' ? question.settings.decimals : null;
  if (decimals !== null && Number(value.toFixed(decimals)) !== value) {
    return decimals === 0 ? messages.whole_wrong : fillPlaceholders(messages.decimals_wrong, { n: decimals });
  }
  return step === null ? null : fillPlaceholders(messages.step_wrong, { n: step });
}

/** Returns whether an input is empty; a matrix is empty if all its rows are. */
export function isEmptyInput(input: unknown): boolean {
  return isNoAnswer(input) || (isRecord(input) && Object.values(input).every(isNoAnswer));
}
