import { z } from 'zod';
import { isTimeZone, TIME_ZONE_EXPECTED } from '../lib/time-zone.ts';
import { idParam } from '../http/paging.ts';
import type { DecimalMark } from '../domain/numbers/read-number-text.ts';
import type { ColumnCounts, DataFileReport } from '../domain/import/import-report.ts';
import {
  LAYOUT_NAMES,
  type LayoutName,
  SOURCE_FORMATS,
  type SourceFormatName,
} from '../domain/import/source-file.ts';
import { CSV_ENCODINGS, type CsvEncoding } from '../importers/csv/csv-encoding.ts';
import { findSavEncoding, SAV_ENCODINGS, type SavEncoding } from '../importers/sav/sav-encoding.ts';

/** The largest file plus the other parts of the form. */
export const MAX_DATA_FILE_BODY_BYTES = 101 * 1024 * 1024;

/** A boolean form field; form fields are strings. */
export const flagField = (byDefault: 'true' | 'false') =>
  z
    .enum(['true', 'false'])
    .default(byDefault)
    .transform((value) => value === 'true');

const ENCODINGS = [...new Set([...CSV_ENCODINGS, ...SAV_ENCODINGS])];

const encodingText = z
  .string()
  .transform((value, context) => {
    const known =
      ENCODINGS.find((encoding) => encoding === value.toLowerCase()) ?? findSavEncoding(value.slice(0, 100));
    if (known !== null) return known;
    context.addIssue({ code: 'custom', message: `must be one of ${ENCODINGS.join(', ')}` });
    return z.NEVER;
  })
  .meta({ override: { type: 'string', enum: ENCODINGS } });

/** Form fields that control how a data file is read. */
export const dataFileFields = {
  workspace_id: idParam.optional().describe('Alternative to `workspace_id` in the query'),
  format: z
    .enum(SOURCE_FORMATS)
    .optional()
    .describe('Default: detected from the content; the file name is ignored'),
  delimiter: z.enum([',', ';', 'tab', '|', 'auto']).default('auto').describe('CSV only'),
  encoding: encodingText
    .optional()
    .describe(
      'CSV: default UTF-8, or UTF-16 with a byte order mark; other files are rejected, because their encoding cannot be detected. .sav: ' +
        'default what the file says; send it if its texts have another one. Names such as cp949 and latin1 are accepted too',
    ),
};

const MAX_MISSING_VALUES = 100;
const MAX_MISSING_CHARACTERS = 100;

/** A JSON list of texts, or texts separated by commas. */
const missingValuesField = z
  .string()
  .transform((value, context) => {
    const texts = readTextList(value);
    if (texts !== null && texts.length <= MAX_MISSING_VALUES) return texts;
    const message = `must be at most ${MAX_MISSING_VALUES} texts of 1 to ${MAX_MISSING_CHARACTERS} characters, separated by commas or as a JSON list such as ["NA","-99"]`;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  })
  .meta({ override: { type: 'string', examples: ['NA,-99', '["NA","not asked"]'] } });

function readTextList(value: string): string[] | null {
  const text = value.trim();
  let items: unknown = text.split(',');
  if (text.startsWith('[')) {
    try {
      items = JSON.parse(text);
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      throw error;
    }
  }
  if (!Array.isArray(items)) return null;
  const texts = items.map((item: unknown) => (typeof item === 'number' ? String(item) : item));
  const isText = (item: unknown): item is string =>
    typeof item === 'string' && item.trim() !== '' && item.length <= MAX_MISSING_CHARACTERS;
  return texts.every(isText) ? texts.map((item) => item.trim()) : null;
}

/** Further form fields of files that contain responses. */
export const responseFileFields = {
  ...dataFileFields,
  missing_values: missingValuesField
    .optional()
    .describe(
      'Texts that mean "missing" in every column, also of texts: a list separated by commas, or a JSON list. Marks such as NA, N/A, NULL, `.` and #N/A ' +
        'are always missing in columns of numbers and dates',
    ),
  decimal: z
    .enum(['.', ','])
    .optional()
    .describe(
      'The mark before decimals; the other one groups digits. Default: each column decides. `1,500` and `1.500` alone have the mark of the other ' +
        'columns, otherwise a comma in files with semicolons between the cells and a point in others',
    ),
  unescape_formulas: z
    .enum(['auto', 'true', 'false'])
    .default('auto')
    .describe(
      "CSV only. Whether to remove the ' that exports write before texts that a spreadsheet could run as a formula. `auto`: in exports of Canvass, " +
        'recognized by response_id and other metadata columns, in which all such texts have it',
    ),
  layout: z
    .enum(['auto', ...LAYOUT_NAMES])
    .default('auto')
    .describe(
      'CSV and .xlsx only. `auto` detects exports of Qualtrics (two or three header rows), SurveyMonkey (two) and LimeSurvey; `plain` reads the ' +
        'first row as the header and all others as responses',
    ),
  timezone: z
    .string()
    .refine(isTimeZone, TIME_ZONE_EXPECTED)
    .optional()
    .describe(
      'IANA time zone of times without an offset. Default: the zone named in the file, otherwise that of the survey. A new survey gets it as its ' +
        '`timezone` (UTC if the file names none)',
    ),
};

/** The detected layout of a file of responses. */
const recognizedSchema = z.strictObject({
  layout: z
    .enum([...LAYOUT_NAMES, 'spss'])
    .describe('`plain`: a table with one header row; `spss`: the dictionary of a .sav'),
  header_rows: z.int().describe('Rows above the first response; 0 for .sav'),
  timezone: z.string().describe('Used for times without an offset'),
  metadata: z
    .array(z.strictObject({ header: z.string(), column_code: z.string() }))
    .describe('Columns read as metadata of the response'),
  left_out: z
    .array(z.strictObject({ header: z.string(), reason: z.string(), cells: z.int() }))
    .describe('Columns with cells that were not imported'),
});

/** Counts of cells with a value by what happened to them. */
const cellCountsSchema = z
  .strictObject({
    filled: z.int().describe('Cells with a value: the sum of the others'),
    imported: z.int().describe('Stored as they are'),
    missing: z.int().describe('Mean "missing": stored as not answered'),
    changed: z.int().describe('Stored with a change; the columns have examples'),
    unreadable: z.int().describe('Left empty; the columns have examples'),
    left_out: z.int().describe('In columns that are not imported, or user-missing in a .sav'),
    in_rows_not_written: z.int().describe('In rows with errors, or whose response already exists'),
  })
  .describe('What happened to the cells');

/** Counts of the cells of a column, and examples of those that are not stored as they are. */
export const columnCountFields = {
  read: z.int().describe('Cells that are stored as they are'),
  empty: z.int(),
  missing: z.int().describe('Cells that mean "missing": stored as not answered'),
  changed: z.int().describe('Cells that are stored with a change'),
  unreadable: z.int().describe('Cells that are left empty, or whose row has an error'),
  left_out: z.int().describe('Cells with a value that was not imported'),
  examples: z
    .array(
      z.strictObject({
        row: z.int(),
        value: z.union([z.string(), z.number()]).nullable(),
        message: z.string(),
      }),
    )
    .describe('The first changed and unreadable cells'),
};

export function presentColumnCounts({ leftOut, ...counts }: ColumnCounts) {
  const { read, empty, missing, changed, unreadable, examples } = counts;
  return { read, empty, missing, changed, unreadable, left_out: leftOut, examples };
}

/** Reply fields of every import of a data file. */
export const importReportFields = {
  dry_run: z.boolean(),
  format: z.enum(SOURCE_FORMATS),
  delimiter: z.string().nullable(),
  rows: z.int(),
  created: z.int(),
  failed: z.int(),
  cells: cellCountsSchema,
  recognized: recognizedSchema,
  errors: z
    .array(
      z.strictObject({
        row: z.int().describe('Row number in the file; the header is row 1. In .sav, the first case is 1'),
        details: z.array(z.strictObject({ column: z.string(), message: z.string() })),
      }),
    )
    .describe('The first 100 rows with errors'),
  notes: z.array(z.string()),
};

interface RecognizedColumn {
  header: string;
  columnCode: string | null;
  isMetadata: boolean;
  reason: string | null;
  leftOut: number;
}

export function presentImportReport(
  { file, timeZone, rows, cells, created, failed, errors, notes }: DataFileReport,
  dryRun: boolean,
  columns: readonly RecognizedColumn[],
) {
  return {
    dry_run: dryRun,
    format: file.format,
    delimiter: file.delimiter,
    rows,
    created,
    failed,
    cells: {
      filled: cells.filled,
      imported: cells.imported,
      missing: cells.missing,
      changed: cells.changed,
      unreadable: cells.unreadable,
      left_out: cells.leftOut,
      in_rows_not_written: cells.inRowsNotWritten,
    },
    recognized: {
      layout: file.layout?.name ?? ('spss' as const),
      header_rows: file.layout?.headerRows ?? 0,
      timezone: timeZone,
      metadata: columns.flatMap(({ header, columnCode, isMetadata }) =>
        isMetadata && columnCode !== null ? [{ header, column_code: columnCode }] : [],
      ),
      left_out: columns.flatMap(({ header, reason, leftOut }) =>
        leftOut > 0
          ? [{ header, reason: reason ?? 'contains values that are read as not answered', cells: leftOut }]
          : [],
      ),
    },
    errors,
    notes,
  };
}

interface DataFileInput {
  format?: SourceFormatName | undefined;
  delimiter: ',' | ';' | 'tab' | '|' | 'auto';
  encoding?: CsvEncoding | SavEncoding | undefined;
  /** Absent for files without responses, like those that follow. */
  layout?: 'auto' | LayoutName | undefined;
  missing_values?: string[] | undefined;
  decimal?: DecimalMark | undefined;
  unescape_formulas?: 'auto' | 'true' | 'false' | undefined;
}

/** The options for the services; null: detect from the file. */
export function toReadOptions({ format, delimiter, encoding, layout = 'plain', ...given }: DataFileInput) {
  const { missing_values: missingValues = [], decimal = null, unescape_formulas: unescape = 'auto' } = given;
  return {
    format: format ?? null,
    delimiter: delimiter === 'auto' ? null : delimiter === 'tab' ? '\t' : delimiter,
    encoding: encoding ?? null,
    layout: layout === 'auto' ? null : layout,
    missingValues,
    decimalMark: decimal,
    unescapeFormulas: unescape === 'auto' ? null : unescape === 'true',
  };
}
