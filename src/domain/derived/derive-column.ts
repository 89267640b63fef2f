import type { CatalogColumn } from '../dataset/columns/column-catalog.ts';
import { type Column, createBinary, createColumn } from '../dataset/columns/columns.ts';
import type { Dataset } from '../dataset/dataset.ts';
import type { CompiledFilter } from '../dataset/filter/filter.ts';
import { selectRows } from '../dataset/filter/select-rows.ts';
import { bin } from './bin.ts';
import { cleanTexts } from './clean-text.ts';
import { compute } from './computed.ts';
import { recode } from './recode.ts';
import { type ResolvedDefinition, resolveDefinition } from './resolve-definition.ts';
import { normalizing, scale, standardizing } from './scale.ts';
import { spreadOf } from './spread.ts';

/**
 * Makes a derived column from the columns it names, which must be loaded or made, for every row. It pauses now and then (`yield`),
 * so that others have their turn: rows must not change meanwhile. One that cannot be made any more, its sources being gone or of
 * another type, has no values.
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
  if (resolved.kind === 'computed') yield* compute(dataset, resolved.expression, target);
  else yield* deriveFromColumn(dataset, resolved, target);
  return target;
}

/** Every row that a derived column gives a value; null filter: all. */
function wantedRows(dataset: Dataset, filter: CompiledFilter | null): Uint8Array {
  return filter?.evaluate(dataset) ?? new Uint8Array(dataset.rowCount).fill(1);
}

/** The rows that parameters are computed from: as figures count, complete ones that are not deleted. */
export function countedFor(dataset: Dataset, filter: CompiledFilter | null): Uint8Array {
  return selectRows(dataset, { filter: filter ?? undefined });
}

function* deriveFromColumn(
  dataset: Dataset,
  { definition, source: entry, filter }: ResolvedDefinition & { kind: 'column' },
  target: Column,
): Generator<void> {
  const source = dataset.column(entry);
  const wanted = wantedRows(dataset, filter);
  switch (definition.kind) {
    case 'recode':
      yield* recode(source, wanted, definition, target);
      return;
    case 'normalize': {
      const by = definition.frozen ?? (yield* spreadOf(source, countedFor(dataset, filter)));
      if (target.kind === 'numeric') yield* scale(source, wanted, by && normalizing(by), target);
      return;
    }
    case 'z_scores': {
      const by = definition.frozen ?? (yield* spreadOf(source, countedFor(dataset, filter)));
      if (target.kind === 'numeric') yield* scale(source, wanted, by && standardizing(by), target);
      return;
    }
    case 'bin':
      if (target.kind === 'categorical' || target.kind === 'numeric')
        yield* bin(source, wanted, definition, target);
      return;
    case 'text':
      if (target.kind === 'text' && source.kind === 'text')
        yield* cleanTexts(source, wanted, definition.operations, target);
  }
}
