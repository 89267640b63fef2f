import type { Caller } from '../../domain/access/caller.ts';
import type { DashboardScope } from '../../domain/access/scopes.ts';
import type { Clock } from '../../lib/clock.ts';
import { notFound } from '../../lib/errors.ts';
import type { DashboardChartRow, DashboardPageRow } from '../../repositories/dashboards.ts';
import type { Store } from '../../repositories/store.ts';
import { surveyDeletedError, takesFilters, toChartRequest } from './chart-query.ts';
import { restrictedFilters } from './viewer-filters.ts';
import type { ChosenValues } from './chart-request.ts';
import { type ChartError, toChartError } from './chart-error.ts';
import type { ChartFigureService, ChartReply } from './chart-figures.ts';
import { type DashboardContent, type DashboardContentReader, publicViewer } from './dashboard-content.ts';
import type { DashboardFigureService } from './dashboard-figures.ts';
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
    existingElements.forEach(({ chart_id: chartId }, index) => figures.set(chartId, replies[index]!));
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
    const found = await this.memberFigures.computeBatch(by, scope, requests, request.filters);
    const figures = new Map(requests.map(({ chartId }, index) => [chartId, found[index]!]));
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
