import type { DashboardScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import { forbidden, notFound } from '../../lib/errors.ts';
import type { ReportRow } from '../../repositories/reports.ts';
import type { Store } from '../../repositories/store.ts';
import type { DashboardContentReader } from '../dashboards/dashboard-content.ts';
import { buildDashboardSlides } from './dashboard-slides.ts';
import { reportAuditEntry } from './report-lock.ts';
import { refuseTooManySlides } from './report-slides.ts';

/** The workspace of the new report and its source dashboard. */
export interface FromDashboardScope extends WorkspaceScope {
  dashboard: DashboardScope;
}

/** Creates reports from dashboards. */
export class ReportFromDashboardService {
  constructor(
    private readonly store: Store,
    private readonly contents: DashboardContentReader,
  ) {}

  async create(
    scope: FromDashboardScope,
    { name, linked }: { name: string | undefined; linked: boolean },
  ): Promise<ReportRow> {
    const { dashboard: from } = scope;
    // Users that a dashboard is shared with cannot see its filters and weights, so they must not get a copy of them.
    if (!linked && from.role === null)
      throw forbidden(
        'You have view access to this dashboard only; its report must be linked (linked: true)',
      );
    const content = await this.contents.read(from);
    if (content === null) throw notFound('dashboard');
    const slides = buildDashboardSlides(content, linked);
    const { dashboard_name, dashboard_description, dashboard_settings } = content.dashboard;
    const { color } = dashboard_settings;
    return this.store.transaction(async (repositories) => {
      const reportId = await repositories.reports.create(scope, {
        workspace_id: scope.workspaceId,
        report_name: name ?? dashboard_name,
        report_description: dashboard_description,
        report_settings: typeof color === 'string' ? { color } : {},
      });
      const created = { ...scope, reportId };
      await refuseTooManySlides(repositories, created, slides.length);
      await repositories.reportSlides.insert(created, 1, slides);
      await repositories.audit.record(
        reportAuditEntry(created, 'created', { dashboard_id: from.dashboardId }),
      );
      return (await repositories.reports.one(created))!;
    });
  }
}
