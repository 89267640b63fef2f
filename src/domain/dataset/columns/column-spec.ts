export const COLUMN_TYPES = [
  /** One of `values`; cell: the option_value. */
  'categorical',
  /** Several of `values`; cell: an array of option_values. Only on request: a file has one binary column per option. */
  'multiple',
  /** 0 or 1; only where the question was shown. */
  'binary',
  /** 1 is best. */
  'rank',
  'number',
  'text',
  /** Written as its precision says, such as YYYY-MM-DD. */
  'date',
  /** Cell: the file ids, separated by a semicolon. */
  'file',
] as const;
export type ColumnType = (typeof COLUMN_TYPES)[number];

/** Levels of measurement: names, names in an order, amounts. Means, standard deviations and quantiles are of the last two only. */
export const MEASURES = ['nominal', 'ordinal', 'scale'] as const;
export type LevelOfMeasurement = (typeof MEASURES)[number];

export interface ColumnValue {
  /** The permanent option_code. */
  code: number;
  /** The option_value, as a string. */
  value: string;
  label: string;
  /** Chosen but missing in statistics ("don't know"). */
  missing: boolean;
}

/** What one column of the data is; the shape of a column in the grid, in camelCase. */
export interface ColumnSpec {
  columnCode: string;
  label: string;
  /** The question it comes from; null for metadata and most derived columns. */
  questionId: number | null;
  type: ColumnType;
  measure: LevelOfMeasurement;
  source: 'question' | 'metadata' | 'derived' | 'weight';
  /** The categories, in order; also for numbers with few labelled points (scale, nps). Else empty. */
  values: ColumnValue[];
  editable: boolean;
  retired: boolean;
  /** For dates. */
  precision: 'date' | 'datetime' | 'time' | 'month' | 'year' | null;
  /** Of moments (metadata): the IANA name of the zone whose days they are counted by. Answers are as the clock showed. */
  timeZone?: string;
}

/** One value as clients see it; null is missing. */
export type Cell = string | number | string[] | null;
