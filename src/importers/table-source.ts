import { MAX_HEADER_ROWS, recognizeTable } from '../domain/import/recognize-table.ts';
import type {
  LayoutName,
  SourceCell,
  SourceColumn,
  SourceFile,
  SourceRow,
} from '../domain/import/source-file.ts';
import { isOwnExport } from '../domain/import/own-export.ts';
import { quote } from '../lib/error-messages.ts';
import { invalid, unprocessable } from '../lib/errors.ts';
import { isFormulaText, unescapeFormula } from '../lib/formula-text.ts';
import { truncateText } from '../lib/truncate-text.ts';
import { unreadableFile } from './byte-file.ts';

/** The names of columns in plain tables. */
const MAX_HEADER_CHARACTERS = 500;
/** The texts of questions in the header rows of survey tools. */
const MAX_TEXT_CHARACTERS = 5_000;
const ROWS_PER_CHUNK = 250;

/** A table from any file format. */
interface Table {
  format: 'csv' | 'xlsx';
  delimiter: string | null;
  notes: readonly string[];
  /** Notes about the cells of columns, by their names. */
  notesOnColumns?: (headers: readonly string[]) => readonly string[];
  /** All rows, including header rows. */
  records: () => AsyncIterable<SourceRow>;
  /** Whether to remove the ' before formulas. null: in exports of Canvass in which all formulas have one. */
  unescapeFormulas: boolean | null;
}

/** 422: a questionnaire cannot be imported as data. `kind`: its format. */
export function questionnaireError(kind: string) {
  const message = `file: is ${kind}: this is a questionnaire, not data; send the exported responses`;
  return unprocessable('questionnaire_not_data', message, [{ field: 'file', message: message.slice(6) }]);
}

/** Recognizes the layout of a table from its header rows. Throws 422 for a questionnaire or an unsupported layout. */
export async function openTable(
  escapedTable: Table,
  requestedLayout: LayoutName | null,
): Promise<SourceFile> {
  const table = await withoutEscapes(escapedTable);
  const { rows, lengths } = await firstRows(table);
  if (!rows.some((row) => row.some((cell) => cell !== '')))
    throw unreadableFile('its first rows are empty: one of them must hold the names of the columns');
  const recognized = recognizeTable(rows, requestedLayout);
  switch (recognized.kind) {
    case 'questionnaire':
      throw questionnaireError(recognized.what);
    case 'unsupported': {
      const message = `file: is ${recognized.what}`;
      throw unprocessable('unsupported_layout', message, [{ field: 'file', message: message.slice(6) }]);
    }
    case 'no_header':
      throw unreadableFile(recognized.reason);
    case 'mismatch':
      throw invalid('layout', `is ${requestedLayout}, but the file lacks ${recognized.expected}`);
    case 'data': {
      const { layout, columns, rewrite, notes = [] } = recognized.table;
      refuseLongHeaders(columns, layout.name);
      const headers = columns.map(({ header }) => header);
      const allNotes = [...table.notes, ...(table.notesOnColumns?.(headers) ?? []), ...notes];
      // Columns at the end without a header are columns only where a row has a value in them.
      const named = columns.findLastIndex(({ header }) => header !== '') + 1;
      const rowWidth = Math.max(...lengths.slice(0, layout.headerRows));
      const rewriteCell = (cell: SourceCell, index: number) =>
        typeof cell === 'string' ? (rewrite.get(index)?.(cell) ?? cell) : cell;
      return {
        format: table.format,
        delimiter: table.delimiter,
        layout,
        columns: columns.slice(0, named),
        rowWidth: table.format === 'csv' ? rowWidth : null,
        sets: [],
        weight: null,
        notes: allNotes,
        rows: () =>
          inChunks(
            withoutFooter(
              dataRows(
                table,
                layout.headerRows,
                rewrite.size === 0 ? null : (cells) => cells.map(rewriteCell),
              ),
              named,
              (note) => {
                if (!allNotes.includes(note)) allNotes.push(note);
              },
            ),
          ),
      };
    }
  }
}

function refuseLongHeaders(columns: readonly SourceColumn[], layout: LayoutName): void {
  const limit = layout === 'plain' ? MAX_HEADER_CHARACTERS : MAX_TEXT_CHARACTERS;
  for (const [index, { header, label }] of columns.entries()) {
    const { length } = layout === 'plain' || header.length > limit ? header : (label ?? '');
    if (length <= limit) continue;
    const count = length > MAX_TEXT_CHARACTERS ? `more than ${MAX_TEXT_CHARACTERS}` : String(length);
    throw unreadableFile(
      `the header of column ${index + 1} (${quote(header)}) has ${count} characters; at most ${limit} are allowed`,
    );
  }
}

const NUMBER = /^-?\d+(\.\d+)?$/;

/** Undoes the escapes of formulas in files that have them: see exporters/csv.ts. */
async function withoutEscapes(table: Table): Promise<Table> {
  const { records, unescapeFormulas } = table;
  if (!(unescapeFormulas ?? (await hasEscapes(table)))) return table;
  const unescape = (cell: SourceCell) => (typeof cell === 'string' ? unescapeFormula(cell) : cell);
  return {
    ...table,
    async *records() {
      for await (const { row, cells } of records()) yield { row, cells: cells.map(unescape) };
    },
  };
}

/** Whether the file is an export of Canvass in which no text can run as a formula. */
async function hasEscapes({ records }: Table): Promise<boolean> {
  let isHeader = true;
  for await (const { cells } of records()) {
    const texts = cells.filter((cell) => typeof cell === 'string');
    if (isHeader && !isOwnExport(texts.map(unescapeFormula))) return false;
    isHeader = false;
    if (texts.some((text) => isFormulaText(text) && !NUMBER.test(text))) return false;
  }
  return true;
}

/** As texts, all as long as the longest that has a value, with a row for every blank one that the format leaves out. */
async function firstRows({ records }: Table): Promise<{ rows: string[][]; lengths: number[] }> {
  const rows: string[][] = [];
  const lengths: number[] = [];
  for await (const { row, cells } of records()) {
    while (rows.length < Math.min(row - 1, MAX_HEADER_ROWS)) {
      rows.push([]);
      lengths.push(0);
    }
    if (rows.length === MAX_HEADER_ROWS) break;
    lengths.push(cells.length);
    rows.push(
      cells.map((cell) =>
        String(cell ?? '')
          .trim()
          .slice(0, MAX_TEXT_CHARACTERS + 1),
      ),
    );
  }
  const width = Math.max(0, ...rows.map((row) => row.findLastIndex((cell) => cell !== '') + 1));
  return { rows: rows.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? '')), lengths };
}

async function* dataRows(
  { records }: Table,
  headerRows: number,
  rewriteRow: ((cells: readonly SourceCell[]) => SourceCell[]) | null,
): AsyncGenerator<SourceRow> {
  for await (const record of records()) {
    if (record.row <= headerRows) continue;
    yield rewriteRow === null ? record : { row: record.row, cells: rewriteRow(record.cells) };
  }
}

const isFilled = (cell: SourceCell) => cell !== null && String(cell).trim() !== '';
const isBlankRow = ({ cells }: SourceRow) => !cells.some(isFilled);
/** First cells of rows with sums. */
const TOTAL = /^(grand )?(totals?|sum|gesamt|summe|insgesamt|total général|totale)$/i;
const MAX_FOOTER_ROWS = 100;
const MAX_FOOTER_CHARACTERS = 200;

/**
 * Leaves out the footer: the rows at the end, below a blank row, with a text in the first column alone ("Source: …"). `report` gets a note
 * with its text, and one for a last row that looks like a total, which is not left out.
 */
async function* withoutFooter(
  rows: AsyncIterable<SourceRow>,
  columnCount: number,
  report: (note: string) => void,
): AsyncGenerator<SourceRow> {
  /** Rows that are a footer if no other row follows, with the blank rows above and between them. */
  let held: SourceRow[] = [];
  let last: SourceRow | null = null;
  for await (const row of rows) {
    const isBelowBlank = held.length > 0 || (last !== null && row.row > last.row + 1);
    const isFooter = isBelowBlank && columnCount > 1 && isFooterText(row);
    if ((isFooter || isBlankRow(row)) && held.length < MAX_FOOTER_ROWS) {
      held.push(row);
      continue;
    }
    yield* held;
    held = [];
    yield row;
    last = row;
  }
  const footer = held.filter((row) => !isBlankRow(row));
  if (footer.length === 0) yield* held;
  else {
    const text = footer.map(({ cells }) => String(cells.find(isFilled)).trim()).join(' · ');
    report(
      `Row ${footer[0]?.row ?? 0} and below are a footer, not responses: ${truncateText(text, MAX_FOOTER_CHARACTERS)}`,
    );
  }
  const first = String(last?.cells[0] ?? '').trim();
  if (last !== null && columnCount > 1 && TOTAL.test(first))
    report(
      `Row ${last.row} begins with "${first}" and is imported as a response: remove it if it is no response`,
    );
}

function hasSeparatorAfterLetter(text: string): boolean {
  const letter = text.search(/\p{L}/u);
  return letter >= 0 && /[\s:]/.test(text.slice(letter));
}

/** Several words, or one before a colon, in the first cell alone: no identifier. */
const isFooterText = ({ cells }: SourceRow) =>
  typeof cells[0] === 'string' &&
  hasSeparatorAfterLetter(cells[0]) &&
  cells.every((cell, index) => isFilled(cell) === (index === 0));

async function* inChunks(rows: AsyncIterable<SourceRow>): AsyncGenerator<SourceRow[]> {
  let chunk: SourceRow[] = [];
  for await (const row of rows) {
    chunk.push(row);
    if (chunk.length < ROWS_PER_CHUNK) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
