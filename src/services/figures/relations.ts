import type { SurveyScope } from '../../domain/access/scopes.ts';
import { createCompositeQuestion } from '../../domain/charts/figures/composite-question.ts';
import type { CatalogColumn, ColumnCatalog } from '../../domain/dataset/column-catalog.ts';
import { type InclusionCounts, selectAndCountRows } from '../../domain/dataset/filter/select-rows.ts';
import { createNumberReader, noMeanReason, type NumberReader } from '../../domain/dataset/read-numbers.ts';
import { type CountedRows, selectCountedRows } from '../../domain/statistics/base.ts';
import {
  type CorrelatedPair,
  correlateColumns,
  type CorrelationMethod,
} from '../../domain/statistics/relations/correlate-columns.ts';
import type { MissingHandling } from '../../domain/statistics/relations/pair-sums.ts';
import {
  computeReliability,
  type Reliability,
  type ReliabilityMissing,
} from '../../domain/statistics/relations/reliability.ts';
import { runYielding } from '../../lib/concurrency.ts';
import { invalid, unprocessableField } from '../../lib/errors.ts';
import type { DatasetService, OpenDataset } from '../datasets/datasets.ts';
import {
  collectLoadCodes,
  compileFilter,
  readWeights,
  requireColumn,
  requireWeightColumn,
  type ResponseSelection,
} from '../datasets/requested-columns.ts';

/** Columns of one request; a matrix counts with all its rows. */
export const MAX_RELATED_COLUMNS = 50;
/** Rows times columns that ranks are computed for, because they are held in memory. */
const MAX_RANKED_CELLS = 20_000_000;
/** How often the computation restarts because responses changed meanwhile. */
const MAX_RESTARTS = 2;

interface RelationRequest extends ResponseSelection {
  /** Codes of columns, or of questions with several columns, such as a matrix. */
  columns: readonly string[];
  weightColumn: string | null;
}

/** What a figure of several columns is about. */
interface Related {
  columns: readonly CatalogColumn[];
  weightColumn: string | null;
  withoutWeight: number;
  counted: InclusionCounts;
}

/** How numeric columns belong together. */
export class RelationService {
  constructor(private readonly datasets: DatasetService) {}

  async correlate(
    scope: SurveyScope,
    request: RelationRequest & { method: CorrelationMethod; missing: MissingHandling },
    signal: AbortSignal,
  ): Promise<Related & { pairs: CorrelatedPair[] }> {
    return this.compute(scope, request, (readers, rows) => {
      if (request.method === 'spearman' && readers.length * rows.mask.length > MAX_RANKED_CELLS)
        throw unprocessableField(
          'too_many_values',
          'columns',
          `has ${readers.length} columns of ${rows.mask.length} responses; ranks are computed for at most ${MAX_RANKED_CELLS} values. ` +
            'Use fewer columns, or the method pearson',
        );
      return runYielding(
        (function* () {
          return { pairs: yield* correlateColumns(readers, rows, request) };
        })(),
        signal,
      );
    });
  }

  /** `reversed`: codes among the columns whose answers run against the others. */
  async assessReliability(
    scope: SurveyScope,
    request: RelationRequest & { reversed: readonly string[]; missing: ReliabilityMissing },
    signal: AbortSignal,
  ): Promise<Related & Reliability & { reversed: ReadonlySet<number> }> {
    return this.compute(scope, request, async (readers, rows, columns) => {
      const reversed = new Set(
        request.reversed.map((code, index) => {
          const found = columns.findIndex(({ spec }) => spec.columnCode.toLowerCase() === code.toLowerCase());
          if (found === -1) throw invalid(`reversed[${index}]`, `must be one of the columns, not "${code}"`);
          return found;
        }),
      );
      const { missing } = request;
      const reliability = await runYielding(computeReliability(readers, rows, { missing, reversed }), signal);
      return { ...reliability, reversed };
    });
  }

  /** Runs the work on the responses as of one point in time; approximately so if responses change continuously. */
  private async compute<Figures extends object>(
    scope: SurveyScope,
    request: RelationRequest,
    work: (readers: NumberReader[], rows: CountedRows, columns: readonly CatalogColumn[]) => Promise<Figures>,
  ): Promise<Related & Figures> {
    let earlier: OpenDataset | null = null;
    for (let attempt = 0; ; attempt++) {
      const open: OpenRelation = await this.datasets.openFor(
        scope.surveyId,
        (catalog) => resolveRelation(request, catalog),
        earlier,
      );
      earlier = open;
      const { dataset } = open;
      const { columns, weight, filter } = open.resolved;
      const { revision } = dataset;
      const { mask, counted } = selectAndCountRows(dataset, { ...request, filter });
      try {
        const rows = selectCountedRows(mask, readWeights(open, weight));
        const readers = columns.map((entry) => createNumberReader(dataset.column(entry)));
        const figures = await work(readers, rows, columns);
        if (dataset.revision !== revision && attempt < MAX_RESTARTS) continue;
        return {
          columns,
          weightColumn: weight?.spec.columnCode ?? null,
          withoutWeight: rows.withoutWeight,
          counted,
          ...figures,
        };
      } finally {
        dataset.releaseMask(mask);
      }
    }
  }
}

type OpenRelation = OpenDataset & { resolved: ReturnType<typeof resolveRelation> };

/** Throws 400 for an unknown code or too many columns, 422 for columns without a mean or a weight that is not one. */
function resolveRelation(request: RelationRequest, catalog: ColumnCatalog) {
  const columns = request.columns.flatMap((code, index) => {
    const field = `columns[${index}]`;
    const question = catalog.question(code);
    const parts = question === undefined ? null : createCompositeQuestion(question)?.parts;
    const entries = parts?.map(({ entry }) => entry) ?? [requireColumn(catalog, code, field)];
    for (const { spec } of entries) {
      const problem = noMeanReason(spec);
      if (problem !== null) throw unprocessableField('no_number', field, problem);
    }
    return entries;
  });
  const codes = columns.map(({ spec }) => spec.columnCode);
  const twice = codes.find((code, index) => codes.indexOf(code) !== index);
  if (twice !== undefined) throw invalid('columns', `has ${twice} twice`);
  if (columns.length < 2 || columns.length > MAX_RELATED_COLUMNS)
    throw invalid('columns', `must be 2 to ${MAX_RELATED_COLUMNS} columns, not ${columns.length}`);
  const weight = request.weightColumn === null ? null : requireWeightColumn(catalog, request.weightColumn);
  const filter = compileFilter(request.filter, catalog);
  return { columns, weight, filter, loadCodes: collectLoadCodes([...columns, weight], filter) };
}
