import type { DashboardScope } from '../../domain/access/scopes.ts';
import { limitReached } from '../../lib/error-messages.ts';
import { conflict, invalidFields, notFound } from '../../lib/errors.ts';
import { findOrderProblems } from '../../lib/order-problems.ts';
import type { DashboardPageRow } from '../../repositories/dashboard-pages.ts';
import type { Store } from '../../repositories/store.ts';
import { changeDashboard } from './dashboard-lock.ts';

const MAX_PAGES = 50;

/** The pages of a dashboard. Reading them requires access to the dashboard only. */
export class DashboardPageService {
  constructor(private readonly store: Store) {}

  /** Appends the page after the existing ones. */
  create(scope: DashboardScope, title: string | null): Promise<DashboardPageRow> {
    return changeDashboard(this.store, scope, async ({ dashboardPages }) => {
      if ((await dashboardPages.ofDashboard(scope)).length >= MAX_PAGES)
        throw conflict('too_many_pages', limitReached('A dashboard', MAX_PAGES, 'page'));
      const page = await dashboardPages.add(scope, title);
      return { result: page, action: 'page_created', details: { page_id: page.page_id } };
    });
  }

  /** An absent title stays unchanged. */
  update(
    scope: DashboardScope,
    pageId: number,
    title: string | null | undefined,
  ): Promise<DashboardPageRow & { chartIds: number[] }> {
    return changeDashboard(this.store, scope, async ({ dashboardPages, dashboardCharts }) => {
      const before = requirePage(await dashboardPages.ofDashboard(scope), pageId);
      const charts = await dashboardCharts.ofDashboard(scope);
      const chartIds = charts.filter((chart) => chart.page_id === pageId).map((chart) => chart.chart_id);
      if (title === undefined || title === before.page_title)
        return { result: { ...before, chartIds }, action: null };
      await dashboardPages.setTitle(scope, pageId, title);
      const result = { ...before, page_title: title, chartIds };
      return { result, action: 'page_updated', details: { page_id: pageId } };
    });
  }

  /** Deletes the page with its elements. */
  delete(scope: DashboardScope, pageId: number): Promise<void> {
    return changeDashboard(this.store, scope, async ({ dashboardPages }) => {
      requirePage(await dashboardPages.ofDashboard(scope), pageId);
      await dashboardPages.remove(scope, pageId);
      return { result: undefined, action: 'page_deleted', details: { page_id: pageId } };
    });
  }

  /** `pageIds` must contain every page once, in the new order. */
  async reorder(scope: DashboardScope, pageIds: readonly number[]): Promise<void> {
    await changeDashboard(this.store, scope, async ({ dashboardPages }) => {
      const pages = await dashboardPages.ofDashboard(scope);
      const existing = pages.map((page) => ({ id: page.page_id }));
      const problems = findOrderProblems('page_ids', pageIds, existing, 'page');
      if (problems.length > 0) throw invalidFields(problems);
      await dashboardPages.setOrder(scope, pageIds);
      return { result: undefined, action: 'pages_reordered' };
    });
  }
}

function requirePage(pages: readonly DashboardPageRow[], pageId: number): DashboardPageRow {
  const page = pages.find((one) => one.page_id === pageId);
  if (page === undefined) throw notFound('page');
  return page;
}
