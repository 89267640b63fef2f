import { z } from 'zod';
import { idParam } from '../../http/paging.ts';
import { dataReply, emptyReply } from '../../http/reply.ts';
import { onSurvey } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { surveyQuery } from '../in-workspace.ts';

const MAX_COUNT = 10_000;
const MAX_SEED = 2 ** 31 - 1;

const params = z.strictObject({ surveyId: idParam });
const query = surveyQuery;
const count = z.int().nonnegative();

export const seedRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/seed',
    operationId: 'seedResponses',
    summary: 'Create synthetic responses',
    description:
      'Creates plausible test responses that follow the logic of the published survey and pass its validation: uneven ' +
      'distributions, correlated items, some drop-outs, screen-outs where the logic has them, and times over the last 14 days. ' +
      'The same survey, languages and `seed` give the same answers. The responses are marked `is_test`: they appear in the grid ' +
      'and count in statistics, weights, insights and exports until the survey has real responses (from then on with ' +
      '`include_test=true`), but never on public dashboards, in quotas or for links. Requires a published survey.',
    access: onSurvey('edit'),
    params,
    query,
    body: z.strictObject({
      count: z.int().min(1).max(MAX_COUNT).default(100),
      seed: z.int().min(0).max(MAX_SEED).optional().describe('Default: a random seed, returned in the reply'),
    }),
    example: {
      count: 50,
      seed: 7,
    },
    reply: dataReply(
      z
        .strictObject({
          created: count,
          seed: count,
          complete: count,
          partial: count,
          screened_out: count,
          left_out: z
            .array(z.string())
            .describe(
              'Questions that cannot be generated, such as file uploads; they are skipped even if required',
            ),
        })
        .meta({ id: 'SeededResponses' }),
    ),
    status: 201,
    errors: { 409: 'The survey was never published' },
    async handler({ services, scope, body }) {
      const seeded = await services.responseSeed.add(scope, body.count, body.seed ?? null);
      return {
        created: seeded.created,
        seed: seeded.seed,
        ...seeded.byStatus,
        left_out: [...seeded.skippedQuestions],
      };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/responses/:surveyId/seed',
    operationId: 'deleteSeededResponses',
    summary: 'Delete synthetic responses',
    description:
      'Deletes all synthetic responses of this survey; imported test responses remain. Succeeds with 204 also if there are ' +
      'none. Not part of the change log: undoing an earlier change does not restore them.',
    access: onSurvey('edit'),
    params,
    query,
    reply: emptyReply,
    handler: ({ services, scope }) => services.responseSeed.remove(scope),
  }),
];
