import { CategoricalColumn } from './categorical-column.ts';
import type { ColumnSpec } from './column-spec.ts';
import { BinaryColumn, MultipleColumn } from './multiple-column.ts';
import { DateColumn, NumericColumn } from './numeric-column.ts';
import { TextColumn } from './text-column.ts';

/** A column that holds its own cells: growable, and cheap to overwrite in place. */
export type StoredColumn = CategoricalColumn | MultipleColumn | NumericColumn | DateColumn | TextColumn;

/** A column to read from. `kind` tells how it is stored; one row per response. */
export type Column = StoredColumn | BinaryColumn;

/** The storage of a column's type, empty: every row not shown. Binary columns are views, and have none. */
export function createColumn(spec: ColumnSpec, capacity: number): StoredColumn {
  switch (spec.type) {
    case 'categorical':
      return new CategoricalColumn(spec, capacity);
    case 'multiple':
      return new MultipleColumn(spec, capacity);
    case 'number':
    case 'rank':
      return new NumericColumn(spec, capacity);
    case 'date':
      return new DateColumn(spec, capacity);
    case 'text':
    case 'file':
      return new TextColumn(spec, capacity);
    case 'binary':
      throw new Error(`${spec.columnCode} is a view on a multiple column`);
  }
}

/** A binary column that stands alone: a multiple column with one option, seen as 0 or 1. */
export function createBinary(spec: ColumnSpec, capacity: number): BinaryColumn {
  const yes = { code: 1, value: '1', label: spec.label, missing: false };
  const source = new MultipleColumn({ ...spec, type: 'multiple', values: [yes] }, capacity);
  return new BinaryColumn(spec, source, 0);
}
