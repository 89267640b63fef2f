import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { ColumnCatalog } from '../../domain/dataset/columns/column-catalog.ts';
import { type CountedResponses, selectAndCountRows } from '../../domain/dataset/filter/select-rows.ts';
import { countTableRows } from '../../domain/statistics/crosstab/count-crossing.ts';
import { computeCrosstabs } from '../../domain/statistics/crosstab/crosstab.ts';
import type { CrosstabTable } from '../../domain/statistics/crosstab/table.ts';
import type { DatasetService, OpenDataset } from '../datasets/datasets.ts';
import { readWeights } from '../datasets/requested-columns.ts';
import { resolveCrosstab, type CrosstabRequest } from './resolve-crosstab.ts';

/** So long others wait at most for their turn, but for one walk over the responses. */
const MAX_BLOCKING_MS = 15;
/** How often tables are begun anew because responses changed while they were made. */
const MAX_RESTARTS = 2;

interface Crosstab {
  weightColumn: string | null;
  /** Responses that count: those selected that have a weight, where one is used. */
  responses: number;
  withoutWeight: number;
  counted: CountedResponses;
  tables: CrosstabTable[];
}

type OpenCrosstab = OpenDataset & { asked: ReturnType<typeof resolveCrosstab> };

export class CrosstabService {
  private readonly datasets: DatasetService;

  constructor(datasets: DatasetService) {
    this.datasets = datasets;
  }

  /** Tables of the responses as they are at one moment, or, where these change all the time, nearly so. */
  async compute(scope: SurveyScope, request: CrosstabRequest): Promise<Crosstab> {
    const ask = (catalog: ColumnCatalog) => resolveCrosstab(request, catalog);
    let earlier: OpenDataset | null = null;
    for (let attempt = 0; ; attempt++) {
      const open: OpenCrosstab = await this.datasets.openFor(scope.surveyId, ask, earlier);
      earlier = open;
      const tables = await this.tryCompute(open, request, attempt < MAX_RESTARTS);
      if (tables !== null) return tables;
    }
  }

  /** null: responses changed meanwhile, and `mindsChanges`. */
  private async tryCompute(
    open: OpenCrosstab,
    request: CrosstabRequest,
    mindsChanges: boolean,
  ): Promise<Crosstab | null> {
    const { plan, weight, filter } = open.asked;
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
      if (mindsChanges && dataset.revision !== revision) return null;
      turnBegan = performance.now();
    }
  }
}
