import type { LevelOfMeasurement } from '../dataset/columns/column-spec.ts';

/** A cell as a data file holds it: moments are texts in ISO 8601, null is empty. */
export type SourceCell = string | number | null;

/** How an SPSS variable is shown: the format's number, its characters and decimals. */
export interface SourceFormat {
  type: number;
  width: number;
  decimals: number;
}

/** What a statistics file says about a variable. */
export interface SourceVariable {
  kind: 'number' | 'string' | 'date' | 'datetime' | 'time';
  format: SourceFormat;
  measure: LevelOfMeasurement | null;
  valueLabels: readonly (readonly [value: number | string, label: string])[];
  missing: readonly (number | string)[];
  missingRange: { low: number; high: number } | null;
}

export interface SourceColumn {
  /** The header, or the variable's name. */
  header: string;
  /** Of a variable; tables have none. */
  label: string | null;
  variable: SourceVariable | null;
}

/** Variables that belong together; names as in `header`. */
export interface SourceSet {
  name: string;
  label: string;
  variables: readonly string[];
  /** As it is written in the file; null: each variable names one of the categories. */
  countedValue: string | null;
}

export interface SourceRow {
  /** As a reader of the file counts: in a table the header is row 1, in a statistics file the first case. */
  row: number;
  /** In the order of the columns; there may be fewer, or more, than columns. */
  cells: readonly SourceCell[];
}

export type SourceFormatName = 'csv' | 'xlsx' | 'sav';

/** A data file that can be read as often as needed. */
export interface SourceFile {
  format: SourceFormatName;
  /** Of a CSV file. */
  delimiter: string | null;
  columns: readonly SourceColumn[];
  sets: readonly SourceSet[];
  /** The variable that weights the cases. */
  weight: string | null;
  /** What was decided while opening it, for the report. */
  notes: readonly string[];
  /** From the first row, in pieces. */
  rows(): AsyncIterable<SourceRow[]>;
}
