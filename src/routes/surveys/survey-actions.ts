import { z } from 'zod';
import {
  type Look,
  LOOK_DEFAULTS,
  LOOK_NAMES,
  LOOK_SOURCES,
  lookSchema,
  lookSources,
} from '../../domain/survey/look.ts';
import { SURVEY_STATUS } from '../../domain/survey/status.ts';
import { surveyExportSchema } from '../../domain/survey/survey-export.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { inWorkspace, onSurvey, surveyQuery } from '../guards.ts';
import { LINK_EXAMPLE, linkSchema, presentLink } from '../link-reply.ts';
import { replySurvey, surveyWithSettingsSchema } from './survey-replies.ts';

const params = z.strictObject({ id: idParam });
const ACTIVE = SURVEY_STATUS.active;
const IMPORT_MAX_BYTES = 10_000_000;

const publicationSchema = z
  .strictObject({
    survey_id: z.int(),
    survey_status: z.literal(ACTIVE),
    version: z.int().describe('The version that respondents get'),
    is_new_version: z.boolean().describe('false: nothing has changed since this version was published'),
    has_unpublished_changes: z.literal(false),
    links: z.array(linkSchema),
  })
  .meta({
    id: 'Publication',
    examples: [
      {
        survey_id: 1,
        survey_status: 2,
        version: 3,
        is_new_version: true,
        has_unpublished_changes: false,
        links: [LINK_EXAMPLE],
      },
    ],
  });

const findingSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  field: z
    .string()
    .describe('Path in the survey as returned with include_retired=true; empty for the whole survey'),
  question_code: z.string().optional(),
  page_id: z.int().optional().describe('The page that the problem is about, if it is not about a question'),
});

const checkedTextSchema = z
  .strictObject({
    field: z.string().describe('Path of the text in the survey as returned with include_retired=true'),
    question_code: z.string().optional(),
    text: z.string().describe('The text in the default language'),
  })
  .meta({ id: 'CheckedText' });

const checkSchema = z
  .strictObject({
    publishable: z.boolean(),
    problems: z.array(findingSchema),
    warnings: z
      .array(
        findingSchema.extend({
          language: z.string().optional().describe('With `missing_translations` and `outdated_translations`'),
          missing: z
            .array(checkedTextSchema)
            .optional()
            .describe('With `missing_translations`: every text that is not translated into `language`'),
          outdated: z
            .array(checkedTextSchema)
            .optional()
            .describe(
              'With `outdated_translations`: every text that changed after it was translated into `language`',
            ),
          texts: z.array(z.string()).optional().describe('With `leftover_text`: the texts'),
        }),
      )
      .describe(
        'Do not prevent publishing. `missing_translations`: one per language of `survey_settings.languages` that has untranslated texts, which ' +
          'respondents see in the default language. `outdated_translations`: one per language whose translations belong to texts that have changed. `closing_time_passed`, `closing_soon` (within an hour) and `response_limit_reached`: respondents cannot answer now, or soon. `whole_amounts`: a number question names an amount of money, and accepts no decimals. `ambiguous_code`: the code of a reason instead of an answer is a number that respondents can enter. `unknown_translation`: a translation of a text that the question does not have. `leftover_text`: one per question or page with texts that look unfinished, such as `Brand A` or `Option 1`. `media_without_text`, `video_without_captions`: people who cannot hear or see it cannot follow the sound or video of a question',
      ),
  })
  .meta({ id: 'PublishCheck' });

export const surveyActionRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/surveys/:id/publish',
    operationId: 'publishSurvey',
    summary: 'Publish a survey',
    description:
      'Stores the draft as a new version. A draft survey becomes active (2) and gets an open link if it has none; its ' +
      '`link_url` is the address for respondents. Publishing an active survey again stores the next version; responses in ' +
      'progress keep theirs. Without a change since the latest version that version stays (`is_new_version: false`), and a `note` is not stored. Problems listed by `GET /api/surveys/:id/publish-check`, such as an empty survey or a ' +
      '`dangling_reference`, are 409; if the only problem is a cycle in the logic, 422. `details` has the whole list.',
    access: onSurvey('edit'),
    params,
    query: surveyQuery,
    body: z.strictObject({
      note: z
        .string()
        .trim()
        .max(1_000)
        .nullish()
        .describe('What changed, for the list of versions; respondents never see it'),
    }),
    example: { note: 'Shorter introduction, new question about milk' },
    reply: dataReply(publicationSchema),
    errors: {
      409: 'The survey is closed or cannot be published; see `details`',
      422: 'Display conditions form a cycle',
    },
    async handler({ services, scope, body, request }) {
      const { version, isNewVersion, links } = await services.surveyPublishing.publish(
        scope,
        body.note || null,
      );
      const now = services.links.now();
      const status = await services.surveys.getStatus(scope);
      return {
        survey_id: scope.surveyId,
        survey_status: SURVEY_STATUS.active,
        version,
        is_new_version: isNewVersion,
        has_unpublished_changes: false as const,
        links: links.map((link) => presentLink(link, status, { scope, baseUrl: request.baseUrl, now })),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:id/publish-check',
    operationId: 'checkSurvey',
    summary: 'Check a survey before publishing',
    description: 'Returns the problems that prevent publishing, and warnings that do not.',
    access: onSurvey('view'),
    params,
    query: surveyQuery,
    reply: dataReply(checkSchema),
    replyExample: {
      publishable: false,
      problems: [{ code: 'empty_survey', message: 'The survey has no page', field: '' }],
      warnings: [],
    },
    async handler({ services, scope }) {
      const { problems, warnings } = await services.surveyPublishing.check(scope);
      return { publishable: problems.length === 0, problems, warnings };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:id/duplicate',
    operationId: 'duplicateSurvey',
    summary: 'Duplicate a survey',
    description:
      'Creates a draft in the same workspace with the same pages, questions, codes, options, settings and logic. Responses, ' +
      'links and retired questions are not copied.',
    access: onSurvey('edit'),
    params,
    query: surveyQuery,
    reply: dataReply(surveyWithSettingsSchema),
    status: 201,
    hasObjectVersion: true,
    handler: async ({ services, scope }) =>
      replySurvey(await services.surveyTransfer.duplicate(scope), services.surveys.now()),
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:id/export',
    operationId: 'exportSurvey',
    summary: 'Export a survey',
    description:
      'Returns pages, questions, logic and settings in the format that `POST /api/surveys/import` reads. An imported survey ' +
      'exports the same document except for ids.',
    access: onSurvey('view'),
    params,
    query: surveyQuery,
    reply: dataReply(surveyExportSchema),
    // The service types the document as it builds it; stored settings are typed only by their schemas.
    handler: async ({ services, scope }) =>
      (await services.surveyTransfer.export(scope)) as unknown as z.input<typeof surveyExportSchema>,
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/import',
    operationId: 'importSurvey',
    summary: 'Import a survey',
    description:
      'Creates a draft with new ids in the workspace of the query, otherwise in the current workspace. Accepts an exported ' +
      'document (`{format: "canvass.survey", version: 1, survey: {…}}`), the whole reply of the export, or only the survey ' +
      'object. Either everything is imported or nothing. At most 10 MB.',
    access: inWorkspace('edit'),
    query: z.strictObject({ workspace_id: idParam.optional().describe('Default: the current workspace') }),
    body: z.record(z.string(), z.unknown()),
    example: {
      format: 'canvass.survey',
      version: 1,
      survey: {
        survey_name: 'Coffee at work 2026',
        pages: [
          {
            page_title: 'About you',
            questions: [
              {
                question_type: 'single_choice',
                question_code: 'Q1',
                question_text: 'What is your gender?',
                options: ['Female', 'Male', 'Non-binary'],
              },
              {
                question_type: 'number',
                question_code: 'Q2',
                question_text: 'How old are you?',
                question_settings: { min: 16, max: 99 },
              },
            ],
          },
        ],
      },
    },
    maxBodyBytes: IMPORT_MAX_BYTES,
    reply: dataReply(surveyWithSettingsSchema),
    status: 201,
    hasObjectVersion: true,
    errors: { 413: 'The body is larger than 10 MB' },
    handler: async ({ services, scope, body }) =>
      replySurvey(await services.surveyTransfer.import(scope, body), services.surveys.now()),
  }),
];

const previewSchema = z
  .strictObject({
    preview_token: z.string().describe('Used like a link token under `/api/public/s/…`'),
    preview_url: z.string(),
    expires_at: z.iso.datetime(),
  })
  .meta({
    id: 'Preview',
    examples: [
      {
        preview_token: 'preview-1-1795599739-XZRmyZbum4QgSXbLb_NfOQ',
        preview_url: 'https://canvass.example.org/s/preview/preview-1-1795599739-XZRmyZbum4QgSXbLb_NfOQ',
        expires_at: '2026-11-25T09:42:19.000Z',
      },
    ],
  });

// Each entry has the key of the look, which the compiler cannot follow through `Object.fromEntries`.
const LOOK_SOURCE_SCHEMAS = Object.fromEntries(
  LOOK_NAMES.map((name) => [name, z.enum(LOOK_SOURCES)]),
) as Record<keyof Look, z.ZodEnum<{ [source in (typeof LOOK_SOURCES)[number]]: source }>>;

const shownLookSchema = z
  .strictObject({
    look: lookSchema.describe('The values that respondents see'),
    sources: z
      .strictObject(LOOK_SOURCE_SCHEMAS)
      .describe('Where each value comes from: the survey, its workspace, or neither'),
  })
  .meta({
    id: 'ShownLook',
    examples: [
      {
        look: { ...LOOK_DEFAULTS, color: '#0f766e', imprint_url: 'https://www.example.org/imprint' },
        sources: { ...lookSources({}, {}), color: 'survey', imprint_url: 'workspace' },
      },
    ],
  });

export const lookRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/surveys/:id/look',
    operationId: 'getSurveyLook',
    summary: 'Get the look of a survey',
    description:
      'Returns the values of the survey (`survey_settings`), and those of its workspace (`workspace_look`) where the survey sets none.',
    access: onSurvey('view'),
    params: z.strictObject({ id: idParam }),
    query: surveyQuery,
    reply: dataReply(shownLookSchema),
    handler: ({ services, scope }) => services.surveys.getLook(scope),
  }),
];

export const previewRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/surveys/:id/preview',
    operationId: 'previewSurvey',
    summary: 'Preview a survey',
    description:
      'Creates a preview address for the draft, published or not, valid for 24 hours. Anyone with the address can open it and ' +
      'always sees the current draft. Preview responses are stored separately: no statistic, export, quota or count includes ' +
      'them, and they do not restrict changes to questions.',
    access: onSurvey('edit'),
    params: z.strictObject({ id: idParam }),
    query: surveyQuery,
    reply: dataReply(previewSchema),
    status: 201,
    handler({ services, scope, request }) {
      const { token, expiresAt } = services.surveyPreviews.create(scope.surveyId);
      return Promise.resolve({
        preview_token: token,
        preview_url: `${request.baseUrl}/s/preview/${token}`,
        expires_at: expiresAt.toISOString(),
      });
    },
  }),
];
