import type { QuestionColumns } from './column-catalog.ts';
import type { ColumnSpec } from './column-spec.ts';

/** The 0/1 columns that say option by option what the question's multiple-response set says at once. */
export function binaryColumnsOfSet(
  { columns, sets }: QuestionColumns,
  setIndex: number,
): readonly ColumnSpec[] {
  const flags = columns.filter(({ type }) => type === 'binary');
  // Every row of a matrix has one for each option, row after row.
  const perSet = flags.length / Math.max(1, sets.length);
  return flags.slice(setIndex * perSet, (setIndex + 1) * perSet);
}
