import type { CatalogColumn } from '../dataset/columns/column-catalog.ts';
import { type Column, createColumn } from '../dataset/columns/columns.ts';
import { NOT_APPLICABLE } from '../dataset/columns/missing.ts';
import type { Dataset } from '../dataset/dataset.ts';

/** Values by response (parallel arrays); NaN is missing. Category values are codes. */
export interface FrozenValues {
  responseIds: Float64Array;
  cells: Float64Array;
}

/**
 * Creates a column from stored numbers or categories; responses without an entry are missing. A NaN category is not applicable: the text
 * was analyzed and has none.
 */
export function createFrozenColumn(
  dataset: Dataset,
  entry: CatalogColumn,
  parts: readonly FrozenValues[],
): Column {
  const column = createColumn(entry.spec, dataset.capacity);
  const valueOfCode = new Map(entry.spec.values.map(({ code, value }) => [code, value]));
  let cursor = 0;
  for (const { responseIds, cells } of parts) {
    for (let position = 0; position < responseIds.length; position++) {
      const id = responseIds[position]!;
      // Entries are nearly always in row order.
      const row = dataset.responseIds[cursor] === id ? cursor : dataset.rowOf(id);
      if (row < 0) continue;
      cursor = row + 1;
      const value = cells[position]!;
      const category = valueOfCode.get(value);
      if (column.kind === 'categorical' && category === undefined) column.setMissing(row, NOT_APPLICABLE);
      else if (column.kind === 'categorical') column.set(row, category!);
      else if (!Number.isNaN(value)) column.set(row, value);
    }
  }
  return column;
}
