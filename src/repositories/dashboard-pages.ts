import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { DashboardKey } from './dashboards.ts';

export interface DashboardPageRow {
  page_id: number;
  page_title: string | null;
}

/** The pages of dashboards. Who changes them holds the dashboard's lock. */
export class DashboardPageRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** In order. */
  ofDashboard({ organizationId, dashboardId }: DashboardKey): Promise<DashboardPageRow[]> {
    return rowsOf(
      this.db,
      `SELECT page_id, page_title FROM dashboard_pages
       WHERE organization_id = ? AND dashboard_id = ? ORDER BY page_order, page_id`,
      [organizationId, dashboardId],
    );
  }

  /** After those that are there. */
  async add({ organizationId, dashboardId }: DashboardKey, title: string | null): Promise<DashboardPageRow> {
    const row = await rowOf<DashboardPageRow>(
      this.db,
      `INSERT INTO dashboard_pages (organization_id, dashboard_id, page_order, page_title)
       SELECT ?::bigint, ?::bigint, coalesce(max(page_order), 0) + 1, ?::text FROM dashboard_pages WHERE dashboard_id = ?
       RETURNING page_id, page_title`,
      [organizationId, dashboardId, title, dashboardId],
    );
    return row!;
  }

  async setTitle(
    { organizationId, dashboardId }: DashboardKey,
    pageId: number,
    title: string | null,
  ): Promise<void> {
    await countOf(
      this.db,
      `UPDATE dashboard_pages SET page_title = ? WHERE organization_id = ? AND dashboard_id = ? AND page_id = ?`,
      [title, organizationId, dashboardId, pageId],
    );
  }

  /** With its elements. */
  async remove({ organizationId, dashboardId }: DashboardKey, pageId: number): Promise<void> {
    const key = [organizationId, dashboardId, pageId];
    await countOf(
      this.db,
      `DELETE FROM dashboard_charts WHERE organization_id = ? AND dashboard_id = ? AND page_id = ?`,
      key,
    );
    await countOf(
      this.db,
      `DELETE FROM dashboard_pages WHERE organization_id = ? AND dashboard_id = ? AND page_id = ?`,
      key,
    );
  }

  async setOrder({ organizationId, dashboardId }: DashboardKey, pageIds: readonly number[]): Promise<void> {
    await countOf(
      this.db,
      `UPDATE dashboard_pages p SET page_order = given.place
       FROM unnest(?::bigint[]) WITH ORDINALITY AS given (page_id, place)
       WHERE p.organization_id = ? AND p.dashboard_id = ? AND p.page_id = given.page_id`,
      [pageIds, organizationId, dashboardId],
    );
  }
}
