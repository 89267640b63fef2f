import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../../domain/access/scopes.ts';
import type { ColumnCatalog } from '../../../domain/dataset/columns/column-catalog.ts';
import type { Dataset } from '../../../domain/dataset/dataset.ts';
import type { CompiledFilter } from '../../../domain/dataset/filter/filter.ts';
import { ALL_RESPONSES, selectRows } from '../../../domain/dataset/filter/select-rows.ts';
import { mutuallyExclusive, required } from '../../../lib/error-messages.ts';
import { invalid } from '../../../lib/errors.ts';
import type { DatasetService, OpenDataset } from '../../datasets/datasets.ts';
import { compileFilter } from '../../datasets/requested-columns.ts';

/** Selects responses by id or by filter, in any status except deleted. */
interface SelectionCriteria {
  responseIds: readonly number[] | null;
  /** As sent by the client; undefined: no filter. */
  filter: unknown;
  /** Rejects requests without a condition, which would otherwise mean all responses. */
  requiresCondition: boolean;
}

/** The selected responses of a change. */
export interface SelectedResponses {
  /** Responses that the predicate accepts, ascending. */
  ids: number[];
  /** Number of selected responses, including those that the predicate rejects. */
  count: number;
  /** Given ids that do not exist in this survey or are deleted. */
  missing: number[];
}

/** Whether the change has to process this row. Other requests may run between calls. */
type RowPredicate = (dataset: Dataset, row: number) => boolean;

const ROWS_PER_TURN = 5_000;

/** Selects in memory the responses that a change must lock. */
export class ResponseSelector {
  constructor(private readonly datasets: DatasetService) {}

  /** `prepare` returns the load codes. It may throw errors of the request. */
  async select(
    scope: SurveyScope,
    criteria: SelectionCriteria,
    prepare: (catalog: ColumnCatalog) => Iterable<string>,
    isOfInterest: RowPredicate,
  ): Promise<SelectedResponses> {
    const open = await this.datasets.openFor(scope.surveyId, (catalog) => {
      const filter = compileCriteria(criteria, catalog);
      return { filter, loadCodes: [...prepare(catalog), ...(filter?.loadCodes ?? [])] };
    });
    const { mask, missing } = resolveMask(open, criteria, open.resolved.filter);
    const selected: SelectedResponses = { ids: [], count: 0, missing };
    const { dataset } = open;
    for (let row = 0; row < mask.length; row++) {
      if (row > 0 && row % ROWS_PER_TURN === 0) await nextTurn();
      if (mask[row] !== 1) continue;
      selected.count++;
      if (isOfInterest(dataset, row)) selected.ids.push(dataset.responseIds[row]!);
    }
    selected.ids.sort((a, b) => a - b);
    return selected;
  }
}

function compileCriteria(criteria: SelectionCriteria, catalog: ColumnCatalog): CompiledFilter | undefined {
  const hasFilter = criteria.filter !== undefined;
  if (criteria.responseIds !== null) {
    if (hasFilter) throw mutuallyExclusive('filter', 'response_ids');
    return undefined;
  }
  if (!hasFilter) {
    if (criteria.requiresCondition) throw invalid('response_ids', required('unless filter is given'));
    return undefined;
  }
  const filter = compileFilter(criteria.filter, catalog);
  if (criteria.requiresCondition && filter.codes.length === 0)
    throw invalid('filter', 'must not be empty: it would select every response');
  return filter;
}

function resolveMask(
  { dataset }: OpenDataset,
  { responseIds }: SelectionCriteria,
  filter: CompiledFilter | undefined,
): { mask: Uint8Array; missing: number[] } {
  const existing = selectRows(dataset, { ...ALL_RESPONSES, filter });
  if (responseIds === null) return { mask: existing, missing: [] };
  const mask = new Uint8Array(existing.length);
  const missing = new Set<number>();
  for (const id of responseIds) {
    const row = dataset.rowOf(id);
    if (row >= 0 && existing[row] === 1) mask[row] = 1;
    else missing.add(id);
  }
  return { mask, missing: [...missing] };
}
