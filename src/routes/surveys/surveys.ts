import { z } from 'zod';
import { SURVEY_STATUS } from '../../domain/survey/status.ts';
import type { SurveyDefinition } from '../../domain/survey/definition.ts';
import {
  qualitySettingsChangesSchema,
  qualitySettingsOf,
  qualitySettingsSchema,
} from '../../domain/survey/quality-settings.ts';
import { surveySettingsChangesSchema } from '../../domain/survey/survey-settings.ts';
import { MAX_PAGES, MAX_QUESTIONS } from '../../domain/survey/survey-export.ts';
import { confirmedTranslationsSchema } from '../../domain/survey/translations/translation-sources.ts';
import {
  idNumber,
  idParam,
  pagingQuery,
  parsePage,
  parseSortedCursor,
  sortedPosition,
  sortParam,
  toListPage,
} from '../../http/paging.ts';
import type { RequestMetadata } from '../../http/define-route.ts';
import { etagHeaders, ifMatch } from '../../http/object-versions.ts';
import { dataReply, emptyReply, JsonText, listReply, withReply } from '../../http/reply.ts';
import { isSortKey, SURVEY_SORT_FIELDS, type SurveyRow } from '../../repositories/surveys.ts';
import { mutuallyExclusive } from '../../lib/error-messages.ts';
import type { Services } from '../../services/services.ts';
import { defineRoute } from '../define-route.ts';
import {
  includeRetired,
  inWorkspace,
  onDeletedSurvey,
  onSurvey,
  readOnly,
  surveyQuery,
  targetWorkspaceQuery,
} from '../guards.ts';
import { arrangementSchema } from '../../domain/survey/block-input.ts';
import { presentBlock } from '../block-schemas.ts';
import { presentPages, type Shown } from './question-replies.ts';
import { contentQuestionOf, contentQuestionSchema, pageFields } from './questions.ts';
import {
  surveyType,
  surveyStatus,
  listedSurveySchema,
  surveyWithSettingsSchema,
  surveyWithPagesSchema,
  presentFields,
  presentSurvey,
  replySurvey,
} from './survey-replies.ts';

const CONTENT_MAX_BYTES = 10_000_000;

const params = z.strictObject({ id: idParam });
const name = z.string().trim().min(1, 'is required').max(500);
const description = z.string().max(10_000).nullable();

const SETTINGS =
  'Settings are merged by key: an omitted key keeps its value, null resets it to its default, and null for the whole object resets all keys. ' +
  '`translations` and lists are replaced as a whole. Settings take effect immediately, without publishing.';

const readOnlyFields = {
  survey_id: readOnly,
  deleted_at: readOnly,
  response_count: readOnly,
  survey_inserted: readOnly,
  survey_updated: readOnly,
  closed_at: readOnly,
  published_version: readOnly,
  has_unpublished_changes: readOnly,
  complete_count: readOnly,
  collection_status: readOnly,
  closes_at: readOnly,
  response_limit: readOnly,
  revision: readOnly,
  last_edited_by: readOnly,
  outdated_translations: readOnly,
  etag: readOnly,
  pages: readOnly,
  blocks: readOnly,
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

/** Returns `"pages":[…],"blocks":[…],"questions":[…]`: the questions by page, and all questions in order. */
const writeContent = (shown: Shown) => (definition: SurveyDefinition) => {
  const pages = presentPages(definition.pages, shown);
  const questions = pages.flatMap((page) => page.questions);
  const blocks = definition.blocks
    .filter((block) => shown === 'all' || !block.retired)
    .map((block) => presentBlock(block, definition));
  return Buffer.from(
    `"pages":${JSON.stringify(pages)},"blocks":${JSON.stringify(blocks)},"questions":${JSON.stringify(questions)}`,
  );
};
const writeLiveContent = writeContent('live');
const writeAllContent = writeContent('all');

function replyWithContent({ row, now, content }: { row: SurveyRow; now: Date; content: Buffer }) {
  const survey = presentSurvey(row, now);
  const text = new JsonText(`${JSON.stringify(survey).slice(0, -1)},`, content, '}');
  return withReply(text, { headers: etagHeaders(survey) });
}

const matchSurvey = (services: Services, request: Pick<RequestMetadata, 'ifMatch'>) =>
  ifMatch(request, (row: SurveyRow) => presentSurvey(row, services.surveys.now()));

export const surveyRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/surveys',
    operationId: 'createSurvey',
    summary: 'Create a survey',
    description:
      'Creates a draft in the workspace of the body or query, otherwise in the current workspace.\n\n' +
      '- `pages` creates pages with their questions. `questions` creates a first page with these questions.\n' +
      '- Either everything is created or nothing: 400 names the field, such as `pages[0].questions[2].question_settings.rows`.\n' +
      '- Skip rules name their targets as `target_question` (a question code) or `target_page` (a page number, from 1).\n' +
      '- Page titles are translated afterwards by `page_id`, with `PUT /api/surveys/:id`.\n\n' +
      'The reply is the same as for `GET /api/surveys/:id`.',
    access: inWorkspace('edit'),
    query: targetWorkspaceQuery,
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
        .meta({ description: 'Created on a first page, before `pages`', examples: [EXAMPLE_QUESTIONS] }),
    }),
    example: {
      survey_name: 'Coffee at work',
      survey_description: 'Yearly study of drinks at work',
      survey_type: 'quantitative',
      survey_settings: { default_language: 'en', languages: ['en', 'de'], show_progress: true },
    },
    maxBodyBytes: CONTENT_MAX_BYTES,
    reply: dataReply(surveyWithPagesSchema),
    status: 201,
    hasObjectVersion: true,
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
      return replyWithContent({
        row: survey,
        now: services.surveys.now(),
        content: writeLiveContent(definition),
      });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:id',
    operationId: 'getSurvey',
    summary: 'Get a survey',
    description:
      'Returns the draft with its settings, its pages with their questions, and `questions`: all questions in order. ' +
      'Respondents see the version `published_version`, which may differ from the draft.',
    access: onSurvey('view'),
    params,
    query: surveyQuery.extend({ include_retired: includeRetired }),
    reply: dataReply(surveyWithPagesSchema),
    hasObjectVersion: true,
    async handler({ services, scope, query }) {
      const write = query.include_retired === true ? writeAllContent : writeLiveContent;
      const { survey, definition } = await services.surveys.getSerialized(scope, write);
      return replyWithContent({ row: survey, now: services.surveys.now(), content: definition });
    },
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:id',
    operationId: 'updateSurvey',
    summary: 'Update a survey',
    description:
      'Omitted fields keep their values.\n\n' +
      '- `survey_status`: 3 closes an active survey, 2 reopens a closed one. Publishing and deleting are separate operations.\n' +
      '- `workspace_id` moves the survey. It requires edit permission in both workspaces; the caller must also own the current ' +
      'workspace, be an admin, or everyone who can view the current workspace must be able to view the new one. Its author, everyone in ' +
      'a team workspace if another user created it, and everyone in a workspace that an editor moved it from must keep seeing it, unless ' +
      'an admin moves it. Otherwise 403. ' +
      'An admin can undo the move with `POST /api/audit/:auditId/undo-move`.\n' +
      `- ${SETTINGS}\n` +
      '- `pages` and `questions` are ignored; they have operations of their own.',
    access: onSurvey('edit'),
    params,
    query: surveyQuery,
    body: z.strictObject({
      survey_name: name.optional(),
      survey_description: description.optional(),
      survey_status: surveyStatus.optional(),
      survey_type: surveyType.optional(),
      workspace_id: idNumber.optional(),
      survey_settings: surveySettingsChangesSchema.nullish(),
      quality_settings: qualitySettingsChangesSchema.nullish(),
      survey_arrangement: arrangementSchema
        .nullish()
        .describe(
          'Order and number of the pages and blocks that are in no block; respondents see it once it is published',
        ),
      confirmed_translations: confirmedTranslationsSchema,
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
    reply: dataReply(surveyWithSettingsSchema),
    hasObjectVersion: true,
    ifMatch: surveyWithSettingsSchema,
    errors: {
      409:
        'The status cannot change in this way; or `anonymous_promised`: responses were collected anonymously, so `anonymous` and ' +
        '`timezone` cannot change',
    },
    handler: async ({ services, caller, scope, body, request }) =>
      replySurvey(
        await services.surveys.update({
          caller,
          scope,
          changes: {
            name: body.survey_name,
            description: body.survey_description,
            status: body.survey_status,
            type: body.survey_type,
            workspaceId: body.workspace_id,
            settings: body.survey_settings,
            qualitySettings: body.quality_settings,
            arrangement: body.survey_arrangement,
            confirmedTranslations: body.confirmed_translations,
          },
          precondition: matchSurvey(services, request),
        }),
        services.surveys.now(),
      ),
  }),
  defineRoute({
    method: 'delete',
    path: '/api/surveys/:id',
    operationId: 'deleteSurvey',
    summary: 'Delete a survey',
    description:
      'Works in every status. The survey, its responses and its links are hidden immediately, but not erased: ' +
      '`POST /api/surveys/:id/restore` restores them within `DELETED_RETENTION_DAYS` (30 days by default); then they are erased.',
    access: onSurvey('edit'),
    params,
    query: surveyQuery,
    reply: emptyReply,
    ifMatch: surveyWithSettingsSchema,
    handler: ({ services, scope, request }) => services.surveys.delete(scope, matchSurvey(services, request)),
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:id/restore',
    operationId: 'restoreSurvey',
    summary: 'Restore a deleted survey',
    description:
      'Restores the survey with its responses and links, in the status that it had, within `DELETED_RETENTION_DAYS` after it was deleted. ' +
      '`GET /api/surveys?deleted=true` lists these surveys.',
    access: onDeletedSurvey,
    params,
    query: surveyQuery,
    reply: dataReply(surveyWithSettingsSchema),
    hasObjectVersion: true,
    errors: { 404: 'The survey is not deleted, or was deleted more than `DELETED_RETENTION_DAYS` ago' },
    handler: async ({ services, scope }) =>
      replySurvey(await services.surveys.restore(scope), services.surveys.now()),
  }),
  defineRoute({
    method: 'put',
    path: '/api/surveys/:id/quality-settings',
    operationId: 'updateQualitySettings',
    summary: 'Update the quality settings',
    description:
      'Sets the quality checks `speeder`, `straightliner`, `duplicate`, `open_end` and `attention_checks`, and the `action` for ' +
      'a failed check. Settings are merged by key: an omitted key keeps its value, null resets it to its default, and null for the whole object ' +
      'resets all keys. The list `attention_checks` is replaced as a whole. Settings take effect immediately, without publishing. The reply has all settings.',
    access: onSurvey('edit'),
    params,
    query: surveyQuery,
    body: qualitySettingsChangesSchema,
    example: {
      speeder: { enabled: true, ratio: 0.4 },
      straightliner: { enabled: true, min_rows: 3 },
    },
    reply: dataReply(qualitySettingsSchema),
    replyExample: qualitySettingsOf({ speeder: { enabled: true, ratio: 0.4 } }),
    hasObjectVersion: true,
    ifMatch: surveyWithSettingsSchema,
    async handler({ services, caller, scope, body, request }) {
      const row = await services.surveys.update({
        caller,
        scope,
        changes: { qualitySettings: body },
        qualityAt: '',
        precondition: matchSurvey(services, request),
      });
      return withReply(qualitySettingsOf(row.quality_settings), {
        headers: etagHeaders(presentSurvey(row, services.surveys.now())),
      });
    },
  }),
];

/** The activity of each survey is the sum of hundreds of counts. */
const MAX_WITH_ACTIVITY = 100;
const NEWEST_FIRST = { field: 'survey_id', descending: true } as const;

const query = z.strictObject({
  workspace_id: idParam.optional().describe('Default: the current workspace'),
  status: z
    .enum(['1', '2', '3'], { error: 'must be 1 (Draft), 2 (Active) or 3 (Closed)' })
    .transform((text) => Number(text) as 1 | 2 | 3)
    .optional()
    .describe('1 Draft, 2 Active, 3 Closed')
    .meta({ override: { type: 'integer', enum: [1, 2, 3] } }),
  deleted: z
    .literal('true', { error: 'must be true' })
    .optional()
    .describe('Instead of `status`: the surveys that were deleted within `DELETED_RETENTION_DAYS`')
    .meta({ override: { type: 'boolean', const: true } }),
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe('Part of the name or description, ignoring case'),
  sort: sortParam(SURVEY_SORT_FIELDS).optional().describe('Default: -survey_id (newest first)'),
  include: z
    .literal('activity', { error: 'must be activity' })
    .optional()
    .describe('activity: the complete responses of each of the last 14 days'),
  ...pagingQuery,
});

export const listSurveysRoute = defineRoute({
  method: 'get',
  path: '/api/surveys',
  operationId: 'listSurveys',
  summary: 'List surveys',
  description:
    'Returns the surveys of the workspace without deleted ones, newest first unless `sort` is given. `meta.total` is the ' +
    'number of all matches. With `include=activity` a page has at most 100 surveys.',
  access: inWorkspace('view'),
  query,
  reply: listReply(listedSurveySchema),
  async handler({ services, scope, query: filters }) {
    const sort = filters.sort ?? NEWEST_FIRST;
    if (filters.deleted !== undefined && filters.status !== undefined)
      throw mutuallyExclusive('status', 'deleted');
    const hasActivity = filters.include === 'activity';
    const paging = hasActivity
      ? { ...filters, limit: Math.min(filters.limit ?? MAX_WITH_ACTIVITY, MAX_WITH_ACTIVITY) }
      : filters;
    const { after, skip, limit } = parsePage(paging, (cursor) => parseSortedCursor(cursor, sort, isSortKey));
    const { rows, total } = await services.surveys.list(scope, {
      sort,
      status: filters.deleted === undefined ? filters.status : SURVEY_STATUS.deleted,
      search: filters.search,
      // One extra row shows whether there is a next page.
      limit: limit + 1,
      offset: skip,
      after: after === null ? undefined : { key: after.key, surveyId: after.id },
    });
    const activity = hasActivity ? await services.surveys.listActivity(rows.slice(0, limit)) : null;
    const now = services.surveys.now();
    return toListPage({
      found: rows,
      limit,
      total,
      positionOf: (row) => sortedPosition(sort, row.sort_key, row.survey_id),
      present: (row) => ({
        ...presentFields(row, now),
        deleted_at: row.deleted_at?.toISOString() ?? null,
        ...(activity !== null && { activity: activity.get(row.survey_id) ?? [] }),
      }),
    });
  },
});
