import { z } from 'zod';
import type { DerivedDefinition } from '../../../domain/derived/definition.ts';
import type { KeptColumn } from '../../../services/responses/derived/derived-columns.ts';
import type { MadeColumns } from '../../../services/responses/derived/new-columns.ts';
import { derivedColumnOf } from '../../../repositories/derived-columns.ts';
import { countedSchema } from '../../selection-query.ts';
import { columnSchema, presentColumn } from '../grid/column-reply.ts';
import { distributionSchema } from '../figures/distribution-reply.ts';
import { jsonObject } from '../../../lib/json-value.ts';

const KINDS = ['recode', 'normalize', 'z_scores', 'bin', 'text', 'computed', 'weight', 'coded'] as const;

const madeBy = {
  kind: z.enum(KINDS),
  definition: jsonObject.describe('What it is made by, in the words of the request that made it'),
  parameters: jsonObject
    .nullable()
    .describe(
      'By what it is scaled (min, max; mean, sd) or where it is cut (breaks), as of now. Of normalize also `outside_count`: how many responses ' +
        'have a number outside min and max, which is clipped or missing as `outside` says',
    ),
  sources: z.array(z.string()).describe('The columns it is made from'),
};

/** A derived column as it stands. */
export const derivedSchema = z
  .strictObject({
    ...columnSchema.shape,
    ...madeBy,
    used_by: z.array(z.string()).describe('The derived columns that are made from it'),
    problem: z.string().nullable().describe('Why it has no values; null: it has'),
    created_by: z.int().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'DerivedColumn' });

/** A column that was made, or would be. */
const madeSchema = z
  .strictObject({
    ...columnSchema.shape,
    ...madeBy,
    preview: distributionSchema.describe('Its distribution over the complete responses'),
  })
  .meta({ id: 'MadeColumn' });

export const madeReplySchema = z
  .strictObject({
    columns: z.array(madeSchema),
    counted: countedSchema.describe(
      'The complete responses that previews and, where the filter takes them, parameters are from',
    ),
    overwritten: z.boolean().describe('The values are in the responses themselves'),
    dry_run: z.boolean(),
    change_id: z.int().nullable().describe('Undoes it; null: nothing was changed'),
    rows_changed: z.int(),
    cells_changed: z.int(),
  })
  .meta({ id: 'MadeColumns' });

type Json = z.input<typeof madeBy.definition>;

/** In the names that requests use; what is stored is JSON already. */
function presentDefinition(definition: DerivedDefinition): Json {
  return partsOf(definition);
}

function partsOf(definition: DerivedDefinition): Record<string, unknown> {
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
      return { ...on, parameters: whenTaken(definition), outside: definition.outside ?? 'clip' };
    case 'z_scores':
      return { ...on, parameters: whenTaken(definition), weight_column: definition.weight ?? null };
    case 'bin':
      return { ...on, breaks: definition.breaks, open_ended: definition.openEnded };
    case 'text':
      return { ...on, operations: definition.operations };
  }
}

const whenTaken = ({ frozen }: { frozen?: object }) => (frozen === undefined ? 'live' : 'frozen');

export function presentDerived({
  row,
  parameters,
  usedBy,
  problem,
}: KeptColumn): z.input<typeof derivedSchema> {
  return {
    ...presentColumn(derivedColumnOf(row).spec),
    kind: row.definition.kind,
    definition: presentDefinition(row.definition),
    parameters: parameters,
    sources: row.sources,
    used_by: usedBy,
    problem,
    created_by: row.created_by,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

export function presentMade(
  { plans, counted, changeId, rowsChanged, cellsChanged }: MadeColumns,
  { overwritten, dryRun }: { overwritten: boolean; dryRun: boolean },
): z.input<typeof madeReplySchema> {
  return {
    columns: plans.map(({ spec, definition, parameters, sources, preview }) => ({
      ...presentColumn(spec),
      kind: definition.kind,
      definition: presentDefinition(definition),
      parameters: parameters,
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
