import { Readable } from 'node:stream';
import { CsvError, parse, type Parser } from 'csv-parse';
import type { LayoutName, SourceFile, SourceRow } from '../../domain/import/source-file.ts';
import { isFixedWidth } from '../../domain/import/layouts/questionnaires.ts';
import { unsupportedMediaType } from '../../lib/errors.ts';
import { tableSource } from '../table-source.ts';
import type { ByteFile } from '../byte-file.ts';
import { unreadable } from '../unreadable.ts';
import { csvDelimiter } from './csv-delimiter.ts';
import { type CsvEncoding, csvEncoding, csvText } from './csv-encoding.ts';

const HEAD_CHARACTERS = 256 * 1024;
const LOOKED_AT_LINES = 3;
const MAX_RECORD_CHARACTERS = 4_000_000;

export interface CsvOptions {
  /** null: as the beginning of the file shows. */
  delimiter: string | null;
  /** null: what its byte order mark says, else UTF-8. */
  encoding: CsvEncoding | null;
  /** null: what its first rows show. */
  layout: LayoutName | null;
}

export async function openCsv(
  file: ByteFile,
  { delimiter, encoding: named, layout }: CsvOptions,
): Promise<SourceFile> {
  const encoding = await csvEncoding(file, named);
  const start = await beginning(file, encoding);
  if (layout === null && isFixedWidth(linesOf(start)))
    throw unsupportedMediaType(
      'file: looks like fixed-width data without names of columns, such as Triple-S .asc; send .csv, .xlsx or .sav, or layout=plain where ' +
        'it is a table of one column',
    );
  const used = delimiter ?? csvDelimiter(start);
  const records = () => rowsOf(file, encoding, used);
  return tableSource({ format: 'csv', delimiter: used, notes: [], records }, layout);
}

/** The first lines, whole ones. */
function linesOf(start: string): string[] {
  return start
    .split(/\r?\n/)
    .slice(0, LOOKED_AT_LINES)
    .filter((line) => line !== '');
}

async function* rowsOf(file: ByteFile, encoding: CsvEncoding, delimiter: string): AsyncGenerator<SourceRow> {
  let row = 0;
  for await (const cells of recordsOf(file, encoding, delimiter)) {
    row += 1;
    yield { row, cells: cells.map((cell) => (cell === '' ? null : cell)) };
  }
}

async function beginning(file: ByteFile, encoding: CsvEncoding): Promise<string> {
  let text = '';
  for await (const piece of csvText(file, encoding)) {
    text += piece;
    if (text.length >= HEAD_CHARACTERS) break;
  }
  return text.slice(0, HEAD_CHARACTERS);
}

async function* recordsOf(
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
  const text = Readable.from(csvText(file, encoding));
  text.on('error', (error) => parser.destroy(error));
  text.pipe(parser);
  try {
    for await (const record of parser) yield record as string[];
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(`is no readable CSV: ${error.message.slice(0, 200)}`);
    throw error;
  } finally {
    text.destroy();
    parser.destroy();
  }
}
