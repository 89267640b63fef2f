import type { DerivedDefinition } from '../../derived/definition.ts';
import type { ColumnSpec } from './column-spec.ts';

/** A column computed from other columns. */
export interface DerivedColumn {
  columnId: number;
  /** Changes whenever the values can change for the same responses. */
  version: number;
  spec: ColumnSpec;
  definition: DerivedDefinition;
  /** The codes of its source columns. */
  sources: readonly string[];
}

/** Returns the load code of a derived column; no question code starts with "=". */
export function derivedLoadCode(columnCode: string): string {
  return `=${columnCode}`;
}
