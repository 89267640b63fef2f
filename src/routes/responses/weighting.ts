import { z } from 'zod';
import type { InclusionCounts } from '../../domain/dataset/filter/select-rows.ts';
import { RESPONSE_STATUSES } from '../../domain/responses/response-row.ts';
import { columnCode } from '../../domain/transforms/transform.ts';
import type { Weighting } from '../../domain/weighting/rim-weighting.ts';
import { crossedValue, type WeightScheme } from '../../domain/weighting/weighting-cells.ts';
import type { StoredWeight } from '../../services/responses/derived/weighting.ts';
import { countingBody, filterBody, inclusionCountsSchema, toSelection } from '../selection-query.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply, listReply, withReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import { changeOf } from './changes.ts';
import { previewWeightingReplyExample, createWeightingExample } from './weighting-examples.ts';

const MAX_DIMENSIONS = 20;
const MAX_TARGETS = 500;

const MAX_CROSSED = 2;

const valueText = z.union([z.string().max(200), z.number()]).transform(String);
const target = z.strictObject({
  value: z
    .union([
      valueText,
      z
        .array(valueText)
        .min(2)
        .max(MAX_CROSSED + 1)
        .transform(crossedValue),
    ])
    .meta({
      description:
        'The option_value, or the number for a numeric column. With `crossed_with` a list of one value for each column, or these joined by ` × `',
    }),
  target: z.number(),
});

const schemeFields = {
  filter: filterBody.optional(),
  filters: filterBody.optional(),
  status: z
    .array(z.enum(RESPONSE_STATUSES))
    .min(1)
    .optional()
    .describe('Statuses of the responses to weight. Default: complete'),
  ...countingBody,
  dimensions: z
    .array(
      z.strictObject({
        column_code: columnCode,
        crossed_with: z
          .array(columnCode)
          .max(MAX_CROSSED)
          .default([])
          .describe('Interlocked targets: columns whose categories are combined with those of `column_code`'),
        targets: z.array(target).min(1).max(MAX_TARGETS),
      }),
    )
    .min(1)
    .max(MAX_DIMENSIONS),
  target_type: z
    .enum(['percent', 'proportion', 'count'])
    .default('percent')
    .describe(
      'Unit of the targets: percentages that sum to 100 ± 0.1, proportions that sum to 1, or counts, which are converted ' +
        'to shares',
    ),
  base_weight_column: columnCode
    .optional()
    .describe('A numeric column with initial weights, such as a design weight'),
  max_iterations: z.int().min(1).max(1_000).default(50),
  tolerance: z
    .number()
    .min(1e-12)
    .max(0.1)
    .default(1e-6)
    .describe('Largest accepted distance of a margin from its target, as a share (0 to 1)'),
  min_weight: z
    .number()
    .min(0)
    .optional()
    .describe('Lower limit of weights with mean 1; less than 1. Default: no limit'),
  max_weight: z
    .number()
    .optional()
    .describe('Upper limit of weights with mean 1; more than 1. Default: no limit'),
  missing: z
    .enum(['keep_share', 'exclude', 'error'])
    .default('keep_share')
    .describe(
      'Respondents without a category in a dimension keep their share (`keep_share`), get no weight (`exclude`), or are ' +
        'an error (`error`)',
    ),
  scale_to: z
    .union([z.literal('sample'), z.number().positive().max(1e15)])
    .default('sample')
    .describe('Sum of the weights; `sample`: the number of respondents, so that weights have mean 1'),
  allow_unconverged: z
    .boolean()
    .default(false)
    .describe('Store the weight even if the iterations did not converge; otherwise 409'),
};

type SchemeInput = z.output<z.ZodObject<typeof schemeFields>>;

function schemeOf(input: SchemeInput): WeightScheme {
  const { status, filter, includeTest, includeConfirmed } = toSelection(input, ['complete']);
  return {
    filter,
    status,
    includeTest,
    includeConfirmed,
    dimensions: input.dimensions.map(({ column_code: code, crossed_with: others, targets }) => ({
      columnCode: code,
      ...(others.length > 0 ? { crossedWith: others } : {}),
      targets,
    })),
    targetType: input.target_type,
    baseWeightColumn: input.base_weight_column ?? null,
    maxIterations: input.max_iterations,
    tolerance: input.tolerance,
    minWeight: input.min_weight ?? null,
    maxWeight: input.max_weight ?? null,
    missing: input.missing,
    scaleTo: input.scale_to,
    allowUnconverged: input.allow_unconverged,
  };
}

const figure = z.number();

const diagnostics = {
  counted: inclusionCountsSchema,
  converged: z
    .boolean()
    .describe(
      'Whether every margin is within `tolerance` of its target; with `min_weight` or `max_weight`, within one percentage point',
    ),
  iterations: z.int(),
  max_error: figure.describe('Largest distance of a margin from its target, as a share (0 to 1)'),
  rms: figure.describe('Root mean square of the distances of all margins from their targets, as a share'),
  unweighted_base: z.int(),
  weighted_base: figure,
  effective_base: figure.describe('Effective base (Kish): (Σw)²/Σw²'),
  design_effect: figure.describe('Design effect of weighting (Kish): nΣw²/(Σw)²'),
  weighting_efficiency: figure.describe('1 / design_effect'),
  min_weight: figure,
  max_weight: figure,
  trimmed: z.int().describe('Number of respondents whose weight is at `min_weight` or `max_weight`'),
  dimensions: z.array(
    z.strictObject({
      column_code: z.string(),
      categories: z.array(
        z.strictObject({
          value: z.string().nullable().describe('null: respondents without a category'),
          label: z.string().nullable(),
          count: z.int(),
          unweighted: figure.describe('Percentage before weighting'),
          target: figure.describe('Target percentage'),
          weighted: figure.describe('Percentage after weighting'),
          difference: figure.describe('weighted minus target, in percentage points'),
        }),
      ),
    }),
  ),
  histogram: z
    .array(z.strictObject({ from: figure, to: figure, count: z.int() }))
    .describe('Respondents by weight, in bins of equal width'),
  without_limits: z
    .strictObject({
      weighting_efficiency: figure,
      min_weight: figure,
      max_weight: figure,
      max_error: figure,
    })
    .nullable()
    .describe('The same targets without `min_weight` and `max_weight`; null: there are no limits'),
  warnings: z.array(z.strictObject({ code: z.string(), message: z.string() })),
};

const weightingSchema = z.strictObject(diagnostics).meta({ id: 'Weighting' });

const weightResultSchema = z
  .strictObject({
    column_code: z.string(),
    dry_run: z.boolean(),
    change_id: z
      .int()
      .nullable()
      .describe('The entry in the change log, for undo; null: dry run, or nothing changed'),
    ...diagnostics,
  })
  .meta({ id: 'WeightResult' });

function presentWeighting({
  weighting,
  counted,
}: {
  weighting: Weighting;
  counted: InclusionCounts;
}): z.input<typeof weightingSchema> {
  return {
    counted,
    converged: weighting.converged,
    iterations: weighting.iterations,
    max_error: weighting.maxError,
    rms: weighting.rms,
    unweighted_base: weighting.unweightedBase,
    weighted_base: weighting.weightedBase,
    effective_base: weighting.effectiveBase,
    design_effect: weighting.designEffect,
    weighting_efficiency: weighting.weightingEfficiency,
    min_weight: weighting.minWeight,
    max_weight: weighting.maxWeight,
    trimmed: weighting.trimmed,
    dimensions: weighting.dimensions.map((table) => ({
      column_code: table.columnCode,
      categories: table.categories,
    })),
    histogram: weighting.histogram,
    without_limits: weighting.withoutLimits && {
      weighting_efficiency: weighting.withoutLimits.weightingEfficiency,
      min_weight: weighting.withoutLimits.minWeight,
      max_weight: weighting.withoutLimits.maxWeight,
      max_error: weighting.withoutLimits.maxError,
    },
    warnings: weighting.warnings,
  };
}

const requestSchema = z
  .strictObject({
    filter: filterBody.nullable(),
    status: z.array(z.enum(RESPONSE_STATUSES)),
    include_test: z.boolean().nullable(),
    quality: z.enum(['exclude_confirmed', 'include_all']),
    dimensions: z.array(
      z.strictObject({
        column_code: z.string(),
        crossed_with: z.array(z.string()),
        targets: z.array(z.strictObject({ value: z.string(), target: figure })),
      }),
    ),
    target_type: z.enum(['percent', 'proportion', 'count']),
    base_weight_column: z.string().nullable(),
    max_iterations: z.int(),
    tolerance: figure,
    min_weight: figure.nullable(),
    max_weight: figure.nullable(),
    missing: z.enum(['keep_share', 'exclude', 'error']),
    scale_to: z.union([z.literal('sample'), z.number()]),
    allow_unconverged: z.boolean(),
  })
  .meta({ id: 'WeightRequest' });

const storedWeightSchema = z
  .strictObject({
    column_code: z.string(),
    label: z.string(),
    auto_refresh: z.boolean(),
    stale: z.boolean().describe('Whether the data changed since the weight was computed'),
    responses: z
      .int()
      .describe(
        'Number of responses that had a weight when it was computed; with `auto_refresh`, that have one now',
      ),
    made_at: z.iso.datetime().describe('When the weight was created or refreshed manually'),
    request: requestSchema.describe('The request that created the weight, with defaults filled in'),
  })
  .meta({ id: 'Weight' });

function presentStoredWeight({
  entry,
  definition,
  isStale,
  responses,
}: StoredWeight): z.input<typeof storedWeightSchema> {
  const { scheme, basis, autoRefresh } = definition;
  const request = {
    filter: (scheme.filter ?? null) as z.input<typeof filterBody> | null,
    status: [...scheme.status],
    include_test: scheme.includeTest,
    quality: (scheme.includeConfirmed ?? true) ? ('include_all' as const) : ('exclude_confirmed' as const),
    dimensions: scheme.dimensions.map(({ columnCode: code, crossedWith = [], targets }) => ({
      column_code: code,
      crossed_with: [...crossedWith],
      targets: targets.map(({ value, target: wanted }) => ({ value, target: wanted })),
    })),
    target_type: scheme.targetType,
    base_weight_column: scheme.baseWeightColumn,
    max_iterations: scheme.maxIterations,
    tolerance: scheme.tolerance,
    min_weight: scheme.minWeight,
    max_weight: scheme.maxWeight,
    missing: scheme.missing,
    scale_to: scheme.scaleTo,
    allow_unconverged: scheme.allowUnconverged,
  };
  return {
    column_code: entry.spec.columnCode,
    label: entry.spec.label,
    auto_refresh: autoRefresh,
    stale: isStale,
    responses,
    made_at: basis.at,
    request,
  };
}

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
    replyExample: previewWeightingReplyExample,
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
    example: createWeightingExample,
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
