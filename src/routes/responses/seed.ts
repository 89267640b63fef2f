import { z } from 'zod';
import { idText } from '../../http/paging.ts';
import { data, empty } from '../../http/reply.ts';
import { onSurvey } from '../guards.ts';
import { defineRoute } from '../define-route.ts';
import { narrowedQuery } from '../in-workspace.ts';

const MAX_COUNT = 10_000;
const MAX_SEED = 2 ** 31 - 1;

const params = z.strictObject({ surveyId: idText });
const query = narrowedQuery;
const count = z.int().nonnegative();

export const seedRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/seed',
    operationId: 'seedResponses',
    summary: 'Create synthetic responses',
    description:
      'Plausible answers that follow the logic of the published survey and pass its validation: uneven shares, items that go together, ' +
      'some drop-outs, screen-outs where the logic has them, times over the last 14 days. The same survey, languages and `seed` give the same ' +
      'answers. They are test responses (`is_test`): shown in the grid, counted in figures, weights, insights and exports until the survey has real responses ' +
      '(from then on with `include_test=true`), never on public dashboards, in quotas or for links. ' +
      'A draft has none: what it asks may still change.',
    access: onSurvey('edit'),
    params,
    query,
    body: z.strictObject({
      count: z.int().min(1).max(MAX_COUNT).default(100),
      seed: z.int().min(0).max(MAX_SEED).optional().describe('Absent: one that is drawn; the reply says it'),
    }),
    example: {
      count: 50,
      seed: 7,
    },
    reply: data(
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
              'Questions that cannot be answered without a person, such as files; they are skipped, required or not',
            ),
        })
        .meta({ id: 'SeededResponses' }),
    ),
    status: 201,
    errors: { 409: 'The survey was never published' },
    async handler({ services, scope, body }) {
      const made = await services.responseSeed.add(scope, body.count, body.seed ?? null);
      return {
        created: made.created,
        seed: made.seed,
        ...made.byStatus,
        left_out: [...made.skippedQuestions],
      };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/responses/:surveyId/seed',
    operationId: 'deleteSeededResponses',
    summary: 'Delete synthetic responses',
    description:
      'All that were ever seeded into this survey, and nothing else: imported test responses stay. 204 as well where there are none. ' +
      'It is not part of the change log, and what it took away stays away when an earlier change is undone.',
    access: onSurvey('edit'),
    params,
    query,
    reply: empty,
    handler: ({ services, scope }) => services.responseSeed.remove(scope),
  }),
];
