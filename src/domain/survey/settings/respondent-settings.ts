import { z } from 'zod';
import { type SurveySettings, surveySettingsSchema } from './survey-settings.ts';

/** The settings that affect respondents; changes apply at once, without publishing. */
export const respondentSettingsSchema = surveySettingsSchema.pick({
  anonymous: true,
  default_language: true,
  languages: true,
  color: true,
  show_progress: true,
  allow_back: true,
  completion_message: true,
  screened_out_message: true,
  over_quota_message: true,
  closed_message: true,
  allow_restart: true,
  consent_text: true,
  translations: true,
});
export type RespondentSettings = z.infer<typeof respondentSettingsSchema>;

/** Lists fields explicitly, so that other settings are never sent to respondents. */
export function respondentSettings(settings: SurveySettings): RespondentSettings {
  return {
    anonymous: settings.anonymous,
    default_language: settings.default_language,
    languages: settings.languages,
    color: settings.color,
    show_progress: settings.show_progress,
    allow_back: settings.allow_back,
    completion_message: settings.completion_message,
    screened_out_message: settings.screened_out_message,
    over_quota_message: settings.over_quota_message,
    closed_message: settings.closed_message,
    allow_restart: settings.allow_restart,
    consent_text: settings.consent_text,
    translations: settings.translations,
  };
}
