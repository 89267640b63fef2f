import { z } from 'zod';
import { computedTransform } from '../../domain/transforms/computed.ts';
import { type AnyTransform, TRANSFORMS } from '../../domain/transforms/registry.ts';
import { columnCode, labelText } from '../../domain/transforms/transform.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply, withReply } from '../../http/reply.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import { filterBody, filterOf, MISSING_VALUES } from '../selection-query.ts';
import { changeInput, changeOf } from './changes.ts';
import { newColumnsSchema, presentNewColumns } from './derived-columns.ts';

const MAX_COLUMNS = 100;

const ABOUT =
  'Creates a derived column, which also applies to later responses. With `overwrite`, the result replaces the values of the responses instead, ' +
  'all or nothing; undo and restore-originals restore them. `dry_run` returns the result without storing it.\n\n';

/** Fields of all transforms. */
const transformFields = {
  column_code: columnCode
    .optional()
    .describe('The column to transform. Required unless `column_codes` is given'),
  column_codes: z
    .array(columnCode)
    .min(1)
    .max(MAX_COLUMNS)
    .optional()
    .describe('Several columns to transform in the same way, instead of `column_code`'),
  target_column_code: z
    .string()
    .min(1)
    .max(120)
    .optional()
    .describe('Code of the new column, for a single source. Default: the source code with a suffix'),
  label: labelText
    .optional()
    .describe('Label of the new column. Default: derived from the label of the source'),
  overwrite: z
    .boolean()
    .default(false)
    .describe(
      'Replace the values of the responses instead of creating a column; the original answers are stored',
    ),
  filter: filterBody
    .optional()
    .describe(
      'Responses to transform. Others have no value in the new column (like a question that was not shown) or, when ' +
        'overwriting, keep theirs. `filters` is an alias',
    ),
  filters: filterBody.optional(),
  ...changeInput,
};

interface Sources {
  column_code?: string | undefined;
  column_codes?: string[] | undefined;
}

/** Requires either `column_code` or `column_codes`. */
function requireColumns({ column_code, column_codes }: Sources, context: z.RefinementCtx): void {
  if ((column_code === undefined) === (column_codes === undefined)) {
    const message =
      column_code === undefined ? 'is required, or column_codes' : 'cannot be used with column_codes';
    context.addIssue({ code: 'custom', path: ['column_code'], message });
  }
}

const shared = {
  access: onSurvey('edit'),
  params: z.strictObject({ surveyId: idParam }),
  query: surveyQuery,
  reply: dataReply(newColumnsSchema),
  status: 201 as const,
};

function transformRoute({ operation, request }: AnyTransform) {
  const { path, operationId, summary, description, example } = operation;
  // The module knows the types of its fields.
  const ownFields: Record<never, z.ZodType> = request.fields;
  return defineRoute({
    ...shared,
    method: 'post',
    path: `/api/responses/:surveyId/transform/${path}`,
    operationId,
    summary,
    description: `${ABOUT} ${description}`,
    body: z
      .strictObject({ ...transformFields, ...ownFields })
      .superRefine(requireColumns)
      .superRefine((body, context) => request.check?.(body, context)),
    example,
    alternateStatuses: { 200: 'Values were overwritten, or dry run: no column was created' },
    errors: {
      409: 'The column code is already in use, or the data changed during the operation',
      422: 'The column has the wrong type, or cannot be edited',
    },
    async handler({ services, scope, body }) {
      const { overwrite, dry_run: dryRun } = body;
      const outcome = await services.transforms.transform(scope, {
        transform: request.read(body),
        sentField: (field) => request.sentField?.(body, field) ?? field,
        columnCodes: body.column_codes ?? (body.column_code === undefined ? [] : [body.column_code]),
        isList: body.column_codes !== undefined,
        targetColumnCode: body.target_column_code ?? null,
        label: body.label ?? null,
        overwrite,
        filter: filterOf(body),
        ...changeOf(body),
      });
      return withReply(presentNewColumns(outcome, { overwritten: overwrite, dryRun }), {
        status: overwrite || dryRun ? 200 : 201,
      });
    },
  });
}

const computedColumnRoute = defineRoute({
  ...shared,
  method: 'post',
  path: '/api/responses/:surveyId/computed-columns',
  operationId: computedTransform.operation.operationId,
  summary: computedTransform.operation.summary,
  description: computedTransform.operation.description(MISSING_VALUES),
  body: z.strictObject({
    column_code: columnCode,
    label: labelText.optional(),
    ...computedTransform.request.fields,
    ...changeInput,
  }),
  example: computedTransform.operation.example,
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
});

/** One operation for each kind of transform, from the registry, and the one for expressions. */
export const transformRoutes = [...TRANSFORMS.map(transformRoute), computedColumnRoute];
