import type { Span } from './expression-error.ts';

export type ExpressionType = 'number' | 'text' | 'boolean' | 'date';

/** What an expression may know of a column. Coded columns are numbers (their option codes) with labels. */
export interface ExpressionColumn {
  type: ExpressionType;
  /** From option code to label; for `label(column)`. */
  labels?: ReadonlyMap<number, string>;
}

/**
 * An expression whose types fit. Numbers, booleans (0 and 1) and dates (milliseconds since 1970 UTC) are all numbers from
 * here on, and a missing one is NaN.
 */
export type TypedNode = Span & { type: ExpressionType } & (
    | { kind: 'constant'; value: number | string | null }
    | { kind: 'column'; name: string; labels: ReadonlyMap<number, string> | null }
    | { kind: 'call'; name: string; args: TypedNode[] }
  );

/** Before its neighbours say what it is, `null` has no type. */
export type OpenNode = TypedNode | (Span & { kind: 'null'; type: 'null' });
