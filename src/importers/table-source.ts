import { MAX_HEADER_ROWS, recognizeTable } from '../domain/import/recognize-table.ts';
import type { LayoutName, SourceCell, SourceFile, SourceRow } from '../domain/import/source-file.ts';
import { invalid, unprocessable } from '../lib/errors.ts';
import { unreadableFile } from './byte-file.ts';

const MAX_HEADER_CHARACTERS = 5_000;
const ROWS_PER_CHUNK = 250;

/** A table from any file format. */
interface Table {
  format: 'csv' | 'xlsx';
  delimiter: string | null;
  notes: readonly string[];
  /** All rows, including header rows. */
  records: () => AsyncIterable<SourceRow>;
}

/** 422: a questionnaire cannot be imported as data. `kind`: its format. */
export function questionnaireError(kind: string) {
  const message = `file: is ${kind}: this is a questionnaire, not data; send the exported responses`;
  return unprocessable('questionnaire_not_data', message, [{ field: 'file', message: message.slice(6) }]);
}

/** Recognizes the layout of a table from its header rows. Throws 422 for a questionnaire or an unsupported layout. */
export async function openTable(table: Table, requestedLayout: LayoutName | null): Promise<SourceFile> {
  const { rows, lengths } = await firstRows(table);
  const [header] = rows;
  if (header === undefined || header.every((cell) => cell === ''))
    throw unreadableFile('its first row is empty: it must hold the names of the columns');
  const recognized = recognizeTable(rows, requestedLayout);
  switch (recognized.kind) {
    case 'questionnaire':
      throw questionnaireError(recognized.what);
    case 'unsupported': {
      const message = `file: is ${recognized.what}`;
      throw unprocessable('unsupported_layout', message, [{ field: 'file', message: message.slice(6) }]);
    }
    case 'mismatch':
      throw invalid('layout', `is ${requestedLayout}, but the file lacks ${recognized.expected}`);
    case 'data': {
      const { layout, columns, rewrite } = recognized.table;
      // Columns at the end without a header are columns only where a row has a value in them.
      const named = columns.findLastIndex(({ header }) => header !== '') + 1;
      const rowWidth = Math.max(...lengths.slice(0, layout.headerRows));
      const rewriteCell = (cell: SourceCell, index: number) =>
        typeof cell === 'string' ? (rewrite.get(index)?.(cell) ?? cell) : cell;
      return {
        ...{ format: table.format, delimiter: table.delimiter, layout },
        columns: columns.slice(0, named),
        rowWidth: table.format === 'csv' ? rowWidth : null,
        ...{ sets: [], weight: null, notes: table.notes },
        rows: () =>
          dataRows(table, layout.headerRows, rewrite.size === 0 ? null : (cells) => cells.map(rewriteCell)),
      };
    }
  }
}

/** As texts, all as long as the longest that has a value. */
async function firstRows({ records }: Table): Promise<{ rows: string[][]; lengths: number[] }> {
  const rows: string[][] = [];
  const lengths: number[] = [];
  for await (const { cells } of records()) {
    lengths.push(cells.length);
    rows.push(
      cells.map((cell) =>
        String(cell ?? '')
          .trim()
          .slice(0, MAX_HEADER_CHARACTERS),
      ),
    );
    if (rows.length === MAX_HEADER_ROWS) break;
  }
  const width = Math.max(0, ...rows.map((row) => row.findLastIndex((cell) => cell !== '') + 1));
  return { rows: rows.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? '')), lengths };
}

async function* dataRows(
  { records }: Table,
  headerRows: number,
  rewriteRow: ((cells: readonly SourceCell[]) => SourceCell[]) | null,
): AsyncGenerator<SourceRow[]> {
  let rows: SourceRow[] = [];
  let count = 0;
  for await (const record of records()) {
    count += 1;
    if (count <= headerRows) continue;
    rows.push(rewriteRow === null ? record : { row: record.row, cells: rewriteRow(record.cells) });
    if (rows.length < ROWS_PER_CHUNK) continue;
    yield rows;
    rows = [];
  }
  if (rows.length > 0) yield rows;
}
