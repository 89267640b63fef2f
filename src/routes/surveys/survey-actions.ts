import { z } from 'zod';
import { SURVEY_STATUS } from '../../domain/survey/publishing/survey-status.ts';
import { idText } from '../../http/paging.ts';
import { data } from '../../http/reply.ts';
import { surveyExportSchema } from '../../domain/survey/transfer/survey-export.ts';
import { onSurvey } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { inWorkspace, narrowedQuery } from '../in-workspace.ts';
import { linkSchema, presentLink } from '../link-reply.ts';
import { presentSurvey, surveyWithSettingsSchema } from './survey-reply.ts';

const params = z.strictObject({ id: idText });
const ACTIVE = SURVEY_STATUS.active;
const IMPORT_MAX_BYTES = 10_000_000;

const publicationSchema = z
  .strictObject({
    survey_id: z.int(),
    survey_status: z.literal(ACTIVE),
    version: z.int(),
    has_unpublished_changes: z.literal(false),
    links: z.array(linkSchema),
  })
  .meta({ id: 'Publication' });

const remarkSchema = z.strictObject({
  code: z.string(),
  message: z.string(),
  field: z.string().describe('As in the survey with include_retired=true; empty: the whole survey'),
  question_code: z.string().optional(),
});

const checkSchema = z
  .strictObject({
    publishable: z.boolean(),
    problems: z.array(remarkSchema),
    warnings: z
      .array(
        remarkSchema.extend({
          language: z.string().optional().describe('With `missing_translations`'),
          missing: z
            .array(
              z.strictObject({
                field: z.string().describe('Where the text is, as in the survey with include_retired=true'),
                question_code: z.string().optional(),
                text: z.string().describe('The text in the default language'),
              }),
            )
            .optional()
            .describe(
              'With `missing_translations`: every text of the survey that has no translation into `language`',
            ),
        }),
      )
      .describe(
        'Does not keep the survey from being published. `missing_translations`: one per language of `survey_settings.languages` with ' +
          'texts that respondents would read in the default language. `unknown_translation`: a translation of a text that is not in the question',
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
      'A Draft becomes Active (2) and gets an open link if it has none: give respondents its `link_url`. The draft is stored as a version; ' +
      'publishing an Active survey again stores the next one, and responses in progress keep their version. Problems that `publish-check` ' +
      'lists, such as an empty survey or a `dangling_reference`, are 409, a logic cycle alone 422, with the whole list in `details`.',
    access: onSurvey('edit'),
    params,
    query: narrowedQuery,
    reply: data(publicationSchema),
    errors: {
      409: 'The survey is closed, or not ready; details say why',
      422: 'Conditions depend on themselves',
    },
    async handler({ services, scope, request }) {
      const { version, links } = await services.surveyPublishing.publish(scope);
      const now = services.links.now();
      return {
        survey_id: scope.surveyId,
        survey_status: SURVEY_STATUS.active,
        version,
        has_unpublished_changes: false as const,
        links: links.map((link) => presentLink(link, ACTIVE, { scope, baseUrl: request.baseUrl, now })),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:id/publish-check',
    operationId: 'checkSurvey',
    summary: 'Check a survey before publishing',
    description: 'Lists what keeps the survey from being published, and warnings that do not.',
    access: onSurvey('view'),
    params,
    query: narrowedQuery,
    reply: data(checkSchema),
    async handler({ services, scope }) {
      const { problems, warnings } = await services.surveyPublishing.check(scope);
      return { publishable: problems.length === 0, problems, warnings };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/:id/duplicate',
    operationId: 'duplicateSurvey',
    summary: 'Copy a survey',
    description:
      'A new Draft beside it, with every page, question, option, setting and condition, and the same codes. Responses, links and ' +
      'what was retired are not copied.',
    access: onSurvey('edit'),
    params,
    query: narrowedQuery,
    reply: data(surveyWithSettingsSchema),
    status: 201,
    handler: async ({ services, scope }) => presentSurvey(await services.surveyTransfer.duplicate(scope)),
  }),
  defineRoute({
    method: 'get',
    path: '/api/surveys/:id/export',
    operationId: 'exportSurvey',
    summary: 'Export a survey',
    description:
      'Structure, questions, logic and settings, for `POST /api/surveys/import`. Importing it and exporting that gives the same but for the ids.',
    access: onSurvey('view'),
    params,
    query: narrowedQuery,
    reply: data(surveyExportSchema),
    // The file is typed as it is built, its schema as it is read: stored settings are known only to their own schemas.
    handler: async ({ services, scope }) =>
      (await services.surveyTransfer.export(scope)) as unknown as z.input<typeof surveyExportSchema>,
  }),
  defineRoute({
    method: 'post',
    path: '/api/surveys/import',
    operationId: 'importSurvey',
    summary: 'Import a survey',
    description:
      'Takes what export gives (`{format: "canvass.survey", version: 1, survey: {…}}`), the whole reply of export, or the bare survey. ' +
      'Always a new Draft with new ids, in the workspace of the query, else in the current one; all of it or nothing. Up to 10 MB.',
    access: inWorkspace('edit'),
    query: narrowedQuery,
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
    reply: data(surveyWithSettingsSchema),
    status: 201,
    errors: { 413: 'The file is larger than 10 MB' },
    handler: async ({ services, scope, body }) =>
      presentSurvey(await services.surveyTransfer.import(scope, body)),
  }),
];
