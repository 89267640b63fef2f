import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../../domain/dataset/column-catalog.ts';
import { type InclusionCounts, selectAndCountRows } from '../../domain/dataset/filter/select-rows.ts';
import type { Net } from '../../domain/statistics/crosstab/axis.ts';
import { countTableRows } from '../../domain/statistics/crosstab/count-crossing.ts';
import {
  computeCrosstabs,
  type CrosstabPlan,
  type Nesting,
} from '../../domain/statistics/crosstab/crosstab.ts';
import type { CrosstabTable } from '../../domain/statistics/crosstab/table.ts';
import { unknownValue } from '../../lib/error-messages.ts';
import { invalid } from '../../lib/errors.ts';
import type { DatasetService, OpenDataset } from '../datasets/datasets.ts';
import {
  collectLoadCodes,
  compileFilter,
  readWeights,
  requireColumn,
  requireWeightColumn,
  type ResponseSelection,
} from '../datasets/requested-columns.ts';

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
    try {
      for (;;) {
        const step = work.next();
        if (step.done) {
          const responses = counting.weights === null ? counted.responses : countTableRows(counting);
          return {
            weightColumn: weight?.spec.columnCode ?? null,
            responses,
            withoutWeight: counted.responses - responses,
            counted,
            tables: step.value,
          };
        }
        if (performance.now() - turnBegan < MAX_BLOCKING_MS) continue;
        await nextTurn();
        if (stopOnChange && dataset.revision !== revision) return null;
        turnBegan = performance.now();
      }
    } finally {
      dataset.releaseMask(mask);
    }
  }
}

interface NetRequest {
  columnCode: string;
  label: string;
  values: readonly string[];
}

export interface CrosstabRequest extends ResponseSelection, Omit<CrosstabPlan, 'rows' | 'columns' | 'nets'> {
  /** Column codes; several are nested. */
  rows: readonly (readonly string[])[];
  columns: readonly (readonly string[])[];
  nets: readonly NetRequest[];
  weightColumn: string | null;
}

interface ResolvedCrosstab {
  plan: CrosstabPlan;
  weight: CatalogColumn | null;
  filter: ReturnType<typeof compileFilter>;
  loadCodes: string[];
}

/**
 * Resolves the codes of a request. Throws 400 for an unknown code, 422 for a column that is not a weight. `weightField` is the name of the
 * weight in the request.
 */
export function resolveCrosstab(
  request: CrosstabRequest,
  catalog: ColumnCatalog,
  weightField = 'weight',
): ResolvedCrosstab {
  const nestings = (codes: CrosstabRequest['rows'], field: string) =>
    codes.map((nesting, index): Nesting =>
      nesting.map((code, level) =>
        requireColumn(catalog, code, `${field}[${index}]${nesting.length > 1 ? `[${level}]` : ''}`),
      ),
    );
  const rows = nestings(request.rows, 'rows');
  const columns = nestings(request.columns, 'columns');
  const used = new Set([...rows.flat(), ...columns.flat()].map(({ spec }) => spec.columnCode));
  const nets = request.nets.map((net, index): Net => {
    const field = `nets[${index}]`;
    const { columnCode } = requireColumn(catalog, net.columnCode, `${field}.column_code`).spec;
    if (!used.has(columnCode)) {
      throw invalid(`${field}.column_code`, unknownValue(columnCode, 'a row or a column of the table'));
    }
    return { ...net, columnCode, field: `${field}.values` };
  });
  const { base, statistics, minBase, correction, maxGroups } = request;
  const weight =
    request.weightColumn === null ? null : requireWeightColumn(catalog, request.weightColumn, weightField);
  const filter = compileFilter(request.filter, catalog);
  return {
    plan: { rows, columns, nets, base, statistics, minBase, correction, maxGroups },
    weight,
    filter,
    loadCodes: collectLoadCodes([...rows.flat(), ...columns.flat(), weight], filter),
  };
}
