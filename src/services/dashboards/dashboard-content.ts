import type { FilterConfig } from '../../domain/charts/chart-config.ts';
import { resolveDashboardSettings } from '../../domain/charts/dashboard-settings.ts';
import { resolveFilterElement } from '../../domain/charts/filter-choices.ts';
import { type SurveySettings, surveySettingsOf } from '../../domain/survey/settings/survey-settings.ts';
import { AppError } from '../../lib/errors.ts';
import type { DashboardChartRow } from '../../repositories/dashboard-charts.ts';
import type { DashboardPageRow } from '../../repositories/dashboard-pages.ts';
import type { DashboardKey, DashboardRow } from '../../repositories/dashboards.ts';
import type { Store } from '../../repositories/store.ts';
import type { DatasetService } from '../datasets/datasets.ts';
import type { ChartViewer } from './chart-figures.ts';

/** What is on a dashboard. */
export interface DashboardContent {
  dashboard: DashboardRow;
  pages: DashboardPageRow[];
  charts: DashboardChartRow[];
  /** Of the surveys that are there. */
  settings: ReadonlyMap<number, SurveySettings>;
}

/** What the filter elements of a column can do. */
interface FilterColumn {
  /** Whose charts they narrow. */
  surveys: ReadonlySet<number>;
  /** Several values may be chosen. */
  multiple: boolean;
}

/** By column code in lower case. */
export type FilterColumns = ReadonlyMap<string, FilterColumn>;

/** For everybody who looks at the dashboard without being signed in. */
export function publicViewer({ dashboard, settings }: DashboardContent): ChartViewer {
  const { min_base: publicMinBase } = resolveDashboardSettings(dashboard.dashboard_settings);
  return { audience: 'public', settings, publicMinBase, isPublishedWording: true };
}

export class DashboardContentReader {
  private readonly store: Store;
  private readonly datasets: DatasetService;

  constructor(store: Store, datasets: DatasetService) {
    this.store = store;
    this.datasets = datasets;
  }

  /** null: it is gone. */
  async read(key: DashboardKey): Promise<DashboardContent | null> {
    const { dashboards, dashboardPages, dashboardCharts, surveys } = this.store.read;
    const [dashboard, pages, charts] = await Promise.all([
      dashboards.one(key),
      dashboardPages.ofDashboard(key),
      dashboardCharts.ofDashboard(key),
    ]);
    if (dashboard === null) return null;
    const shown = charts.flatMap((chart) =>
      chart.survey_id === null || chart.survey_gone ? [] : [chart.survey_id],
    );
    const states = await surveys.findStates([...new Set(shown)]);
    const settings = new Map(
      [...states].map(([surveyId, state]) => [surveyId, surveySettingsOf(state.survey_settings)]),
    );
    return { dashboard, pages, charts, settings };
  }

  /** The columns of the filter elements on a dashboard; an element whose column is gone is none. */
  async listFilterColumns({ charts }: DashboardContent): Promise<FilterColumns> {
    const columns = new Map<string, FilterColumn>();
    for (const { chart_type, chart_config, survey_id: surveyId, survey_gone } of charts) {
      if (chart_type !== 'filter' || surveyId === null || survey_gone) continue;
      const config = chart_config as unknown as FilterConfig;
      const code = await this.resolveFilterColumn(surveyId, config);
      if (code === null) continue;
      const others = columns.get(code);
      columns.set(code, {
        surveys: new Set([...(others?.surveys ?? []), surveyId]),
        multiple: config.filterElement.multiple || (others?.multiple ?? false),
      });
    }
    return columns;
  }

  private async resolveFilterColumn(surveyId: number, config: FilterConfig): Promise<string | null> {
    try {
      const { asked } = await this.datasets.openFor(surveyId, (catalog) => ({
        code: resolveFilterElement(config, catalog).entry.spec.columnCode,
        loadCodes: [],
      }));
      return asked.code.toLowerCase();
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }
}
