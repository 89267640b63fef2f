import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import type { EditableRow } from '../../../repositories/data-changes.ts';
import { catalogOf } from '../../../repositories/derived-columns.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import { lockForQuotas } from './quota-recounter.ts';

/** Large enough for efficient statements, small enough not to block the event loop. */
const ROWS_PER_CHUNK = 2_000;

/**
 * Locks responses until the end of the transaction and yields them in chunks, without deleted ones. The ids must ascend: all transactions
 * lock in this order, which prevents deadlocks.
 */
export async function* lockInChunks(
  repositories: Repositories,
  surveyId: number,
  ids: readonly number[],
): AsyncGenerator<EditableRow[]> {
  if (ids.length > ROWS_PER_CHUNK) await lockForQuotas(repositories, surveyId, () => Promise.resolve(ids));
  for (let start = 0; start < ids.length; start += ROWS_PER_CHUNK) {
    if (start > 0) await nextTurn();
    const rows = await repositories.dataChanges.lockRows(surveyId, ids.slice(start, start + ROWS_PER_CHUNK));
    yield rows.filter((row) => row.deleted_at === null);
  }
}

/** Reads the columns in this transaction. The survey is locked, so no question changes meanwhile. */
export async function readCatalog(
  { definitions, derivedColumns }: Repositories,
  surveyId: number,
): Promise<ColumnCatalog> {
  const definition = await definitions.draft(surveyId);
  return catalogOf(definition, await derivedColumns.current(surveyId));
}
