import type { Span } from './expression-error.ts';

export type ExpressionType = 'number' | 'text' | 'boolean' | 'date';

/** What an expression may know of a column. Coded columns are numbers (their option codes) with labels. */
export interface ExpressionColumn {
  type: ExpressionType;
  /** What it is really called, where a name may be written in another way (case); absent: as it was asked for. */
  name?: string;
  /** From option code to label; for `label(column)`. */
  labels?: ReadonlyMap<number, string>;
  /** Its options, which a text compared with the column names by value or label. */
  options?: readonly { code: number; value: string; label: string }[];
  /** A number that is 0 or 1, and may stand where a boolean belongs. */
  isFlag?: boolean;
  /** A missing value is known to be none (no wave, no review) and equals nothing, while a missing answer is unknown. */
  isMetadata?: boolean;
  /** Why no expression can read it. */
  problem?: string;
}

/** The columns that an expression may name. */
export type ExpressionColumns = Pick<ReadonlyMap<string, ExpressionColumn>, 'get' | 'keys'>;

/**
 * An expression whose types fit. Numbers, booleans (0 and 1) and dates (milliseconds since 1970 UTC) are all numbers from
 * here on, and a missing one is NaN.
 */
export type TypedNode = Span & { type: ExpressionType } & (
    | { kind: 'constant'; value: number | string | null }
    | {
        kind: 'column';
        name: string;
        labels: ReadonlyMap<number, string> | null;
        isFlag: boolean;
        isMetadata: boolean;
      }
    | { kind: 'call'; name: string; args: TypedNode[] }
  );

/** Before its neighbours say what it is, `null` has no type. */
export type OpenNode = TypedNode | (Span & { kind: 'null'; type: 'null' });
