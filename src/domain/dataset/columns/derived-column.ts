import type { DerivedDefinition } from '../../derived/definition.ts';
import type { ColumnSpec } from './column-spec.ts';

/** A column that is made from others. */
export interface DerivedColumn {
  columnId: number;
  /** Another one means other values, even of the same responses. */
  version: number;
  spec: ColumnSpec;
  definition: DerivedDefinition;
  /** The codes of the columns it is made from. */
  sources: readonly string[];
}

/** What a dataset keeps a derived column under; no question's code begins like this. */
export function derivedLoadCode(columnCode: string): string {
  return `=${columnCode}`;
}
