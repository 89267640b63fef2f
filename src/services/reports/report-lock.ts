import type { Actor } from '../../domain/access/actor.ts';
import type { ReportScope } from '../../domain/access/scopes.ts';
import { notFound } from '../../lib/errors.ts';
import type { AuditEntry } from '../../repositories/audit.ts';
import type { ReportRow } from '../../repositories/reports.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';

/** Whoever changes a report or what is in it does so one after the other. */
export async function lockReport(repositories: Repositories, scope: ReportScope): Promise<ReportRow> {
  const row = await repositories.reports.lock(scope);
  // In another workspace since access was checked: what the caller may do there is unknown.
  if (row?.workspace_id !== scope.workspaceId) throw notFound('report');
  return row;
}

/** What was done to a report; ids and names of fields only. */
export function reportAuditEntry(
  by: Actor & { reportId: number },
  what: string,
  details?: Record<string, unknown>,
): AuditEntry {
  return {
    by,
    action: `report.${what}`,
    objectType: 'report',
    objectId: by.reportId,
    ...(details === undefined ? {} : { details }),
  };
}

/** `work` says what it did, with details of it, besides its result; null: nothing. */
export async function changeReport<T>(
  store: Store,
  scope: ReportScope,
  work: (
    repositories: Repositories,
    report: ReportRow,
  ) => Promise<{ result: T; did: string | null; details?: Record<string, unknown> }>,
): Promise<T> {
  return store.transaction(async (repositories) => {
    const report = await lockReport(repositories, scope);
    const { result, did, details } = await work(repositories, report);
    if (did !== null) {
      await repositories.reports.raiseRevision(scope);
      await repositories.audit.record(reportAuditEntry(scope, did, details));
    }
    return result;
  });
}
