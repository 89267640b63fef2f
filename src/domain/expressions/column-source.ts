export type Texts = readonly (string | null)[];

/** Where a column's values are: NaN or null where missing. Coded columns, read in pieces, need no copy of the whole. */
export type ColumnSource =
  | { kind: 'numbers'; values: Float64Array }
  | { kind: 'texts'; texts: Texts }
  /** Fills `into` with the values from row `first` on. */
  | { kind: 'read'; read: (first: number, into: Float64Array) => void };
