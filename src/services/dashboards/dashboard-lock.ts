import type { Actor } from '../../domain/access/caller.ts';
import type { DashboardScope } from '../../domain/access/scopes.ts';
import { notFound } from '../../lib/errors.ts';
import type { AuditEntry } from '../../repositories/audit.ts';
import type { DashboardRow } from '../../repositories/dashboards.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';

/** Serializes changes of a dashboard and its content. */
export async function lockDashboard(
  repositories: Repositories,
  scope: DashboardScope,
): Promise<DashboardRow> {
  const row = await repositories.dashboards.lock(scope);
  // The dashboard was moved to another workspace after the access check: the caller may have no access there.
  if (row?.workspace_id !== scope.workspaceId) throw notFound('dashboard');
  return row;
}

/** An audit log entry of a dashboard; contains ids and field names only. */
export function dashboardAuditEntry(
  by: Actor & { dashboardId: number },
  action: string,
  details?: Record<string, unknown>,
): AuditEntry {
  return {
    by,
    action: `dashboard.${action}`,
    objectType: 'dashboard',
    objectId: by.dashboardId,
    ...(details === undefined ? {} : { details }),
  };
}

/** Runs `work` with the dashboard locked, then raises its revision and records `action` with `details` in the audit log; null: nothing changed. */
export async function changeDashboard<T>(
  store: Store,
  scope: DashboardScope,
  work: (
    repositories: Repositories,
  ) => Promise<{ result: T; action: string | null; details?: Record<string, unknown> }>,
): Promise<T> {
  return store.transaction(async (repositories) => {
    await lockDashboard(repositories, scope);
    const { result, action, details } = await work(repositories);
    if (action !== null) {
      await repositories.dashboards.incrementRevision(scope);
      await repositories.audit.record(dashboardAuditEntry(scope, action, details));
    }
    return result;
  });
}
