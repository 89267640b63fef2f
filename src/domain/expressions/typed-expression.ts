import type { Span } from './expression-error.ts';

export type ExpressionType = 'number' | 'text' | 'boolean' | 'date';

/** A column in expressions. Coded columns are numbers (their option codes) with labels. */
export interface ExpressionColumn {
  type: ExpressionType;
  /** The exact name, if the expression can use another case. Absent: the name in the expression. */
  name?: string;
  /** From option code to label, for `label(column)`. */
  labels?: ReadonlyMap<number, string>;
  /** Its options. A text compared with the column names one by value or label. */
  options?: readonly { code: number; value: string; label: string }[];
  /** A number that is 0 or 1 and can be used as a boolean. */
  isFlag?: boolean;
  /** Whether a missing value means "none" (no wave, no review) and is equal to no value, while a missing answer is unknown. */
  isMetadata?: boolean;
  /** The reason why expressions cannot read the column. */
  problem?: string;
}

/** The columns that an expression can name. */
export type ExpressionColumns = Pick<ReadonlyMap<string, ExpressionColumn>, 'get' | 'keys'>;

/** A type-checked expression. Numbers, booleans (0 and 1) and dates (milliseconds since 1970 UTC) are all numbers here; NaN is missing. */
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

/** A node whose type depends on its context if it is `null`. */
export type OpenNode = TypedNode | (Span & { kind: 'null'; type: 'null' });
