import type { ReportScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import { notFound } from '../../lib/errors.ts';
import type { ContentListing } from '../../repositories/list-queries.ts';
import type { ReportRow } from '../../repositories/reports.ts';
import type { Store } from '../../repositories/store.ts';
import type { DeletedRetention } from '../deleted-retention.ts';
import { reportObject } from './reports.ts';

/** Reports that were deleted and can be restored by editors of their workspace, until they are erased. */
export class ReportTrash {
  constructor(
    private readonly store: Store,
    private readonly retention: DeletedRetention,
  ) {}

  /** Newest first. */
  list(scope: WorkspaceScope, listing: ContentListing): Promise<{ found: ReportRow[]; total: number }> {
    return this.store.read.reports.list(
      { ...scope, deletedSince: this.retention.restorableSince() },
      listing,
    );
  }

  /** Restores a report with slides and pictures. Throws 404 if it is not deleted, or was deleted too long ago. */
  async restore(scope: ReportScope): Promise<ReportRow> {
    return this.store.transaction(async (repositories) => {
      const { reports, audit } = repositories;
      const row = await reports.lockDeleted(scope, this.retention.restorableSince());
      if (row?.workspace_id !== scope.workspaceId) throw notFound('deleted report');
      await reports.restore(scope);
      await audit.record(reportObject.auditEntry(scope, 'restored'));
      return reportObject.lock(repositories, scope);
    });
  }
}
