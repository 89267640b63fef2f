import { fromDatabaseError } from '../../db/errors.ts';
import type { Caller } from '../../domain/access/caller.ts';
import type { DashboardScope, WorkspaceScope } from '../../domain/access/scopes.ts';
import { notFound } from '../../lib/errors.ts';
import type { DashboardRow, ListedDashboardRow } from '../../repositories/dashboards.ts';
import type { ContentListing } from '../../repositories/list-queries.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { DeletedRetention } from '../deleted-retention.ts';
import { type DashboardShareService, removeOpenShare } from './dashboard-shares.ts';
import { dashboardObject, findFreeSlugIn } from './dashboards.ts';

/** Attempts to restore. Each failed one means that a concurrent request took the same slug. */
const MAX_TRIES = 20;

/** Dashboards that were deleted and can be restored by editors of their workspace, until they are erased. */
export class DashboardTrash {
  constructor(
    private readonly store: Store,
    private readonly shares: Pick<DashboardShareService, 'canPublish'>,
    private readonly retention: DeletedRetention,
  ) {}

  /** Newest first. */
  list(
    scope: WorkspaceScope,
    listing: ContentListing,
  ): Promise<{ found: ListedDashboardRow[]; total: number }> {
    const of = { workspaceId: scope.workspaceId, deletedSince: this.retention.restorableSince() };
    return this.store.read.dashboards.list(scope.organizationId, of, listing);
  }

  /**
   * Restores a dashboard with its shares. Gets another slug if its own is in use. The link for everyone is removed if the caller may not
   * publish dashboards. Throws 404 if it is not deleted, or was deleted too long ago.
   */
  async restore(caller: Pick<Caller, 'role'>, scope: DashboardScope): Promise<DashboardRow> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.store.transaction((repositories) => this.restoreIn(repositories, caller, scope));
      } catch (error) {
        if (fromDatabaseError(error)?.code !== 'slug_taken' || tries === MAX_TRIES) throw error;
      }
    }
  }

  private async restoreIn(
    repositories: Repositories,
    caller: Pick<Caller, 'role'>,
    scope: DashboardScope,
  ): Promise<DashboardRow> {
    const { dashboards, audit } = repositories;
    const row = await dashboards.lockDeleted(scope, this.retention.restorableSince());
    if (row?.workspace_id !== scope.workspaceId) throw notFound('deleted dashboard');
    const slug = await findFreeSlugIn(repositories, scope.organizationId, row.dashboard_slug);
    await dashboards.restore(scope, slug);
    const changed = slug === row.dashboard_slug ? undefined : { dashboard_slug: slug };
    await audit.record(dashboardObject.auditEntry(scope, 'restored', changed));
    if (!this.shares.canPublish(caller)) await removeOpenShare(repositories, scope);
    return dashboardObject.lock(repositories, scope);
  }
}
