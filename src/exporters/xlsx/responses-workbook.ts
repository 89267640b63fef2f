import type { Cell } from '../../domain/dataset/columns/column-spec.ts';
import type { FileColumn } from '../file-column.ts';
import type { LocalMoments } from '../local-moments.ts';
import { notesSheet, valuesSheet, variablesSheet } from './about-sheets.ts';
import { columnLetters, type XlsxCell, type XlsxSheet } from './sheet.ts';
import { xlsxColumn } from './xlsx-column.ts';
import { xlsxFile } from './xlsx-file.ts';

type RowReader = <Read>(
  readers: readonly ((cell: Cell) => Read)[],
) => AsyncIterable<readonly (readonly Read[])[]>;

/** Responses as a workbook: Data, what the columns and their values mean, with what had no room, and notes on the whole. */
export function responsesWorkbook(
  columns: readonly FileColumn[],
  rows: RowReader,
  about: { title: string; createdAt: Date; moments: LocalMoments; notes: readonly string[] },
): AsyncIterable<Buffer> {
  const parts = columns.map((column) => xlsxColumn(column, about.moments));
  const cuts = columns.map(() => 0);
  const data: XlsxSheet = {
    name: 'Data',
    columns: parts.map(({ column }) => column),
    rows: rows<XlsxCell>(parts.map(({ read }) => read)),
    cut: (column) => (cuts[column]! += 1),
  };
  const note = (column: number) => {
    const count = cuts[column]!;
    if (count === 0) return null;
    return `${count} ${count === 1 ? 'text' : 'texts'} cut to 32,767 characters, the most that a cell holds`;
  };
  const letters = columns.map((_, index) => columnLetters(index));
  const sheets = [
    data,
    variablesSheet(columns, letters, note),
    valuesSheet(columns),
    notesSheet(about.notes),
  ];
  return xlsxFile({ title: about.title, createdAt: about.createdAt, sheets });
}
