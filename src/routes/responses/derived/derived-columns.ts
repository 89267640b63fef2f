import { z } from 'zod';
import { TEXT_OPERATIONS } from '../../../domain/derived/definition.ts';
import { idParam } from '../../../http/paging.ts';
import { data, empty, withReply } from '../../../http/reply.ts';
import { onSurvey } from '../../guards.ts';
import { defineRoute } from '../../define-route.ts';
import { derivedSchema, newColumnsSchema, presentDerived, presentNewColumns } from './derived-reply.ts';
import { surveyQuery } from '../../in-workspace.ts';
import { changeInput, changeOf } from '../changes/change-input.ts';
import { filterBody, filterChangeOf, MISSING_VALUES } from '../../selection-query.ts';
import {
  binFields,
  columnCode,
  cutsOf,
  requireCuts,
  requireRules,
  labelInput,
  outsideField,
  recodeFields,
  rulePathOf,
  rulesOf,
} from './transform-input.ts';

const MAX_EXPRESSION_BODY = 20_000;
const COMPUTED_TYPES = ['number', 'text', 'boolean', 'date'] as const;

const params = z.strictObject({ surveyId: idParam });
const oneColumn = params.extend({ columnCode });
const query = surveyQuery;
/** The parser has a lower limit, whose error includes the position. */
const expression = z.string().max(MAX_EXPRESSION_BODY);

const changesBody = z
  .strictObject({
    label: labelInput.optional(),
    values: z
      .array(
        z.strictObject({
          value: z.string().min(1).max(255),
          label: labelInput.optional(),
          missing: z.boolean().optional(),
        }),
      )
      .max(1_000)
      .optional()
      .describe('Labels of the values, and which values are marked as missing'),
    ...recodeFields,
    ...binFields,
    filter: filterBody.optional().describe('Responses to transform; null: all. `filters` is an alias'),
    filters: filterBody.optional(),
    parameters: z
      .enum(['live', 'frozen'])
      .optional()
      .describe('`live`: recomputed when the responses change. `frozen`: computed once, now'),
    outside: outsideField.optional(),
    weight_column: columnCode
      .nullable()
      .optional()
      .describe(
        'z_scores only; null: no weight. With frozen parameters, they are recomputed with this weight once',
      ),
    operations: z.array(z.enum(TEXT_OPERATIONS)).min(1).max(20).optional(),
    expression: expression.optional(),
    type: z.enum(COMPUTED_TYPES).optional(),
    ...changeInput,
  })
  .superRefine((body, context) => {
    if (body.rules !== undefined || body.mapping !== undefined) requireRules(body, context);
    if (cutsOf(body) !== undefined) requireCuts(body, context);
  });

export const derivedColumnRoutes = [
  defineRoute({
    method: 'post',
    path: '/api/responses/:surveyId/computed-columns',
    operationId: 'addComputedColumn',
    summary: 'Create a computed column',
    description:
      'Creates a column from an expression, which also applies to later responses.\n\n' +
      '- **Columns** are referenced by code, ignoring case; a code that is a keyword needs backquotes.\n' +
      '- **Operators**: `+ - * / % ^`, comparisons, `and`, `or`, `not`, `in`.\n' +
      '- **Functions**: if, case, isnull, coalesce, sum, mean, min, max, count, abs, round, floor, ceil, ln, exp, sqrt, pow, len, ' +
      'lower, upper, trim, concat, contains, year, month, day, datediff, label.\n' +
      '- **Values**: a category is its option_code; `label(Q1)` is its label. Options marked as missing are null. 0/1 columns can ' +
      'be used as booleans; a multiple choice is used by its 0/1 columns. Times such as started_at are in UTC.\n' +
      `- **Missing values**: null makes the result of arithmetic null; sum, mean and count ignore it. ${MISSING_VALUES}\n\n` +
      'Without `type`, the column has the type of the expression. If the expression is invalid, `details` has the position and ' +
      'length of the error.',
    access: onSurvey('edit'),
    params,
    query,
    body: z.strictObject({
      column_code: columnCode,
      label: labelInput.optional(),
      expression,
      type: z.enum(COMPUTED_TYPES).optional(),
      ...changeInput,
    }),
    example: {
      column_code: 'promoter',
      label: 'Is a promoter',
      type: 'boolean',
      expression: 'Q6 >= 9',
    },
    reply: data(newColumnsSchema),
    status: 201,
    alternateStatuses: { 200: 'Dry run: the column that would be created' },
    errors: {
      409: 'The column code is already in use',
      422: 'The expression is invalid, or the column would depend on itself',
    },
    async handler({ services, scope, body }) {
      const outcome = await services.transforms.compute(scope, {
        columnCode: body.column_code,
        label: body.label ?? null,
        expression: body.expression,
        type: body.type ?? null,
        ...changeOf(body),
      });
      return withReply(presentNewColumns(outcome, { overwritten: false, dryRun: body.dry_run }), {
        status: body.dry_run ? 200 : 201,
      });
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/derived-columns',
    operationId: 'listDerivedColumns',
    summary: 'List derived columns',
    description:
      'Returns derived columns and weights in order of creation. They also appear in the grid and in all statistics.',
    access: onSurvey('view'),
    params,
    query,
    reply: data(z.array(derivedSchema)),
    handler: async ({ services, scope }) => (await services.derivedColumns.list(scope)).map(presentDerived),
  }),
  defineRoute({
    method: 'get',
    path: '/api/responses/:surveyId/derived-columns/:columnCode',
    operationId: 'getDerivedColumn',
    summary: 'Get a derived column',
    description: 'Returns the definition of the column and its parameters.',
    access: onSurvey('view'),
    params: oneColumn,
    query,
    reply: data(derivedSchema),
    handler: async ({ services, scope, params }) =>
      presentDerived(await services.derivedColumns.find(scope, params.columnCode)),
  }),
  defineRoute({
    method: 'patch',
    path: '/api/responses/:surveyId/derived-columns/:columnCode',
    operationId: 'changeDerivedColumn',
    summary: 'Update a derived column',
    description:
      'Omitted fields keep their values. Each kind accepts the fields it was created with; a weight only its label. Values are ' +
      'recomputed. The change can be undone in the change log.',
    access: onSurvey('edit'),
    params: oneColumn,
    query,
    body: changesBody,
    example: {
      label: 'Age in three groups',
    },
    reply: data(
      z
        .strictObject({ column: derivedSchema, change_id: z.int().nullable(), dry_run: z.boolean() })
        .meta({ id: 'ChangedColumn' }),
    ),
    errors: {
      409: 'Columns that depend on this one could no longer be computed',
      422: 'The column would depend on itself, the expression is invalid, or a column has the wrong type',
    },
    async handler({ services, scope, params, body }) {
      const { kept: updated, changeId } = await services.derivedColumns.update(
        scope,
        params.columnCode,
        {
          label: body.label,
          values: body.values,
          rules: rulesOf(body),
          rulePlace: rulePathOf(body),
          measure: body.measure,
          filter: filterChangeOf(body),
          frozen: body.parameters === undefined ? undefined : body.parameters === 'frozen',
          outside: body.outside,
          weight: body.weight_column,
          cuts: cutsOf(body),
          labels: body.labels,
          operations: body.operations,
          expression: body.expression,
          type: body.type,
        },
        changeOf(body),
      );
      return { column: presentDerived(updated), change_id: changeId, dry_run: body.dry_run };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/responses/:surveyId/derived-columns/:columnCode',
    operationId: 'deleteDerivedColumn',
    summary: 'Delete a derived column',
    description: 'Also deletes weights. The change can be undone in the change log.',
    access: onSurvey('edit'),
    params: oneColumn,
    query,
    reply: empty,
    errors: { 409: 'Other columns depend on this one; see `details`' },
    handler: ({ services, scope, params }) => services.derivedColumns.remove(scope, params.columnCode),
  }),
];
