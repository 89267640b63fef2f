import { z } from 'zod';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import { TEXT_OPERATIONS } from '../../../domain/derived/definition.ts';
import type { Transform } from '../../../domain/derived/transform.ts';
import { idParam } from '../../../http/paging.ts';
import { data, withReply } from '../../../http/reply.ts';
import type { RuleFieldPath } from '../../../services/responses/derived/column-plans.ts';
import type { Services } from '../../../services/services.ts';
import { onSurvey } from '../../guards.ts';
import { defineRoute } from '../../define-route.ts';
import { newColumnsSchema, presentNewColumns } from './derived-reply.ts';
import { surveyQuery } from '../../in-workspace.ts';
import { filterOf, weightOf } from '../../selection-query.ts';
import {
  binFields,
  columnCode,
  cutsOf,
  requireCuts,
  requireRules,
  requireColumns,
  outsideField,
  recodeFields,
  rulePathOf,
  rulesOf,
  transformFields,
} from './transform-input.ts';

const ABOUT =
  'Creates a derived column, which also applies to later responses. With `overwrite`, the result replaces the values of the responses instead, ' +
  'all or nothing; undo and restore-originals restore them. `dry_run` returns the result without storing it.\n\n';

const NOMINAL = 'A nominal column is rejected (422); set question_settings.measure to ordinal or scale.';

const shared = {
  access: onSurvey('edit'),
  params: z.strictObject({ surveyId: idParam }),
  query: surveyQuery,
  reply: data(newColumnsSchema),
  status: 201 as const,
  alternateStatuses: { 200: 'Values were overwritten, or dry run: no column was created' },
  errors: {
    409: 'The column code is already in use, or the data changed during the operation',
    422: 'The column has the wrong type, or cannot be edited',
  },
};

const parameters = z
  .enum(['live', 'frozen'])
  .default('live')
  .describe('`live`: recomputed when the responses change. `frozen`: computed once');

interface TransformBody {
  column_code?: string | undefined;
  column_codes?: string[] | undefined;
  target_column_code?: string | undefined;
  label?: string | undefined;
  overwrite: boolean;
  filter?: unknown;
  filters?: unknown;
  dry_run: boolean;
  reason?: string | undefined;
}

const noRules: RuleFieldPath = () => 'rules';

async function applyTransform(
  services: Services,
  scope: SurveyScope,
  body: TransformBody,
  transform: Transform,
  rulePlace = noRules,
) {
  const { overwrite, dry_run: dryRun } = body;
  const outcome = await services.transforms.transform(scope, {
    transform,
    rulePlace,
    columnCodes: body.column_codes ?? [body.column_code!],
    isList: body.column_codes !== undefined,
    targetColumnCode: body.target_column_code ?? null,
    label: body.label ?? null,
    overwrite,
    filter: filterOf(body),
    reason: body.reason ?? null,
    dryRun,
  });
  return withReply(presentNewColumns(outcome, { overwritten: overwrite, dryRun }), {
    status: overwrite || dryRun ? 200 : 201,
  });
}

export const transformRoutes = [
  defineRoute({
    ...shared,
    method: 'post',
    path: '/api/responses/:surveyId/transform/recode',
    operationId: 'recodeColumns',
    summary: 'Recode values',
    description:
      `${ABOUT} Categories are given by option_value, texts ignoring case. A value without a rule is not applicable in a new ` +
      'column and unchanged when overwriting. Missing values keep their reason unless a rule has "missing" (overwriting never ' +
      'answers a question that was not shown). Integer results become categories with these codes, texts categories numbered 1, ' +
      '2, …, other numbers a number. `measure` declares whether the categories are ordered, which means and quantiles require.',
    body: z
      .strictObject({ ...transformFields, ...recodeFields })
      .superRefine(requireColumns)
      .superRefine(requireRules),
    example: {
      column_code: 'Q2',
      target_column_code: 'age_group',
      label: 'Age group',
      measure: 'ordinal',
      rules: [
        { from: { max: 29 }, to: 1, label: 'Under 30' },
        { from: { min: 30, max: 49 }, to: 2, label: '30 to 49' },
        { from: { min: 50 }, to: 3, label: '50 and over' },
      ],
    },
    handler: ({ services, scope, body }) =>
      applyTransform(
        services,
        scope,
        body,
        {
          kind: 'recode',
          rules: rulesOf(body)!,
          ...(body.measure !== undefined && { measure: body.measure }),
        },
        rulePathOf(body),
      ),
  }),
  defineRoute({
    ...shared,
    method: 'post',
    path: '/api/responses/:surveyId/transform/normalize',
    operationId: 'normalizeColumns',
    summary: 'Normalize numbers',
    description:
      `${ABOUT} Computes (x - min) / (max - min), or 0 if all values are equal. min and max come from the responses that are ` +
      'converted, of any status; `filter` restricts both. Later values outside this range, and values of responses that ' +
      'statistics leave out (test responses, confirmed quality flags), follow `outside`; `parameters.outside_count` counts ' +
      `them. Weights do not apply. Options marked as missing have no value. ${NOMINAL}`,
    body: z
      .strictObject({ ...transformFields, parameters, outside: outsideField.default('clip') })
      .superRefine(requireColumns),
    example: {
      column_code: 'Q4',
      target_column_code: 'satisfaction_norm',
      label: 'Satisfaction, 0 to 1',
    },
    handler: ({ services, scope, body }) =>
      applyTransform(services, scope, body, {
        kind: 'normalize',
        frozen: body.parameters === 'frozen',
        outside: body.outside,
      }),
  }),
  defineRoute({
    ...shared,
    method: 'post',
    path: '/api/responses/:surveyId/transform/z-scores',
    operationId: 'standardizeColumns',
    summary: 'Compute z-scores',
    description:
      `${ABOUT} Computes (x - mean) / sd, with mean and sd (n - 1) of the complete responses that match \`filter\`; all matching ` +
      'responses, of any status, get a score. Missing if sd is 0. With `weight_column` (or `weight`), mean and sd are weighted, ' +
      'sd as svyvar of the R package survey: n/(n-1) · Σw(x-m)²/Σw; responses without a positive weight do not count but get a ' +
      `score. Options marked as missing have no value. ${NOMINAL}`,
    body: z
      .strictObject({
        ...transformFields,
        parameters,
        weight_column: columnCode
          .optional()
          .describe('A numeric column to weight mean and sd by. `weight` is an alias'),
        weight: columnCode.optional(),
      })
      .superRefine(requireColumns),
    example: {
      column_code: 'Q2',
      target_column_code: 'age_z',
      label: 'Age, standardized',
    },
    handler: ({ services, scope, body }) =>
      applyTransform(services, scope, body, {
        kind: 'z_scores',
        frozen: body.parameters === 'frozen',
        weight: weightOf(body),
      }),
  }),
  defineRoute({
    ...shared,
    method: 'post',
    path: '/api/responses/:surveyId/transform/bin',
    operationId: 'binColumns',
    summary: 'Create bins',
    description:
      `${ABOUT} Bins are [a, b), the last one closed, with the codes 1, 2, …. Cut points are computed once from the complete ` +
      'responses. With equal_width and equal_frequency (quantiles of R type 7; equal values stay together, so there may be ' +
      'fewer bins), the outer bins include later values beyond them; with custom, such values are not applicable ' +
      `(\`missing.not_applicable\` of a distribution). ${NOMINAL}`,
    body: z
      .strictObject({ ...transformFields, ...binFields })
      .superRefine(requireColumns)
      .superRefine(requireCuts),
    example: {
      column_code: 'Q2',
      target_column_code: 'age_bin',
      method: 'custom',
      breaks: [16, 30, 50, 99],
      labels: ['16 to 29', '30 to 49', '50 and over'],
    },
    handler: ({ services, scope, body }) =>
      applyTransform(services, scope, body, {
        kind: 'bin',
        cuts: cutsOf(body)!,
        labels: body.labels ?? null,
      }),
  }),
  defineRoute({
    ...shared,
    method: 'post',
    path: '/api/responses/:surveyId/transform/text',
    operationId: 'cleanTexts',
    summary: 'Clean texts',
    description: `${ABOUT} Operations are applied in the given order; a text that becomes empty is not applicable.`,
    body: z
      .strictObject({
        ...transformFields,
        operations: z.array(z.enum(TEXT_OPERATIONS)).min(1).max(20),
      })
      .superRefine(requireColumns),
    example: {
      column_code: 'Q7',
      target_column_code: 'Q7_clean',
      operations: ['trim', 'collapse_whitespace', 'lowercase'],
    },
    handler: ({ services, scope, body }) =>
      applyTransform(services, scope, body, { kind: 'text', operations: body.operations }),
  }),
];
