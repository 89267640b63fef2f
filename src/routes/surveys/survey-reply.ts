import { z } from 'zod';
import { qualitySettingsOf, qualitySettingsSchema } from '../../domain/survey/settings/quality-settings.ts';
import { surveySettingsOf, surveySettingsSchema } from '../../domain/survey/settings/survey-settings.ts';
import type { ListedSurveyRow, SurveyRow } from '../../repositories/surveys.ts';
import { pageWithQuestionsSchema, questionSchema } from './question-reply.ts';

export const surveyType = z.enum(['quantitative', 'qualitative', 'mixed'], {
  error: 'must be quantitative, qualitative or mixed',
});

export const surveyStatus = z
  .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)], {
    error: 'must be 1 (Draft), 2 (Active), 3 (Closed) or 0 (Deleted)',
  })
  .describe('1 Draft, 2 Active, 3 Closed, 0 Deleted');

/** A survey in a list. */
export const surveySchema = z
  .strictObject({
    survey_id: z.int(),
    survey_name: z.string(),
    survey_description: z.string().nullable(),
    survey_status: surveyStatus,
    survey_type: surveyType,
    response_count: z.int().describe('Responses that are neither deleted nor test'),
    workspace_id: z.int(),
    survey_inserted: z.iso.datetime(),
    survey_updated: z.iso.datetime(),
    closed_at: z.iso.datetime().nullable(),
    published_version: z.int().nullable().describe('The version that respondents see; null: never published'),
    has_unpublished_changes: z.boolean().describe('Whether the draft differs from the published version'),
  })
  .meta({ id: 'Survey' });

export const surveyWithSettingsSchema = surveySchema
  .extend({ survey_settings: surveySettingsSchema, quality_settings: qualitySettingsSchema })
  .meta({ id: 'SurveyWithSettings' });

export const surveyWithPagesSchema = surveyWithSettingsSchema
  .extend({
    pages: z.array(pageWithQuestionsSchema),
    questions: z.array(questionSchema).describe('The questions of all pages, in order'),
  })
  .meta({ id: 'SurveyWithPages' });

export const presentListed = (row: Omit<ListedSurveyRow, 'sort_key'>) => ({
  survey_id: row.survey_id,
  survey_name: row.survey_name,
  survey_description: row.survey_description,
  survey_status: row.survey_status,
  survey_type: row.survey_type,
  response_count: row.response_count,
  workspace_id: row.workspace_id,
  survey_inserted: row.survey_inserted.toISOString(),
  survey_updated: row.survey_updated.toISOString(),
  closed_at: row.closed_at?.toISOString() ?? null,
  published_version: row.published_version,
  has_unpublished_changes: row.published_revision !== row.revision,
});

export const presentSurvey = (row: SurveyRow) => ({
  ...presentListed(row),
  survey_settings: surveySettingsOf(row.survey_settings),
  quality_settings: qualitySettingsOf(row.quality_settings),
});
