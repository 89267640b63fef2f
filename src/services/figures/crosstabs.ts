import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { ColumnCatalog } from '../../domain/dataset/columns/column-catalog.ts';
import { type InclusionCounts, selectAndCountRows } from '../../domain/dataset/filter/select-rows.ts';
import { countTableRows } from '../../domain/statistics/crosstab/count-crossing.ts';
import { computeCrosstabs } from '../../domain/statistics/crosstab/crosstab.ts';
import type { CrosstabTable } from '../../domain/statistics/crosstab/table.ts';
import type { DatasetService, OpenDataset } from '../datasets/datasets.ts';
import { readWeights } from '../datasets/requested-columns.ts';
import { resolveCrosstab, type CrosstabRequest } from './resolve-crosstab.ts';

/** Longest time that the event loop is blocked, apart from a single scan of the responses. */
const MAX_BLOCKING_MS = 15;
/** How often tables restart because responses changed during the computation. */
const MAX_RESTARTS = 2;

interface Crosstab {
  weightColumn: string | null;
  /** Number of selected responses, with a weight if one is used. */
  responses: number;
  withoutWeight: number;
  counted: InclusionCounts;
  tables: CrosstabTable[];
}

type OpenCrosstab = OpenDataset & { resolved: ReturnType<typeof resolveCrosstab> };

export class CrosstabService {
  constructor(private readonly datasets: DatasetService) {}

  /** Tables of the responses as of one point in time; approximately so if responses change continuously. */
  async compute(scope: SurveyScope, request: CrosstabRequest): Promise<Crosstab> {
    const resolve = (catalog: ColumnCatalog) => resolveCrosstab(request, catalog);
    let earlier: OpenDataset | null = null;
    for (let attempt = 0; ; attempt++) {
      const open: OpenCrosstab = await this.datasets.openFor(scope.surveyId, resolve, earlier);
      earlier = open;
      const tables = await this.tryCompute(open, request, attempt < MAX_RESTARTS);
      if (tables !== null) return tables;
    }
  }

  /** Returns null if responses changed during the computation and `stopOnChange` is set. */
  private async tryCompute(
    open: OpenCrosstab,
    request: CrosstabRequest,
    stopOnChange: boolean,
  ): Promise<Crosstab | null> {
    const { plan, weight, filter } = open.resolved;
    const { dataset } = open;
    const { revision } = dataset;
    const { mask, counted } = selectAndCountRows(dataset, { ...request, filter });
    const counting = { mask, weights: readWeights(open, weight) };
    const work = computeCrosstabs(dataset, plan, counting);
    let turnBegan = performance.now();
    for (;;) {
      const step = work.next();
      if (step.done) {
        const responses = countTableRows(counting);
        return {
          weightColumn: weight?.spec.columnCode ?? null,
          responses,
          withoutWeight: countTableRows({ ...counting, weights: null }) - responses,
          counted,
          tables: step.value,
        };
      }
      if (performance.now() - turnBegan < MAX_BLOCKING_MS) continue;
      await nextTurn();
      if (stopOnChange && dataset.revision !== revision) return null;
      turnBegan = performance.now();
    }
  }
}
