import { z } from 'zod';
import { columnCode } from '../../domain/transforms/transform.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply, listReply, withReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import { changeOf } from './changes.ts';
import {
  presentStoredWeight,
  presentWeighting,
  schemeFields,
  schemeOf,
  storedWeightSchema,
  weightingSchema,
  weightResultSchema,
} from './weighting-schemas.ts';

const params = z.strictObject({ surveyId: idParam });
const oneWeight = params.extend({ columnCode });
const query = surveyQuery;
const reason = z.string().max(500).optional().describe('Reason for the change, stored in the change log');

const RAKING =
  'Computes weights by raking (iterative proportional fitting) to the targets of each dimension: a choice, a 0/1 ' +
  'column, or a number with few values. 400: targets with a wrong sum, negative targets, targets without respondents, ' +
  'and respondents without a target. ';

export const weightingRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/weighting/preview',
    operationId: 'previewWeighting',
    summary: 'Preview a weight',
    description: `${RAKING}Nothing is stored. A result that does not converge is returned with a warning.`,
    access: onSurvey('view'),
    params,
    query,
    body: z.strictObject({
      ...schemeFields,
      name: z
        .string()
        .max(200)
        .optional()
        .describe('Ignored; accepted so that the body can be sent to create'),
      column_code: columnCode.optional().describe('Ignored; accepted so that the body can be sent to create'),
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
    reply: dataReply(weightingSchema),
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
    errors: { 422: 'A dimension has no categories, or the base weight is not a numeric column' },
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
      `${RAKING}Creates a weight column that can be used wherever a weight is accepted. Its values are fixed: \`stale\` shows that ` +
      'the data changed, and new responses have no weight until it is refreshed. With `auto_refresh` it follows the data. A ' +
      'result that does not converge is 409 unless `allow_unconverged` is true.',
    access: onSurvey('edit'),
    params,
    query,
    body: z.strictObject({
      ...schemeFields,
      name: z.string().min(1).max(200).default('Weight').describe('Label of the weight column'),
      column_code: columnCode.default('WEIGHT').describe('Code of the weight column'),
      auto_refresh: z.boolean().default(false).describe('Recompute the weight when the data change'),
      dry_run: z.boolean().default(false).describe('Return the same reply without storing anything'),
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
    reply: dataReply(weightResultSchema),
    status: 201,
    alternateStatuses: { 200: 'Dry run: the weight that would be created' },
    errors: {
      409: 'The column code is already in use, or the weighting did not converge',
      422: 'A dimension has no categories, or the base weight is not a numeric column',
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
      const result = {
        column_code: code,
        dry_run: body.dry_run,
        change_id: changeId,
        ...presentWeighting(computed),
      };
      return withReply(result, { status: body.dry_run ? 200 : 201 });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/weighting',
    operationId: 'listWeights',
    summary: 'List weights',
    description:
      'Returns the weights with their definition, the data they were computed from, and whether that data changed since.',
    access: onSurvey('view'),
    params,
    query,
    reply: listReply(storedWeightSchema),
    async handler({ services, scope }) {
      const items = (await services.weighting.list(scope)).map(presentStoredWeight);
      return { items, limit: items.length, total: items.length, nextCursor: null };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/weighting/:columnCode',
    operationId: 'getWeight',
    summary: 'Get a weight',
    description: 'Returns the weight with its definition and diagnostics.',
    access: onSurvey('view'),
    params: oneWeight,
    query,
    reply: dataReply(storedWeightSchema),
    async handler({ services, scope, params: { columnCode: code } }) {
      return presentStoredWeight(await services.weighting.find(scope, code));
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/weighting/:columnCode/refresh',
    operationId: 'refreshWeight',
    summary: 'Refresh a weight',
    description:
      'Recomputes the weight with the current data. Undoing the change restores the old values. If the weights do not change, ' +
      'nothing is stored and `change_id` is null.',
    access: onSurvey('edit'),
    params: oneWeight,
    query,
    body: z.strictObject({
      dry_run: z.boolean().default(false).describe('Return the same reply without storing anything'),
      reason,
    }),
    example: {
      reason: 'New responses since Monday',
    },
    reply: dataReply(weightResultSchema),
    errors: {
      409: 'The weighting did not converge',
      422: '`scheme_does_not_fit`: the current data do not fit the targets',
    },
    async handler({ services, scope, params: { columnCode: code }, body }) {
      const result = await services.weighting.refresh(scope, code, changeOf(body));
      return {
        column_code: result.columnCode,
        dry_run: body.dry_run,
        change_id: result.changeId,
        ...presentWeighting(result),
      };
    },
  }),
];
