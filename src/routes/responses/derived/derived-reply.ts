import { z } from 'zod';
import {
  type DerivedDefinition,
  OUTSIDE_RANGE,
  TEXT_OPERATIONS,
} from '../../../domain/derived/definition.ts';
import { MEASURES } from '../../../domain/dataset/columns/column-spec.ts';
import type { DescribedColumn } from '../../../services/responses/derived/derived-columns.ts';
import type { ColumnsOutcome } from '../../../services/responses/derived/new-columns.ts';
import { derivedColumnOf } from '../../../repositories/derived-columns.ts';
import { countedSchema, filterBody } from '../../selection-query.ts';
import { columnSchema, presentColumn } from '../grid/column-reply.ts';
import { distributionSchema } from '../figures/distribution-reply.ts';

const KINDS = ['recode', 'normalize', 'z_scores', 'bin', 'text', 'computed', 'weight', 'coded'] as const;

const onColumn = { column_code: z.string(), filter: filterBody.nullable() };
const liveOrFrozen = z.enum(['live', 'frozen']);
const scalar = z.union([z.string(), z.number()]);

/** One form per kind of column; no form has the fields of another. */
const definitionSchema = z
  .union([
    z
      .strictObject({
        ...onColumn,
        rules: z.array(
          z
            .strictObject({
              from: z.union([
                z.array(scalar),
                z.strictObject({ min: z.number().optional(), max: z.number().optional() }),
                z.enum(['missing', 'else']),
              ]),
              to: scalar.nullable(),
              label: z.string().optional(),
            })
            .meta({ id: 'RecodeRule' }),
        ),
        measure: z.enum(MEASURES).optional(),
      })
      .meta({ id: 'RecodeDefinition' }),
    z
      .strictObject({ ...onColumn, parameters: liveOrFrozen, outside: z.enum(OUTSIDE_RANGE) })
      .meta({ id: 'NormalizeDefinition' }),
    z
      .strictObject({ ...onColumn, parameters: liveOrFrozen, weight_column: z.string().nullable() })
      .meta({ id: 'ZScoresDefinition' }),
    z
      .strictObject({ ...onColumn, breaks: z.array(z.number()), open_ended: z.boolean() })
      .meta({ id: 'BinDefinition' }),
    z
      .strictObject({ ...onColumn, operations: z.array(z.enum(TEXT_OPERATIONS)) })
      .meta({ id: 'TextDefinition' }),
    z
      .strictObject({ expression: z.string(), type: z.enum(['number', 'text', 'boolean', 'date']) })
      .meta({ id: 'ComputedDefinition' }),
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

const parametersSchema = z
  .union([
    z
      .strictObject({
        min: z.number().nullable(),
        max: z.number().nullable(),
        frozen: z.boolean(),
        outside: z.enum(OUTSIDE_RANGE),
        outside_count: z.int(),
      })
      .meta({ id: 'NormalizeParameters' }),
    z
      .strictObject({
        mean: z.number().nullable(),
        sd: z.number().nullable(),
        frozen: z.boolean(),
        weight_column: z.string().nullable(),
      })
      .meta({ id: 'ZScoresParameters' }),
    z.strictObject({ breaks: z.array(z.number()) }).meta({ id: 'BinParameters' }),
  ])
  .meta({ id: 'ColumnParameters' });

const derivationFields = {
  kind: z.enum(KINDS),
  definition: definitionSchema.describe(
    'The definition, in the fields of the request that created the column',
  ),
  parameters: parametersSchema
    .nullable()
    .describe(
      'Current parameters: min and max (normalize), mean and sd (z_scores) or cut points (bin); null for other kinds. For ' +
        'normalize, `outside_count` is the number of responses outside min and max, which are clipped or missing according ' +
        'to `outside`',
    ),
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
    counted: countedSchema.describe(
      'Complete responses used for the previews and, if the filter selects them, for the parameters',
    ),
    overwritten: z.boolean().describe('Values of the responses were replaced'),
    dry_run: z.boolean(),
    change_id: z.int().nullable().describe('The entry in the change log, for undo; null: nothing changed'),
    rows_changed: z.int(),
    cells_changed: z.int(),
  })
  .meta({ id: 'NewColumns' });

type Definition = z.input<typeof definitionSchema>;
type Parameters = z.input<typeof derivationFields.parameters>;

/** Returns the definition with the field names of requests. The cast only drops `readonly` of the stored arrays. */
function presentDefinition(definition: DerivedDefinition): Definition {
  return definitionFields(definition) as Definition;
}

function definitionFields(definition: DerivedDefinition): Record<string, unknown> {
  if (definition.kind === 'weight') return { auto_refresh: definition.autoRefresh };
  if (definition.kind === 'coded') {
    const { texts, operation, engine, model, basis } = definition;
    return { column_code: texts, operation, engine, model, responses: basis.responses, coded_at: basis.at };
  }
  if (definition.kind === 'computed') return { expression: definition.expression, type: definition.type };
  const on = { column_code: definition.source, filter: definition.filter ?? null };
  switch (definition.kind) {
    case 'recode':
      return { ...on, rules: definition.rules, ...(definition.measure && { measure: definition.measure }) };
    case 'normalize':
      return { ...on, parameters: parametersMode(definition), outside: definition.outside ?? 'clip' };
    case 'z_scores':
      return { ...on, parameters: parametersMode(definition), weight_column: definition.weight ?? null };
    case 'bin':
      return { ...on, breaks: definition.breaks, open_ended: definition.openEnded };
    case 'text':
      return { ...on, operations: definition.operations };
  }
}

const parametersMode = ({ frozen }: { frozen?: object }) => (frozen === undefined ? 'live' : 'frozen');

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
    parameters: parameters as Parameters,
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
      parameters: parameters as Parameters,
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
