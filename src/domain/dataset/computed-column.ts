import type { ColumnSpec } from '../columns/column-spec.ts';

/** What a catalog and a dataset need of a column that is computed from others; `domain/derived` has its definition. */
export interface ComputedColumn {
  columnId: number;
  /** Changes whenever the values can change for the same responses. */
  version: number;
  spec: ColumnSpec;
  definition: { readonly kind: string; readonly autoRefresh?: boolean };
  /** The codes of its source columns. */
  sources: readonly string[];
}

/** Whether the values are stored and need no other column. */
export const isFrozen = ({ kind, autoRefresh }: ComputedColumn['definition']): boolean =>
  kind === 'coded' || (kind === 'weight' && autoRefresh !== true);

/** Returns the load code of a computed column; no question code starts with "=". */
export function derivedLoadCode(columnCode: string): string {
  return `=${columnCode}`;
}
