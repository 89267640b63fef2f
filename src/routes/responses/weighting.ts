import { z } from 'zod';
import { RESPONSE_STATUSES } from '../../domain/dataset/response-row.ts';
import type { Weighting } from '../../domain/weighting/rim-weighting.ts';
import type { WeightScheme } from '../../domain/weighting/weight-scheme.ts';
import { idText } from '../../http/paging.ts';
import { data, list } from '../../http/reply.ts';
import type { KeptWeight } from '../../services/weighting.ts';
import { onSurvey } from '../guards.ts';
import { defineRoute } from '../route.ts';
import { filterBody, selectionOf, selectionQuery } from './selection-query.ts';

const MAX_DIMENSIONS = 20;
const MAX_TARGETS = 200;

const columnCode = z.string().min(1).max(120);
const figure = z.number();

const target = z.strictObject({
  value: z
    .union([z.string().max(200), z.number()])
    .transform(String)
    .meta({ description: 'The option_value; of a number, the number' }),
  target: z.number(),
});

const schemeFields = {
  filter: filterBody.optional(),
  filters: filterBody.optional(),
  status: z.array(z.enum(RESPONSE_STATUSES)).min(1).optional().describe('Default: complete'),
  include_test: z.boolean().default(true),
  dimensions: z
    .array(
      z.strictObject({
        column_code: columnCode,
        targets: z.array(target).min(1).max(MAX_TARGETS),
      }),
    )
    .min(1)
    .max(MAX_DIMENSIONS),
  target_type: z
    .enum(['percent', 'proportion', 'count'])
    .default('percent')
    .describe('Percents add up to 100 ± 0.1; of counts the shares are used'),
  base_weight_column: columnCode.optional().describe('A weight to start from, such as a design weight'),
  max_iterations: z.int().min(1).max(1_000).default(50),
  tolerance: z
    .number()
    .min(1e-12)
    .max(0.1)
    .default(1e-6)
    .describe('The distance of a margin from its target, as a share, that counts as none'),
  min_weight: z.number().min(0).optional().describe('Of weights that average 1; below 1'),
  max_weight: z.number().optional().describe('Of weights that average 1; above 1'),
  missing: z
    .enum(['keep_share', 'exclude', 'error'])
    .default('keep_share')
    .describe('Who has no category in a dimension: keeps the share they have, gets no weight, or is refused'),
  scale_to: z
    .union([z.literal('sample'), z.number().positive().max(1e15)])
    .default('sample')
    .describe('What the weights add up to; `sample`: they average 1'),
  allow_unconverged: z.boolean().default(false),
};

type SchemeInput = z.output<z.ZodObject<typeof schemeFields>>;

function schemeOf(input: SchemeInput): WeightScheme {
  const { status, filter, includeTest } = selectionOf(input, ['complete']);
  return {
    filter,
    status,
    includeTest,
    dimensions: input.dimensions.map(({ column_code: code, targets }) => ({ columnCode: code, targets })),
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

const diagnostics = {
  converged: z.boolean(),
  iterations: z.int(),
  max_error: figure.describe('The furthest margin from its target, as a share'),
  rms: figure,
  unweighted_base: z.int(),
  weighted_base: figure,
  effective_base: figure.describe('(Σw)²/Σw²'),
  design_effect: figure.describe('nΣw²/(Σw)²'),
  weighting_efficiency: figure.describe('1 / design_effect'),
  min_weight: figure,
  max_weight: figure,
  trimmed: z.int().describe('Respondents whose weight is at a limit'),
  dimensions: z.array(
    z.strictObject({
      column_code: z.string(),
      categories: z.array(
        z.strictObject({
          value: z.string().nullable().describe('null: who has no category here'),
          label: z.string().nullable(),
          count: z.int(),
          unweighted: figure.describe('Percents, as are target, weighted and difference'),
          target: figure,
          weighted: figure,
          difference: figure,
        }),
      ),
    }),
  ),
  warnings: z.array(z.strictObject({ code: z.string(), message: z.string() })),
};

const weightingSchema = z.strictObject(diagnostics).meta({ id: 'Weighting' });

const madeSchema = z
  .strictObject({
    column_code: z.string(),
    dry_run: z.boolean(),
    change_id: z.int().nullable().describe('By which it can be undone; null in a dry run'),
    ...diagnostics,
  })
  .meta({ id: 'MadeWeight' });

function present(weighting: Weighting): z.input<typeof weightingSchema> {
  return {
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
    warnings: weighting.warnings,
  };
}

const keptSchema = z
  .strictObject({
    column_code: z.string(),
    label: z.string(),
    auto_refresh: z.boolean(),
    stale: z.boolean().describe('The data it was made from have changed since; refresh it, or leave it so'),
    responses: z.int().describe('How many had a weight when it was made'),
    made_at: z.iso.datetime(),
    request: z.record(z.string(), z.json()).describe('What it was made by'),
  })
  .meta({ id: 'Weight' });

function presentKept({ entry, definition, stale }: KeptWeight): z.input<typeof keptSchema> {
  const { scheme, basis, autoRefresh } = definition;
  const request = {
    filter: (scheme.filter ?? null) as z.infer<ReturnType<typeof z.json>>,
    status: [...scheme.status],
    include_test: scheme.includeTest,
    dimensions: scheme.dimensions.map(({ columnCode: code, targets }) => ({
      column_code: code,
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
    stale,
    responses: basis.responses,
    made_at: basis.at,
    request,
  };
}

const params = z.strictObject({ surveyId: idText });
const oneWeight = params.extend({ columnCode });
const query = z.strictObject({ workspace_id: selectionQuery.workspace_id });
const reason = z.string().max(500).optional();

const HOW =
  'Raking (iterative proportional fitting) over the categories of each dimension: `column_code` may be a choice, a 0/1 column, or a number with ' +
  'few values. Refused (400): targets that do not add up, that are negative, that nobody has, and respondents without a target. ';

export const weightingRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/weighting/preview',
    operationId: 'previewWeighting',
    summary: 'Try a weighting',
    description: `${HOW}Nothing is stored. One that does not converge is shown as it is, with a warning.`,
    access: onSurvey('view'),
    params,
    query,
    body: z.strictObject({
      ...schemeFields,
      name: z.string().max(200).optional().describe('Ignored here'),
      column_code: columnCode.optional().describe('Ignored here'),
    }),
    reply: data(weightingSchema),
    errors: { 422: 'A dimension has no categories' },
    async handler({ services, scope, body }) {
      return present(await services.weighting.preview(scope, schemeOf(body)));
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/weighting/create',
    operationId: 'createWeighting',
    summary: 'Weight the responses',
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
    reply: data(madeSchema),
    status: 201,
    errors: {
      409: 'The code is taken, or the weighting has not converged',
      422: 'A dimension has no categories',
    },
    async handler({ services, scope, body }) {
      const {
        weighting,
        columnCode: code,
        changeId,
      } = await services.weighting.create(scope, schemeOf(body), {
        columnCode: body.column_code,
        name: body.name,
        autoRefresh: body.auto_refresh,
        reason: body.reason ?? null,
        dryRun: body.dry_run,
      });
      return { column_code: code, dry_run: body.dry_run, change_id: changeId, ...present(weighting) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/weighting',
    operationId: 'listWeights',
    summary: 'The weights of a survey',
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
    summary: 'A weight',
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
    summary: 'Bring a weight up to date',
    description: 'The same request over the data of now. The old values come back when the change is undone.',
    access: onSurvey('edit'),
    params: oneWeight,
    query,
    body: z.strictObject({ dry_run: z.boolean().default(false), reason }),
    reply: data(madeSchema),
    errors: { 409: 'The weighting has not converged' },
    async handler({ services, scope, params: { columnCode: code }, body }) {
      const options = { reason: body.reason ?? null, dryRun: body.dry_run };
      const made = await services.weighting.refresh(scope, code, options);
      return {
        column_code: made.columnCode,
        dry_run: body.dry_run,
        change_id: made.changeId,
        ...present(made.weighting),
      };
    },
  }),
];
