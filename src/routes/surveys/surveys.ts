import { z } from 'zod';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import {
  qualitySettingsChangesSchema,
  qualitySettingsOf,
  qualitySettingsSchema,
} from '../../domain/survey/settings/quality-settings.ts';
import { surveySettingsChangesSchema } from '../../domain/survey/settings/survey-settings.ts';
import { MAX_PAGES, MAX_QUESTIONS } from '../../domain/survey/transfer/survey-export.ts';
import type { SurveyRow } from '../../repositories/surveys.ts';
import { idNumber, idText } from '../../http/paging.ts';
import { data, empty, JsonText } from '../../http/reply.ts';
import { onSurvey } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { includeRetired, inWorkspace, narrowedQuery, readOnly } from '../in-workspace.ts';
import { contentQuestionOf, contentQuestionSchema, pageFields } from './question-input.ts';
import { presentPages, type Shown } from './question-reply.ts';
import {
  presentSurvey,
  surveyStatus,
  surveyType,
  surveyWithPagesSchema,
  surveyWithSettingsSchema,
} from './survey-reply.ts';

const CONTENT_MAX_BYTES = 10_000_000;

const params = z.strictObject({ id: idText });
const name = z.string().trim().min(1, 'is required').max(500);
const description = z.string().max(10_000).nullable();

const SETTINGS =
  'Settings change key by key: an absent key keeps its value, null brings back the default; null for the whole resets all. ' +
  '`translations` and lists are one key: they are replaced as a whole. Settings take effect at once, without publishing.';

const readOnlyFields = {
  survey_id: readOnly,
  response_count: readOnly,
  survey_inserted: readOnly,
  survey_updated: readOnly,
  closed_at: readOnly,
  published_version: readOnly,
  has_unpublished_changes: readOnly,
  pages: readOnly,
  questions: readOnly,
};

const EXAMPLE_QUESTIONS = [
  {
    question_type: 'single_choice',
    question_code: 'drink',
    question_text: 'What do you drink most at work?',
    options: ['Coffee', 'Tea', 'Water'],
  },
  {
    question_type: 'scale',
    question_code: 'taste',
    question_text: 'How does it taste?',
    question_settings: { min: 1, max: 5, logic: { display: { drink: ['Coffee', 'Tea'] } } },
  },
];

/** `"pages":[…],"questions":[…]`: each question under its page, and all of them in order. */
const writeContent = (shown: Shown) => (definition: SurveyDefinition) => {
  const pages = presentPages(definition.pages, shown);
  const questions = pages.flatMap((page) => page.questions);
  return Buffer.from(`"pages":${JSON.stringify(pages)},"questions":${JSON.stringify(questions)}`);
};
const writeLiveContent = writeContent('live');
const writeAllContent = writeContent('all');

const surveyText = (survey: SurveyRow, content: Buffer) =>
  new JsonText(`${JSON.stringify(presentSurvey(survey)).slice(0, -1)},`, content, '}');

export const surveyRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/surveys',
    operationId: 'createSurvey',
    summary: 'Create a survey',
    description:
      'A Draft in the workspace of the body or query, else in the current one. `pages` are created with their questions, and `questions` on a ' +
      'page of their own before them; either all or, if anything is wrong, none (400 names the field, such as ' +
      '`pages[0].questions[2].question_settings.rows`). Skips name their targets as `target_question` (a code) or `target_page` (a number, ' +
      'from 1). Titles of pages are translated afterwards with `PUT /api/surveys/:id`, by page_id. The reply is that of reading the survey.',
    access: inWorkspace('edit'),
    query: narrowedQuery,
    body: z.strictObject({
      survey_name: name,
      survey_description: description.optional(),
      survey_type: surveyType.default('quantitative'),
      workspace_id: idNumber.optional(),
      survey_settings: surveySettingsChangesSchema.nullish(),
      quality_settings: qualitySettingsChangesSchema.nullish(),
      pages: z
        .array(
          z
            .strictObject({
              ...pageFields,
              questions: z.array(contentQuestionSchema).max(MAX_QUESTIONS).nullish(),
            })
            .meta({ id: 'NewSurveyPage' }),
        )
        .max(MAX_PAGES)
        .nullish(),
      questions: z
        .array(contentQuestionSchema)
        .max(MAX_QUESTIONS)
        .nullish()
        .meta({ description: 'On a page of their own, before `pages`', examples: [EXAMPLE_QUESTIONS] }),
    }),
    example: {
      survey_name: 'Coffee at work',
      survey_description: 'Yearly study of drinks at work',
      survey_type: 'quantitative',
      survey_settings: { default_language: 'en', languages: ['en', 'de'], show_progress: true },
    },
    maxBodyBytes: CONTENT_MAX_BYTES,
    reply: data(surveyWithPagesSchema),
    status: 201,
    errors: {
      409: 'Two questions have the same question_code, or there are too many pages, questions or options',
      413: 'The body is larger than 10 MB',
    },
    async handler({ services, scope, body }) {
      const { survey, definition } = await services.surveys.create(scope, {
        name: body.survey_name,
        description: body.survey_description ?? null,
        type: body.survey_type,
        settings: body.survey_settings ?? {},
        qualitySettings: body.quality_settings ?? null,
        content: {
          pages: (body.pages ?? []).map((page) => ({
            title: page.page_title ?? null,
            description: page.page_description ?? null,
            logic: page.page_logic ?? null,
            questions: (page.questions ?? []).map(contentQuestionOf),
          })),
          questions: (body.questions ?? []).map(contentQuestionOf),
        },
      });
      return surveyText(survey, writeLiveContent(definition));
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:id',
    operationId: 'getSurvey',
    summary: 'Get a survey',
    description:
      'The draft with its settings, its pages with their questions, and `questions`: the same questions in order, across all pages. ' +
      'Respondents get `published_version`.',
    access: onSurvey('view'),
    params,
    query: narrowedQuery.extend({ include_retired: includeRetired }),
    reply: data(surveyWithPagesSchema),
    async handler({ services, scope, query }) {
      const write = query.include_retired === true ? writeAllContent : writeLiveContent;
      const { survey, definition } = await services.surveys.getSerialized(scope, write);
      return surveyText(survey, definition);
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:id',
    operationId: 'updateSurvey',
    summary: 'Change a survey',
    description:
      'Absent fields stay. `survey_status` closes an Active survey (3) and reopens a Closed one (2); publishing and deleting have ' +
      'operations of their own. `workspace_id` moves the survey: by an editor of both workspaces who owns the one it leaves or is an admin, or where everyone who sees that one ' +
      'sees the other too; else 403. An admin can return it (`POST /api/audit/:auditId/undo-move`). ' +
      `${SETTINGS} Pages and questions are changed through their own operations, and ignored here.`,
    access: onSurvey('edit'),
    params,
    query: narrowedQuery,
    body: z.strictObject({
      survey_name: name.optional(),
      survey_description: description.optional(),
      survey_status: surveyStatus.optional(),
      survey_type: surveyType.optional(),
      workspace_id: idNumber.optional(),
      survey_settings: surveySettingsChangesSchema.nullish(),
      quality_settings: qualitySettingsChangesSchema.nullish(),
      ...readOnlyFields,
    }),
    example: {
      survey_name: 'Coffee at work 2026',
      survey_settings: {
        completion_message: 'Thank you for your answers.',
        translations: {
          de: {
            survey_name: 'Kaffee bei der Arbeit 2026',
            completion_message: 'Vielen Dank für Ihre Antworten.',
          },
        },
      },
    },
    reply: data(surveyWithSettingsSchema),
    errors: {
      409: 'The survey cannot go from its status to the given one, or its responses were promised anonymity, so that `anonymous` and `timezone` stay (`anonymous_promised`)',
    },
    handler: async ({ services, caller, scope, body }) =>
      presentSurvey(
        await services.surveys.update(caller, scope, {
          name: body.survey_name,
          description: body.survey_description,
          status: body.survey_status,
          type: body.survey_type,
          workspaceId: body.workspace_id,
          settings: body.survey_settings,
          qualitySettings: body.quality_settings,
        }),
      ),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/surveys/:id',
    operationId: 'deleteSurvey',
    summary: 'Delete a survey',
    description: 'From any status. It is out of sight at once with its data and links; nothing is erased.',
    access: onSurvey('edit'),
    params,
    query: narrowedQuery,
    reply: empty,
    handler: ({ services, scope }) => services.surveys.delete(scope),
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:id/quality-settings',
    operationId: 'updateQualitySettings',
    summary: 'Change the quality settings',
    description:
      'speeder, straightliner, duplicate, open_end, attention_checks, and what a failed check does (`action`). ' +
      `${SETTINGS} A section changes by its own keys; attention_checks is the whole list. The reply is complete.`,
    access: onSurvey('edit'),
    params,
    query: narrowedQuery,
    body: qualitySettingsChangesSchema,
    example: {
      speeder: { enabled: true, ratio: 0.4 },
      straightliner: { enabled: true, min_rows: 3 },
    },
    reply: data(qualitySettingsSchema),
    async handler({ services, caller, scope, body }) {
      const row = await services.surveys.update(caller, scope, { qualitySettings: body }, '');
      return qualitySettingsOf(row.quality_settings);
    },
  }),
];
