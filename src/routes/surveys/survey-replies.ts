import { z } from 'zod';
import { SURVEY_STATUS, SURVEY_TYPES } from '../../domain/survey/status.ts';
import { qualitySettingsOf, qualitySettingsSchema } from '../../domain/survey/quality-settings.ts';
import {
  surveySettingsOf,
  surveySettingsSchema,
  surveyStatusAt,
} from '../../domain/survey/survey-settings.ts';
import { listSurveyTexts, pathName } from '../../domain/survey/translations/translatable-texts.ts';
import {
  outdatedTranslations,
  outdatedTranslationsSchema,
} from '../../domain/survey/translations/translation-sources.ts';
import { arrangementSchema } from '../../domain/survey/block-input.ts';
import { etagHeaders, etagOf } from '../../http/object-versions.ts';
import { withReply } from '../../http/reply.ts';
import { type ListedSurveyRow, type SurveyRow } from '../../repositories/surveys.ts';
import { blockSchema } from '../block-schemas.ts';
import {
  PAGE_EXAMPLE,
  pageWithQuestionsSchema,
  QUESTION_EXAMPLE,
  questionSchema,
} from './question-replies.ts';

const COLLECTION_STATUSES = ['not_published', 'open', 'full', 'closed'] as const;

export const surveyType = z.enum(SURVEY_TYPES, {
  error: 'must be quantitative, qualitative or mixed',
});

export const surveyStatus = z
  .union([z.literal(0), z.literal(1), z.literal(2), z.literal(3)], {
    error: 'must be 1 (Draft), 2 (Active), 3 (Closed) or 0 (Deleted)',
  })
  .describe('1 Draft, 2 Active, 3 Closed, 0 Deleted');

const SURVEY_EXAMPLE = {
  survey_id: 1,
  survey_name: 'Coffee at work',
  survey_description: 'Yearly study of drinks at work',
  survey_status: 2,
  survey_type: 'quantitative',
  response_count: 412,
  complete_count: 380,
  collection_status: 'open' as const,
  closes_at: null,
  response_limit: 500,
  workspace_id: 1,
  survey_inserted: '2026-09-01T08:00:00.000Z',
  survey_updated: '2026-10-05T09:12:00.000Z',
  closed_at: null,
  published_version: 3,
  has_unpublished_changes: false,
  revision: 27,
  last_edited_by: { user_id: 1, user_name: 'Ada Admin' },
};

/** A survey in replies, without its settings. */
const surveySchema = z
  .strictObject({
    survey_id: z.int(),
    survey_name: z.string(),
    survey_description: z.string().nullable(),
    survey_status: surveyStatus,
    survey_type: surveyType,
    response_count: z.int().describe('Responses that are neither deleted nor test'),
    complete_count: z.int().describe('Complete responses among them'),
    collection_status: z
      .enum(COLLECTION_STATUSES)
      .describe(
        'Whether respondents can start now. open: yes, through links that are open; full: `response_limit` is reached; closed: closed or after ' +
          '`closes_at`; not_published: a draft',
      ),
    closes_at: z.iso.datetime().nullable().describe('`survey_settings.closes_at`'),
    response_limit: z.int().nullable().describe('`survey_settings.response_limit`'),
    workspace_id: z.int(),
    survey_inserted: z.iso.datetime(),
    survey_updated: z.iso.datetime(),
    closed_at: z.iso.datetime().nullable(),
    published_version: z.int().nullable().describe('The version that respondents see; null: never published'),
    has_unpublished_changes: z.boolean().describe('Whether the draft differs from the published version'),
    revision: z.int().describe('Rises with every change of the questionnaire; events name it'),
    last_edited_by: z
      .strictObject({ user_id: z.int(), user_name: z.string() })
      .nullable()
      .describe('Who last changed the survey or its questions'),
  })
  .meta({ examples: [SURVEY_EXAMPLE] });

const LISTED_SURVEY_EXAMPLE = {
  ...SURVEY_EXAMPLE,
  deleted_at: null,
  activity: [
    { day: '2026-11-23', complete_count: 12 },
    { day: '2026-11-24', complete_count: 7 },
  ],
};

/** A survey in a list. */
export const listedSurveySchema = surveySchema
  .extend({
    deleted_at: z.iso.datetime().nullable().describe('With `deleted=true`'),
    activity: z
      .array(z.strictObject({ day: z.iso.date(), complete_count: z.int() }).meta({ id: 'SurveyActivity' }))
      .optional()
      .describe(
        'With `include=activity`: the complete responses of each of the last 14 days until today, oldest first, in the time zone of the survey',
      ),
  })
  .meta({ id: 'Survey', examples: [LISTED_SURVEY_EXAMPLE] });

const SURVEY_WITH_SETTINGS_EXAMPLE = {
  ...SURVEY_EXAMPLE,
  survey_settings: surveySettingsOf({ default_language: 'en', languages: ['en', 'de'] }),
  quality_settings: qualitySettingsOf({}),
  survey_arrangement: null,
  outdated_translations: {},
  etag: 'wHq9c4LZtE5rB1uXo8Vd',
};

export const surveyWithSettingsSchema = surveySchema
  .extend({
    survey_settings: surveySettingsSchema,
    quality_settings: qualitySettingsSchema,
    survey_arrangement: arrangementSchema
      .nullable()
      .describe('Of the pages and blocks that are in no block; null: all, in survey order'),
    outdated_translations: outdatedTranslationsSchema,
    etag: z
      .string()
      .describe(
        'Changes with every change of what `PUT /api/surveys/:id` sets, not with pages and questions, which have their own; for the ' +
          'header `If-Match`',
      ),
  })
  .meta({ id: 'SurveyWithSettings', examples: [SURVEY_WITH_SETTINGS_EXAMPLE] });

export const surveyWithPagesSchema = surveyWithSettingsSchema
  .extend({
    pages: z.array(pageWithQuestionsSchema),
    blocks: z.array(blockSchema),
    questions: z.array(questionSchema).describe('The questions of all pages, in order'),
  })
  .meta({
    id: 'SurveyWithPages',
    examples: [
      {
        ...SURVEY_WITH_SETTINGS_EXAMPLE,
        pages: [{ ...PAGE_EXAMPLE, questions: [QUESTION_EXAMPLE] }],
        blocks: [],
        questions: [QUESTION_EXAMPLE],
      },
    ],
  });

type PresentedRow = Omit<ListedSurveyRow, 'sort_key' | 'deleted_at'>;

function collectionStatusOf(
  { survey_status: status, survey_settings, complete_count: count }: PresentedRow,
  now: Date,
): (typeof COLLECTION_STATUSES)[number] {
  const { response_limit: limit } = surveySettingsOf(survey_settings);
  if (status === SURVEY_STATUS.draft) return 'not_published';
  if (surveyStatusAt(status, survey_settings, now) !== SURVEY_STATUS.active) return 'closed';
  return limit !== null && count >= limit ? 'full' : 'open';
}

export const presentFields = (row: PresentedRow, now: Date) => ({
  survey_id: row.survey_id,
  survey_name: row.survey_name,
  survey_description: row.survey_description,
  survey_status: row.survey_status,
  survey_type: row.survey_type,
  response_count: row.response_count,
  complete_count: row.complete_count,
  collection_status: collectionStatusOf(row, now),
  closes_at: surveySettingsOf(row.survey_settings).closes_at,
  response_limit: surveySettingsOf(row.survey_settings).response_limit,
  workspace_id: row.workspace_id,
  survey_inserted: row.survey_inserted.toISOString(),
  survey_updated: row.survey_updated.toISOString(),
  closed_at: row.closed_at?.toISOString() ?? null,
  published_version: row.published_version,
  has_unpublished_changes: row.published_revision !== row.revision,
  revision: row.revision,
  last_edited_by:
    row.updated_by === null || row.last_editor === null
      ? null
      : { user_id: row.updated_by, user_name: row.last_editor },
});

/** Those of page texts that are empty are included, because a survey is read without its pages. */
function outdatedSurveyTranslations(row: SurveyRow) {
  const { survey_name: name, survey_description: description, survey_settings: settings } = row;
  const written = new Set(listSurveyTexts({ name, description }, settings).map(pathName));
  return outdatedTranslations(
    row.translation_sources,
    (path) => path.startsWith('pages.') || written.has(path),
  );
}

export function presentSurvey(row: SurveyRow, now: Date) {
  const fields = {
    survey_name: row.survey_name,
    survey_description: row.survey_description,
    survey_status: row.survey_status,
    survey_type: row.survey_type,
    workspace_id: row.workspace_id,
    survey_settings: surveySettingsOf(row.survey_settings),
    quality_settings: qualitySettingsOf(row.quality_settings),
    survey_arrangement: row.survey_arrangement,
    outdated_translations: outdatedSurveyTranslations(row),
  };
  return { ...presentFields(row, now), ...fields, etag: etagOf({ survey_id: row.survey_id, ...fields }) };
}

/** A reply about the survey with its ETag. */
export function replySurvey(row: SurveyRow, now: Date) {
  const reply = presentSurvey(row, now);
  return withReply(reply, { headers: etagHeaders(reply) });
}
