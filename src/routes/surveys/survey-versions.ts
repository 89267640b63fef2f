import { z } from 'zod';
import { VERSION_CHANGE_KINDS } from '../../domain/survey/versions/compare-versions.ts';
import { idParam, pagingQuery, parseIdPage, toListPage } from '../../http/paging.ts';
import { dataReply, listReply } from '../../http/reply.ts';
import { jsonValue } from '../../lib/json-value.ts';
import type { SurveyVersionRow } from '../../repositories/definitions.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import { PAGE_EXAMPLE, pageWithQuestionsSchema, presentPages, QUESTION_EXAMPLE } from './question-replies.ts';

const VERSION_EXAMPLE = {
  version: 3,
  published_at: '2026-10-05T09:12:00.000Z',
  published_by: { user_id: 1, user_name: 'Ada Admin' },
  note: 'Shorter introduction, new question about milk',
  question_count: 12,
  is_current: true,
};

const versionSchema = z
  .strictObject({
    version: z.int(),
    published_at: z.iso.datetime(),
    published_by: z.strictObject({ user_id: z.int(), user_name: z.string().nullable() }),
    note: z.string().nullable().describe('What the author wrote when publishing it'),
    question_count: z.int().describe('Questions that respondents can see, hidden ones included'),
    is_current: z.boolean().describe('Whether respondents who start now get this version'),
  })
  .meta({ id: 'SurveyVersion', examples: [VERSION_EXAMPLE] });

const versionWithContentSchema = versionSchema
  .extend({
    survey_name: z.string(),
    survey_description: z.string().nullable(),
    pages: z.array(pageWithQuestionsSchema),
  })
  .meta({
    id: 'SurveyVersionWithContent',
    examples: [
      {
        ...VERSION_EXAMPLE,
        survey_name: 'Coffee at work',
        survey_description: null,
        pages: [{ ...PAGE_EXAMPLE, questions: [QUESTION_EXAMPLE] }],
      },
    ],
  });

const CHANGE_EXAMPLE = {
  kind: 'question_reworded' as const,
  page_id: 1,
  question_id: 1,
  question_code: 'Q1',
  option_code: null,
  field: 'question_text',
  before: 'What is your sex?',
  after: 'What is your gender?',
  text: 'Question Q1 was reworded from “What is your sex?” to “What is your gender?”.',
};

const changeSchema = z
  .strictObject({
    kind: z.enum(VERSION_CHANGE_KINDS),
    page_id: z.int().nullable().describe('The page, or the page of the question'),
    question_id: z.int().nullable(),
    question_code: z.string().nullable(),
    option_code: z.int().nullable(),
    field: z.string().nullable().describe('The changed field or setting'),
    before: jsonValue.describe('The value before; null: none'),
    after: jsonValue.describe('The value after; null: none'),
    text: z.string().describe('The change in plain English'),
  })
  .meta({ id: 'VersionChange', examples: [CHANGE_EXAMPLE] });

const presentVersion = (row: SurveyVersionRow, current: number | null) => ({
  version: row.version,
  published_at: row.published_at.toISOString(),
  published_by: { user_id: row.published_by, user_name: row.user_name },
  note: row.note,
  question_count: row.question_count,
  is_current: row.version === current,
});

const DEFAULT_LIMIT = 100;
const versionParam = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'must be the number of a version')
  .transform(Number)
  .meta({ override: { type: 'integer', minimum: 1 } });
const versionOrDraft = z
  .string()
  .regex(/^(draft|[1-9]\d{0,8})$/, 'must be the number of a version, or draft')
  .transform((text) => (text === 'draft' ? ('draft' as const) : Number(text)))
  .meta({ override: { type: 'string' } });

const ofSurvey = z.strictObject({ id: idParam });
const ofVersion = z.strictObject({ id: idParam, version: versionParam });

export const surveyVersionRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/:id/versions',
    operationId: 'listSurveyVersions',
    summary: 'List published versions',
    description:
      'Returns the newest version first. Started responses keep the version that they were started in.',
    access: onSurvey('view'),
    params: ofSurvey,
    query: surveyQuery.extend({
      ...pagingQuery,
      limit: pagingQuery.limit.describe(`Maximum number of items, at most 1000. Default: ${DEFAULT_LIMIT}`),
    }),
    reply: listReply(versionSchema),
    async handler({ services, scope, query }) {
      const page = parseIdPage(query, DEFAULT_LIMIT);
      const { found, total } = await services.surveyVersions.list(scope, page);
      const { published_version: current } = await services.surveys.get(scope);
      return toListPage({
        found,
        limit: page.limit,
        total,
        positionOf: ({ version }) => version,
        present: (row) => presentVersion(row, current),
      });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:id/versions/:version',
    operationId: 'getSurveyVersion',
    summary: 'Get a published version',
    description: 'Returns the version with its pages and questions, as respondents get them.',
    access: onSurvey('view'),
    params: ofVersion,
    query: surveyQuery,
    reply: dataReply(versionWithContentSchema),
    async handler({ services, scope, params }) {
      const { definition, ...row } = await services.surveyVersions.get(scope, params.version);
      const { published_version: current } = await services.surveys.get(scope);
      return {
        ...presentVersion(row, current),
        survey_name: definition.name,
        survey_description: definition.description,
        pages: presentPages(definition.pages, 'live'),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:id/versions/:version/diff/:other',
    operationId: 'compareSurveyVersions',
    summary: 'Compare two versions',
    description:
      'Returns what differs in `other` from `version`, as values and in words; `other` can be `draft`. Questions are matched by id and ' +
      'options by code, so a reworded question is not a new one. Settings of the survey are not part of versions: they take effect at once.',
    access: onSurvey('view'),
    params: ofVersion.extend({ other: versionOrDraft }),
    query: surveyQuery,
    reply: dataReply(
      z
        .strictObject({
          version: z.int(),
          other: z.union([z.int(), z.literal('draft')]),
          changes: z.array(changeSchema),
        })
        .meta({
          id: 'VersionComparison',
          examples: [{ version: 2, other: 3, changes: [CHANGE_EXAMPLE] }],
        }),
    ),
    handler: async ({ services, scope, params: { version, other } }) => ({
      version,
      other,
      changes: await services.surveyVersions.compare(scope, version, other),
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:id/versions/:version/restore',
    operationId: 'restoreSurveyVersion',
    summary: 'Restore a version as draft',
    description:
      'Makes the draft what the version was; respondents see it after the next publishing. Questions and options keep their ids and codes. ' +
      'Questions, pages and options that the version does not have are retired, not deleted; rows of a matrix remain if they were added ' +
      'later, because they may have data (`remaining_changes`). The name and description of the survey are restored too. Restoring again ' +
      'changes nothing.',
    access: onSurvey('edit'),
    params: ofVersion,
    query: surveyQuery,
    reply: dataReply(
      z
        .strictObject({
          survey_id: z.int(),
          version: z.int(),
          is_changed: z.boolean().describe('false: the draft was like the version before'),
          remaining_changes: z.array(changeSchema).describe('What still differs from the version'),
          has_unpublished_changes: z.boolean(),
        })
        .meta({
          id: 'RestoredVersion',
          examples: [
            {
              survey_id: 1,
              version: 2,
              is_changed: true,
              remaining_changes: [],
              has_unpublished_changes: true,
            },
          ],
        }),
    ),
    async handler({ services, scope, params: { version } }) {
      const { isChanged, remaining } = await services.surveyVersions.restore(scope, version);
      const survey = await services.surveys.get(scope);
      return {
        survey_id: scope.surveyId,
        version,
        is_changed: isChanged,
        remaining_changes: remaining,
        has_unpublished_changes: survey.published_revision !== survey.revision,
      };
    },
  }),
];
