import { z } from 'zod';
import type { DerivedDefinition } from '../../domain/derived/derived-column.ts';
import { COLUMN_KINDS, columnKindOf, readsSource, TRANSFORMS } from '../../domain/transforms/registry.ts';
import { columnCode, labelText } from '../../domain/transforms/transform.ts';
import { idParam } from '../../http/paging.ts';
import { dataReply, emptyReply } from '../../http/reply.ts';
import { derivedColumnOf } from '../../repositories/derived-columns.ts';
import type { DescribedColumn } from '../../services/responses/derived/derived-columns.ts';
import type { ColumnsOutcome } from '../../services/responses/derived/new-columns.ts';
import { defineRoute } from '../define-route.ts';
import { onSurvey, surveyQuery } from '../guards.ts';
import { filterBody, filterChangeOf, inclusionCountsSchema } from '../selection-query.ts';
import { changeInput, changeOf } from './changes.ts';
import { distributionSchema } from './distributions.ts';
import { columnSchema, presentColumn } from './grid.ts';

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
  .meta({ id: 'DerivedColumn' });

/** A new column, or the one that a dry run would create. */
const newColumnSchema = z
  .strictObject({
    ...columnSchema.shape,
    ...derivationFields,
    preview: distributionSchema.describe('Distribution of the column over the complete responses'),
  })
  .meta({ id: 'NewColumn' });

export const newColumnsSchema = z
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

export function presentNewColumns(
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
          filter: filterChangeOf(body),
          fields: Object.fromEntries(Object.entries(body).filter(([name]) => name in kindFields)),
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
    reply: emptyReply,
    errors: { 409: 'Other columns depend on this one; see `details`' },
    handler: ({ services, scope, params }) => services.derivedColumns.remove(scope, params.columnCode),
  }),
];
