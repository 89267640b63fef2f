import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';
import type { DashboardKey } from './dashboards.ts';
import type { DashboardPageTable } from './tables/dashboards.ts';

const COLUMNS = ['page_id', 'page_title'] as const;

export type DashboardPageRow = Pick<DashboardPageTable, (typeof COLUMNS)[number]>;

/** The pages of dashboards. Callers that change pages hold the dashboard's lock. */
export class DashboardPageRepository {
  constructor(private readonly db: Database) {}

  /** In the order of the dashboard. */
  async ofDashboard({ organizationId, dashboardId }: DashboardKey): Promise<DashboardPageRow[]> {
    return this.db('dashboard_pages')
      .select(...COLUMNS)
      .where({ organization_id: organizationId, dashboard_id: dashboardId })
      .orderBy(['page_order', 'page_id']);
  }

  /** Adds a page after the last one. */
  async add({ organizationId, dashboardId }: DashboardKey, title: string | null): Promise<DashboardPageRow> {
    const [row] = await this.db('dashboard_pages')
      .insert({
        organization_id: organizationId,
        dashboard_id: dashboardId,
        page_order: this.db.raw(
          '(SELECT coalesce(max(page_order), 0) + 1 FROM dashboard_pages WHERE dashboard_id = ?)',
          [dashboardId],
        ),
        page_title: title,
      })
      .returning([...COLUMNS]);
    return row!;
  }

  async setTitle(
    { organizationId, dashboardId }: DashboardKey,
    pageId: number,
    title: string | null,
  ): Promise<void> {
    await this.db('dashboard_pages')
      .where({ organization_id: organizationId, dashboard_id: dashboardId, page_id: pageId })
      .update({ page_title: title });
  }

  /** Deletes a page with its charts. */
  async remove({ organizationId, dashboardId }: DashboardKey, pageId: number): Promise<void> {
    const key = { organization_id: organizationId, dashboard_id: dashboardId, page_id: pageId };
    await this.db('dashboard_charts').where(key).delete();
    await this.db('dashboard_pages').where(key).delete();
  }

  /** `pageIds`: every page of the dashboard, in the new order. */
  async setOrder({ organizationId, dashboardId }: DashboardKey, pageIds: readonly number[]): Promise<void> {
    // Raw SQL: the builder has no unnest with ordinality.
    await queryCount(
      this.db,
      `UPDATE dashboard_pages p SET page_order = given.page_order
       FROM unnest(?::bigint[]) WITH ORDINALITY AS given (page_id, page_order)
       WHERE p.organization_id = ? AND p.dashboard_id = ? AND p.page_id = given.page_id`,
      [pageIds, organizationId, dashboardId],
    );
  }
}
