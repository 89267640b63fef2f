import { z } from 'zod';
import type { DerivedDefinition } from '../../../domain/derived/derived-column.ts';
import { COLUMN_KINDS, columnKindOf, readsSource, TRANSFORMS } from '../../../domain/transforms/registry.ts';
import type { DescribedColumn } from '../../../services/responses/derived/derived-columns.ts';
import type { ColumnsOutcome } from '../../../services/responses/derived/new-columns.ts';
import { derivedColumnOf } from '../../../repositories/derived-columns.ts';
import { inclusionCountsSchema, filterBody } from '../../selection-query.ts';
import { columnSchema, presentColumn } from '../grid/column-reply.ts';
import { distributionSchema } from '../figures/distribution-reply.ts';

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
export const derivedSchema = z
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

export function presentDerived({
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
