import { CategoricalColumn } from './categorical-column.ts';
import type { ColumnSpec } from './column-spec.ts';
import { BinaryColumn, MultipleColumn } from './multiple-column.ts';
import { DateColumn, NumericColumn } from './numeric-column.ts';
import { TextColumn } from './text-column.ts';

/** A column that stores its own cells: growable, and cheap to overwrite in place. */
export type StoredColumn = CategoricalColumn | MultipleColumn | NumericColumn | DateColumn | TextColumn;

/** A readable column, one row per response. `kind` is the storage form. */
export type Column = StoredColumn | BinaryColumn;

/** Creates empty storage for a column's type: every row is not shown. Throws for binary columns, which are views. */
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

/** Creates a standalone binary column: a view of a multiple column with one option. */
export function createBinary(spec: ColumnSpec, capacity: number): BinaryColumn {
  const yes = { code: 1, value: '1', label: spec.label, missing: false };
  const source = new MultipleColumn({ ...spec, type: 'multiple', values: [yes] }, capacity);
  return new BinaryColumn(spec, source, 0);
}
