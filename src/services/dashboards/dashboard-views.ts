import type { Caller } from '../../domain/access/caller.ts';
import type { DashboardScope } from '../../domain/access/scopes.ts';
import type { Audience } from '../../domain/charts/disclosure/protection.ts';
import { surveySettingsOf } from '../../domain/survey/survey-settings.ts';
import type { Clock } from '../../lib/clock.ts';
import { AppError, notFound } from '../../lib/errors.ts';
import { requireItem } from '../../lib/require-value.ts';
import type { DashboardChartRow, DashboardPageRow } from '../../repositories/dashboards.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccessService } from '../access.ts';
import {
  type ChartError,
  type ChartFigureService,
  type ChartReply,
  type ChartRequest,
  toChartError,
} from './chart-figures.ts';
import {
  buildConfig,
  type ChartQuery,
  type DashboardContent,
  type DashboardContentReader,
  type FilterColumns,
  findElement,
  mergeFilters,
  publicViewer,
  restrictedFilters,
  surveyDeletedError,
  takesFilters,
  toChartRequest,
  unrestrictedFilters,
} from './dashboard-content.ts';
import type { ChosenValues } from './resolve-chart.ts';
import { readChartConfig, resolveSource } from './chart-source.ts';
import type { OpenDashboard } from './public-dashboards.ts';

/** The pages and filter choices to show. */
export interface ViewRequest {
  pages(all: readonly DashboardPageRow[]): readonly DashboardPageRow[];
  filters: ChosenValues | undefined;
}

/** A dashboard with the figures of the requested pages and the choices of its filters. */
export interface DashboardView {
  content: DashboardContent;
  organizationName: string;
  /** By element id. */
  figures: ReadonlyMap<number, ChartReply | ChartError>;
  /** The figures are as of this time or newer. */
  asOf: Date;
}

/** Dashboards for server-rendered pages: figures in their internal form, not as API replies. */
export class DashboardViewService {
  private readonly store: Store;
  private readonly contents: DashboardContentReader;
  private readonly figures: ChartFigureService;
  private readonly memberFigures: DashboardFigureService;
  private readonly clock: Clock;

  constructor(dependencies: {
    store: Store;
    contents: DashboardContentReader;
    figures: ChartFigureService;
    memberFigures: DashboardFigureService;
    clock: Clock;
  }) {
    this.store = dependencies.store;
    this.contents = dependencies.contents;
    this.figures = dependencies.figures;
    this.memberFigures = dependencies.memberFigures;
    this.clock = dependencies.clock;
  }

  /** For viewers without authentication. Throws 400 for a filter that the dashboard does not have. */
  async openPublic({ row }: OpenDashboard, request: ViewRequest): Promise<DashboardView> {
    const asOf = this.clock.now();
    const {
      organization_id: organizationId,
      dashboard_id: dashboardId,
      organization_name: organizationName,
    } = row;
    const content = await this.contents.read({ organizationId, dashboardId });
    if (content === null) throw notFound('dashboard');
    const filtersOf = restrictedFilters(request.filters, await this.contents.listFilterColumns(content));
    const elements = listElements(content, request);
    const existingElements = elements.filter((element) => !element.survey_gone);
    const requests = existingElements.map((element) => {
      const { survey_id: surveyId } = element;
      return toChartRequest(element, surveyId === null ? undefined : filtersOf(surveyId));
    });
    const replies = await this.figures.computeBatch(requests, publicViewer(content));
    const figures = new Map<number, ChartReply | ChartError>(
      elements.map(({ chart_id: chartId }) => [chartId, toChartError(surveyDeletedError())]),
    );
    for (const [index, { chart_id: chartId }] of existingElements.entries())
      figures.set(chartId, requireItem(replies, index, 'reply'));
    return { content, organizationName, figures, asOf };
  }

  /** For members and for users that the dashboard is shared with. */
  async openSignedIn(by: Caller, scope: DashboardScope, request: ViewRequest): Promise<DashboardView> {
    const asOf = this.clock.now();
    const [content, organization] = await Promise.all([
      this.contents.read(scope),
      this.store.read.organizations.findById(scope.organizationId),
    ]);
    if (content === null) throw notFound('dashboard');
    restrictedFilters(request.filters, await this.contents.listFilterColumns(content));
    const requests = listElements(content, request).map(({ chart_id: chartId }) => ({
      chartId,
      surveyId: null,
      questionId: null,
      type: null,
      config: null,
      filters: undefined,
    }));
    const found = await this.memberFigures.computeBatch({
      by,
      scope,
      queries: requests,
      filters: request.filters,
    });
    const figures = new Map(
      requests.map(({ chartId }, index) => [chartId, requireItem(found, index, 'reply')]),
    );
    return { content, organizationName: organization?.organization_name ?? '', figures, asOf };
  }

  /** Changes whenever the content or a figure of the dashboard changes. */
  async findVersion({ dashboardId }: DashboardScope): Promise<string> {
    const versions = await this.store.read.dashboardShares.findVersions([dashboardId]);
    return versions.get(dashboardId) ?? '';
  }
}

/** The elements of the requested pages, and all filter elements. */
function listElements({ pages, charts }: DashboardContent, request: ViewRequest): DashboardChartRow[] {
  const shown = new Set(request.pages(pages).map(({ page_id: id }) => id));
  return charts.filter(({ page_id: pageId, chart_type: type }) => !takesFilters(type) || shown.has(pageId));
}

interface ResolvedQuery {
  request: ChartRequest;
  audience: Exclude<Audience, 'public'>;
}

/**
 * Figures for authenticated callers. Callers who can see a survey may query anything in it; others, such as clients, get only the elements
 * of the dashboard through its filters.
 */
export class DashboardFigureService {
  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    private readonly contents: DashboardContentReader,
    private readonly figures: ChartFigureService,
  ) {}

  async computeOne(by: Caller, scope: DashboardScope, query: ChartQuery): Promise<ChartReply> {
    const { content, resolve } = await this.prepareResolver({
      by,
      scope,
      filters: undefined,
      filtered: isPresent(query.filters),
    });
    const { request, audience } = await resolve(query);
    const settings = await this.loadSettings(content, [request]);
    return this.figures.computeOne(request, {
      audience,
      settings,
      isPublishedWording: audience === 'client',
    });
  }

  /** Returns results in the order of the queries; errors take the place of the chart. `filters` apply to all of them. */
  async computeBatch({
    by,
    scope,
    queries,
    filters,
  }: {
    by: Caller;
    scope: DashboardScope;
    queries: readonly ChartQuery[];
    filters: unknown;
  }): Promise<(ChartReply | ChartError)[]> {
    const filtered = isPresent(filters) || queries.some((query) => isPresent(query.filters));
    const { content, resolve } = await this.prepareResolver({ by, scope, filters, filtered });
    const results: (ChartReply | ChartError)[] = [];
    const resolved: (ResolvedQuery & { index: number })[] = [];
    for (const [index, query] of queries.entries()) {
      try {
        resolved.push({ ...(await resolve(query)), index });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        results[index] = toChartError(error);
      }
    }
    const requests = resolved.map(({ request }) => request);
    const settings = await this.loadSettings(content, requests);
    for (const audience of ['member', 'client'] as const) {
      const ofAudience = resolved.filter((one) => one.audience === audience);
      const replies = await this.figures.computeBatch(
        ofAudience.map(({ request }) => request),
        { audience, settings, isPublishedWording: audience === 'client' },
      );
      for (const [replyIndex, { index }] of ofAudience.entries())
        results[index] = requireItem(replies, replyIndex, 'reply');
    }
    return results;
  }

  private async prepareResolver({
    by,
    scope,
    filters,
    filtered,
  }: {
    by: Caller;
    scope: DashboardScope;
    filters: unknown;
    filtered: boolean;
  }) {
    const content = await this.contents.read(scope);
    if (content === null) throw notFound('dashboard');
    const columns: FilterColumns = filtered ? await this.contents.listFilterColumns(content) : new Map();
    const seen = new Map<number, Promise<boolean>>();
    const canSee = (surveyId: number): Promise<boolean> => {
      const known = seen.get(surveyId) ?? this.canSee(by, scope, surveyId);
      seen.set(surveyId, known);
      return known;
    };
    // An invalid filter of a viewer fails the whole request.
    if (scope.role === null) restrictedFilters(filters, columns);
    const resolve = (query: ChartQuery): Promise<ResolvedQuery> =>
      this.resolve({ content, columns, canSee, scope, query, common: filters });
    return { content, resolve };
  }

  private async resolve({
    content,
    columns,
    canSee,
    scope,
    query,
    common,
  }: {
    content: DashboardContent;
    columns: FilterColumns;
    canSee: (surveyId: number) => Promise<boolean>;
    scope: DashboardScope;
    query: ChartQuery;
    common: unknown;
  }): Promise<ResolvedQuery> {
    const element = findElement(content.charts, query);
    const filtersFor = (surveyId: number, isMember: boolean): unknown => {
      const read = isMember ? unrestrictedFilters : restrictedFilters;
      return mergeFilters(read(common, columns)(surveyId), read(query.filters, columns)(surveyId));
    };
    if (element !== null) {
      const { survey_id: surveyId } = element;
      if (surveyId === null) return { request: toChartRequest(element, undefined), audience: 'member' };
      const isMember = await canSee(surveyId);
      const request = toChartRequest(element, filtersFor(surveyId, isMember));
      return { request, audience: isMember ? 'member' : 'client' };
    }
    if (scope.role === null) throw notFound('chart');
    const { type, input } = buildConfig(query);
    const { config, surveyId } = await resolveSource({
      repositories: this.store.read,
      organizationId: scope.organizationId,
      type,
      config: readChartConfig(type, input, ''),
      canSee,
      field: '',
    });
    if (surveyId !== null && !(await canSee(surveyId))) throw notFound('chart');
    const filters = surveyId === null || !takesFilters(type) ? undefined : filtersFor(surveyId, true);
    return { request: { chartType: type, config, surveyId, filters }, audience: 'member' };
  }

  private async canSee(by: Caller, scope: DashboardScope, surveyId: number): Promise<boolean> {
    if (scope.role === null) return false;
    try {
      await this.access.survey({ caller: by, surveyId, need: 'view' });
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /** Adds the settings of queried surveys that are not on the dashboard. */
  private async loadSettings({ settings }: DashboardContent, requests: readonly ChartRequest[]) {
    const others = requests.flatMap(({ surveyId }) =>
      surveyId === null || settings.has(surveyId) ? [] : [surveyId],
    );
    if (others.length === 0) return settings;
    const states = await this.store.read.surveys.findStates([...new Set(others)]);
    const more = [...states].map(
      ([surveyId, state]) => [surveyId, surveySettingsOf(state.survey_settings)] as const,
    );
    return new Map([...settings, ...more]);
  }
}

const isPresent = (filters: unknown): boolean => filters !== undefined && filters !== null;
