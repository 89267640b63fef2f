export type Texts = readonly (string | null)[];

/** The values of a column: NaN or null where missing. Coded columns are read in chunks, without a copy of the whole column. */
export type ColumnSource =
  | { kind: 'numbers'; values: Float64Array }
  | { kind: 'texts'; texts: Texts }
  /** Fills `into` with the values from row `first` on. */
  | { kind: 'read'; read: (first: number, into: Float64Array) => void };
