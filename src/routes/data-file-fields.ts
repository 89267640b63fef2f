import { z } from 'zod';
import { isTimeZone, TIME_ZONE_EXPECTED } from '../lib/time-zone.ts';
import { idParam } from '../http/paging.ts';
import type { DataFileReport } from '../domain/import/import-report.ts';
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

/** Further form fields of files that contain responses. */
export const responseFileFields = {
  ...dataFileFields,
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
  .strictObject({ filled: z.int(), imported: z.int(), left_out: z.int(), in_rows_not_written: z.int() })
  .describe(
    'Cells with a value: `filled` = `imported` + `left_out` (sum over the columns) + `in_rows_not_written` (rows with errors, or whose ' +
      'response already exists)',
  );

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
  /** Absent for files without responses. */
  layout?: 'auto' | LayoutName | undefined;
}

/** The options for the services; null: detect from the file. */
export function toReadOptions({ format, delimiter, encoding, layout = 'plain' }: DataFileInput) {
  return {
    format: format ?? null,
    delimiter: delimiter === 'auto' ? null : delimiter === 'tab' ? '\t' : delimiter,
    encoding: encoding ?? null,
    layout: layout === 'auto' ? null : layout,
  };
}
