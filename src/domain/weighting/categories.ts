import type { ColumnSpec, ColumnValue } from '../dataset/columns/column-spec.ts';
import type { Column } from '../dataset/columns/columns.ts';

/** A column with one of its values per row. */
export interface CategoryColumn {
  spec: Pick<ColumnSpec, 'columnCode' | 'values'>;
  /** By row, the index into `spec.values`; negative if missing. */
  indices: Int16Array | Int32Array;
}

/** A number with more distinct values has no categories. */
const MAX_VALUES = 200;

type Result = { ok: true; categories: CategoryColumn } | { ok: false; message: string };

/** Reads the categories of the rows of a mask, or returns why the column has none. */
export function readCategories(column: Column, mask: Uint8Array): Result {
  const { spec } = column;
  switch (column.kind) {
    case 'categorical':
      return { ok: true, categories: { spec, indices: column.indices } };
    case 'binary': {
      const indices = new Int16Array(mask.length);
      for (let row = 0; row < mask.length; row++) {
        const value = column.valueAt(row);
        indices[row] = Number.isNaN(value) ? -1 : value;
      }
      return { ok: true, categories: { spec, indices } };
    }
    case 'numeric':
      return numberCategories(spec, column.values, mask);
    default:
      return {
        ok: false,
        message: `must be a column with one category per respondent; ${spec.columnCode} is of type ${spec.type}`,
      };
  }
}

function numberCategories(spec: ColumnSpec, values: Float64Array, mask: Uint8Array): Result {
  const labels = new Map(spec.values.map((value) => [value.value, value]));
  const found: ColumnValue[] = [...spec.values];
  const positions = new Map(found.map(({ value }, index) => [Number(value), index]));
  const indices = new Int16Array(mask.length).fill(-1);
  for (let row = 0; row < mask.length; row++) {
    const value = values[row]!;
    if (mask[row] === 0 || Number.isNaN(value)) continue;
    let position = positions.get(value);
    if (position === undefined) {
      position = found.length;
      if (position >= MAX_VALUES) {
        const message = `${spec.columnCode} has more than ${MAX_VALUES} different values; bin it first`;
        return { ok: false, message };
      }
      const text = String(value);
      found.push(labels.get(text) ?? { code: position, value: text, label: text, missing: false });
      positions.set(value, position);
    }
    indices[row] = position;
  }
  return { ok: true, categories: { spec: { columnCode: spec.columnCode, values: found }, indices } };
}
