import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../../domain/dataset/columns/column-catalog.ts';
import { selectRows } from '../../domain/dataset/filter/select-rows.ts';
import type { Net } from '../../domain/statistics/crosstab/axis.ts';
import { rowsCounting } from '../../domain/statistics/crosstab/count-crossing.ts';
import { crosstab, type CrosstabPlan, type Nesting } from '../../domain/statistics/crosstab/crosstab.ts';
import type { CrosstabTable } from '../../domain/statistics/crosstab/table.ts';
import { invalid } from '../../lib/errors.ts';
import type { DatasetService } from '../datasets/datasets.ts';
import {
  loadCodesOf,
  columnNamed,
  compiled,
  type ResponseSelection,
  weightColumn,
  weightsOf,
} from '../datasets/requested-columns.ts';

/** So long others wait at most for their turn, but for one walk over the responses. */
const MAX_TURN_MS = 15;
/** How often tables are begun anew because responses changed while they were made. */
const MAX_RESTARTS = 2;

interface NetRequest {
  columnCode: string;
  label: string;
  values: readonly string[];
}

interface CrosstabRequest extends ResponseSelection, Omit<CrosstabPlan, 'rows' | 'columns' | 'nets'> {
  /** Codes; several are nested. */
  rows: readonly (readonly string[])[];
  columns: readonly (readonly string[])[];
  nets: readonly NetRequest[];
  weightColumn: string | null;
}

interface Crosstab {
  weightColumn: string | null;
  /** Responses that count: those selected that have a weight, where one is used. */
  responses: number;
  withoutWeight: number;
  tables: CrosstabTable[];
}

export class CrosstabService {
  private readonly datasets: DatasetService;

  constructor(datasets: DatasetService) {
    this.datasets = datasets;
  }

  /** Tables of the responses as they are at one moment, or, where these change all the time, nearly so. */
  async tables(scope: SurveyScope, request: CrosstabRequest): Promise<Crosstab> {
    for (let attempt = 0; ; attempt++) {
      const tables = await this.attempt(scope, request, attempt < MAX_RESTARTS);
      if (tables !== null) return tables;
    }
  }

  /** null: responses changed meanwhile, and whoever asks minds that. */
  private async attempt(
    scope: SurveyScope,
    request: CrosstabRequest,
    mindsChanges: boolean,
  ): Promise<Crosstab | null> {
    const open = await this.datasets.openFor(scope.surveyId, (catalog) => askedOf(request, catalog));
    const { plan, weight, filter } = open.asked;
    const { dataset } = open;
    const { revision } = dataset;
    const counting = { mask: selectRows(dataset, { ...request, filter }), weights: weightsOf(open, weight) };
    const work = crosstab(dataset, plan, counting);
    let turnBegan = performance.now();
    for (;;) {
      const step = work.next();
      if (step.done) {
        const responses = rowsCounting(counting);
        return {
          weightColumn: weight?.spec.columnCode ?? null,
          responses,
          withoutWeight: rowsCounting({ ...counting, weights: null }) - responses,
          tables: step.value,
        };
      }
      if (performance.now() - turnBegan < MAX_TURN_MS) continue;
      await nextTurn();
      if (mindsChanges && dataset.revision !== revision) return null;
      turnBegan = performance.now();
    }
  }
}

interface Asked {
  plan: CrosstabPlan;
  weight: CatalogColumn | null;
  filter: ReturnType<typeof compiled>;
  loadCodes: string[];
}

/** What the codes of a request mean; 400 for one that is unknown, 422 for a weight that is none. */
function askedOf(request: CrosstabRequest, catalog: ColumnCatalog): Asked {
  const nestings = (codes: CrosstabRequest['rows'], field: string) =>
    codes.map((nesting, index): Nesting =>
      nesting.map((code, level) =>
        columnNamed(catalog, code, `${field}[${index}]${nesting.length > 1 ? `[${level}]` : ''}`),
      ),
    );
  const rows = nestings(request.rows, 'rows');
  const columns = nestings(request.columns, 'columns');
  const used = new Set([...rows.flat(), ...columns.flat()].map(({ spec }) => spec.columnCode));
  const nets = request.nets.map((net, index): Net => {
    const field = `nets[${index}]`;
    const { columnCode } = columnNamed(catalog, net.columnCode, `${field}.column_code`).spec;
    if (!used.has(columnCode)) {
      throw invalid(`${field}.column_code`, `${columnCode} is among neither the rows nor the columns`);
    }
    return { ...net, columnCode, field: `${field}.values` };
  });
  const { base, statistics, minBase, correction } = request;
  const weight = request.weightColumn === null ? null : weightColumn(catalog, request.weightColumn);
  const filter = compiled(request.filter, catalog);
  return {
    plan: { rows, columns, nets, base, statistics, minBase, correction },
    weight,
    filter,
    loadCodes: loadCodesOf([...rows.flat(), ...columns.flat(), weight], filter),
  };
}
