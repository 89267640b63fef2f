import type { DashboardScope } from '../../domain/access/scopes.ts';
import { limitReached } from '../../lib/error-messages.ts';
import { conflict, invalidFields, notFound } from '../../lib/errors.ts';
import { findOrderProblems } from '../../lib/item-order.ts';
import type { DashboardPageRow } from '../../repositories/dashboards.ts';
import type { Store } from '../../repositories/store.ts';
import { changeDashboard } from './dashboard-lock.ts';

const MAX_PAGES = 50;

/** The pages of a dashboard. Reading them requires access to the dashboard only. */
export class DashboardPageService {
  constructor(private readonly store: Store) {}

  /** Appends the page after the existing ones. */
  create(scope: DashboardScope, title: string | null): Promise<DashboardPageRow> {
    return changeDashboard(this.store, scope, async ({ dashboards }) => {
      if ((await dashboards.listPages(scope)).length >= MAX_PAGES)
        throw conflict('too_many_pages', limitReached('A dashboard', MAX_PAGES, 'page'));
      const page = await dashboards.addPage(scope, title);
      return { result: page, action: 'page_created', details: { page_id: page.page_id } };
    });
  }

  /** An absent title stays unchanged. */
  update(
    scope: DashboardScope,
    pageId: number,
    title: string | null | undefined,
  ): Promise<DashboardPageRow & { chartIds: number[] }> {
    return changeDashboard(this.store, scope, async ({ dashboards }) => {
      const before = requirePage(await dashboards.listPages(scope), pageId);
      const charts = await dashboards.listCharts(scope);
      const chartIds = charts.filter((chart) => chart.page_id === pageId).map((chart) => chart.chart_id);
      if (title === undefined || title === before.page_title)
        return { result: { ...before, chartIds }, action: null };
      await dashboards.setPageTitle(scope, pageId, title);
      const result = { ...before, page_title: title, chartIds };
      return { result, action: 'page_updated', details: { page_id: pageId } };
    });
  }

  /** Deletes the page with its elements. */
  delete(scope: DashboardScope, pageId: number): Promise<void> {
    return changeDashboard(this.store, scope, async ({ dashboards }) => {
      requirePage(await dashboards.listPages(scope), pageId);
      await dashboards.removePage(scope, pageId);
      return { result: undefined, action: 'page_deleted', details: { page_id: pageId } };
    });
  }

  /** `pageIds` must contain every page once, in the new order. */
  async reorder(scope: DashboardScope, pageIds: readonly number[]): Promise<void> {
    await changeDashboard(this.store, scope, async ({ dashboards }) => {
      const pages = await dashboards.listPages(scope);
      const existing = pages.map((page) => ({ id: page.page_id }));
      const problems = findOrderProblems('page_ids', pageIds, existing, 'page');
      if (problems.length > 0) throw invalidFields(problems);
      await dashboards.setPageOrder(scope, pageIds);
      return { result: undefined, action: 'pages_reordered' };
    });
  }
}

function requirePage(pages: readonly DashboardPageRow[], pageId: number): DashboardPageRow {
  const page = pages.find((one) => one.page_id === pageId);
  if (page === undefined) throw notFound('page');
  return page;
}
