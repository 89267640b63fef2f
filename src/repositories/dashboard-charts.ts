import type { Knex } from 'knex';
import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';
import type { DashboardKey } from './dashboards.ts';
import { qualifyColumns } from './tables/columns.ts';
import type { ChartPosition, DashboardChartTable } from './tables/dashboards.ts';

const COLUMNS = [
  'chart_id',
  'page_id',
  'chart_type',
  'chart_title',
  'chart_config',
  'position',
  'survey_id',
] as const;

export type DashboardChartRow = Pick<DashboardChartTable, (typeof COLUMNS)[number]> & {
  /** The survey is deleted, or its workspace is. */
  survey_gone: boolean;
};

export type ChartFields = Omit<DashboardChartRow, 'chart_id' | 'survey_gone'>;

interface ChartPlacement {
  chartId: number;
  pageId: number;
  position: ChartPosition | null;
}

/** The charts of dashboards. Callers that change charts hold the dashboard's lock. */
export class DashboardChartRepository {
  constructor(private readonly db: Database) {}

  /** In the order of the pages, and within a page in the order of its charts. */
  async ofDashboard({ organizationId, dashboardId }: DashboardKey): Promise<DashboardChartRow[]> {
    return this.db('dashboard_charts')
      .join('dashboard_pages', 'dashboard_pages.page_id', 'dashboard_charts.page_id')
      .select<DashboardChartRow[]>(...this.selection())
      .where('dashboard_charts.organization_id', organizationId)
      .where('dashboard_charts.dashboard_id', dashboardId)
      .orderBy([
        'dashboard_pages.page_order',
        'dashboard_pages.page_id',
        'dashboard_charts.chart_order',
        'dashboard_charts.chart_id',
      ]);
  }

  /** The charts of these ids by id, on any dashboard of the organization that is not deleted. */
  async byIds(
    organizationId: number,
    chartIds: readonly number[],
  ): Promise<Map<number, DashboardChartRow & { dashboard_id: number }>> {
    const rows = await this.db('dashboard_charts')
      .join('dashboards', 'dashboards.dashboard_id', 'dashboard_charts.dashboard_id')
      .join('workspaces', 'workspaces.workspace_id', 'dashboards.workspace_id')
      .select<(DashboardChartRow & { dashboard_id: number })[]>(
        'dashboard_charts.dashboard_id',
        ...this.selection(),
      )
      .where('dashboard_charts.organization_id', organizationId)
      .whereRaw('dashboard_charts.chart_id = ANY(?::bigint[])', [[...chartIds]])
      .whereNull('dashboards.deleted_at')
      .whereNull('workspaces.deleted_at');
    return new Map(rows.map((row) => [row.chart_id, row]));
  }

  /** Adds a chart after the last one. Returns its id. */
  async add({ organizationId, dashboardId }: DashboardKey, chart: ChartFields): Promise<number> {
    const [row] = await this.db('dashboard_charts')
      .insert({
        ...written(chart),
        organization_id: organizationId,
        dashboard_id: dashboardId,
        chart_order: this.db.raw(
          '(SELECT coalesce(max(chart_order), 0) + 1 FROM dashboard_charts WHERE dashboard_id = ?)',
          [dashboardId],
        ),
      })
      .returning('chart_id');
    return row!.chart_id;
  }

  async save(
    { organizationId, dashboardId }: DashboardKey,
    chartId: number,
    chart: ChartFields,
  ): Promise<void> {
    await this.db('dashboard_charts')
      .where({ organization_id: organizationId, dashboard_id: dashboardId, chart_id: chartId })
      .update(written(chart));
  }

  async remove({ organizationId, dashboardId }: DashboardKey, chartId: number): Promise<void> {
    await this.db('dashboard_charts')
      .where({ organization_id: organizationId, dashboard_id: dashboardId, chart_id: chartId })
      .delete();
  }

  /** Moves charts to these pages and positions, in the order of the list. */
  async setPlacements(
    { organizationId, dashboardId }: DashboardKey,
    placements: readonly ChartPlacement[],
  ): Promise<void> {
    const records = placements.map(({ chartId, pageId, position }, index) => ({
      chart_id: chartId,
      page_id: pageId,
      position,
      chart_order: index + 1,
    }));
    // Raw SQL: updates many rows with different values in one statement.
    await queryCount(
      this.db,
      `UPDATE dashboard_charts c
       SET page_id = given.page_id, chart_order = given.chart_order, position = nullif(given.position, 'null')
       FROM jsonb_to_recordset(?::jsonb) AS given (chart_id bigint, page_id bigint, position jsonb, chart_order integer)
       WHERE c.organization_id = ? AND c.dashboard_id = ? AND c.chart_id = given.chart_id`,
      [JSON.stringify(records), organizationId, dashboardId],
    );
  }

  /** The survey of a question; null: the organization has no such question. */
  async surveyOfQuestion(organizationId: number, questionId: number): Promise<number | null> {
    const row = await this.db('questions')
      .first('survey_id')
      .where({ organization_id: organizationId, question_id: questionId });
    return row?.survey_id ?? null;
  }

  private selection(): (string | Knex.Raw)[] {
    const survey = this.db('surveys')
      .join('workspaces', 'workspaces.workspace_id', 'surveys.workspace_id')
      .where('surveys.survey_id', this.db.ref('dashboard_charts.survey_id'))
      .whereNot('surveys.survey_status', 0)
      .whereNull('workspaces.deleted_at');
    return [
      ...qualifyColumns('dashboard_charts', COLUMNS),
      this.db.raw('dashboard_charts.survey_id IS NOT NULL AND NOT EXISTS ? AS survey_gone', [survey]),
    ];
  }
}

const written = (chart: ChartFields) => ({
  page_id: chart.page_id,
  chart_type: chart.chart_type,
  chart_title: chart.chart_title,
  chart_config: JSON.stringify(chart.chart_config),
  position: chart.position === null ? null : JSON.stringify(chart.position),
  survey_id: chart.survey_id,
});
