import { Readable } from 'node:stream';
import { CsvError, parse, type Parser } from 'csv-parse';
import type { LayoutName, SourceFile, SourceRow } from '../../domain/import/source-file.ts';
import { isFixedWidth } from '../../domain/import/layouts/questionnaires.ts';
import { unsupportedMediaType } from '../../lib/errors.ts';
import { openTable } from '../table-source.ts';
import type { ByteFile } from '../byte-file.ts';
import { unreadableFile } from '../unreadable.ts';
import { detectDelimiter } from './csv-delimiter.ts';
import { type CsvEncoding, detectEncoding, decodeCsv } from './csv-encoding.ts';

const HEAD_CHARACTERS = 256 * 1024;
const SAMPLE_LINES = 3;
const MAX_RECORD_CHARACTERS = 4_000_000;

export interface CsvOptions {
  /** null: detected from the beginning of the file. */
  delimiter: string | null;
  /** null: the encoding of the byte order mark, else UTF-8. */
  encoding: CsvEncoding | null;
  /** null: detected from the first rows. */
  layout: LayoutName | null;
}

export async function openCsv(
  file: ByteFile,
  { delimiter, encoding: requested, layout }: CsvOptions,
): Promise<SourceFile> {
  const encoding = await detectEncoding(file, requested);
  const start = await readHead(file, encoding);
  if (layout === null && isFixedWidth(firstLines(start)))
    throw unsupportedMediaType(
      'file: looks like fixed-width data without names of columns, such as Triple-S .asc; send .csv, .xlsx or .sav, or layout=plain where ' +
        'it is a table of one column',
    );
  const usedDelimiter = delimiter ?? detectDelimiter(start);
  const records = () => readRows(file, encoding, usedDelimiter);
  return openTable({ format: 'csv', delimiter: usedDelimiter, notes: [], records }, layout);
}

/** The first lines, whole ones. */
function firstLines(start: string): string[] {
  return start
    .split(/\r?\n/)
    .slice(0, SAMPLE_LINES)
    .filter((line) => line !== '');
}

async function* readRows(
  file: ByteFile,
  encoding: CsvEncoding,
  delimiter: string,
): AsyncGenerator<SourceRow> {
  let row = 0;
  for await (const cells of parseRecords(file, encoding, delimiter)) {
    row += 1;
    yield { row, cells: cells.map((cell) => (cell === '' ? null : cell)) };
  }
}

async function readHead(file: ByteFile, encoding: CsvEncoding): Promise<string> {
  let text = '';
  for await (const chunk of decodeCsv(file, encoding)) {
    text += chunk;
    if (text.length >= HEAD_CHARACTERS) break;
  }
  return text.slice(0, HEAD_CHARACTERS);
}

async function* parseRecords(
  file: ByteFile,
  encoding: CsvEncoding,
  delimiter: string,
): AsyncGenerator<string[]> {
  const parser: Parser = parse({
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: MAX_RECORD_CHARACTERS,
  });
  const text = Readable.from(decodeCsv(file, encoding));
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  try {
    for await (const record of parser) yield record as string[];
  } catch (error) {
    if (error instanceof CsvError)
      throw unreadableFile(`cannot be read as CSV: ${error.message.slice(0, 200)}`);
    throw error;
  } finally {
    text.destroy();
    parser.destroy();
  }
}
