import type { CatalogColumn } from '../dataset/column-catalog.ts';
import { type Column, createBinary, createColumn } from '../dataset/columns.ts';
import type { Dataset } from '../dataset/dataset.ts';

/**
 * Makes a derived column from the columns it names, which must be loaded or made, for every row. It pauses now and then (`yield`),
 * so that others have their turn: rows must not change meanwhile. One whose sources are gone has no values.
 */
export function* deriveColumn(dataset: Dataset, entry: CatalogColumn): Generator<void, Column> {
  const { origin, spec } = entry;
  if (origin.kind !== 'derived') throw new Error(`${spec.columnCode} is not derived`);
  const empty =
    spec.type === 'binary' ? createBinary(spec, dataset.capacity) : createColumn(spec, dataset.capacity);
  if (origin.missingSources.length > 0) return empty;
  yield;
  throw new Error(`nothing makes a column of kind ${origin.derived.definition.kind}`);
}
