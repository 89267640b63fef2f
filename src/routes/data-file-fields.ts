import { z } from 'zod';
import { isTimeZone, TIME_ZONE_EXPECTED } from '../lib/time-zone.ts';
import { idText } from '../http/paging.ts';
import type { CellCounts } from '../domain/import/import-report.ts';
import { LAYOUT_NAMES, type LayoutName, type SourceLayout } from '../domain/import/source-file.ts';
import { CSV_ENCODINGS, type CsvEncoding } from '../importers/csv/csv-encoding.ts';

/** The largest file, and what is around it. */
export const MAX_DATA_FILE_BODY_BYTES = 101 * 1024 * 1024;

/** Yes or no, in a form: its fields are texts. */
export const flagField = (byDefault: 'true' | 'false') =>
  z
    .enum(['true', 'false'])
    .default(byDefault)
    .transform((value) => value === 'true');

const encodingText = z
  .string()
  .transform((value, context) => {
    const known = CSV_ENCODINGS.find((encoding) => encoding === value.toLowerCase());
    if (known !== undefined) return known;
    context.addIssue({ code: 'custom', message: `must be one of ${CSV_ENCODINGS.join(', ')}` });
    return z.NEVER;
  })
  .meta({ override: { type: 'string', enum: [...CSV_ENCODINGS] } });

/** The fields that say how a data file is to be read. */
export const dataFileFields = {
  workspace_id: idText.optional().describe('Means the same as in the query'),
  format: z
    .enum(['csv', 'xlsx', 'sav'])
    .optional()
    .describe('Absent: told by the content, never by the name'),
  delimiter: z.enum([',', ';', 'tab', '|', 'auto']).default('auto').describe('Of CSV'),
  encoding: encodingText
    .optional()
    .describe(
      'Of CSV. Absent: UTF-8, or UTF-16 with its byte order mark; a file that is neither is refused, for letters would be guessed',
    ),
};

/** Of files of responses. */
export const responseFileFields = {
  ...dataFileFields,
  layout: z
    .enum(['auto', ...LAYOUT_NAMES])
    .default('auto')
    .describe(
      'Of CSV and .xlsx. `auto` recognises exports of Qualtrics (three header rows, or two), SurveyMonkey (two) and LimeSurvey; `plain` takes the ' +
        'first row as header and all others as responses',
    ),
  timezone: z
    .string()
    .refine(isTimeZone, TIME_ZONE_EXPECTED)
    .optional()
    .describe(
      'IANA name of the zone of moments without an offset. Absent: the zone that the file names, else that of the survey. A new survey has it ' +
        'as its `timezone` (UTC where the file names none)',
    ),
};

/** What was recognised in a file of responses. */
export const recognisedSchema = z.strictObject({
  layout: z
    .enum([...LAYOUT_NAMES, 'spss'])
    .describe('`plain`: a table with one header row; `spss`: the dictionary of a .sav'),
  header_rows: z.int().describe('Rows above the first response; 0 for .sav'),
  timezone: z.string().describe('By which moments without an offset were read'),
  metadata: z
    .array(z.strictObject({ header: z.string(), column_code: z.string() }))
    .describe('Columns that say something about the response itself, and what they fill'),
  left_out: z
    .array(z.strictObject({ header: z.string(), reason: z.string(), cells: z.int() }))
    .describe('Columns with values that are not imported, and how many'),
});

/** What became of the cells with a value. */
export const cellCountsSchema = z
  .strictObject({ filled: z.int(), imported: z.int(), left_out: z.int(), in_rows_not_written: z.int() })
  .describe(
    'Cells of the file with a value: `filled` = `imported` + `left_out` (the sum over the columns) + `in_rows_not_written` (of rows with ' +
      'errors, or whose response the survey has)',
  );

interface RecognisedColumn {
  header: string;
  columnCode: string | null;
  isMetadata: boolean;
  reason: string | null;
  leftOut: number;
}

export function presentRecognised(
  layout: SourceLayout | null,
  timezone: string,
  columns: readonly RecognisedColumn[],
): z.input<typeof recognisedSchema> {
  return {
    layout: layout?.name ?? 'spss',
    header_rows: layout?.headerRows ?? 0,
    timezone,
    metadata: columns.flatMap(({ header, columnCode, isMetadata }) =>
      isMetadata && columnCode !== null ? [{ header, column_code: columnCode }] : [],
    ),
    left_out: columns.flatMap(({ header, reason, leftOut }) =>
      leftOut > 0
        ? [{ header, reason: reason ?? 'holds values that are taken as not answered', cells: leftOut }]
        : [],
    ),
  };
}

export function presentCellCounts(counts: CellCounts): z.input<typeof cellCountsSchema> {
  const { filled, imported, leftOut, inRowsNotWritten } = counts;
  return { filled, imported, left_out: leftOut, in_rows_not_written: inRowsNotWritten };
}

interface DataFileInput {
  format?: 'csv' | 'xlsx' | 'sav' | undefined;
  delimiter: ',' | ';' | 'tab' | '|' | 'auto';
  encoding?: CsvEncoding | undefined;
  /** Absent where the file holds no responses. */
  layout?: 'auto' | LayoutName | undefined;
}

/** As services take them: null where the file itself tells. */
export function readingOf({ format, delimiter, encoding, layout = 'plain' }: DataFileInput) {
  return {
    format: format ?? null,
    delimiter: delimiter === 'auto' ? null : delimiter === 'tab' ? '\t' : delimiter,
    encoding: encoding ?? null,
    layout: layout === 'auto' ? null : layout,
  };
}
