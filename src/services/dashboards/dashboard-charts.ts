import { isDeepStrictEqual } from 'node:util';
import type { DashboardScope } from '../../domain/access/scopes.ts';
import type { ChartType } from '../../domain/charts/registry.ts';
import { limitReached, unknownObject } from '../../lib/error-messages.ts';
import { conflict, invalid, invalidFields, notFound } from '../../lib/errors.ts';
import { findOrderProblems } from '../../lib/item-order.ts';
import { requireEntry } from '../../lib/require-value.ts';
import type { ChartFields, DashboardChartRow } from '../../repositories/dashboards.ts';
import type { ChartPosition } from '../../repositories/tables/results.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccessService } from '../access.ts';
import {
  type Author,
  canSeeSurvey,
  type ChartConfigValidator,
  type ChartSource,
  prefixErrorFields,
  readChartConfig,
  refuseHiddenSurvey,
  resolveSource,
} from './chart-source.ts';
import { dashboardObject } from './dashboards.ts';

const MAX_CHARTS = 300;

export interface NewChart {
  pageId: number;
  type: ChartType;
  title: string | null;
  config: unknown;
  position: ChartPosition | null;
}

/** Absent members stay unchanged. A configuration replaces the whole previous one. */
export type ChartChanges = { [K in keyof NewChart]?: NewChart[K] | undefined };

/** Absent members stay unchanged. */
interface ChartPlacement {
  chartId: number;
  pageId?: number | undefined;
  position?: ChartPosition | null | undefined;
}

/** The elements of a dashboard. Reading them requires access to the dashboard only. */
export class DashboardChartService {
  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
    private readonly check: ChartConfigValidator,
  ) {}

  /** Appends the element after the existing ones. */
  async create(by: Author, scope: DashboardScope, chart: NewChart): Promise<DashboardChartRow> {
    const source = await this.validateSource({ by, scope, type: chart.type, input: chart.config });
    return dashboardObject.change(this.store, scope, async (repositories) => {
      const { dashboards } = repositories;
      await refuseUnknownPage(repositories, scope, chart.pageId);
      if ((await dashboards.listCharts(scope)).length >= MAX_CHARTS)
        throw conflict(
          'too_many_charts',
          limitReached({ owner: 'A dashboard', max: MAX_CHARTS, unit: 'element' }),
        );
      const fields = toChartFields(chart, source);
      const chartId = await dashboards.addChart(scope, fields);
      const result = { ...fields, chart_id: chartId, survey_gone: false };
      return { result, action: 'chart_created', details: { chart_id: chartId } };
    });
  }

  async update({
    by,
    scope,
    chartId,
    changes,
  }: {
    by: Author;
    scope: DashboardScope;
    chartId: number;
    changes: ChartChanges;
  }): Promise<DashboardChartRow> {
    const now = requireChart(await this.store.read.dashboards.listCharts(scope), chartId);
    const type = changes.type ?? now.chart_type;
    // An author who cannot see the survey may still move or rename the element.
    const isOther =
      type !== now.chart_type ||
      (changes.config !== undefined && !isDeepStrictEqual(changes.config, now.chart_config));
    const source = isOther
      ? await this.validateSource({ by, scope, type, input: changes.config ?? now.chart_config })
      : null;
    return dashboardObject.change(this.store, scope, async (repositories) => {
      const { dashboards } = repositories;
      const before = requireChart(await dashboards.listCharts(scope), chartId);
      const pageId = changes.pageId ?? before.page_id;
      if (pageId !== before.page_id) await refuseUnknownPage(repositories, scope, pageId);
      const after: DashboardChartRow = {
        ...before,
        page_id: pageId,
        chart_title: changes.title === undefined ? before.chart_title : changes.title,
        position: changes.position === undefined ? before.position : changes.position,
        ...(source && {
          chart_type: type,
          chart_config: { ...source.config },
          survey_id: source.surveyId,
          survey_gone: false,
        }),
      };
      if (isDeepStrictEqual(after, before)) return { result: before, action: null };
      await dashboards.updateChart(scope, chartId, after);
      return { result: after, action: 'chart_updated', details: { chart_id: chartId } };
    });
  }

  delete(scope: DashboardScope, chartId: number): Promise<void> {
    return dashboardObject.change(this.store, scope, async ({ dashboards }) => {
      requireChart(await dashboards.listCharts(scope), chartId);
      await dashboards.removeChart(scope, chartId);
      return { result: undefined, action: 'chart_deleted', details: { chart_id: chartId } };
    });
  }

  /** Reorders all elements; `field` is the name of the list in the request. */
  async reorder(scope: DashboardScope, places: readonly ChartPlacement[], field: string): Promise<void> {
    await dashboardObject.change(this.store, scope, async ({ dashboards }) => {
      const charts = await dashboards.listCharts(scope);
      const existingIds = charts.map((chart) => chart.chart_id);
      const ids = places.map(({ chartId }) => chartId);
      const problems = findOrderProblems({ field, given: ids, existingIds, kind: 'chart' });
      const pages = new Set((await dashboards.listPages(scope)).map((page) => page.page_id));
      places.forEach(({ pageId }, index) => {
        if (pageId !== undefined && !pages.has(pageId))
          problems.push({ field: `${field}[${index}].page_id`, message: pageNotFoundMessage(pageId) });
      });
      if (problems.length > 0) throw invalidFields(problems);
      const byId = new Map(charts.map((chart) => [chart.chart_id, chart]));
      const inOrder = places.map(({ chartId, pageId, position }) => {
        const chart = requireEntry(byId, chartId, 'chart');
        return {
          chartId,
          pageId: pageId ?? chart.page_id,
          position: position === undefined ? chart.position : position,
        };
      });
      await dashboards.setChartPlacements(scope, inOrder);
      return { result: undefined, action: 'charts_reordered' };
    });
  }

  /** Validates the configuration, the author's access to the survey, and its columns. */
  private async validateSource({
    by,
    scope,
    type,
    input,
  }: {
    by: Author;
    scope: DashboardScope;
    type: ChartType;
    input: unknown;
  }): Promise<ChartSource> {
    const config = readChartConfig(type, input);
    const canSee = (surveyId: number) => canSeeSurvey(this.access, by, surveyId);
    const source = await resolveSource({
      repositories: this.store.read,
      organizationId: scope.organizationId,
      type,
      config,
      canSee,
    });
    const { surveyId } = source;
    if (surveyId === null) return source;
    await refuseHiddenSurvey({ access: this.access, by, surveyId });
    const complete = () => this.check.validate(surveyId, type, source.config);
    return { surveyId, config: await prefixErrorFields('chart_config', complete) };
  }
}

const toChartFields = (chart: NewChart, { config, surveyId }: ChartSource): ChartFields => ({
  page_id: chart.pageId,
  chart_type: chart.type,
  chart_title: chart.title,
  chart_config: { ...config },
  position: chart.position,
  survey_id: surveyId,
});

function requireChart(charts: readonly DashboardChartRow[], chartId: number): DashboardChartRow {
  const chart = charts.find((one) => one.chart_id === chartId);
  if (chart === undefined) throw notFound('chart');
  return chart;
}

const pageNotFoundMessage = (pageId: number) =>
  unknownObject({ kind: 'page', idOrCode: pageId, scope: 'in this dashboard' });

async function refuseUnknownPage(
  { dashboards }: Repositories,
  scope: DashboardScope,
  pageId: number,
): Promise<void> {
  const pages = await dashboards.listPages(scope);
  if (!pages.some((page) => page.page_id === pageId)) throw invalid('page_id', pageNotFoundMessage(pageId));
}
