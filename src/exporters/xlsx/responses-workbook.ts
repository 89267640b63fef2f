import type { Cell } from '../../domain/dataset/columns/column-spec.ts';
import type { FileColumn } from '../file-column.ts';
import type { LocalTimestamps } from '../local-timestamps.ts';
import { notesSheet, valuesSheet, variablesSheet } from './about-sheets.ts';
import { columnLetters, type XlsxCell, type XlsxSheet } from './sheet.ts';
import { toXlsxColumn } from './xlsx-column.ts';
import { writeXlsx } from './xlsx-file.ts';

type RowReader = <Read>(
  readers: readonly ((cell: Cell) => Read)[],
) => AsyncIterable<readonly (readonly Read[])[]>;

/** Writes responses as a workbook with the sheets Data, Variables (with notes on truncation), Values and Notes. */
export function writeResponsesWorkbook(
  columns: readonly FileColumn[],
  rows: RowReader,
  details: { title: string; createdAt: Date; timestamps: LocalTimestamps; notes: readonly string[] },
): AsyncIterable<Buffer> {
  const parts = columns.map((column) => toXlsxColumn(column, details.timestamps));
  const truncatedCounts = columns.map(() => 0);
  const data: XlsxSheet = {
    name: 'Data',
    columns: parts.map(({ column }) => column),
    rows: rows<XlsxCell>(parts.map(({ read }) => read)),
    onTruncated: (column) => (truncatedCounts[column]! += 1),
  };
  const note = (column: number) => {
    const count = truncatedCounts[column]!;
    if (count === 0) return null;
    return `${count} ${count === 1 ? 'text' : 'texts'} truncated to 32,767 characters, the maximum of a cell`;
  };
  const letters = columns.map((_, index) => columnLetters(index));
  const sheets = [
    data,
    variablesSheet(columns, letters, note),
    valuesSheet(columns),
    notesSheet(details.notes),
  ];
  return writeXlsx({ title: details.title, createdAt: details.createdAt, sheets });
}
