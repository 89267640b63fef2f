import type { QuestionColumns } from './column-catalog.ts';
import type { ColumnSpec } from './column-spec.ts';

/** Returns the 0/1 columns of a multiple-response set, one per option. */
export function binaryColumnsOfSet(
  { columns, sets }: QuestionColumns,
  setIndex: number,
): readonly ColumnSpec[] {
  const flags = columns.filter(({ type }) => type === 'binary');
  // A matrix has one per option for each row, row by row.
  const perSet = flags.length / Math.max(1, sets.length);
  return flags.slice(setIndex * perSet, (setIndex + 1) * perSet);
}
