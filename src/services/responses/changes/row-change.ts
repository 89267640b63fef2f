import type { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import { countChangedCells } from '../../../domain/dataset/edit-cells.ts';
import { type AnswerStates, createEditPatch } from '../../../domain/dataset/response-patch.ts';
import type { EditableRow } from '../../../repositories/data-changes.ts';
import type { RowChange } from './data-changes.ts';

/** The change that gives a response these answers; null if it already has them. */
export function toRowChange(
  catalog: ColumnCatalog,
  row: EditableRow,
  wanted: AnswerStates,
): RowChange | null {
  const patch = createEditPatch(row, wanted);
  if (patch === null) return null;
  const cells = countChangedCells(catalog, patch.before.answers!, patch.after.answers!);
  return { responseId: row.response_id, ...patch, cells };
}
