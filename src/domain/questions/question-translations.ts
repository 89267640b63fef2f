import { z } from 'zod';
import { NO_ANSWER_REASONS } from '../columns/no-answer.ts';

/** The translatable texts of questions; the question type determines which of these exist. */
export const TRANSLATABLE_TEXTS = [
  'question_text',
  'description',
  'image_alt',
  'media_alt',
  'placeholder',
  'min_label',
  'mid_label',
  'max_label',
  'prefix',
  'suffix',
  'other_label',
  'yes_label',
  'no_label',
] as const;

export const languageTagText = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag such as en or pt-BR');

const text = z.string().max(10_000).nullable().optional();
const byCode = (code: RegExp, wanted: string) => z.record(z.string().regex(code, wanted), text).optional();

const questionTranslation = z
  .strictObject({
    ...(Object.fromEntries(TRANSLATABLE_TEXTS.map((name) => [name, text])) as Record<
      (typeof TRANSLATABLE_TEXTS)[number],
      typeof text
    >),
    options: byCode(/^-?\d{1,10}$/, 'must be an option_code').describe('Labels by option_code'),
    rows: byCode(/^[A-Za-z0-9][A-Za-z0-9_]{0,23}$/, 'must be a row_code').describe(
      'Of a matrix: labels by row_code',
    ),
    point_labels: byCode(/^-?\d{1,3}$/, 'must be a point of the scale').describe(
      'Of a scale: labels by point',
    ),
    no_answers: z
      .partialRecord(z.enum(NO_ANSWER_REASONS), text)
      .optional()
      .describe('Of the reasons instead of an answer: labels by reason'),
  })
  .meta({
    id: 'QuestionTranslation',
    description: 'What is absent, null or empty is shown in the default language',
  });

/**
 * The schema of `question_settings.translations` in requests. Stored translations are read without it, because they can be older; the
 * publish check warns about unused parts.
 */
export const questionTranslations = z
  .record(languageTagText, questionTranslation)
  .meta({ id: 'QuestionTranslations', description: 'Texts of the question by language' });
