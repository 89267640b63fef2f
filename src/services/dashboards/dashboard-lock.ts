import type { Actor } from '../../domain/access/actor.ts';
import type { DashboardScope } from '../../domain/access/scopes.ts';
import { notFound } from '../../lib/errors.ts';
import type { AuditEntry } from '../../repositories/audit.ts';
import type { DashboardRow } from '../../repositories/dashboards.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';

/** Whoever changes a dashboard or what is on it does so one after the other. */
export async function lockDashboard(
  repositories: Repositories,
  scope: DashboardScope,
): Promise<DashboardRow> {
  const row = await repositories.dashboards.lock(scope);
  // In another workspace since access was checked: what the caller may do there is unknown.
  if (row?.workspace_id !== scope.workspaceId) throw notFound('dashboard');
  return row;
}

/** What was done to a dashboard; ids and names of fields only. */
export function dashboardAuditEntry(
  by: Actor & { dashboardId: number },
  what: string,
  details?: Record<string, unknown>,
): AuditEntry {
  return {
    by,
    action: `dashboard.${what}`,
    objectType: 'dashboard',
    objectId: by.dashboardId,
    ...(details === undefined ? {} : { details }),
  };
}

/** `work` says what it did, with details of it, besides its result; null: nothing. */
export async function changeDashboard<T>(
  store: Store,
  scope: DashboardScope,
  work: (
    repositories: Repositories,
  ) => Promise<{ result: T; did: string | null; details?: Record<string, unknown> }>,
): Promise<T> {
  return store.transaction(async (repositories) => {
    await lockDashboard(repositories, scope);
    const { result, did, details } = await work(repositories);
    if (did !== null) {
      await repositories.dashboards.raiseRevision(scope);
      await repositories.audit.record(dashboardAuditEntry(scope, did, details));
    }
    return result;
  });
}
