import type {
  CatalogColumn,
  ColumnCatalog,
  QuestionColumns,
} from '../../domain/dataset/columns/column-catalog.ts';
import type { Dataset } from '../../domain/dataset/dataset.ts';
import type { CompiledFilter } from '../../domain/dataset/filter/filter.ts';
import { RESPONSE_STATUSES, type ResponseStatus } from '../../domain/dataset/response-row.ts';
import { type CountedResponses, selectCounted } from '../../domain/dataset/filter/select-rows.ts';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import type { Base } from '../../domain/statistics/base.ts';
import {
  type Distribution,
  type DistributionOptions,
  distributionSteps,
  traitsOf,
} from '../../domain/statistics/distribution.ts';
import { notFound } from '../../lib/errors.ts';
import { inTurns } from '../../lib/in-turns.ts';
import type { DatasetService, OpenDataset } from '../datasets/datasets.ts';
import {
  loadCodesOf,
  compiled,
  knownColumn,
  type ResponseSelection,
  weightColumn,
  weightsOf,
} from '../datasets/requested-columns.ts';
import { isLongScan } from './scans/scan-order.ts';
import { ScanThreads } from './scans/scan-threads.ts';

/** How often figures are begun anew because responses changed while they were made. */
const MAX_RESTARTS = 2;
/** Nobody can leave. */
const NEVER = new AbortController().signal;

interface DistributionRequest extends ResponseSelection {
  /** A numeric column. */
  weightColumn: string | null;
  base: Base;
}

interface ResponseStats {
  total: number;
  complete: number;
  partial: number;
  screened_out: number;
  /** Test responses, whether or not the other numbers count them. */
  test: number;
  /** Of `total`. */
  quality_confirmed: number;
  counted: CountedResponses;
}

/** A figure, and which responses it counts. */
type Counted<Figure> = Figure & { counted: CountedResponses };

/** Figures of a survey's responses. */
export class FigureService {
  private readonly datasets: DatasetService;
  private readonly threads: ScanThreads;

  constructor(datasets: DatasetService, threads = new ScanThreads()) {
    this.datasets = datasets;
    this.threads = threads;
  }

  /** Real responses that are not deleted and that the filter takes, by status; with `includeTest`, test responses too. */
  async stats(scope: SurveyScope, request: Omit<ResponseSelection, 'status'>): Promise<ResponseStats> {
    const { filter } = request;
    const { dataset, asked } = await this.datasets.openFor(scope.surveyId, (catalog) =>
      compiled(filter, catalog),
    );
    const includeTest = request.includeTest ?? false;
    const includeConfirmed = request.includeConfirmed ?? true;
    const count = (status: readonly ResponseStatus[]) =>
      selectCounted(dataset, { status, includeTest, includeConfirmed, filter: asked }).counted;
    const counted = count(RESPONSE_STATUSES);
    return {
      total: counted.responses,
      complete: count(['complete']).responses,
      partial: count(['partial']).responses,
      screened_out: count(['screened_out']).responses,
      test: counted.test_responses_included + counted.test_responses_excluded,
      quality_confirmed: counted.quality_included,
      counted,
    };
  }

  /** 404 for an unknown column, naming similar ones. When the signal fires, the work ends. */
  async distribution(
    scope: SurveyScope,
    columnCode: string,
    request: DistributionRequest,
    signal: AbortSignal = NEVER,
  ): Promise<Counted<Distribution>> {
    const { distributions, counted } = await this.counted(
      scope,
      (catalog) => askedOf(catalog, request, [knownColumn(catalog, columnCode)]),
      request,
      signal,
    );
    return { ...distributions[0]!, counted };
  }

  /** A question with the distribution of each of its columns; a multiple choice as one, over its respondents. */
  async question(
    scope: SurveyScope,
    questionId: number,
    request: Omit<DistributionRequest, 'base'>,
    signal: AbortSignal = NEVER,
  ): Promise<Counted<{ of: QuestionColumns; distributions: Distribution[] }>> {
    const { entries, distributions, counted } = await this.counted(
      scope,
      (catalog) => askedOf(catalog, request, columnsOfQuestion(catalog, questionId)),
      request,
      signal,
    );
    const { origin } = entries[0]!;
    if (origin.kind !== 'question') throw notFound('question');
    return { of: origin.of, distributions, counted };
  }

  /** Over one state of the responses, as long as these do not change all the time. */
  private async counted(
    scope: SurveyScope,
    ask: (catalog: ColumnCatalog) => Asked,
    request: Omit<DistributionRequest, 'base'> & { base?: Base },
    signal: AbortSignal,
  ): Promise<Counted<{ entries: readonly CatalogColumn[]; distributions: Distribution[] }>> {
    for (let attempt = 0; ; attempt++) {
      const open = await this.datasets.openFor(scope.surveyId, ask);
      signal.throwIfAborted();
      const { dataset } = open;
      const { revision } = dataset;
      const { entries, counted, ...counting } = selected(open, request);
      const options = { ...counting, base: request.base };
      const distributions: Distribution[] = [];
      for (const entry of entries) distributions.push(await this.measured(dataset, entry, options, signal));
      if (dataset.revision === revision || attempt >= MAX_RESTARTS)
        return { entries, distributions, counted };
    }
  }

  private async measured(
    dataset: Dataset,
    entry: CatalogColumn,
    options: DistributionOptions,
    signal: AbortSignal,
  ): Promise<Distribution> {
    const column = dataset.column(entry);
    const traits = traitsOf(entry);
    if ((column.kind === 'numeric' || column.kind === 'date') && isLongScan(column, options.rows)) {
      const { kind, values, states } = column;
      return this.threads.distribution({ traits, kind, values, states, options }, signal);
    }
    return inTurns(distributionSteps(column, traits, options), signal);
  }
}

interface Asked {
  entries: readonly CatalogColumn[];
  filter: CompiledFilter;
  weight: CatalogColumn | null;
  loadCodes: string[];
}

/** What a request's filter and weight mean, beside the columns it is about. */
function askedOf(
  catalog: ColumnCatalog,
  request: Omit<DistributionRequest, 'base'>,
  entries: readonly CatalogColumn[],
): Asked {
  const filter = compiled(request.filter, catalog);
  const weight = request.weightColumn === null ? null : weightColumn(catalog, request.weightColumn);
  return { entries, filter, weight, loadCodes: loadCodesOf([...entries, weight], filter) };
}

/** The rows that count, and what each counts. */
function selected(open: OpenDataset & { asked: Asked }, request: Omit<DistributionRequest, 'base'>) {
  const { entries, filter, weight } = open.asked;
  const { mask: rows, counted } = selectCounted(open.dataset, { ...request, filter });
  return { entries, rows, weights: weightsOf(open, weight), counted };
}

function columnsOfQuestion(catalog: ColumnCatalog, questionId: number): CatalogColumn[] {
  const listed = catalog.columns.filter(({ spec }) => spec.questionId === questionId);
  const origin = listed[0]?.origin;
  if (origin?.kind !== 'question') throw notFound('question');
  const sets = origin.of.sets.map((spec) => catalog.find(spec.columnCode)!);
  const others = listed.filter(({ spec }) => spec.type !== 'binary');
  return sets.length === 0 ? listed : [...sets, ...others];
}
