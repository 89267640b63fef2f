import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { DashboardKey } from './dashboards.ts';

export const SHARE_TYPES = ['public', 'password', 'user', 'group'] as const;
export type ShareType = (typeof SHARE_TYPES)[number];

/** Never with its password. */
export interface DashboardShareRow {
  share_id: number;
  share_type: ShareType;
  user_id: number | null;
  user_name: string | null;
  group_id: number | null;
  group_name: string | null;
  created_at: Date;
}

export type NewShare =
  | { type: 'public' }
  | { type: 'password'; passwordHash: string }
  | { type: 'user'; userId: number }
  | { type: 'group'; groupId: number };

const SHARES = `SELECT s.share_id, s.share_type, s.user_id, u.user_name, s.group_id, g.group_name, s.created_at
  FROM dashboard_shares s LEFT JOIN users u ON u.user_id = s.user_id LEFT JOIN groups g ON g.group_id = s.group_id`;

/** Who reaches a dashboard besides the members of its workspace. What users and groups have of all dashboards: dashboard-grants.ts. */
export class DashboardShareRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** In the order in which they were made; those of deleted users are left out. */
  ofDashboard({ organizationId, dashboardId }: DashboardKey): Promise<DashboardShareRow[]> {
    return rowsOf(
      this.db,
      `${SHARES} WHERE s.organization_id = ? AND s.dashboard_id = ? AND u.user_status IS DISTINCT FROM 0 ORDER BY s.share_id`,
      [organizationId, dashboardId],
    );
  }

  async one({ organizationId, dashboardId }: DashboardKey, shareId: number): Promise<DashboardShareRow> {
    const row = await rowOf<DashboardShareRow>(
      this.db,
      `${SHARES} WHERE s.organization_id = ? AND s.dashboard_id = ? AND s.share_id = ?`,
      [organizationId, dashboardId, shareId],
    );
    return row!;
  }

  /** The id; the user or group is known to be of the organization, and to have none yet. */
  async add({ organizationId, dashboardId }: DashboardKey, share: NewShare): Promise<number> {
    const row = await rowOf<{ share_id: number }>(
      this.db,
      `INSERT INTO dashboard_shares (organization_id, dashboard_id, share_type, password_hash, user_id, group_id)
       VALUES (?, ?, ?, ?, ?, ?) RETURNING share_id`,
      [
        organizationId,
        dashboardId,
        share.type,
        share.type === 'password' ? share.passwordHash : null,
        share.type === 'user' ? share.userId : null,
        share.type === 'group' ? share.groupId : null,
      ],
    );
    return row!.share_id;
  }

  async setPassword(
    { organizationId, dashboardId }: DashboardKey,
    shareId: number,
    passwordHash: string,
  ): Promise<void> {
    await countOf(
      this.db,
      `UPDATE dashboard_shares SET password_hash = ?
       WHERE organization_id = ? AND dashboard_id = ? AND share_id = ? AND share_type = 'password'`,
      [passwordHash, organizationId, dashboardId, shareId],
    );
  }

  /** null: the dashboard has no such share. */
  remove(
    { organizationId, dashboardId }: DashboardKey,
    shareId: number,
  ): Promise<{ share_type: ShareType; user_id: number | null; group_id: number | null } | null> {
    return rowOf(
      this.db,
      `DELETE FROM dashboard_shares WHERE organization_id = ? AND dashboard_id = ? AND share_id = ?
       RETURNING share_type, user_id, group_id`,
      [organizationId, dashboardId, shareId],
    );
  }
}
