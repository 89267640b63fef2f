import { z } from 'zod';
import { idText } from '../../../http/paging.ts';
import { data, list, withReply } from '../../../http/reply.ts';
import { onSurvey } from '../../guards.ts';
import { defineRoute } from '../../define-route.ts';
import { narrowedQuery } from '../../in-workspace.ts';
import { changeOf } from '../changes/change-input.ts';
import { columnCode, schemeFields, schemeOf } from './weighting-input.ts';
import { keptSchema, madeSchema, presentKept, presentWeighting, weightingSchema } from './weighting-reply.ts';

const params = z.strictObject({ surveyId: idText });
const oneWeight = params.extend({ columnCode });
const query = narrowedQuery;
const reason = z.string().max(500).optional();

const HOW =
  'Raking (iterative proportional fitting) over the categories of each dimension: `column_code` may be a choice, a 0/1 column, or a number with ' +
  'few values. Refused (400): targets that do not add up, that are negative, that nobody has, and respondents without a target. ';

export const weightingRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/weighting/preview',
    operationId: 'previewWeighting',
    summary: 'Preview a weight',
    description: `${HOW}Nothing is stored. One that does not converge is shown as it is, with a warning.`,
    access: onSurvey('view'),
    params,
    query,
    body: z.strictObject({
      ...schemeFields,
      name: z.string().max(200).optional().describe('Ignored here'),
      column_code: columnCode.optional().describe('Ignored here'),
    }),
    example: {
      dimensions: [
        {
          column_code: 'Q1',
          targets: [
            { value: 'female', target: 51 },
            { value: 'male', target: 47 },
            { value: 'non_binary', target: 2 },
          ],
        },
      ],
      target_type: 'percent',
      max_weight: 5,
    },
    reply: data(weightingSchema),
    replyExample: {
      counted: {
        responses: 51,
        test_responses_included: 0,
        test_responses_excluded: 20,
        quality_included: 0,
        quality_excluded: 0,
      },
      converged: true,
      iterations: 1,
      max_error: 0,
      rms: 0,
      unweighted_base: 51,
      weighted_base: 51,
      effective_base: 21.582626,
      design_effect: 2.363012,
      weighting_efficiency: 0.423189,
      min_weight: 0.037778,
      max_weight: 3.25125,
      trimmed: 0,
      dimensions: [
        {
          column_code: 'Q1',
          categories: [
            {
              value: 'female',
              label: 'Female',
              count: 8,
              unweighted: 15.686275,
              target: 51,
              weighted: 51,
              difference: 0,
            },
            {
              value: 'male',
              label: 'Male',
              count: 16,
              unweighted: 31.372549,
              target: 47,
              weighted: 47,
              difference: 0,
            },
            {
              value: 'non_binary',
              label: 'Non-binary',
              count: 27,
              unweighted: 52.941176,
              target: 2,
              weighted: 2,
              difference: 0,
            },
          ],
        },
      ],
      warnings: [
        {
          code: 'low_efficiency',
          message: 'Weighting efficiency is 42.3 %, under 70 %: the weights vary widely',
        },
      ],
    },
    errors: { 422: 'A dimension has no categories, or the base weight is no number' },
    async handler({ services, scope, body }) {
      return presentWeighting(await services.weighting.preview(scope, schemeOf(body)));
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/weighting/create',
    operationId: 'createWeighting',
    summary: 'Create a weight',
    description:
      `${HOW}The weight is a column from then on, usable wherever a weight is taken. Its values are frozen: it says whether it is stale, new responses ` +
      'have none until it is refreshed, and `auto_refresh` lets it follow the data by itself. One that does not converge is 409 unless `allow_unconverged`.',
    access: onSurvey('edit'),
    params,
    query,
    body: z.strictObject({
      ...schemeFields,
      name: z.string().min(1).max(200).default('Weight'),
      column_code: columnCode.default('WEIGHT'),
      auto_refresh: z.boolean().default(false),
      dry_run: z.boolean().default(false),
      reason,
    }),
    example: {
      name: 'Gender weight',
      column_code: 'WEIGHT',
      dimensions: [
        {
          column_code: 'Q1',
          targets: [
            { value: 'female', target: 51 },
            { value: 'male', target: 47 },
            { value: 'non_binary', target: 2 },
          ],
        },
      ],
      allow_unconverged: false,
    },
    reply: data(madeSchema),
    status: 201,
    alternateStatuses: { 200: 'A dry run: what would have been made' },
    errors: {
      409: 'The code is taken, or the weighting has not converged',
      422: 'A dimension has no categories, or the base weight is no number',
    },
    async handler({ services, scope, body }) {
      const {
        columnCode: code,
        changeId,
        ...computed
      } = await services.weighting.create(scope, schemeOf(body), {
        columnCode: body.column_code,
        name: body.name,
        autoRefresh: body.auto_refresh,
        ...changeOf(body),
      });
      const made = {
        column_code: code,
        dry_run: body.dry_run,
        change_id: changeId,
        ...presentWeighting(computed),
      };
      return withReply(made, { status: body.dry_run ? 200 : 201 });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/weighting',
    operationId: 'listWeights',
    summary: 'List weights',
    description: 'Each with what it was made by, from which data, and whether these have changed since.',
    access: onSurvey('view'),
    params,
    query,
    reply: list(keptSchema),
    async handler({ services, scope }) {
      const items = (await services.weighting.list(scope)).map(presentKept);
      return { items, limit: items.length, total: items.length, nextCursor: null };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/weighting/:columnCode',
    operationId: 'getWeight',
    summary: 'Get a weight',
    access: onSurvey('view'),
    params: oneWeight,
    query,
    reply: data(keptSchema),
    async handler({ services, scope, params: { columnCode: code } }) {
      return presentKept(await services.weighting.find(scope, code));
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/weighting/:columnCode/refresh',
    operationId: 'refreshWeight',
    summary: 'Refresh a weight',
    description:
      'The same request over the data of now. The old values come back when the change is undone. Where the data give the same weights as ' +
      'before, nothing is changed, and `change_id` is null.',
    access: onSurvey('edit'),
    params: oneWeight,
    query,
    body: z.strictObject({ dry_run: z.boolean().default(false), reason }),
    example: {
      reason: 'New responses since Monday',
    },
    reply: data(madeSchema),
    errors: {
      409: 'The weighting has not converged',
      422: '`scheme_does_not_fit`: the data of now do not fit the targets',
    },
    async handler({ services, scope, params: { columnCode: code }, body }) {
      const made = await services.weighting.refresh(scope, code, changeOf(body));
      return {
        column_code: made.columnCode,
        dry_run: body.dry_run,
        change_id: made.changeId,
        ...presentWeighting(made),
      };
    },
  }),
];
