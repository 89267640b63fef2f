import { z } from 'zod';
import { changesOf } from '../../lib/settings.ts';
import { isHttpUrl } from './http-url.ts';

const language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language tag such as en or pt-BR');
const message = z.string().max(5_000).nullable();

const shape = {
  /** No address and no respondent is kept with a response, and exports round its times. */
  anonymous: z.boolean(),
  default_language: language,
  /** Further languages that there are translations for. */
  languages: z.array(language).max(50),
  color: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, 'must be a hex colour such as #6366f1')
    .nullable(),
  show_progress: z.boolean(),
  allow_back: z.boolean(),
  completion_message: message,
  closed_message: message,
  /** Where a respondent goes afterwards. */
  redirect_url: z.string().refine(isHttpUrl, 'must be an http or https address').nullable(),
};

export const surveySettingsSchema = z.strictObject(shape).meta({ id: 'SurveySettings' });
export const surveySettingsChangesSchema = changesOf(shape);
export type SurveySettings = z.infer<typeof surveySettingsSchema>;

const DEFAULTS: SurveySettings = {
  anonymous: false,
  default_language: 'en',
  languages: [],
  color: null,
  show_progress: true,
  allow_back: true,
  completion_message: null,
  closed_message: null,
  redirect_url: null,
};

/** What is stored holds only what was chosen. */
export function surveySettingsOf(stored: unknown): SurveySettings {
  return { ...DEFAULTS, ...(stored as Partial<SurveySettings>) };
}
