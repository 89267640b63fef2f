import type { CatalogColumn } from '../dataset/columns/column-catalog.ts';
import { type Column, createBinary, createColumn } from '../dataset/columns/columns.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { CompiledFilter } from '../dataset/filter/filter.ts';
import { selectRows } from '../dataset/filter/select-rows.ts';
import { binColumn } from './bin-column.ts';
import { cleanTextColumn } from './clean-text.ts';
import { computeColumn } from './compute-column.ts';
import { recodeColumn } from './recode-column.ts';
import { type ResolvedDefinition, resolveDefinition } from './resolve-definition.ts';
import { RESPONSE_STATUSES } from '../dataset/response-row.ts';
import { minMaxScale, scaleColumn, zScoreScale } from './scale-column.ts';
import { type Spread, computeSpread } from './spread.ts';

/**
 * Computes a derived column for every row. Its source columns must be loaded or computed. Yields regularly so that other work can run; rows
 * must not change during the computation. A column whose sources are deleted or have another type has no values.
 */
export function* deriveColumn(dataset: Dataset, entry: CatalogColumn): Generator<void, Column> {
  const { origin, spec } = entry;
  if (origin.kind !== 'derived') throw new Error(`${spec.columnCode} is not derived`);
  const target =
    spec.type === 'binary' ? createBinary(spec, dataset.capacity) : createColumn(spec, dataset.capacity);
  const { definition } = origin.derived;
  if (origin.missingSources.length > 0 || definition.kind === 'weight' || definition.kind === 'coded')
    return target;
  const result = resolveDefinition(definition, dataset.catalog);
  if (!result.ok) return target;
  const { resolved } = result;
  if (resolved.kind === 'computed') yield* computeColumn(dataset, resolved.expression, target);
  else yield* deriveFromColumn(dataset, resolved, target);
  return target;
}

/** Returns the mask of rows that get a value; a null filter means all. */
function rowsToDerive(dataset: Dataset, filter: CompiledFilter | null): Uint8Array {
  return filter?.evaluate(dataset) ?? new Uint8Array(dataset.rowCount).fill(1);
}

type ResolvedTransform = ResolvedDefinition & { kind: 'column' };

/**
 * Returns the rows that parameters are computed from: for normalize all converted rows of any status, so that results stay within 0 and 1;
 * otherwise complete ones. Test responses, confirmed quality flags and deleted responses are excluded as in figures.
 */
export function parameterRows(
  dataset: Dataset,
  { definition, filter }: Pick<ResolvedTransform, 'definition' | 'filter'>,
): Uint8Array {
  const status = definition.kind === 'normalize' ? RESPONSE_STATUSES : undefined;
  return selectRows(dataset, { status, filter: filter ?? undefined });
}

/** Computes the spread of the rows that determine the parameters, weighted if the definition has a weight. */
export function* computeSourceSpread(
  dataset: Dataset,
  resolved: ResolvedTransform,
): Generator<void, Spread | null> {
  const { source, weight } = resolved;
  const column = weight === null ? null : dataset.column(weight);
  const weights = column?.kind === 'numeric' ? column.values : null;
  return yield* computeSpread(dataset.column(source), parameterRows(dataset, resolved), weights);
}

function* deriveFromColumn(dataset: Dataset, resolved: ResolvedTransform, target: Column): Generator<void> {
  const { definition, source: entry, filter } = resolved;
  const source = dataset.column(entry);
  const wanted = rowsToDerive(dataset, filter);
  switch (definition.kind) {
    case 'recode':
      yield* recodeColumn(source, wanted, definition, target);
      return;
    case 'normalize': {
      const by = definition.frozen ?? (yield* computeSourceSpread(dataset, resolved));
      const { outside = 'clip' } = definition;
      if (target.kind === 'numeric')
        yield* scaleColumn(source, wanted, by && minMaxScale(by, outside), target);
      return;
    }
    case 'z_scores': {
      const by = definition.frozen ?? (yield* computeSourceSpread(dataset, resolved));
      if (target.kind === 'numeric') yield* scaleColumn(source, wanted, by && zScoreScale(by), target);
      return;
    }
    case 'bin':
      if (target.kind === 'categorical' || target.kind === 'numeric')
        yield* binColumn(source, wanted, definition, target);
      return;
    case 'text':
      if (target.kind === 'text' && source.kind === 'text')
        yield* cleanTextColumn(source, wanted, definition.operations, target);
  }
}
