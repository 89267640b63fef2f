import type { Cell } from '../domain/dataset/columns/column-spec.ts';
import type { CsvCells } from './csv.ts';
import { formatListCell } from '../domain/dataset/columns/list-cell.ts';
import { type FileColumn, isMoment, labelsOf } from './file-column.ts';
import type { LocalMoments } from './local-moments.ts';

/** Makes the texts of a column's cells. */
export function csvText(
  { entry: { spec }, shown }: FileColumn,
  cells: CsvCells,
  moments: LocalMoments,
): (cell: Cell) => string {
  if (shown === 'label') {
    const labels = labelsOf(spec);
    const wordFor = (value: string) => labels.get(value) ?? value;
    return (cell) => {
      if (Array.isArray(cell)) return cells.text(formatListCell(cell.map(wordFor)));
      if (cell === null) return '';
      const label = labels.get(String(cell));
      // A number that has no label stays a number.
      return label === undefined ? cells.cell(cell) : cells.text(label);
    };
  }
  if (isMoment(spec)) return (cell) => (cell === null ? '' : moments.iso(String(cell)));
  return (cell) => (Array.isArray(cell) ? cells.text(formatListCell(cell)) : cells.cell(cell));
}
