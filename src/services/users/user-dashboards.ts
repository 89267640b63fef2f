import type { Caller } from '../../domain/access/caller.ts';
import { notFound } from '../../lib/errors.ts';
import type { UserDashboardRow } from '../../repositories/dashboard-shares.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccessService } from '../access.ts';
import { lockUser } from './lock-user.ts';
import type { UserScope } from './user-scope.ts';
import { refuseUnknownIds } from './refuse-unknown-ids.ts';

/** The dashboards that a user may view through direct grants or groups. */
export class UserDashboardService {
  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
  ) {}

  /** Returns all of one's own dashboards; for another user, those that the admin can see. */
  async list({ by, userId, isSelf }: UserScope): Promise<UserDashboardRow[]> {
    const { users, dashboardShares } = this.store.read;
    if ((await users.findById(by.organizationId, userId)) === null) throw notFound('user');
    const workspaceIds = isSelf ? null : await this.visibleWorkspaceIds(by);
    return dashboardShares.listGrantsOfUser(by.organizationId, userId, workspaceIds);
  }

  /** Replaces the direct grants of dashboards that the admin can see; others stay unchanged. */
  async set(by: Caller, userId: number, dashboardIds: readonly number[]): Promise<UserDashboardRow[]> {
    const { organizationId } = by;
    const workspaceIds = await this.visibleWorkspaceIds(by);
    return this.store.transaction(async (repositories) => {
      await lockUser(repositories, by, userId);
      await setDashboardsOfUser(repositories, by, userId, workspaceIds, dashboardIds);
      return repositories.dashboardShares.listGrantsOfUser(organizationId, userId, workspaceIds);
    });
  }

  private async visibleWorkspaceIds(caller: Caller): Promise<number[]> {
    return (await this.access.listVisibleWorkspaces(caller)).map(({ row }) => row.workspace_id);
  }
}

/**
 * Replaces the direct grants of a user within the workspaces, and records the change. Throws 400 where a dashboard is not in the
 * workspaces.
 */
export async function setDashboardsOfUser(
  repositories: Repositories,
  by: Caller,
  userId: number,
  workspaceIds: readonly number[],
  dashboardIds: readonly number[],
): Promise<void> {
  const { organizationId } = by;
  const { dashboardShares } = repositories;
  const known = await dashboardShares.listGrantable(organizationId, workspaceIds, dashboardIds);
  refuseUnknownIds('dashboard_ids', 'dashboard', dashboardIds, known);
  const replacement = { organizationId, userId, workspaceIds, dashboardIds };
  const { granted, withdrawn } = (await dashboardShares.replaceGrantsOfUser(replacement))!;
  if (granted.length + withdrawn.length === 0) return;
  await repositories.audit.record({
    by,
    action: 'user.dashboards_set',
    objectType: 'user',
    objectId: userId,
    details: { granted, withdrawn },
  });
}
