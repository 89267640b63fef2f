import { TextDecoder } from 'node:util';
import { Readable } from 'node:stream';
import { CsvError, parse, type Parser } from 'csv-parse';
import { invalid, unsupportedMediaType } from '../lib/errors.ts';
import { type ByteFile, readChunks, unreadableFile } from './byte-file.ts';
import type { LayoutName, SourceFile, SourceRow } from '../domain/import/source-file.ts';
import { isFixedWidth } from '../domain/import/header-cells.ts';
import { openTable } from './table-source.ts';

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

/** The first lines. */
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

const DELIMITERS = [',', ';', '\t', '|'];
const DELIMITER_SAMPLE_LINES = 50;

/** Counts each delimiter outside of quotes, by line. */
function countDelimiters(text: string): Map<string, number>[] {
  const lines: Map<string, number>[] = [];
  let counts = new Map<string, number>();
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n') {
      lines.push(counts);
      if (lines.length === DELIMITER_SAMPLE_LINES) return lines;
      counts = new Map();
    } else if (DELIMITERS.includes(character)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  if (lines.length === 0) lines.push(counts);
  return lines;
}

/**
 * Detects the delimiter from the beginning of a CSV file: the one that occurs as often in the header as in most lines, and among several
 * the most frequent one in the header. Returns a comma if none occurs, for a file with one column.
 */
export function detectDelimiter(beginning: string): string {
  const [header, ...lines] = countDelimiters(beginning);
  let best = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const inHeader = header?.get(delimiter) ?? 0;
    if (inHeader === 0) continue;
    const matching = lines.filter((counts) => (counts.get(delimiter) ?? 0) === inHeader).length;
    const score = (1 + matching) * (1 + inHeader / 10_000);
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

/** Supported encodings of CSV files. */
export const CSV_ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-1',
  'iso-8859-2',
  'iso-8859-3',
  'iso-8859-4',
  'iso-8859-5',
  'iso-8859-6',
  'iso-8859-7',
  'iso-8859-8',
  'iso-8859-9',
  'iso-8859-10',
  'iso-8859-13',
  'iso-8859-14',
  'iso-8859-15',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'x-mac-cyrillic',
  'ibm866',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'gbk',
  'gb18030',
  'big5',
  'euc-kr',
] as const;
export type CsvEncoding = (typeof CSV_ENCODINGS)[number];

const ENCODING_HINT =
  'save it as UTF-8, or specify its encoding, such as windows-1252 (Western Europe), windows-1250 (Central Europe), ' +
  'windows-1251 (Cyrillic), shift_jis (Japanese), gb18030 (Chinese) or euc-kr (Korean)';

/** Returns the encoding that the client names, else that of the byte order mark, else UTF-8. Throws 400 if the file is not valid in it. */
async function detectEncoding(file: ByteFile, requested: CsvEncoding | null): Promise<CsvEncoding> {
  if (requested === null) {
    const head = await file.read(0, 2);
    if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
    if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  }
  const encoding = requested ?? 'utf-8';
  if (await isValid(file, encoding)) return encoding;
  const message =
    requested === null
      ? 'is missing, and the file is not valid UTF-8'
      : `is ${requested}, but the file is not`;
  throw invalid('encoding', `${message}; ${ENCODING_HINT}`);
}

async function isValid(file: ByteFile, encoding: CsvEncoding): Promise<boolean> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  try {
    for await (const chunk of readChunks(file)) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Yields the text in chunks, without a byte order mark. */
async function* decodeCsv(file: ByteFile, encoding: CsvEncoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of readChunks(file)) yield decoder.decode(chunk, { stream: true });
  yield decoder.decode();
}
