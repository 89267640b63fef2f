import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { ChartType } from '../domain/charts/chart-types.ts';
import type { DashboardKey } from './dashboards.ts';

/** In cells of a grid that is 12 wide. */
export interface ChartPosition {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface DashboardChartRow {
  chart_id: number;
  page_id: number;
  chart_type: ChartType;
  chart_title: string | null;
  /** As chartConfigSchema of its type gives it. */
  chart_config: Record<string, unknown>;
  position: ChartPosition | null;
  /** null: it shows no data. */
  survey_id: number | null;
  /** The survey is deleted, or its workspace is. */
  survey_gone: boolean;
}

export type ChartFields = Omit<DashboardChartRow, 'chart_id' | 'survey_gone'>;

/** Where an element is to be. */
interface ChartPlace {
  chartId: number;
  pageId: number;
  position: ChartPosition | null;
}

const COLUMNS = `c.chart_id, c.page_id, c.chart_type, c.chart_title, c.chart_config, c.position, c.survey_id,
  c.survey_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM surveys s JOIN workspaces w ON w.workspace_id = s.workspace_id
    WHERE s.survey_id = c.survey_id AND s.survey_status <> 0 AND w.deleted_at IS NULL) AS survey_gone`;

const jsonOrNull = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** The elements of dashboards. Who changes them holds the dashboard's lock. */
export class DashboardChartRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** In the order of their pages, and on each in their own. */
  ofDashboard({ organizationId, dashboardId }: DashboardKey): Promise<DashboardChartRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${COLUMNS}
       FROM dashboard_charts c JOIN dashboard_pages p ON p.page_id = c.page_id
       WHERE c.organization_id = ? AND c.dashboard_id = ?
       ORDER BY p.page_order, p.page_id, c.chart_order, c.chart_id`,
      [organizationId, dashboardId],
    );
  }

  /** By their ids, of whichever dashboards of the organization, with the dashboard; not those of deleted ones. */
  async byIds(
    organizationId: number,
    chartIds: readonly number[],
  ): Promise<Map<number, DashboardChartRow & { dashboard_id: number }>> {
    const rows = await rowsOf<DashboardChartRow & { dashboard_id: number }>(
      this.db,
      `SELECT c.dashboard_id, ${COLUMNS} FROM dashboard_charts c
       JOIN dashboards d ON d.dashboard_id = c.dashboard_id AND d.deleted_at IS NULL
       JOIN workspaces w ON w.workspace_id = d.workspace_id AND w.deleted_at IS NULL
       WHERE c.organization_id = ? AND c.chart_id = ANY(?::bigint[])`,
      [organizationId, chartIds],
    );
    return new Map(rows.map((row) => [row.chart_id, row]));
  }

  /** After those that are there; gives its id. */
  async add({ organizationId, dashboardId }: DashboardKey, chart: ChartFields): Promise<number> {
    const row = await rowOf<{ chart_id: number }>(
      this.db,
      `INSERT INTO dashboard_charts (organization_id, dashboard_id, page_id, chart_order, chart_type, chart_title, chart_config,
         position, survey_id)
       SELECT ?::bigint, ?::bigint, ?::bigint, coalesce(max(chart_order), 0) + 1, ?::text, ?::text, ?::jsonb, ?::jsonb, ?::bigint
       FROM dashboard_charts WHERE dashboard_id = ? RETURNING chart_id`,
      [
        organizationId,
        dashboardId,
        chart.page_id,
        chart.chart_type,
        chart.chart_title,
        JSON.stringify(chart.chart_config),
        jsonOrNull(chart.position),
        chart.survey_id,
        dashboardId,
      ],
    );
    return row!.chart_id;
  }

  async save(
    { organizationId, dashboardId }: DashboardKey,
    chartId: number,
    chart: ChartFields,
  ): Promise<void> {
    await countOf(
      this.db,
      `UPDATE dashboard_charts SET page_id = ?, chart_type = ?, chart_title = ?, chart_config = ?, position = ?, survey_id = ?
       WHERE organization_id = ? AND dashboard_id = ? AND chart_id = ?`,
      [
        chart.page_id,
        chart.chart_type,
        chart.chart_title,
        JSON.stringify(chart.chart_config),
        jsonOrNull(chart.position),
        chart.survey_id,
        organizationId,
        dashboardId,
        chartId,
      ],
    );
  }

  async remove({ organizationId, dashboardId }: DashboardKey, chartId: number): Promise<void> {
    await countOf(
      this.db,
      `DELETE FROM dashboard_charts WHERE organization_id = ? AND dashboard_id = ? AND chart_id = ?`,
      [organizationId, dashboardId, chartId],
    );
  }

  /** In this order. */
  async setPlaces(
    { organizationId, dashboardId }: DashboardKey,
    places: readonly ChartPlace[],
  ): Promise<void> {
    const records = places.map(({ chartId, pageId, position }, index) => ({
      chart_id: chartId,
      page_id: pageId,
      position,
      place: index + 1,
    }));
    await countOf(
      this.db,
      `UPDATE dashboard_charts c SET page_id = given.page_id, chart_order = given.place, position = nullif(given.position, 'null')
       FROM jsonb_to_recordset(?::jsonb) AS given (chart_id bigint, page_id bigint, position jsonb, place integer)
       WHERE c.organization_id = ? AND c.dashboard_id = ? AND c.chart_id = given.chart_id`,
      [JSON.stringify(records), organizationId, dashboardId],
    );
  }

  /** The survey that a question is of; null: the organization has no such question. */
  async surveyOfQuestion(organizationId: number, questionId: number): Promise<number | null> {
    const row = await rowOf<{ survey_id: number }>(
      this.db,
      `SELECT survey_id FROM questions WHERE organization_id = ? AND question_id = ?`,
      [organizationId, questionId],
    );
    return row?.survey_id ?? null;
  }
}
