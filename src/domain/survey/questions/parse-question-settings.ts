import { quote } from '../../../lib/quote.ts';
import { duplicateOf, mustBe, required, unknownValue } from '../../../lib/error-messages.ts';
import type { ErrorDetail } from '../../../lib/errors.ts';
import { schemaProblems } from '../../../lib/schema-problems.ts';
import { schemaWording } from '../../../lib/schema-wording.ts';
import { readDateText } from '../../answers/date.ts';
import { questionSettingsSchemas, type SettingsOf } from './question-settings.ts';
import type { QuestionType } from './question-types.ts';
import { compilePattern, MAX_PATTERN_TEXT } from './safe-pattern.ts';

export type SettingsResult<T extends QuestionType> =
  { ok: true; settings: SettingsOf<T> } | { ok: false; problems: ErrorDetail[] };

/**
 * Parses a client's question settings (absent or null: none) and adds defaults. Fields of problems look like
 * `question_settings.max_selections`; unknown keys are problems.
 */
export function parseQuestionSettings<T extends QuestionType>(type: T, settings: unknown): SettingsResult<T> {
  const parsed = questionSettingsSchemas[type].safeParse(settings ?? {}, {
    error: schemaWording,
  });
  if (!parsed.success) return { ok: false, problems: schemaProblems(parsed.error, 'question_settings') };
  const checked = { type, settings: parsed.data } as TypedSettings;
  const problems = settingsProblems(checked).map(({ field, message }) => ({
    field: `question_settings.${field}`,
    message,
  }));
  // The schema belongs to `type`, so its output is the settings of that type.
  return problems.length > 0 ? { ok: false, problems } : { ok: true, settings: parsed.data as SettingsOf<T> };
}

/** Settings with their question type; a Question has this shape. */
type TypedSettings = { [T in QuestionType]: { type: T; settings: SettingsOf<T> } }[QuestionType];

/** Returns problems that involve several settings or the type, which field schemas cannot detect. Fields are relative. */
export function settingsProblems(question: TypedSettings): ErrorDetail[] {
  switch (question.type) {
    case 'text':
      return textProblems(question.settings);
    case 'number':
      return numberProblems(question.settings);
    case 'scale':
      return scaleProblems(question.settings);
    case 'slider':
      return sliderProblems(question.settings);
    case 'matrix':
      return rowProblems(question.settings);
    case 'date':
      return dateProblems(question.settings);
    default:
      return [];
  }
}

function textProblems({ format, pattern, max_length: maxLength }: SettingsOf<'text'>): ErrorDetail[] {
  const problems: ErrorDetail[] = [];
  if (pattern === null) {
    if (format === 'regex') problems.push({ field: 'pattern', message: required('with format regex') });
    return problems;
  }
  const compiled = compilePattern(pattern);
  if (!compiled.ok) problems.push({ field: 'pattern', message: compiled.message });
  if (format === 'regex' && maxLength > MAX_PATTERN_TEXT) {
    const message = `must be at most ${MAX_PATTERN_TEXT} with a pattern, not ${maxLength}`;
    problems.push({ field: 'max_length', message });
  }
  return problems;
}

function numberProblems({ min, max, step, decimals }: SettingsOf<'number'>): ErrorDetail[] {
  const unit = 10 ** -decimals;
  const problems: ErrorDetail[] = [];
  if (step !== null && Math.abs(step / unit - Math.round(step / unit)) > 1e-9) {
    problems.push({ field: 'step', message: `${step} needs more than ${decimals} decimals` });
  }
  if (min !== null && max !== null && Math.ceil(min / unit - 1e-9) > Math.floor(max / unit + 1e-9)) {
    const message = `no number with ${decimals} decimals lies between ${min} and ${max}`;
    problems.push({ field: 'min', message });
  }
  return problems;
}

function scaleProblems({ min, max, step, point_labels: labels }: SettingsOf<'scale'>): ErrorDetail[] {
  if (min === max) return [{ field: 'max', message: `must be greater than min (${min})` }];
  if ((max - min) % step !== 0) {
    return [{ field: 'step', message: `steps of ${step} from ${min} do not reach ${max}` }];
  }
  const isPoint = (key: string) => {
    const point = Number(key);
    return String(point) === key && point >= min && point <= max && (point - min) % step === 0;
  };
  return Object.keys(labels ?? {})
    .filter((key) => !isPoint(key))
    .map((key) => ({ field: 'point_labels', message: unknownValue(key, 'a point of the scale') }));
}

function sliderProblems({ min, max, step, start }: SettingsOf<'slider'>): ErrorDetail[] {
  if (min === max) return [{ field: 'max', message: `must be greater than min (${min})` }];
  const problems: ErrorDetail[] = [];
  if (step > max - min) problems.push({ field: 'step', message: `${step} is more than the whole range` });
  if (start !== null && (start < min || start > max)) {
    problems.push({ field: 'start', message: mustBe(`between ${min} and ${max}`, start) });
  }
  return problems;
}

function rowProblems({ rows }: SettingsOf<'matrix'>): ErrorDetail[] {
  const seen = new Map<string, number>();
  return rows.flatMap(({ row_code: code }, index) => {
    const field = `rows[${index}].row_code`;
    const first = seen.get(code.toLowerCase());
    if (first === undefined) seen.set(code.toLowerCase(), index);
    else return [{ field, message: `${duplicateOf(`rows[${first}]`, code)} (codes are not case-sensitive)` }];
    return code.endsWith('_') ? [{ field, message: `${quote(code)} must not end in _` }] : [];
  });
}

function dateProblems({ precision, min, max }: SettingsOf<'date'>): ErrorDetail[] {
  return [
    { field: 'min', bound: min },
    { field: 'max', bound: max },
  ].flatMap(({ field, bound }) => {
    if (bound === null) return [];
    const date = readDateText(bound, precision);
    if (!date.ok) return [{ field, message: date.message }];
    // Bounds are compared as texts, so they must be written as answers are stored.
    return date.text === bound ? [] : [{ field, message: `must be written ${date.text}` }];
  });
}
