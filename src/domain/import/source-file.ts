import type { LevelOfMeasurement } from '../dataset/columns/column-spec.ts';
import type { ColumnRole } from './column-roles.ts';

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
  /** The header, or the variable's name; empty: the file gives none. */
  header: string;
  /** Of a variable, or from the header rows of a layout; plain tables have none. */
  label: string | null;
  variable: SourceVariable | null;
  /** What its question is called in a new survey, where that is not the header. */
  code?: string;
  /** In a recognised layout: what it says about the response itself. Absent: it holds answers. */
  role?: ColumnRole;
  /** In a recognised layout: whether it holds names or addresses of persons. */
  isPersonal?: boolean;
}

/** An option, a row or a column that a column of the file stands for: its code in the file, and its text. */
export interface GroupPart {
  key: string;
  label: string;
}

/** Columns of a recognised layout that belong to one question. */
export interface ColumnGroup {
  /** The question's code in the file. */
  name: string;
  text: string;
  /** `option`: of a grid, whose columns are row by option. */
  members: readonly { index: number; part: GroupPart; option: GroupPart | null }[];
}

export const LAYOUT_NAMES = ['plain', 'qualtrics', 'surveymonkey', 'limesurvey'] as const;
export type LayoutName = (typeof LAYOUT_NAMES)[number];

/** How the tables of a tool are laid out: the rows above the first response, and which columns belong together. */
export interface SourceLayout {
  name: LayoutName;
  headerRows: number;
  groups: readonly ColumnGroup[];
  /** IANA name of the zone that the file says its moments are in; null: it does not say. */
  timeZone: string | null;
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
  /** The cells as the file has them, where those above were converted. */
  source?: readonly SourceCell[];
}

export type SourceFormatName = 'csv' | 'xlsx' | 'sav';

/** A data file that can be read as often as needed. */
export interface SourceFile {
  format: SourceFormatName;
  /** Of a CSV file. */
  delimiter: string | null;
  columns: readonly SourceColumn[];
  /** null: a statistics file, which has a dictionary in place of header rows. */
  layout: SourceLayout | null;
  /** Cells that a row may have; more are a sign of broken quoting. null: any number. */
  rowWidth: number | null;
  sets: readonly SourceSet[];
  /** The variable that weights the cases. */
  weight: string | null;
  /** What was decided while opening it, for the report. */
  notes: readonly string[];
  /** From the first row, in chunks. */
  rows(): AsyncIterable<SourceRow[]>;
}
