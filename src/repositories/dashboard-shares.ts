import type { Database } from '../db/connect.ts';
import type { DashboardKey } from './dashboards.ts';
import { qualifyColumns } from './tables/columns.ts';
import type { DashboardShareTable } from './tables/dashboards.ts';

export const SHARE_TYPES = ['public', 'password', 'user', 'group'] as const;
export type ShareType = DashboardShareTable['share_type'];

const COLUMNS = ['share_id', 'share_type', 'user_id', 'group_id', 'created_at'] as const;

/** Without the password. */
export type DashboardShareRow = Pick<DashboardShareTable, (typeof COLUMNS)[number]> & {
  user_name: string | null;
  group_name: string | null;
};

export type NewShare =
  | { type: 'public' }
  | { type: 'password'; passwordHash: string }
  | { type: 'user'; userId: number }
  | { type: 'group'; groupId: number };

/** Who may view a dashboard besides the members of its workspace. dashboard-grants.ts has the shares of a user or group across dashboards. */
export class DashboardShareRepository {
  constructor(private readonly db: Database) {}

  /** In the order of their creation, without the shares of deleted users. */
  async ofDashboard(key: DashboardKey): Promise<DashboardShareRow[]> {
    return this.shares(key)
      .whereRaw('users.user_status IS DISTINCT FROM 0')
      .orderBy('dashboard_shares.share_id');
  }

  /** The share must exist. */
  async one(key: DashboardKey, shareId: number): Promise<DashboardShareRow> {
    const [row] = await this.shares(key).where('dashboard_shares.share_id', shareId);
    return row!;
  }

  /** Returns the id. The user or group must belong to the organization and have no share of this dashboard yet. */
  async add({ organizationId, dashboardId }: DashboardKey, share: NewShare): Promise<number> {
    const [row] = await this.db('dashboard_shares')
      .insert({
        organization_id: organizationId,
        dashboard_id: dashboardId,
        share_type: share.type,
        password_hash: share.type === 'password' ? share.passwordHash : null,
        user_id: share.type === 'user' ? share.userId : null,
        group_id: share.type === 'group' ? share.groupId : null,
      })
      .returning('share_id');
    return row!.share_id;
  }

  async setPassword(
    { organizationId, dashboardId }: DashboardKey,
    shareId: number,
    passwordHash: string,
  ): Promise<void> {
    await this.db('dashboard_shares')
      .where({
        organization_id: organizationId,
        dashboard_id: dashboardId,
        share_id: shareId,
        share_type: 'password',
      })
      .update({ password_hash: passwordHash });
  }

  /** Returns the deleted share; null: the dashboard has no such share. */
  async remove(
    { organizationId, dashboardId }: DashboardKey,
    shareId: number,
  ): Promise<Pick<DashboardShareTable, 'share_type' | 'user_id' | 'group_id'> | null> {
    const [row] = await this.db('dashboard_shares')
      .where({ organization_id: organizationId, dashboard_id: dashboardId, share_id: shareId })
      .delete()
      .returning(['share_type', 'user_id', 'group_id']);
    return row ?? null;
  }

  private shares({ organizationId, dashboardId }: DashboardKey) {
    return this.db('dashboard_shares')
      .leftJoin('users', 'users.user_id', 'dashboard_shares.user_id')
      .leftJoin('groups', 'groups.group_id', 'dashboard_shares.group_id')
      .select<DashboardShareRow[]>(
        ...qualifyColumns('dashboard_shares', COLUMNS),
        'users.user_name',
        'groups.group_name',
      )
      .where('dashboard_shares.organization_id', organizationId)
      .where('dashboard_shares.dashboard_id', dashboardId);
  }
}
