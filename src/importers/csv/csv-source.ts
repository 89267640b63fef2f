import { Readable } from 'node:stream';
import { CsvError, parse, type Parser } from 'csv-parse';
import type { SourceColumn, SourceFile, SourceRow } from '../../domain/import/source-file.ts';
import { tableColumns } from '../table-columns.ts';
import type { ByteFile } from '../byte-file.ts';
import { unreadable } from '../unreadable.ts';
import { csvDelimiter } from './csv-delimiter.ts';
import { type CsvEncoding, csvEncoding, csvText } from './csv-encoding.ts';

const HEAD_CHARACTERS = 256 * 1024;
const ROWS_AT_ONCE = 250;
const MAX_RECORD_CHARACTERS = 4_000_000;

export interface CsvOptions {
  /** null: as the beginning of the file shows. */
  delimiter: string | null;
  /** null: what its byte order mark says, else UTF-8. */
  encoding: CsvEncoding | null;
}

export async function openCsv(
  file: ByteFile,
  { delimiter, encoding: named }: CsvOptions,
): Promise<SourceFile> {
  const encoding = await csvEncoding(file, named);
  const used = delimiter ?? csvDelimiter(await beginning(file, encoding));
  const columns = await headerOf(file, encoding, used);
  return {
    format: 'csv',
    delimiter: used,
    columns,
    sets: [],
    weight: null,
    notes: [],
    async *rows() {
      let rows: SourceRow[] = [];
      let row = 0;
      for await (const cells of recordsOf(file, encoding, used)) {
        row += 1;
        if (row === 1) continue;
        rows.push({ row, cells: cells.map((cell) => (cell === '' ? null : cell)) });
        if (rows.length < ROWS_AT_ONCE) continue;
        yield rows;
        rows = [];
      }
      if (rows.length > 0) yield rows;
    },
  };
}

async function beginning(file: ByteFile, encoding: CsvEncoding): Promise<string> {
  let text = '';
  for await (const piece of csvText(file, encoding)) {
    text += piece;
    if (text.length >= HEAD_CHARACTERS) break;
  }
  return text.slice(0, HEAD_CHARACTERS);
}

async function headerOf(file: ByteFile, encoding: CsvEncoding, delimiter: string): Promise<SourceColumn[]> {
  for await (const cells of recordsOf(file, encoding, delimiter)) return tableColumns(cells);
  throw unreadable('is empty: a CSV file begins with the names of its columns');
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
