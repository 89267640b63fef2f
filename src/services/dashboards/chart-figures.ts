import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type {
  ChartFigures,
  ChartNote,
  FilterChoices,
  VariableFigure,
} from '../../domain/charts/chart-data.ts';
import type { ChartSettings } from '../../domain/charts/chart.ts';
import { applyPublishedLabels } from '../../domain/charts/disclosure/disclosure.ts';
import {
  type Protection,
  protectionFor,
  type ProtectionSettings,
} from '../../domain/charts/disclosure/protection.ts';
import { SharedSuppression } from '../../domain/charts/disclosure/shared-suppression.ts';
import type { ColumnCatalog } from '../../domain/dataset/column-catalog.ts';
import type { PublishedLabels } from '../../domain/dataset/published-labels.ts';
import {
  countsOnlyTests,
  describeInclusion,
  type InclusionCounts,
} from '../../domain/dataset/filter/select-rows.ts';
import { AppError, notFound, unprocessable } from '../../lib/errors.ts';
import { requireItem } from '../../lib/require-value.ts';
import type { DatasetService, OpenDataset } from '../datasets/datasets.ts';
import { readWeights } from '../datasets/requested-columns.ts';
import type { PublishedWordings } from '../surveys/survey-definitions.ts';
import {
  type AppliedFilter,
  type ChartRequest,
  FilterCache,
  resolveChart,
  type ResolvedChart,
} from './resolve-chart.ts';
import { SelectionCache } from './selection-cache.ts';

/** The state of a survey's data between two changes. */
interface DataVersion<Kept> {
  /** Equal for equal data across processes; changes with the data or the definition. */
  version: string;
  /** Results computed from this state by cache key; discarded with the next change. */
  cached: Map<string, Kept>;
  /**
   * Hidden figures shared by the elements of a public dashboard, by their requests. A browser requests the elements at the same time: the first
   * request computes them, the others wait. null: the responses changed meanwhile.
   */
  shared: Map<string, PendingSuppression>;
}

/** Elements that count the same responses share one set of hidden figures. */
type SharedByMask = ReadonlyMap<string, SharedSuppression>;
type PendingSuppression = Promise<{ value: SharedByMask } | null>;

interface KnownVersion<Kept> extends DataVersion<Kept> {
  revision: number;
  catalog: object;
}

/**
 * Identifies the state of a survey's data by the PostgreSQL snapshot in which it was first read: the same snapshot in another process means
 * the same data, and the id stays until the data change.
 */
class DataVersions<Kept> {
  private readonly known = new WeakMap<object, KnownVersion<Kept>>();

  /** Call it before the next `await`: the dataset matches the snapshot only until another request runs. */
  resolve(surveyId: number, { dataset, catalog, watermark }: OpenDataset): DataVersion<Kept> {
    const known = this.known.get(dataset);
    const { revision } = dataset;
    if (known?.revision === revision && known.catalog === catalog) return known;
    const text = `${surveyId} ${watermark.source} ${watermark.snapshot}`;
    const version = createHash('sha256').update(text).digest('base64url').slice(0, 16);
    const state = {
      revision,
      catalog,
      version,
      cached: new Map<string, Kept>(),
      shared: new Map<string, PendingSuppression>(),
    };
    this.known.set(dataset, state);
    return state;
  }
}

export type { ChartRequest } from './resolve-chart.ts';

/** Longest time that the event loop is blocked, apart from a single scan of the responses. */
const MAX_BLOCKING_MS = 15;
/** How often figures restart because responses changed during the computation. */
const MAX_RESTARTS = 2;
/** Figures cached per survey until its data change. */
const MAX_CACHED_CHARTS = 500;

/** The viewer of a chart, and the settings of the surveys that it shows. */
export type ChartViewer = {
  /** Uses the labels of the published version and hides what was never published. Members see the draft labels of an unpublished survey. */
  isPublishedWording: boolean;
  /** Settings by survey; a missing survey does not exist. */
  settings: ReadonlyMap<number, ProtectionSettings>;
} & (
  | { audience: 'member' | 'client' }
  | {
      audience: 'public';
      /** The dashboard's minimum group size; smaller groups are hidden. */
      publicMinBase: number;
      /** The elements of the dashboard with these filters; they share one set of hidden figures. */
      publishedCharts: (surveyId: number, filters: unknown) => readonly ChartRequest[];
    }
);

interface ReplyContext {
  filters_applied: AppliedFilter[];
  /** Changes whenever the data or the definition of the survey change. */
  data_version: string;
  /** Absent on public dashboards and when small groups are protected, because those replies have no bases. */
  counted?: InclusionCounts;
}

export type ChartReply =
  ((ChartFigures | VariableFigure | FilterChoices) & ReplyContext) | { chart_type: 'text'; text: string };

/** The result of one chart of a batch. */
export type ChartOutcome = { reply: ChartReply } | { failure: AppError };

/** A request with its index in the batch. */
interface IndexedRequest {
  request: ChartRequest;
  index: number;
}

/** Computes the figures of dashboards. A batch opens each survey once, with the columns of all its charts. */
export class ChartFigureService {
  private readonly maxCached: number;
  private readonly states = new DataVersions<ChartReply>();

  constructor(
    private readonly datasets: DatasetService,
    private readonly wordings: PublishedWordings,
    maxKept = MAX_CACHED_CHARTS,
  ) {
    this.maxCached = maxKept;
  }

  /** Throws 400, 404 or 422 if the chart cannot be computed. */
  async computeOne(request: ChartRequest, viewing: ChartViewer): Promise<ChartReply> {
    const outcome = requireItem(await this.computeOutcomes([request], viewing), 0, 'outcome');
    if ('failure' in outcome) throw outcome.failure;
    return outcome.reply;
  }

  /** Returns results in the order of the requests; errors take the place of the chart. */
  async computeBatch(
    requests: readonly ChartRequest[],
    viewing: ChartViewer,
  ): Promise<(ChartReply | ChartError)[]> {
    const outcomes = await this.computeOutcomes(requests, viewing);
    return outcomes.map((outcome) => ('reply' in outcome ? outcome.reply : toChartError(outcome.failure)));
  }

  /** Returns results in the order of the requests. */
  async computeOutcomes(requests: readonly ChartRequest[], viewing: ChartViewer): Promise<ChartOutcome[]> {
    const outcomes = new Array<ChartOutcome>(requests.length);
    const bySurvey = new Map<number, IndexedRequest[]>();
    for (const [index, request] of requests.entries()) {
      const { surveyId, config } = request;
      if (surveyId === null) {
        outcomes[index] =
          'text' in config
            ? { reply: { chart_type: 'text', text: config.text } }
            : { failure: notFound('survey') };
        continue;
      }
      bySurvey.set(surveyId, [...(bySurvey.get(surveyId) ?? []), { request, index }]);
    }
    for (const [surveyId, indexedRequests] of bySurvey) {
      const computed = await this.computeForSurvey(surveyId, indexedRequests, viewing);
      indexedRequests.forEach(
        ({ index }, computedIndex) => (outcomes[index] = requireItem(computed, computedIndex, 'outcome')),
      );
    }
    return outcomes;
  }

  private async computeForSurvey(
    surveyId: number,
    indexedRequests: readonly IndexedRequest[],
    viewing: ChartViewer,
  ): Promise<ChartOutcome[]> {
    try {
      for (let attempt = 0; ; attempt++) {
        const computed = await this.tryCompute({
          surveyId,
          indexedRequests,
          viewing,
          stopOnChange: attempt < MAX_RESTARTS,
        });
        if (computed !== null) return computed;
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return indexedRequests.map(() => ({ failure: error }));
    }
  }

  /** Returns null if responses changed during the computation and `stopOnChange` is set. */
  private async tryCompute({
    surveyId,
    indexedRequests,
    viewing,
    stopOnChange,
  }: {
    surveyId: number;
    indexedRequests: readonly IndexedRequest[];
    viewing: ChartViewer;
    stopOnChange: boolean;
  }): Promise<ChartOutcome[] | null> {
    const settings = viewing.settings.get(surveyId);
    if (settings === undefined) throw notFound('survey');
    const protection = protectionFor(
      viewing.audience,
      settings,
      viewing.audience === 'public' ? viewing.publicMinBase : 1,
    );
    const wording = viewing.isPublishedWording ? await this.wordings.load(surveyId) : null;
    if (viewing.isPublishedWording && wording === null && viewing.audience !== 'member')
      throw notPublishedError();
    const published = listPublishedSets(surveyId, indexedRequests, viewing);
    const open = await this.datasets.openFor(surveyId, (catalog) => {
      const resolveSet = (requests: readonly ChartRequest[]) =>
        resolveCharts({ catalog, requests, chartViewer: viewing, protectionSettings: settings });
      const charts = resolveSet(indexedRequests.map(({ request }) => request));
      const sets = published.map(({ key, requests }) => ({ key, ...resolveSet(requests) }));
      const loadCodes = new Set([charts, ...sets].flatMap((set) => [...set.loadCodes]));
      return { ...charts, loadCodes, sets };
    });
    const { dataset } = open;
    const { revision } = dataset;
    const { version, cached, shared } = this.states.resolve(surveyId, open);
    const selected = new SelectionCache(open, viewing.audience);
    const labels = wording?.labelsOf(open) ?? null;
    const outcomes: ChartOutcome[] = [];
    let turnBegan = performance.now();
    /** Runs work to its end, and other requests in between. Returns null if responses changed and `stopOnChange` is set. */
    const run = async <T>(work: Generator<void, T>): Promise<{ value: T } | null> => {
      for (;;) {
        const step = work.next();
        if (step.done) return { value: step.value };
        if (performance.now() - turnBegan < MAX_BLOCKING_MS) continue;
        await nextTurn();
        if (stopOnChange && dataset.revision !== revision) return null;
        turnBegan = performance.now();
      }
    };
    const sharedByFilters = new Map<string, SharedByMask>();
    if (protection !== null)
      for (const { key, charts } of open.resolved.sets) {
        const cacheKey = JSON.stringify([key, protection]);
        const compute = () => run(shareSuppression(open, charts, { protection, selected }));
        let pending = shared.get(cacheKey);
        if (pending === undefined) {
          pending = compute();
          if (dataset.revision === revision && shared.size < this.maxCached)
            cacheWhileValid(shared, cacheKey, pending);
        }
        const found = (await pending) ?? (stopOnChange ? null : await compute());
        if (found === null || (stopOnChange && dataset.revision !== revision)) return null;
        sharedByFilters.set(key, found.value);
      }
    for (const [index, item] of open.resolved.charts.entries()) {
      if ('failure' in item) {
        outcomes.push(item);
        continue;
      }
      const { filtersApplied, weight } = item.chart;
      const { request } = requireItem(indexedRequests, index, 'request');
      const publishedKey = published.find(({ filters }) => filters === filtersText(request))?.key ?? null;
      const key = JSON.stringify([
        request,
        protection,
        viewing.audience === 'public',
        wording?.version ?? null,
        publishedKey,
      ]);
      const known = cached.get(key);
      if (known !== undefined) {
        outcomes.push({ reply: known });
        continue;
      }
      try {
        const { mask, counted } = selected.select(item.chart);
        const viewer = protection?.isRounded === true ? selected.viewerFilters(item.chart) : null;
        const suppression = sharedByFilters.get(publishedKey ?? '')?.get(selectionKey(item.chart));
        const sharedProtection =
          protection === null || suppression === undefined
            ? protection
            : { ...protection, shared: suppression };
        // The same array as that of the other elements identifies the responses.
        const counting = { mask: suppression?.mask ?? mask, weights: readWeights(open, weight) };
        const work = item.chart.compute(dataset, {
          counting,
          protection: sharedProtection,
          viewer,
        } satisfies ChartSettings);
        const done = await run(work);
        if (done === null) return null;
        const computed = labels === null ? done.value : applyPublishedLabels(done.value, labels);
        if (computed === null) throw notPublishedError();
        const seesCounts = protection === null && viewing.audience !== 'public';
        const reply = {
          ...withCountedNotes(computed, counted, seesCounts),
          filters_applied: labels === null ? filtersApplied : filtersApplied.map(withPublishedLabel(labels)),
          data_version: wording === null ? version : `${version}-v${wording.version}`,
          ...(seesCounts ? { counted } : {}),
        };
        if (dataset.revision === revision && cached.size < this.maxCached) cached.set(key, reply);
        outcomes.push({ reply });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        outcomes.push({ failure: error });
      }
    }
    return outcomes;
  }
}

const withPublishedLabel =
  (labels: PublishedLabels) =>
  (filter: AppliedFilter): AppliedFilter => ({
    ...filter,
    label: labels.columnLabel(filter.column_code) ?? filter.label,
  });

const notPublishedError = () =>
  unprocessable('not_published', 'The question of this figure is not published yet', [
    { field: 'dimension', message: 'is of a question that is not published yet' },
  ]);

/**
 * Adds notes about the test and flagged responses that the figure counts. Numbers of responses only for viewers who see them; that no response
 * is from a respondent is said to everyone. Filter choices count none.
 */
function withCountedNotes<Computed extends ChartFigures | VariableFigure | FilterChoices>(
  computed: Computed,
  counted: InclusionCounts,
  seesCounts: boolean,
): Computed {
  if (!('notes' in computed)) return computed;
  const message = seesCounts ? describeInclusion(counted) : null;
  const notes: ChartNote[] = [
    ...(message === null ? [] : [{ code: 'responses_counted' as const, message }]),
    ...(countsOnlyTests(counted) ? [TESTS_ONLY] : []),
  ];
  return notes.length === 0 ? computed : { ...computed, notes: [...computed.notes, ...notes] };
}

const TESTS_ONLY: ChartNote = {
  code: 'test_responses_only',
  message: 'These are test responses, not answers of respondents.',
};

interface ResolvedCharts {
  charts: ({ chart: ResolvedChart } | { failure: AppError })[];
  loadCodes: Set<string>;
}

/** Resolves all charts of a survey. An invalid chart does not affect the others. */
function resolveCharts({
  catalog,
  requests,
  chartViewer: { audience },
  protectionSettings: { confidential },
}: {
  catalog: ColumnCatalog;
  requests: readonly ChartRequest[];
  chartViewer: ChartViewer;
  protectionSettings: ProtectionSettings;
}): ResolvedCharts {
  const filters = new FilterCache(catalog);
  const showsTexts = audience === 'member' || (audience === 'client' && !confidential);
  const loadCodes = new Set<string>();
  const charts = requests.map((request) => {
    try {
      const chart = resolveChart({ request, catalog, cache: filters, showsTexts });
      for (const code of chart.loadCodes) loadCodes.add(code);
      return { chart };
    } catch (error) {
      if (error instanceof AppError) return { failure: error };
      throw error;
    }
  });
  return { charts, loadCodes };
}

/** Viewer filters as text. */
const filtersText = ({ filters }: ChartRequest): string => JSON.stringify(filters ?? null);

/** The elements of the public dashboard under each choice of filters of the requests; none for other audiences. */
function listPublishedSets(
  surveyId: number,
  indexedRequests: readonly IndexedRequest[],
  viewing: ChartViewer,
): { filters: string; key: string; requests: readonly ChartRequest[] }[] {
  if (viewing.audience !== 'public') return [];
  const byFilters = new Map(indexedRequests.map(({ request }) => [filtersText(request), request.filters]));
  return [...byFilters].map(([text, filters]) => {
    const requests = viewing.publishedCharts(surveyId, filters);
    const key = createHash('sha256').update(JSON.stringify(requests)).digest('base64url');
    return { filters: text, key, requests };
  });
}

/** Elements with the same key count the same responses. */
const selectionKey = ({ filter, filters, counting }: ResolvedChart): string =>
  JSON.stringify([filter.condition, filters.condition, counting]);

/** Requests for the other elements find the result, unless it fails. */
function cacheWhileValid(
  cache: Map<string, PendingSuppression>,
  key: string,
  pending: PendingSuppression,
): void {
  cache.set(key, pending);
  pending.then(
    (found) => found === null && cache.delete(key),
    () => cache.delete(key),
  );
}

/** Collects the figures of all elements of a dashboard and chooses the hidden ones. Invalid elements show nothing. */
function* shareSuppression(
  open: OpenDataset,
  charts: ResolvedCharts['charts'],
  { protection, selected }: { protection: Protection; selected: SelectionCache },
): Generator<void, SharedByMask> {
  const byKey = new Map<string, SharedSuppression>();
  for (const item of charts) {
    if ('failure' in item) continue;
    const { chart } = item;
    const { mask } = selected.select(chart);
    const shared = byKey.get(selectionKey(chart)) ?? new SharedSuppression(mask, protection.minBase);
    byKey.set(selectionKey(chart), shared);
    try {
      yield* chart.compute(open.dataset, {
        counting: { mask: shared.mask, weights: readWeights(open, chart.weight) },
        protection: { ...protection, shared },
        viewer: null,
      });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }
  for (const shared of byKey.values()) yield* shared.resolve();
  return byKey;
}

/** A chart of a batch that has no figures. */
export interface ChartError {
  error: { code: string; message: string; field: string | null };
}

/** The error of one chart in a batch reply. */
export function toChartError({ code, message, details }: AppError): ChartError {
  return { error: { code, message, field: details[0]?.field ?? null } };
}
