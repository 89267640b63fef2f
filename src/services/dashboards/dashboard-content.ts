import { resolveDashboardSettings } from '../../domain/dashboards/dashboard-settings.ts';
import { type FilterConfig, resolveFilterElement } from '../../domain/charts/types/filter.ts';
import { type SurveySettings, surveySettingsOf } from '../../domain/survey/settings/survey-settings.ts';
import { AppError } from '../../lib/errors.ts';
import type {
  DashboardChartRow,
  DashboardKey,
  DashboardPageRow,
  DashboardRow,
} from '../../repositories/dashboards.ts';
import type { Store } from '../../repositories/store.ts';
import type { DatasetService } from '../datasets/datasets.ts';
import type { ChartViewer } from './chart-figures.ts';
import { takesFilters } from './chart-query.ts';

/** A dashboard with its pages and elements. */
export interface DashboardContent {
  dashboard: DashboardRow;
  pages: DashboardPageRow[];
  charts: DashboardChartRow[];
  /** Settings of the existing surveys. */
  settings: ReadonlyMap<number, SurveySettings>;
}

/** The combined options of all filter elements of a column. */
interface FilterColumn {
  /** The surveys whose charts the filter narrows. */
  surveys: ReadonlySet<number>;
  /** Whether several values may be chosen. */
  multiple: boolean;
}

/** Keys are column codes in lower case. */
export type FilterColumns = ReadonlyMap<string, FilterColumn>;

/** The viewer of a dashboard without authentication. */
export function publicViewer({ dashboard, settings }: DashboardContent): ChartViewer {
  const { min_base: publicMinBase } = resolveDashboardSettings(dashboard.dashboard_settings);
  return { audience: 'public', settings, publicMinBase, isPublishedWording: true };
}

export class DashboardContentReader {
  constructor(
    private readonly store: Store,
    private readonly datasets: DatasetService,
  ) {}

  /** Returns null if the dashboard was deleted. */
  async read(key: DashboardKey): Promise<DashboardContent | null> {
    const { dashboards, surveys } = this.store.read;
    const [dashboard, pages, charts] = await Promise.all([
      dashboards.find(key),
      dashboards.listPages(key),
      dashboards.listCharts(key),
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

  /** The columns of the filter elements. Elements whose column was deleted are ignored. */
  async listFilterColumns({ charts }: DashboardContent): Promise<FilterColumns> {
    const columns = new Map<string, FilterColumn>();
    for (const { chart_type, chart_config, survey_id: surveyId, survey_gone } of charts) {
      if (takesFilters(chart_type) || surveyId === null || survey_gone) continue;
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
      const { resolved } = await this.datasets.openFor(surveyId, (catalog) => ({
        code: resolveFilterElement(config, catalog).entry.spec.columnCode,
        loadCodes: [],
      }));
      return resolved.code.toLowerCase();
    } catch (error) {
      if (error instanceof AppError) return null;
      throw error;
    }
  }
}
