import { z } from 'zod';
import { idParam, integerParam } from '../http/paging.ts';
import { dataReply } from '../http/reply.ts';
import { defineRoute } from './define-route.ts';
import { onWorkspace } from './guards.ts';

const MIN_CHARACTERS = 2;
const MAX_CHARACTERS = 200;
const DEFAULT_LIMIT = 8;
const MAX_LIMIT = 50;

const foundSchema = z
  .strictObject({
    surveys: z.array(
      z
        .strictObject({
          survey_id: z.int(),
          survey_name: z.string(),
          survey_status: z.int().describe('1 Draft, 2 Active, 3 Closed'),
        })
        .meta({ id: 'FoundSurvey' }),
    ),
    questions: z.array(
      z
        .strictObject({
          question_id: z.int(),
          question_code: z.string(),
          question_text: z.string(),
          question_label: z.string().describe('`report_label`, otherwise a short name from the text'),
          survey_id: z.int(),
          survey_name: z.string(),
        })
        .meta({ id: 'FoundQuestion' }),
    ),
    dashboards: z.array(
      z.strictObject({ dashboard_id: z.int(), dashboard_name: z.string() }).meta({ id: 'FoundDashboard' }),
    ),
    reports: z.array(
      z.strictObject({ report_id: z.int(), report_name: z.string() }).meta({ id: 'FoundReport' }),
    ),
  })
  .meta({
    id: 'FoundObjects',
    examples: [
      {
        surveys: [{ survey_id: 1, survey_name: 'Coffee at work', survey_status: 2 }],
        questions: [
          {
            question_id: 7,
            question_code: 'coffee_cups',
            question_text: 'How many cups do you drink?',
            question_label: 'How many cups do you drink?',
            survey_id: 1,
            survey_name: 'Coffee at work',
          },
        ],
        dashboards: [],
        reports: [],
      },
    ],
  });

export const searchWorkspaceRoute = defineRoute({
  method: 'get',
  path: '/api/workspaces/:id/search',
  operationId: 'searchWorkspace',
  summary: 'Find surveys, questions and reports',
  description:
    'Finds surveys, dashboards and reports by a part of their name or description, and questions of drafts by a part of their code or text, ' +
    'ignoring case. Matches of the name or code come first, then what was changed last. Deleted objects and retired questions are not found.',
  access: onWorkspace('view'),
  params: z.strictObject({ id: idParam }),
  query: z.strictObject({
    q: z
      .string()
      .trim()
      .min(MIN_CHARACTERS)
      .max(MAX_CHARACTERS)
      .describe(`A part of a text, from ${MIN_CHARACTERS} characters`),
    limit: integerParam(1, MAX_LIMIT)
      .optional()
      .describe(`Maximum number of objects of each kind, at most ${MAX_LIMIT}. Default: ${DEFAULT_LIMIT}`),
    workspace_id: idParam.optional().describe('Optional check: 404 if it differs from the id in the path'),
  }),
  reply: dataReply(foundSchema),
  handler: ({ services, scope, query }) =>
    services.workspaces.search(scope, { text: query.q, limit: query.limit ?? DEFAULT_LIMIT }),
});
