import type { LevelOfMeasurement } from '../columns/column-spec.ts';

/** Limits of a data file. */
export const MAX_IMPORT_ROWS = 200_000;
export const MAX_IMPORT_COLUMNS = 5_000;
/** Includes empty cells. */
export const MAX_IMPORT_CELLS = 100_000_000;
export const TOO_MANY_CELLS = `file: has more than ${MAX_IMPORT_CELLS} cells, empty ones included`;

/** Metadata that an import can set; the server sets the others. */
export const IMPORTED_METADATA = [
  'submission_id',
  'response_status',
  'status_reason',
  'end_reason',
  'started_at',
  'completed_at',
  'duration_seconds',
  'language',
  'external_id',
  'is_test',
] as const;
type ImportedMetadata = (typeof IMPORTED_METADATA)[number];

/**
 * The role of a column that describes the response: metadata by their Canvass names, or in the form of another tool. `finished`: 1 or 0,
 * the status · `submitted_at`: submission time, empty for partial responses · `response_type`: the Qualtrics channel, including tests and
 * previews · `ip_address`: never stored.
 */
export type ColumnRole = ImportedMetadata | 'finished' | 'submitted_at' | 'response_type' | 'ip_address';

/** Returns the metadata column of a role, or null. */
export function metadataOfRole(role: ColumnRole): ImportedMetadata | null {
  switch (role) {
    case 'finished':
      return 'response_status';
    case 'submitted_at':
      return 'completed_at';
    case 'response_type':
      return 'is_test';
    case 'ip_address':
      return null;
    default:
      return role;
  }
}

/** A cell of a data file; timestamps are ISO 8601 texts, null is empty. */
export type SourceCell = string | number | null;

/** What became of a cell with a value that does not arrive as it is. `unreadable`: it is left empty. */
export type CellOutcome = { kind: 'missing' } | { kind: 'changed' | 'unreadable'; reason: string };

/** SPSS display format: format number, width and decimals. */
export interface SourceFormat {
  type: number;
  width: number;
  decimals: number;
}

/** The dictionary entry of a variable in a statistics file. */
export interface SourceVariable {
  kind: 'number' | 'string' | 'date' | 'datetime' | 'time';
  format: SourceFormat;
  measure: LevelOfMeasurement | null;
  valueLabels: readonly (readonly [value: number | string, label: string])[];
  missing: readonly (number | string)[];
  missingRange: { low: number; high: number } | null;
}

/** Returns a check for values that the file declares missing: listed, or within the inclusive range. */
export function createMissingCheck({
  missing,
  missingRange,
}: SourceVariable): (value: string | number) => boolean {
  const values = new Set(missing);
  return (value) =>
    values.has(value) ||
    (typeof value === 'number' &&
      missingRange !== null &&
      value >= missingRange.low &&
      value <= missingRange.high);
}

export interface SourceColumn {
  /** The header or variable name; empty if there is none. */
  header: string;
  /** Label of a variable, or from the header rows of a layout; null in plain tables. */
  label: string | null;
  variable: SourceVariable | null;
  /** Workbooks only: its cells are times of a day, `HH:mm:ss`, or lengths of time, in seconds. */
  times?: 'clocks' | 'lengths';
  /** The code of its question in a new survey, if different from the header. */
  code?: string;
  /** Recognized layouts only: role of the column. Absent: it contains answers. */
  role?: ColumnRole;
  /** Recognized layouts only: whether it contains names or addresses of persons. */
  isPersonal?: boolean;
}

/** An option, row or column that a file column represents: its code in the file and its text. */
export interface GroupPart {
  key: string;
  label: string;
}

/** Columns of a recognized layout that belong to one question. */
export interface ColumnGroup {
  /** The question's code in the file. */
  name: string;
  text: string;
  /** `option`: grids only, whose columns are row by option. */
  members: readonly { index: number; part: GroupPart; option: GroupPart | null }[];
}

export const LAYOUT_NAMES = ['plain', 'qualtrics', 'surveymonkey', 'limesurvey'] as const;
export type LayoutName = (typeof LAYOUT_NAMES)[number];

/** The table layout of a tool: header rows and column groups. */
export interface SourceLayout {
  name: LayoutName;
  headerRows: number;
  groups: readonly ColumnGroup[];
  /** IANA name of the time zone stated in the file; null: not stated. */
  timeZone: string | null;
}

/** Variables that belong together; names as in `header`. */
export interface SourceSet {
  name: string;
  label: string;
  variables: readonly string[];
  /** The counted value as written in the file; null: each variable contains one of the categories. */
  countedValue: string | null;
  /** What labels the options of a set with a counted value: the variables, or their labels of that value. */
  labelsAre: 'variables' | 'counted_values';
}

export interface SourceRow {
  /** 1-based row as displayed: the header is row 1 in a table, the first case in a statistics file. */
  row: number;
  /** In column order; there can be fewer or more cells than columns. */
  cells: readonly SourceCell[];
  /** The original cells, if `cells` were converted. */
  source?: readonly SourceCell[];
  /** What the conversion did to cells, by index. */
  outcomes?: ReadonlyMap<number, CellOutcome>;
}

export const SOURCE_FORMATS = ['csv', 'xlsx', 'sav'] as const;
export type SourceFormatName = (typeof SOURCE_FORMATS)[number];

/** A data file that can be read repeatedly. */
export interface SourceFile {
  format: SourceFormatName;
  /** CSV only. */
  delimiter: string | null;
  columns: readonly SourceColumn[];
  /** null: a statistics file, which has a dictionary instead of header rows. */
  layout: SourceLayout | null;
  /** Maximum number of cells per row; more indicate broken quoting. null: unlimited. */
  rowWidth: number | null;
  sets: readonly SourceSet[];
  /** The variable that weights the cases. */
  weight: string | null;
  /** Statistics files: the name of the time zone that the file gives; null: none. */
  timeZone?: string | null;
  /** Decisions made while opening the file, for the report. */
  notes: readonly string[];
  /** Yields all rows in chunks. */
  rows(): AsyncIterable<SourceRow[]>;
}
