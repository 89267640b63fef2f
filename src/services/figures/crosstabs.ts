import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { CatalogColumn, ColumnCatalog } from '../../domain/dataset/column-catalog.ts';
import { WAVE_COLUMN } from '../../domain/responses/metadata-columns.ts';
import { type InclusionCounts, selectAndCountRows } from '../../domain/dataset/filter/select-rows.ts';
import type { Net } from '../../domain/statistics/crosstab/axis.ts';
import { countTableRows } from '../../domain/statistics/crosstab/count-crossing.ts';
import {
  computeCrosstabs,
  type CrosstabPlan,
  type Nesting,
} from '../../domain/statistics/crosstab/crosstab.ts';
import type { CrosstabTable, TableNote, TableSample } from '../../domain/statistics/crosstab/table.ts';
import { describeTests, type TestConvention } from '../../domain/statistics/crosstab/test-convention.ts';
import { WAVE_COMPARISONS, type WaveStart } from '../../domain/statistics/crosstab/wave-pairs.ts';
import type { IntervalConvention } from '../../domain/statistics/design/convention.ts';
import { type ResolvedDesign, resolveDesign } from '../../domain/statistics/design/survey-design.ts';
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
import { type IntervalRequest, readIntervalSample } from './interval-sample.ts';
import { listColumnsOfCode } from './question-columns.ts';

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
  /** How standard errors were computed; null without intervals and design. */
  convention: IntervalConvention | null;
  testConvention: TestConvention;
  tables: CrosstabTable[];
}

type OpenCrosstab = OpenDataset & {
  resolved: ReturnType<typeof resolveCrosstab> & { design: ResolvedDesign | null };
};

export class CrosstabService {
  constructor(private readonly datasets: DatasetService) {}

  /** Tables of the responses as of one point in time; approximately so if responses change continuously. */
  async compute(scope: SurveyScope, request: CrosstabRequest): Promise<Crosstab> {
    const declared = await this.datasets.findSamplingDesign(scope);
    const waves = comparesWaves(request) ? await this.datasets.listWaveStarts(scope) : [];
    const resolve = (catalog: ColumnCatalog) => {
      const resolved = resolveCrosstab(request, catalog);
      const usesDesign = declared !== null && request.sampling?.usesDesign === true;
      const design = usesDesign ? resolveDesign(declared, catalog) : null;
      return { ...resolved, design, loadCodes: [...resolved.loadCodes, ...(design?.loadCodes ?? [])] };
    };
    let earlier: OpenDataset | null = null;
    for (let attempt = 0; ; attempt++) {
      const open: OpenCrosstab = await this.datasets.openFor(scope.surveyId, resolve, earlier);
      earlier = open;
      const crosstab = await this.tryCompute({ open, request, waves, stopOnChange: attempt < MAX_RESTARTS });
      if (crosstab === null) continue;
      if (declared !== null && open.resolved.design === null)
        for (const { notes } of crosstab.tables) notes.push(DESIGN_NOT_USED);
      return crosstab;
    }
  }

  /** Returns null if responses changed during the computation and `stopOnChange` is set. */
  private async tryCompute({
    open,
    request,
    waves,
    stopOnChange,
  }: {
    open: OpenCrosstab;
    request: CrosstabRequest;
    waves: readonly WaveStart[];
    stopOnChange: boolean;
  }): Promise<Crosstab | null> {
    const { weight, filter } = open.resolved;
    const plan = { ...open.resolved.plan, waves };
    const { dataset } = open;
    const { revision } = dataset;
    const { mask, counted } = selectAndCountRows(dataset, { ...request, filter });
    try {
      const read = readTableSample(open, request);
      const counting = { mask, weights: read === null ? readWeights(open, weight) : read.weights };
      const work = computeCrosstabs(dataset, plan, counting, read?.sample);
      let turnBegan = performance.now();
      for (;;) {
        const step = work.next();
        if (step.done) {
          const responses = counting.weights === null ? counted.responses : countTableRows(counting);
          return {
            weightColumn: (open.resolved.design?.weight ?? weight)?.spec.columnCode ?? null,
            responses,
            withoutWeight: counted.responses - responses,
            counted,
            convention: read?.convention ?? null,
            testConvention: describeTests(plan, {
              isLinearized: counting.weights !== null || read?.sample.design != null,
              hasIndependentWaves: read?.hasIndependentWaves ?? null,
            }),
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

const DESIGN_NOT_USED: TableNote = {
  code: 'design_not_used',
  message:
    'The survey has a sampling design, which this table does not use: percentages and tests may differ from those under the design.',
};

const comparesWaves = ({ compareWith }: CrosstabRequest): boolean =>
  WAVE_COMPARISONS.some((wave) => compareWith?.has(wave));

/** The sample of a request with intervals, or of a survey whose design is used; otherwise null. */
function readTableSample(open: OpenCrosstab, request: CrosstabRequest) {
  const { sampling, status, includeTest, includeConfirmed } = request;
  const {
    dataset,
    resolved: { weight, design: resolved },
  } = open;
  if (sampling === undefined || (resolved === null && !sampling.addsIntervals)) return null;
  const { settings, isDeclared, ...found } = readIntervalSample(open, {
    request: sampling,
    selection: { status, includeTest, includeConfirmed },
    weight,
    resolved,
    waveColumn: comparesWaves(request) ? (dataset.catalog.find(WAVE_COLUMN) ?? null) : null,
  });
  const { design, shareMethod, level } = settings;
  const sample: TableSample = {
    design: isDeclared ? design : null,
    size: isDeclared ? null : (design?.rows.length ?? null),
    intervals: sampling.addsIntervals ? { shareMethod, level } : null,
  };
  return { sample, ...found };
}

interface NetRequest {
  columnCode: string;
  label: string;
  values: readonly string[];
}

export interface CrosstabRequest
  extends ResponseSelection, Omit<CrosstabPlan, 'rows' | 'columns' | 'nets' | 'waves'> {
  /** Column codes; several are nested. */
  rows: readonly (readonly string[])[];
  columns: readonly (readonly string[])[];
  nets: readonly NetRequest[];
  weightColumn: string | null;
  /** Absent: without intervals, and the design of the survey is not used. */
  sampling?: (IntervalRequest & { addsIntervals: boolean }) | undefined;
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
  const resolveNesting = (codes: readonly string[], field: string): Nesting =>
    codes.map((code, level) => requireColumn(catalog, code, codes.length > 1 ? `${field}[${level}]` : field));
  const rows = request.rows.flatMap((codes, index): Nesting[] => {
    const [code, ...inner] = codes;
    const parts = code === undefined || inner.length > 0 ? [] : listColumnsOfCode(catalog, code);
    return parts.length > 0 ? parts.map((part) => [part]) : [resolveNesting(codes, `rows[${index}]`)];
  });
  const columns = request.columns.map((codes, index) => resolveNesting(codes, `columns[${index}]`));
  const used = new Set([...rows.flat(), ...columns.flat()].map(({ spec }) => spec.columnCode));
  const nets = request.nets.map((net, index): Net => {
    const field = `nets[${index}]`;
    const { columnCode } = requireColumn(catalog, net.columnCode, `${field}.column_code`).spec;
    if (!used.has(columnCode)) {
      throw invalid(`${field}.column_code`, unknownValue(columnCode, 'a row or a column of the table'));
    }
    return { ...net, columnCode, field: `${field}.values` };
  });
  if (comparesWaves(request) && columns.flat().every(({ spec }) => spec.columnCode !== WAVE_COLUMN))
    throw invalid('compare_with', `previous_wave and year_before need the column ${WAVE_COLUMN} in columns`);
  const weight =
    request.weightColumn === null ? null : requireWeightColumn(catalog, request.weightColumn, weightField);
  const filter = compileFilter(request.filter, catalog);
  return {
    plan: { ...request, rows, columns, nets },
    weight,
    filter,
    loadCodes: collectLoadCodes([...rows.flat(), ...columns.flat(), weight], filter),
  };
}
