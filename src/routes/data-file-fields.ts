import { z } from 'zod';
import { idText } from '../http/paging.ts';
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

interface DataFileInput {
  format?: 'csv' | 'xlsx' | 'sav' | undefined;
  delimiter: ',' | ';' | 'tab' | '|' | 'auto';
  encoding?: CsvEncoding | undefined;
}

/** As services take them: null where the file itself tells. */
export function readingOf({ format, delimiter, encoding }: DataFileInput) {
  return {
    format: format ?? null,
    delimiter: delimiter === 'auto' ? null : delimiter === 'tab' ? '\t' : delimiter,
    encoding: encoding ?? null,
  };
}
