import type { z } from 'zod';
import type { DashboardScope } from '../../domain/access/scopes.ts';
import { notFound } from '../../lib/errors.ts';
import type { Services } from '../../services/services.ts';
import { presentChart, presentPage } from '../dashboard-reply.ts';
import { presentDashboard, type dashboardWithPagesSchema } from './dashboard-fields.ts';

/** Returns a dashboard with its pages and charts. */
export async function presentDashboardWithPages(
  { dashboards, dashboardContents }: Services,
  scope: DashboardScope,
): Promise<z.input<typeof dashboardWithPagesSchema>> {
  const content = await dashboardContents.read(scope);
  if (content === null) throw notFound('dashboard');
  const { dashboard, pages, charts } = content;
  return {
    ...presentDashboard(dashboard, dashboards.publicUrl(dashboard)),
    my_role: scope.role,
    pages: pages.map((page) => presentPage(page, charts)),
    charts: charts.map((chart) => presentChart(chart, scope.role)),
  };
}
