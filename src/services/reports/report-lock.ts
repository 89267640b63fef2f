import type { Actor } from '../../domain/access/caller.ts';
import type { ReportScope } from '../../domain/access/scopes.ts';
import { notFound } from '../../lib/errors.ts';
import type { AuditEntry } from '../../repositories/audit.ts';
import type { ReportRow } from '../../repositories/reports.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';

/** Serializes changes of a report and its content. */
export async function lockReport(repositories: Repositories, scope: ReportScope): Promise<ReportRow> {
  const row = await repositories.reports.lock(scope);
  // The report was moved to another workspace after the access check: the caller may have no access there.
  if (row?.workspace_id !== scope.workspaceId) throw notFound('report');
  return row;
}

/** An audit log entry of a report; contains ids and field names only. */
export function reportAuditEntry(
  by: Actor & { reportId: number },
  action: string,
  details?: Record<string, unknown>,
): AuditEntry {
  return {
    by,
    action: `report.${action}`,
    objectType: 'report',
    objectId: by.reportId,
    ...(details === undefined ? {} : { details }),
  };
}

/** Runs `work` with the report locked, then raises its revision and records `action` with `details` in the audit log; null: nothing changed. */
export async function changeReport<T>(
  store: Store,
  scope: ReportScope,
  work: (
    repositories: Repositories,
    report: ReportRow,
  ) => Promise<{ result: T; action: string | null; details?: Record<string, unknown> }>,
): Promise<T> {
  return store.transaction(async (repositories) => {
    const report = await lockReport(repositories, scope);
    const { result, action, details } = await work(repositories, report);
    if (action !== null) {
      await repositories.reports.incrementRevision(scope);
      await repositories.audit.record(reportAuditEntry(scope, action, details));
    }
    return result;
  });
}
