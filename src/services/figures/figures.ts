import { setMaxListeners } from 'node:events';
import { availableParallelism } from 'node:os';
import type { SurveyScope } from '../../domain/access/scopes.ts';
import { stackLoop } from '../../domain/dataset/stacked-loop.ts';
import type {
  CatalogColumn,
  ColumnCatalog,
  QuestionColumns,
  TableColumnCells,
} from '../../domain/dataset/column-catalog.ts';
import type { DateColumn, NumericColumn } from '../../domain/columns/columns.ts';
import type { Dataset } from '../../domain/dataset/dataset.ts';
import type { CompiledFilter } from '../../domain/dataset/filter/filter.ts';
import { type InclusionCounts, selectAndCountRows } from '../../domain/dataset/filter/select-rows.ts';
import { RESPONSE_STATUSES, type ResponseStatus } from '../../domain/responses/response-row.ts';
import type { QuestionRow } from '../../domain/questions/question-type.ts';
import { typeOf } from '../../domain/questions/registry.ts';
import { type Base, countRows, effectiveCount, selectCountedRows } from '../../domain/statistics/base.ts';
import {
  type ColumnTraits,
  columnTraits,
  combineDistributions,
  type CompositeDistribution,
  computeColumnDistribution,
  type Distribution,
  type DistributionOptions,
} from '../../domain/statistics/distribution.ts';
import { unionBaseMask } from '../../domain/statistics/crosstab/variable-axis.ts';
import { withIntervals } from '../../domain/statistics/design/distribution-intervals.ts';
import { resolveDesign } from '../../domain/statistics/design/survey-design.ts';
import { notAllowedFor, tooManyConcurrent, unknownValue } from '../../lib/error-messages.ts';
import { invalid, notFound, unavailable } from '../../lib/errors.ts';
import { runYielding } from '../../lib/concurrency.ts';
import { requireItem } from '../../lib/require-value.ts';
import { ThreadPool } from '../../lib/thread-pool.ts';
import { type IntervalRequest, readIntervalSample } from './interval-sample.ts';
import { findCompositeQuestion, listParts, listQuestionColumns } from './question-columns.ts';
import type { DatasetService, OpenDataset } from '../datasets/datasets.ts';
import {
  collectLoadCodes,
  compileFilter,
  findColumnOrNotFound,
  readWeights,
  requireWeightColumn,
  type ResponseSelection,
} from '../datasets/requested-columns.ts';

/** A distribution to compute on a thread. Arrays in shared memory are not copied. */
export interface ScanRequest {
  traits: ColumnTraits;
  kind: 'numeric' | 'date';
  values: Float64Array;
  states: Uint8Array;
  options: DistributionOptions;
}

/** Scanning fewer rows takes no longer than passing them to a thread. */
const MIN_ROWS = 200_000;
/** Values examined to decide whether a column has few distinct values. */
const SAMPLE_SIZE = 1_000;
const MAX_INT16 = 32_767;

/** Whether the distribution must sort so many numbers that it should run on a thread. */
export function isLongScan({ values }: NumericColumn | DateColumn, rows: Uint8Array): boolean {
  if (rows.length < MIN_ROWS) return false;
  let examined = 0;
  for (let row = 0; row < rows.length && examined < SAMPLE_SIZE; row++) {
    const value = values[row] ?? NaN;
    if (rows[row] === 0 || Number.isNaN(value)) continue;
    examined++;
    // Small integers are counted, not sorted.
    if (!Number.isInteger(value) || Math.abs(value) > MAX_INT16) return true;
  }
  return false;
}

/** Leaves one processor for the event loop. */
const MAX_THREADS = Math.max(1, Math.min(4, availableParallelism() - 1));
/** A longer queue would exceed acceptable waiting times. */
const MAX_WAITING = 32;
const RETRY_AFTER_SECONDS = 5;
/** Does not include the shared arrays that are sorted. */
const MAX_HEAP_MB = 256;
/** Idle time before a thread ends: starting one takes half a second. */
const IDLE_MS = 300_000;

/**
 * Scans long columns on worker threads, in shared memory, so that other requests are served meanwhile. An aborted request ends its scan or
 * leaves the queue. Throws 503 when the queue is full.
 */
export class ScanThreads {
  private readonly threads = new ThreadPool('scan-thread', {
    maxHeapMb: MAX_HEAP_MB,
    idleMs: IDLE_MS,
  });
  private readonly waiting: (() => void)[] = [];
  private working = 0;

  /** Throws 503 if too many requests are waiting. */
  async computeDistribution(order: ScanRequest, signal: AbortSignal): Promise<Distribution> {
    // One request can wait for the figures of many charts.
    setMaxListeners(0, signal);
    await this.acquireThread(signal);
    try {
      return await this.threads.request<Distribution>(order, signal);
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.working -= 1;
      else next();
    }
  }

  private async acquireThread(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.working < MAX_THREADS) {
      this.working += 1;
      return;
    }
    if (this.waiting.length >= MAX_WAITING)
      throw unavailable(tooManyConcurrent('large figures'), RETRY_AFTER_SECONDS, 'busy');
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.waiting.splice(this.waiting.indexOf(take), 1);
        reject(signal.reason as Error);
      };
      const take = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.push(take);
    });
  }
}

/** How often figures restart because responses changed during the computation. */
const MAX_RESTARTS = 2;
/** For callers without a client connection. */
const NEVER_ABORTED = new AbortController().signal;

interface DistributionRequest extends ResponseSelection {
  /** Code of a numeric column. */
  weightColumn: string | null;
  base: Base;
  /** See DistributionOptions. */
  maxGroups?: number | undefined;
  /** Absent: no intervals. */
  intervals?: IntervalRequest | undefined;
}

interface ResponseStats {
  total: number;
  complete: number;
  partial: number;
  screened_out: number;
  /** Test responses, whether or not the other numbers include them. */
  test: number;
  /** Part of `total`. */
  quality_confirmed: number;
  counted: InclusionCounts;
}

/** A figure with the responses that it counts. */
type Counted<Figure> = Figure & { counted: InclusionCounts };

/** Distributions and counts of a survey's responses. */
export class FigureService {
  private readonly threads: ScanThreads;

  constructor(
    private readonly datasets: DatasetService,
    threads = new ScanThreads(),
  ) {
    this.threads = threads;
  }

  /** Counts responses that match the filter, by status; includes test responses with `includeTest`. */
  async countResponses(
    scope: SurveyScope,
    request: Omit<ResponseSelection, 'status'>,
  ): Promise<ResponseStats> {
    const { filter } = request;
    const { dataset, resolved: resolvedFilter } = await this.datasets.openFor(scope.surveyId, (catalog) =>
      compileFilter(filter, catalog),
    );
    const includeTest = request.includeTest ?? false;
    const includeConfirmed = request.includeConfirmed ?? true;
    const count = (status: readonly ResponseStatus[]) => {
      const { mask, counted } = selectAndCountRows(dataset, {
        status,
        includeTest,
        includeConfirmed,
        filter: resolvedFilter,
      });
      dataset.releaseMask(mask);
      return counted;
    };
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

  /** Throws 404 that suggests similar codes for an unknown column. Stops when the signal aborts. */
  async computeDistribution({
    scope,
    columnCode,
    request,
    signal = NEVER_ABORTED,
  }: {
    scope: SurveyScope;
    columnCode: string;
    request: DistributionRequest;
    signal?: AbortSignal | undefined;
  }): Promise<Counted<Distribution>> {
    const { distributions, counted } = await this.measureConsistently({
      scope,
      resolve: (catalog) =>
        resolveRequest({ catalog, request, entries: [findColumnOrNotFound(catalog, columnCode)] }),
      request,
      signal,
    });
    return { ...requireItem(distributions, 0, 'distribution'), counted };
  }

  /** Like `distribution`, but the code of a matrix or ranking gives all its rows or options together. */
  async distributionOrWhole({
    scope,
    code,
    request,
    signal = NEVER_ABORTED,
  }: {
    scope: SurveyScope;
    code: string;
    request: Omit<DistributionRequest, 'base'> & { base?: Base | undefined };
    signal?: AbortSignal | undefined;
  }): Promise<Counted<Distribution | CompositeDistribution>> {
    const asWhole = (catalog: ColumnCatalog) =>
      catalog.find(code) === undefined ? findCompositeQuestion(catalog, code) : null;
    let tableColumn = null as CombinedParts | null;
    const { distributions, composite, counted } = await this.measureConsistently({
      scope,
      combineParts: () => tableColumn,
      resolve: (catalog) => {
        const of = asWhole(catalog);
        tableColumn = catalog.question(code) === undefined ? findTableColumn(catalog, code) : null;
        if (tableColumn !== null) return resolveRequest({ catalog, request, entries: tableColumn.entries });
        return resolveRequest({
          catalog,
          request,
          entries: of === null ? [findColumnOrNotFound(catalog, code)] : listParts(of),
          compositeQuestion: of,
        });
      },
      request,
      signal,
    });
    return { ...(composite ?? requireItem(distributions, 0, 'distribution')), counted };
  }

  /** A question with the distribution of each of its columns; a multiple choice as one, based on its respondents. */
  async computeQuestionDistributions({
    scope,
    questionId,
    tableColumn,
    request,
    signal = NEVER_ABORTED,
  }: {
    scope: SurveyScope;
    questionId: number;
    /** Of a side-by-side table: the column_code of the column whose cells are shown; undefined: all cells. */
    tableColumn?: string | undefined;
    request: Omit<DistributionRequest, 'base'> & { base?: Base | undefined };
    signal?: AbortSignal | undefined;
  }): Promise<
    Counted<{
      question: QuestionColumns['question'];
      columns: QuestionColumns['columns'];
      distributions: Distribution[];
      whole: CompositeDistribution | null;
    }>
  > {
    let loop = null as CombinedQuestion | null;
    const { entries, distributions, composite, counted } = await this.measureConsistently({
      scope,
      combineParts: () => loop,
      resolve: (catalog) => {
        loop = findLoopQuestion(catalog, questionId) ?? findTable(catalog, questionId, tableColumn);
        if (loop === null && tableColumn !== undefined)
          throw invalid('table_column', notAllowedFor('a question that is not a side-by-side table'));
        if (loop !== null) return resolveRequest({ catalog, request, entries: loop.entries });
        const compositeQuestion = findCompositeById(catalog, questionId);
        return resolveRequest({
          catalog,
          request,
          entries:
            compositeQuestion === null
              ? listQuestionColumns(catalog, questionId)
              : listParts(compositeQuestion),
          compositeQuestion,
        });
      },
      request,
      signal,
    });
    if (loop !== null)
      return { question: loop.question, columns: loop.columns, distributions, whole: composite, counted };
    const { origin } = requireItem(entries, 0, 'column');
    if (origin.kind !== 'question') throw notFound('question');
    const { question, columns } = origin.questionColumns;
    return { question, columns, distributions, whole: composite, counted };
  }

  /** Computes distributions on one state of the responses, unless they change continuously. */
  private async measureConsistently({
    scope,
    resolve,
    request,
    signal,
    combineParts: partsToCombine = () => null,
  }: {
    scope: SurveyScope;
    resolve: (catalog: ColumnCatalog) => ResolvedRequest;
    /** The parts that `resolve` found, such as the items of a question in a loop; null: none. */
    combineParts?: () => CombinedParts | null;
    request: Omit<DistributionRequest, 'base'> & { base?: Base | undefined };
    signal: AbortSignal;
  }): Promise<Counted<MeasuredColumns>> {
    const { intervals } = request;
    const declared = intervals?.usesDesign === true ? await this.datasets.findSamplingDesign(scope) : null;
    const resolveAll = (catalog: ColumnCatalog) => {
      const resolved = resolve(catalog);
      const design = declared === null ? null : resolveDesign(declared, catalog);
      return { ...resolved, design, loadCodes: [...resolved.loadCodes, ...(design?.loadCodes ?? [])] };
    };
    let earlier: OpenDataset | null = null;
    for (let attempt = 0; ; attempt++) {
      const open: OpenDataset & { resolved: ReturnType<typeof resolveAll> } = await this.datasets.openFor(
        scope.surveyId,
        resolveAll,
        earlier,
      );
      earlier = open;
      signal.throwIfAborted();
      const { dataset } = open;
      const { revision } = dataset;
      const { entries, counted, ...counting } = selectRequested(open, request);
      try {
        const sample =
          intervals === undefined
            ? null
            : readIntervalSample(open, {
                request: intervals,
                selection: {
                  status: request.status,
                  includeTest: request.includeTest,
                  includeConfirmed: request.includeConfirmed,
                },
                weight: open.resolved.weight,
                resolved: open.resolved.design,
              });
        const { compositeQuestion } = open.resolved;
        // Percentages of a ranking are based on the respondents who were asked, unless the client chooses another base.
        const base =
          request.base ??
          (compositeQuestion === null ? 'answering' : typeOf(compositeQuestion.question).figures.base);
        const options = {
          ...counting,
          ...(sample !== null && { weights: sample.weights }),
          base,
          maxGroups: request.maxGroups,
        };
        const distributions: Distribution[] = [];
        for (const entry of entries) {
          const distribution = await this.measureColumn({ dataset, entry, options, signal });
          if (sample === null) {
            distributions.push(distribution);
            continue;
          }
          const settings = { ...sample.settings, domain: options.rows, base };
          const estimated = withIntervals(dataset, entry, distribution, settings);
          distributions.push({ ...(await runYielding(estimated, signal)), convention: sample.convention });
        }
        const parts = partsToCombine();
        const combine = parts === null ? compositeQuestion && combinerOf(compositeQuestion) : parts.combine;
        const whole =
          combine === null
            ? null
            : await combineParts({
                dataset,
                combine,
                distributions,
                resolvedRequest: { ...open.resolved, ...options },
                signal,
              });
        if (dataset.revision === revision || attempt >= MAX_RESTARTS)
          return { entries, distributions, composite: whole, counted };
      } finally {
        dataset.releaseMask(counting.rows);
      }
    }
  }

  private async measureColumn({
    dataset,
    entry,
    options,
    signal,
  }: {
    dataset: Dataset;
    entry: CatalogColumn;
    options: DistributionOptions;
    signal: AbortSignal;
  }): Promise<Distribution> {
    const column = dataset.column(entry);
    const traits = columnTraits(entry);
    if ((column.kind === 'numeric' || column.kind === 'date') && isLongScan(column, options.rows)) {
      const { kind, values, states } = column;
      return this.threads.computeDistribution({ traits, kind, values, states, options }, signal);
    }
    return runYielding(computeColumnDistribution(column, traits, options), signal);
  }
}

interface MeasuredColumns {
  entries: readonly CatalogColumn[];
  distributions: Distribution[];
  /** Combined distribution of a matrix or ranking that was requested as a whole. */
  composite: CompositeDistribution | null;
}

interface ResolvedRequest {
  entries: readonly CatalogColumn[];
  /** The matrix or ranking whose parts the entries are, in its order. */
  compositeQuestion: QuestionColumns | null;
  filter: CompiledFilter;
  weight: CatalogColumn | null;
  loadCodes: string[];
}

/** Resolves the filter and weight of a request for these columns. */
function resolveRequest({
  catalog,
  request,
  entries,
  compositeQuestion = null,
}: {
  catalog: ColumnCatalog;
  request: Omit<DistributionRequest, 'base'>;
  entries: readonly CatalogColumn[];
  compositeQuestion?: QuestionColumns | null | undefined;
}): ResolvedRequest {
  const filter = compileFilter(request.filter, catalog);
  const weight = request.weightColumn === null ? null : requireWeightColumn(catalog, request.weightColumn);
  return {
    entries,
    compositeQuestion,
    filter,
    weight,
    loadCodes: collectLoadCodes([...entries, weight], filter),
  };
}

/** The selected rows with their weights. */
function selectRequested(
  open: OpenDataset & { resolved: ResolvedRequest },
  request: Omit<DistributionRequest, 'base'>,
) {
  const { entries, filter, weight } = open.resolved;
  const { mask: rows, counted } = selectAndCountRows(open.dataset, { ...request, filter });
  return { entries, rows, weights: readWeights(open, weight), counted };
}

function findCompositeById(catalog: ColumnCatalog, questionId: number): QuestionColumns | null {
  const origin = catalog.columns.find(({ spec }) => spec.questionId === questionId)?.origin;
  return origin?.kind === 'question'
    ? findCompositeQuestion(catalog, origin.questionColumns.question.code)
    : null;
}

type Combine = (
  distributions: readonly Distribution[],
  base: Parameters<typeof combineDistributions>[2],
) => CompositeDistribution;

const combinerOf =
  (of: QuestionColumns): Combine =>
  (distributions, base) =>
    combineDistributions(of, distributions, base);

/** Columns that figures can combine. */
interface CombinedParts {
  entries: readonly CatalogColumn[];
  /** Combines the parts as the rows of a matrix; null: they stay apart. */
  combine: Combine | null;
}

/** A question in a loop with its columns for every item, or a table with its cells. */
interface CombinedQuestion extends CombinedParts {
  /** With the code and the id that authors know. */
  question: QuestionColumns['question'];
  columns: QuestionColumns['columns'];
}

/** Returns what shows distributions as the rows of a matrix. */
const asRows =
  (code: string, label: string, rows: readonly QuestionRow[]): Combine =>
  (distributions, base) => ({
    column_code: code,
    label,
    ...base,
    type: 'matrix',
    rows: rows.flatMap(({ row_code, row_label }, index) => {
      const distribution = distributions[index];
      return distribution === undefined ? [] : { row_code, row_label, ...distribution };
    }),
  });

/** Returns a column of a side-by-side table, whose cells are the rows; null: the code names none. */
function findTableColumn(catalog: ColumnCatalog, code: string): CombinedParts | null {
  const column = catalog.tableColumn(code);
  return column === null ? null : cellsOfColumn(catalog, column);
}

function cellsOfColumn(catalog: ColumnCatalog, { code, label, cells }: TableColumnCells): CombinedParts {
  // Before the texts of "Other": the answer, or the set of the answers.
  const entries = cells.flatMap(({ questionId }) => listQuestionColumns(catalog, questionId)[0] ?? []);
  return {
    entries,
    combine: asRows(
      code,
      label,
      cells.map(({ row }) => row),
    ),
  };
}

/** Texts have no categories that a matrix could show. */
const withTextsApart = (parts: CombinedParts): CombinedParts =>
  parts.entries.some(({ spec }) => spec.type === 'text') ? { ...parts, combine: null } : parts;

/** Returns a table with the cells of one column or of all; null: the question is no table. Throws 400 for an unknown column. */
function findTable(
  catalog: ColumnCatalog,
  questionId: number,
  columnCode: string | undefined,
): CombinedQuestion | null {
  const columns = catalog.tableColumns(questionId);
  const [first] = columns;
  if (first === undefined) return null;
  const { question } = first;
  const only = columns.find((column) => column.columnCode === columnCode);
  if (columnCode !== undefined && only === undefined)
    throw invalid('table_column', unknownValue(columnCode, `a column of ${question.code}`));
  const shown =
    only === undefined
      ? {
          entries: columns.flatMap(({ cells }) =>
            cells.flatMap((cell) => listQuestionColumns(catalog, cell.questionId)),
          ),
          combine: null,
        }
      : withTextsApart(cellsOfColumn(catalog, only));
  return { ...shown, question, columns: shown.entries.map(({ spec }) => spec) };
}

/** Returns a question in a loop by the id that authors know; null: the question is not in a loop. */
function findLoopQuestion(catalog: ColumnCatalog, questionId: number): CombinedQuestion | null {
  const copies = catalog.loopedQuestions(questionId);
  const [first] = copies;
  const loop = first === undefined ? null : stackLoop(catalog, first.blockCode);
  const question = loop?.catalog.questionById(questionId)?.question;
  if (question === undefined) return null;
  const entriesOf = copies.map(({ id }) => listQuestionColumns(catalog, id));
  const rows = copies.map(({ item }) => ({ row_code: item.code, row_label: item.label }));
  const isMatrix = entriesOf.every(
    ([entry]) =>
      entry !== undefined &&
      entry.origin.kind === 'question' &&
      entry.origin.part === 'column' &&
      entry.spec.values.length > 0,
  );
  const entries = isMatrix ? entriesOf.flatMap(([entry]) => entry ?? []) : entriesOf.flat();
  return {
    question,
    columns: entries.map(({ spec }) => spec),
    entries,
    combine: isMatrix ? asRows(question.code, question.text, rows) : null,
  };
}

/** Combines the parts; the base is the responses in the base of any part. */
async function combineParts({
  dataset,
  combine,
  distributions,
  resolvedRequest: { entries, rows, weights = null, base },
  signal,
}: {
  dataset: Dataset;
  combine: Combine;
  distributions: readonly Distribution[];
  resolvedRequest: Pick<ResolvedRequest, 'entries'> & DistributionOptions & { base: Base };
  signal: AbortSignal;
}): Promise<CompositeDistribution> {
  const { mask, weights: counted, withoutWeight } = selectCountedRows(rows, weights);
  const countIn = async (each: Base) =>
    countRows(
      await runYielding(unionBaseMask(dataset, entries, { base: each, mask, field: 'columnCode' }), signal),
      counted,
    );
  const [answering, shown] = [await countIn('answering'), await countIn('shown')];
  const all = countRows(mask, counted);
  const hasMissingOptions = distributions.some(({ missing }) => missing.option_missing > 0);
  const given = hasMissingOptions ? countGiven(dataset, entries, mask) : answering.count;
  // A reason is given for all parts of the question.
  const noAnswer = distributions[0]?.missing.no_answer ?? { dont_know: 0, refused: 0, not_applicable: 0 };
  const withReason = noAnswer.dont_know + noAnswer.refused + noAnswer.not_applicable;
  const counts = { answering, shown, all }[base];
  return combine(distributions, {
    answered: answering.count,
    missing: {
      skipped: shown.count - given - withReason,
      not_shown: all.count - shown.count,
      not_applicable: 0,
      option_missing: given - answering.count,
      no_answer: noAnswer,
      without_weight: withoutWeight,
    },
    base: counts.count,
    weighted_base: weights === null ? null : counts.weight,
    effective_base: weights === null ? null : effectiveCount(counts),
    base_of: base,
  });
}

/** Counts the rows with a value in any of the columns, also one flagged as missing. */
function countGiven(dataset: Dataset, entries: readonly CatalogColumn[], mask: Uint8Array): number {
  const columns = entries.map((entry) => dataset.column(entry));
  let count = 0;
  for (let row = 0; row < mask.length; row++) {
    if (mask[row] === 1 && columns.some((column) => column.missing(row) === null)) count++;
  }
  return count;
}
