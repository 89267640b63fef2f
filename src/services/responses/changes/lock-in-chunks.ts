import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import type { EditableRow } from '../../../repositories/data-changes.ts';
import { catalogOf } from '../../../repositories/derived-columns.ts';
import type { Repositories } from '../../../repositories/repositories.ts';
import { lockForQuotas } from './quota-recounter.ts';

/** Enough for one statement to be worth it, few enough that what is done with them holds nobody up. */
const ROWS_PER_CHUNK = 2_000;

/**
 * Locks these responses until the transaction ends and hands them out in pieces, those that are deleted left out. The ids must
 * ascend: whoever locks several responses does it in this order, so that nobody waits for each other.
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

/** The columns as they are within this transaction, which holds the survey: nobody changes a question meanwhile. */
export async function readCatalog(
  { definitions, derivedColumns }: Repositories,
  surveyId: number,
): Promise<ColumnCatalog> {
  const definition = await definitions.draft(surveyId);
  return catalogOf(definition, await derivedColumns.current(surveyId));
}
