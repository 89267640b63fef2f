import { isFixedWidth } from '../../domain/import/header-cells.ts';
import { MAX_HEADER_ROWS } from '../../domain/import/recognize-table.ts';
import {
  type LayoutName,
  MAX_IMPORT_COLUMNS,
  MAX_IMPORT_ROWS,
  type SourceFile,
  type SourceRow,
} from '../../domain/import/source-file.ts';
import { sizeAtMost } from '../../lib/error-messages.ts';
import { tooLarge, unsupportedMediaType } from '../../lib/errors.ts';
import { type ByteFile, unreadableFile } from '../byte-file.ts';
import { openTable } from '../table-source.ts';
import { detectDelimiter, readSeparatorLine } from './csv-delimiter.ts';
import { type CsvEncoding, decodeCsv, detectEncoding } from './csv-encoding.ts';
import { CsvParser, type CsvRecord, TooManyCellsError, UnclosedQuoteError } from './csv-parser.ts';

const HEAD_CHARACTERS = 256 * 1024;
const SAMPLE_LINES = 3;

export interface CsvOptions {
  /** null: detected from the beginning of the file. */
  delimiter: string | null;
  /** null: that of the byte order mark, else UTF-16 or UTF-8 as detected. */
  encoding: CsvEncoding | null;
  /** null: detected from the first rows. */
  layout: LayoutName | null;
  /** Whether to remove the ' before formulas. null: in exports of Canvass in which all formulas have one. */
  unescapeFormulas: boolean | null;
}

/** How the text of a file splits into records. */
interface CsvForm {
  file: ByteFile;
  encoding: CsvEncoding;
  delimiter: string;
  /** Whether quotes enclose cells. */
  hasQuotes: boolean;
  /** Characters of a first line that states the delimiter; 0: there is none. */
  skippedCharacters: number;
}

export async function openCsv(
  file: ByteFile,
  { delimiter, encoding: requested, layout, unescapeFormulas }: CsvOptions,
): Promise<SourceFile> {
  const encoding = await detectEncoding(file, requested);
  const { head, isWhole } = await readHead(file, encoding);
  const stated = readSeparatorLine(head);
  const beginning = head.slice(stated?.length ?? 0);
  if (layout === null && isFixedWidth(firstLines(beginning)))
    throw unsupportedMediaType(
      'file: looks like fixed-width data without names of columns, such as Triple-S .asc; send .csv, .xlsx or .sav, or layout=plain where ' +
        'it is a table of one column',
    );
  const usedDelimiter = delimiter ?? stated?.delimiter ?? detectDelimiter(beginning, isWhole);
  const form = { file, encoding, delimiter: usedDelimiter, skippedCharacters: stated?.length ?? 0 };
  const { hasQuotes, notes } = await checkQuotes(form);
  const records = () => readRows({ ...form, hasQuotes });
  return openTable({ format: 'csv', delimiter: usedDelimiter, notes, records, unescapeFormulas }, layout);
}

/** The first lines. */
function firstLines(start: string): string[] {
  return start.split(/\r\n|\r|\n/, SAMPLE_LINES).filter((line) => line !== '');
}

async function readHead(file: ByteFile, encoding: CsvEncoding): Promise<{ head: string; isWhole: boolean }> {
  let text = '';
  for await (const chunk of decodeCsv(file, encoding)) {
    text += chunk;
    if (text.length > HEAD_CHARACTERS) return { head: text.slice(0, HEAD_CHARACTERS), isWhole: false };
  }
  return { head: text, isWhole: true };
}

/**
 * Reads the file once to check its quotes. Programs write tab-separated files with and without them: there, quotes enclose cells
 * if then all of them match and no fewer rows are as long as the first. Throws 400 with the line of a quote that is not closed, and for
 * the character NUL.
 */
async function checkQuotes(
  form: Omit<CsvForm, 'hasQuotes'>,
): Promise<{ hasQuotes: boolean; notes: string[] }> {
  const quoted = await countRecords({ ...form, hasQuotes: true });
  const isTab = form.delimiter === '\t';
  if (isTab && (quoted.error !== null || quoted.misquoted.count > 0 || quoted.irregular > 0)) {
    const plain = await countRecords({ ...form, hasQuotes: false });
    if (quoted.error !== null || quoted.misquoted.count > 0 || plain.irregular < quoted.irregular)
      return { hasQuotes: false, notes: [] };
  }
  if (quoted.error !== null)
    throw unreadableFile(
      `cannot be read as CSV: ${quoted.error.message}; close it, or write a quote within a cell as "" and the cell in quotes`,
    );
  const { count, firstLine } = quoted.misquoted;
  if (count === 0) return { hasQuotes: true, notes: [] };
  const cells = count === 1 ? 'A cell has' : `${count} cells have`;
  const note = `${cells} text behind the closing quote (line ${firstLine}${count > 1 ? ' is the first' : ''}): the quotes are read as part of the text`;
  return { hasQuotes: true, notes: [note] };
}

interface RecordCounts {
  error: UnclosedQuoteError | null;
  misquoted: CsvParser['misquoted'];
  /** Records with another number of cells than the first. */
  irregular: number;
}

async function countRecords(form: CsvForm): Promise<RecordCounts> {
  const parser = new CsvParser(form.delimiter, form.hasQuotes);
  const counts: RecordCounts = { error: null, misquoted: parser.misquoted, irregular: 0 };
  let width: number | null = null;
  let rowCount = 0;
  try {
    for await (const records of parseRecords(form, parser)) {
      rowCount += records.length;
      if (rowCount > MAX_IMPORT_ROWS + MAX_HEADER_ROWS)
        throw tooLarge(`file: ${sizeAtMost(MAX_IMPORT_ROWS, 'row')}`);
      for (const { row, cells } of records) {
        width ??= cells.length;
        if (cells.length !== width) counts.irregular += 1;
        if (cells.some((cell) => cell.includes('\0')))
          throw unreadableFile(
            `row ${row} contains the character NUL (U+0000), which is not text; save the file as UTF-8 text, or remove the character`,
          );
      }
    }
  } catch (error) {
    if (error instanceof TooManyCellsError)
      throw unreadableFile(`${error.message}: at most ${MAX_IMPORT_COLUMNS} columns are allowed`);
    if (!(error instanceof UnclosedQuoteError)) throw error;
    counts.error = error;
  }
  return counts;
}

async function* readRows(form: CsvForm): AsyncGenerator<SourceRow> {
  const firstRow = form.skippedCharacters > 0 ? 1 : 0;
  for await (const records of parseRecords(form, new CsvParser(form.delimiter, form.hasQuotes)))
    for (const { row, cells } of records)
      yield { row: row + firstRow, cells: cells.map((cell) => (cell === '' ? null : cell)) };
}

async function* parseRecords(form: CsvForm, parser: CsvParser): AsyncGenerator<CsvRecord[]> {
  let skip = form.skippedCharacters;
  for await (const chunk of decodeCsv(form.file, form.encoding)) {
    const text = chunk.slice(skip);
    skip = Math.max(0, skip - chunk.length);
    yield parser.push(text);
  }
  yield parser.end();
}
