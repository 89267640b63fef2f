import type { Cell } from '../domain/dataset/columns/column-spec.ts';
import type { CsvCellEncoder } from './csv.ts';
import { formatListCell } from '../domain/dataset/columns/list-cell.ts';
import { type FileColumn, isTimestamp, labelsOf } from './file-column.ts';
import type { LocalTimestamps } from './local-timestamps.ts';

/** Returns the function that formats the cells of a column. */
export function csvCellFormatter(
  { entry: { spec }, showAs }: FileColumn,
  cells: CsvCellEncoder,
  timestamps: LocalTimestamps,
): (cell: Cell) => string {
  if (showAs === 'label') {
    const labels = labelsOf(spec);
    const labelFor = (value: string) => labels.get(value) ?? value;
    return (cell) => {
      if (Array.isArray(cell)) return cells.encodeText(formatListCell(cell.map(labelFor)));
      if (cell === null) return '';
      const label = labels.get(String(cell));
      // A number that has no label stays a number.
      return label === undefined ? cells.encodeCell(cell) : cells.encodeText(label);
    };
  }
  if (isTimestamp(spec)) return (cell) => (cell === null ? '' : timestamps.toIso(String(cell)));
  return (cell) => (Array.isArray(cell) ? cells.encodeText(formatListCell(cell)) : cells.encodeCell(cell));
}
