import { z } from 'zod';
import type { DerivedDefinition } from '../../domain/derived/derived-column.ts';
import {
  COLUMN_KINDS,
  columnKindOf,
  readsSource,
  TRANSFORMS,
  type AnyTransform,
} from '../../domain/transforms/registry.ts';
import { columnCode, labelText } from '../../domain/transforms/transform.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply, emptyReply, withReply } from '../../http/reply.ts';
import { derivedColumnOf } from '../../repositories/derived-columns.ts';
import type { DescribedColumn } from '../../services/responses/derived/derived-columns.ts';
import type { ColumnsOutcome } from '../../services/responses/derived/new-columns.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import {
  filterBody,
  filterChangeOf,
  inclusionCountsSchema,
  filterOf,
  MISSING_VALUES,
} from '../selection-query.ts';
import { changeInput, changeOf } from './changes.ts';
import { distributionSchema } from './distributions.ts';
import { columnSchema, presentColumn } from './grid.ts';
import { computedTransform } from '../../domain/transforms/computed.ts';

const onColumn = { column_code: z.string(), filter: filterBody.nullable() };

/** One form per kind of column; no form has the fields of another. */
const definitionSchema = z
  .union([
    ...COLUMN_KINDS.map(({ kind, definition: { fields, schemaId } }) =>
      z.strictObject({ ...(readsSource({ kind }) && onColumn), ...fields }).meta({ id: schemaId }),
    ),
    z.strictObject({ auto_refresh: z.boolean() }).meta({ id: 'WeightDefinition' }),
    z
      .strictObject({
        column_code: z.string(),
        operation: z.enum(['sentiment', 'classify', 'themes']),
        engine: z.string(),
        model: z.string(),
        responses: z.int(),
        coded_at: z.string(),
      })
      .meta({ id: 'CodedDefinition' }),
  ])
  .meta({ id: 'ColumnDefinition' });

const parameterKinds = TRANSFORMS.flatMap(({ kind, parameters }) =>
  parameters ? [{ kind, ...parameters }] : [],
);

const parametersSchema = z
  .union(parameterKinds.map(({ fields, schemaId }) => z.strictObject(fields).meta({ id: schemaId })))
  .meta({ id: 'ColumnParameters' });

/** Describes the parameters of all kinds: `min and max (normalize) or cut points (bin)`. */
function describeParameterKinds(): string {
  const summaries = parameterKinds.map(({ kind, summary }) => `${summary} (${kind})`);
  const notes = parameterKinds.flatMap(({ note }) => note ?? []);
  const listed = `${summaries.slice(0, -1).join(', ')} or ${summaries.at(-1)}`;
  return [`Current parameters: ${listed}; null for other kinds`, ...notes].join('. ');
}

const derivationFields = {
  kind: z.enum([...COLUMN_KINDS.map(({ kind }) => kind), 'weight', 'coded']),
  definition: definitionSchema.describe(
    'The definition, in the fields of the request that created the column',
  ),
  parameters: parametersSchema.nullable().describe(describeParameterKinds()),
  sources: z.array(z.string()).describe('Codes of the columns it is computed from'),
};

const WINSORIZED_EXAMPLE = {
  column_code: 'age_winsorized',
  label: 'How old are you? (winsorized)',
  question_id: null,
  type: 'number',
  measure: 'scale',
  source: 'derived',
  values: [],
  editable: false,
  retired: false,
  precision: null,
  kind: 'winsorize',
  definition: {
    column_code: 'Q2',
    filter: null,
    parameters: 'live',
    lower_percentile: 5,
    upper_percentile: 95,
    lower_bound: null,
    upper_bound: null,
  },
  parameters: { lower_bound: 19, upper_bound: 68, frozen: false, outside_count: 37 },
  sources: ['Q2'],
};

const DERIVED_COLUMN_EXAMPLE = {
  ...WINSORIZED_EXAMPLE,
  used_by: [],
  problem: null,
  created_by: 1,
  created_at: '2026-10-06T08:05:00.000Z',
  updated_at: '2026-10-06T08:05:00.000Z',
};

/** A stored derived column. */
const derivedSchema = z
  .strictObject({
    ...columnSchema.shape,
    ...derivationFields,
    used_by: z.array(z.string()).describe('Codes of the derived columns that depend on it'),
    problem: z.string().nullable().describe('Why the column cannot be computed; null: it can'),
    created_by: z.int().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'DerivedColumn', examples: [DERIVED_COLUMN_EXAMPLE] });

/** A new column, or the one that a dry run would create. */
const newColumnSchema = z
  .strictObject({
    ...columnSchema.shape,
    ...derivationFields,
    preview: distributionSchema.describe('Distribution of the column over the complete responses'),
  })
  .meta({ id: 'NewColumn' });

const newColumnsSchema = z
  .strictObject({
    columns: z.array(newColumnSchema),
    counted: inclusionCountsSchema.describe(
      'Complete responses used for the previews and, if the filter selects them, for the parameters',
    ),
    overwritten: z.boolean().describe('Values of the responses were replaced'),
    dry_run: z.boolean(),
    change_id: z.int().nullable().describe('The entry in the change log, for undo; null: nothing changed'),
    rows_changed: z.int(),
    cells_changed: z.int(),
  })
  .meta({ id: 'NewColumns' });

function presentDefinition(definition: DerivedDefinition): Record<string, unknown> {
  if (definition.kind === 'weight') return { auto_refresh: definition.autoRefresh };
  if (definition.kind === 'coded') {
    const { texts, operation, engine, model, basis } = definition;
    return { column_code: texts, operation, engine, model, responses: basis.responses, coded_at: basis.at };
  }
  return {
    ...(readsSource(definition) && { column_code: definition.source, filter: definition.filter ?? null }),
    ...columnKindOf(definition).definition.present(definition),
  };
}

function presentDerived({
  row,
  parameters,
  usedBy,
  problem,
}: DescribedColumn): z.input<typeof derivedSchema> {
  return {
    ...presentColumn(derivedColumnOf(row).spec),
    kind: row.definition.kind,
    definition: presentDefinition(row.definition),
    parameters,
    sources: row.sources,
    used_by: usedBy,
    problem,
    created_by: row.created_by,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

function presentNewColumns(
  { plans, counted, changeId, rowsChanged, cellsChanged }: ColumnsOutcome,
  { overwritten, dryRun }: { overwritten: boolean; dryRun: boolean },
): z.input<typeof newColumnsSchema> {
  return {
    columns: plans.map(({ spec, definition, parameters, sources, preview }) => ({
      ...presentColumn(spec),
      kind: definition.kind,
      definition: presentDefinition(definition),
      parameters,
      sources,
      preview,
    })),
    counted,
    overwritten,
    dry_run: dryRun,
    change_id: changeId,
    rows_changed: rowsChanged,
    cells_changed: cellsChanged,
  };
}

const params = z.strictObject({ surveyId: idParam });
const oneColumn = params.extend({ columnCode });
const query = surveyQuery;

/** The fields that depend on the kind of the column. Their modules know the types. */
const kindFields: Record<never, z.ZodType> = Object.fromEntries(
  COLUMN_KINDS.flatMap(({ changes }) => Object.entries(changes.fields)),
);

const changesBody = z
  .strictObject({
    label: labelText.optional(),
    values: z
      .array(
        z.strictObject({
          value: z.string().min(1).max(255),
          label: labelText.optional(),
          missing: z.boolean().optional(),
        }),
      )
      .max(1_000)
      .optional()
      .describe('Labels of the values, and which values are marked as missing'),
    ...kindFields,
    filter: filterBody.optional().describe('Responses to transform; null: all. `filters` is an alias'),
    filters: filterBody.optional(),
    ...changeInput,
  })
  .superRefine((body, context) => {
    for (const { changes } of COLUMN_KINDS) changes.check?.(body, context);
  });

export const derivedColumnRoutes = [
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
    reply: dataReply(z.array(derivedSchema)),
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
    reply: dataReply(derivedSchema),
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
    reply: dataReply(
      z.strictObject({ column: derivedSchema, change_id: z.int().nullable(), dry_run: z.boolean() }).meta({
        id: 'ChangedColumn',
        examples: [{ column: DERIVED_COLUMN_EXAMPLE, change_id: 12, dry_run: false }],
      }),
    ),
    errors: {
      409: 'Columns that depend on this one could no longer be computed',
      422: 'The column would depend on itself, the expression is invalid, or a column has the wrong type',
    },
    async handler({ services, scope, params, body }) {
      const { kept: updated, changeId } = await services.derivedColumns.update({
        scope,
        columnCode: params.columnCode,
        changes: {
          label: body.label,
          values: body.values,
          filter: filterChangeOf(body),
          fields: Object.fromEntries(Object.entries(body).filter(([name]) => name in kindFields)),
        },
        changeOptions: changeOf(body),
      });
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
    reply: emptyReply,
    errors: { 409: 'Other columns depend on this one; see `details`' },
    handler: ({ services, scope, params }) => services.derivedColumns.remove(scope, params.columnCode),
  }),
];

const MAX_COLUMNS = 100;

const ABOUT =
  'Creates a derived column, which also applies to later responses. With `overwrite`, the result replaces the values of the responses instead, ' +
  'all or nothing; undo and restore-originals restore them. `dry_run` returns the result without storing it.';

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
    description: `${description}\n\n${ABOUT}`,
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
