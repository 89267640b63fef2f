import type { Database } from '../db/connect.ts';
import { rowOf, rowsOf } from '../db/rows.ts';

export interface GrantedDashboardRow {
  dashboard_id: number;
  dashboard_name: string;
  workspace_id: number;
}

export interface UserDashboardRow extends GrantedDashboardRow {
  granted_directly: boolean;
  /** The groups through which the user reaches it, in the order of their ids. */
  group_ids: number[];
}

/** What a replacement changed, for the audit log. */
interface GrantChange {
  granted: number[];
  withdrawn: number[];
}

interface Replacement {
  organizationId: number;
  /** What the one who grants can see: grants in other workspaces stay as they are. */
  workspaceIds: readonly number[];
  /** Those that are not in these workspaces, or deleted, are passed over. */
  dashboardIds: readonly number[];
}

/** Who reaches which dashboard: users directly, and through their groups. */
export class DashboardGrantRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** What a user reaches, in the order of the ids. `workspaceIds`: only what lies there; null: everything. */
  ofUser(
    organizationId: number,
    userId: number,
    workspaceIds: readonly number[] | null,
  ): Promise<UserDashboardRow[]> {
    return rowsOf(
      this.db,
      `SELECT d.dashboard_id, d.dashboard_name, d.workspace_id, bool_or(g.group_id IS NULL) AS granted_directly,
              coalesce(json_agg(g.group_id ORDER BY g.group_id) FILTER (WHERE g.group_id IS NOT NULL), '[]') AS group_ids
       FROM (SELECT dashboard_id, NULL::bigint AS group_id FROM dashboard_shares WHERE organization_id = ? AND user_id = ?
             UNION ALL
             SELECT s.dashboard_id, s.group_id FROM group_members m JOIN dashboard_shares s ON s.group_id = m.group_id
             WHERE m.organization_id = ? AND m.user_id = ?) AS g
       JOIN ${LIVE_DASHBOARDS} ON d.dashboard_id = g.dashboard_id
       WHERE ?::bigint[] IS NULL OR d.workspace_id = ANY(?::bigint[])
       GROUP BY d.dashboard_id, d.dashboard_name, d.workspace_id ORDER BY d.dashboard_id`,
      [organizationId, userId, organizationId, userId, workspaceIds, workspaceIds],
    );
  }

  /** What the members of a group reach through it, in the order of the ids. */
  ofGroup(
    organizationId: number,
    groupId: number,
    workspaceIds: readonly number[],
  ): Promise<GrantedDashboardRow[]> {
    return rowsOf(
      this.db,
      `SELECT d.dashboard_id, d.dashboard_name, d.workspace_id
       FROM dashboard_shares g JOIN ${LIVE_DASHBOARDS} ON d.dashboard_id = g.dashboard_id
       WHERE g.organization_id = ? AND g.group_id = ? AND d.workspace_id = ANY(?::bigint[])
       ORDER BY d.dashboard_id`,
      [organizationId, groupId, workspaceIds],
    );
  }

  /** Which of these dashboards are in these workspaces, and not deleted. */
  async grantable(
    organizationId: number,
    workspaceIds: readonly number[],
    dashboardIds: readonly number[],
  ): Promise<Set<number>> {
    const rows = await rowsOf<{ dashboard_id: number }>(
      this.db,
      `SELECT d.dashboard_id FROM ${LIVE_DASHBOARDS}
       WHERE d.organization_id = ? AND d.workspace_id = ANY(?::bigint[]) AND d.dashboard_id = ANY(?::bigint[])`,
      [organizationId, workspaceIds, dashboardIds],
    );
    return new Set(rows.map((row) => row.dashboard_id));
  }

  /** From now on these are a user's direct grants. null: the user is not there. */
  replaceForUser(replacement: Replacement & { userId: number }): Promise<GrantChange | null> {
    return this.replace('user', replacement, replacement.userId);
  }

  /** The same for a group. */
  replaceForGroup(replacement: Replacement & { groupId: number }): Promise<GrantChange | null> {
    return this.replace('group', replacement, replacement.groupId);
  }

  private async replace(
    holder: keyof typeof HOLDERS,
    { organizationId, workspaceIds, dashboardIds }: Replacement,
    id: number,
  ): Promise<GrantChange | null> {
    const { key, holders, isThere } = HOLDERS[holder];
    // One replacement at a time: two at once would leave the union of both.
    const found = await rowOf(
      this.db,
      `SELECT 1 FROM ${holders} WHERE organization_id = ? AND ${key} = ? AND ${isThere} FOR NO KEY UPDATE`,
      [organizationId, id],
    );
    if (found === null) return null;
    // Deleted dashboards too: one that is brought back must not bring back what was withdrawn.
    const withdrawn = await rowsOf<{ dashboard_id: number }>(
      this.db,
      `DELETE FROM dashboard_shares g USING dashboards d
       WHERE g.organization_id = ? AND g.${key} = ? AND d.dashboard_id = g.dashboard_id
         AND d.workspace_id = ANY(?::bigint[]) AND NOT d.dashboard_id = ANY(?::bigint[])
       RETURNING d.dashboard_id`,
      [organizationId, id, workspaceIds, dashboardIds],
    );
    const granted = await rowsOf<{ dashboard_id: number }>(
      this.db,
      `INSERT INTO dashboard_shares (organization_id, share_type, ${key}, dashboard_id)
       SELECT d.organization_id, '${holder}', ?::bigint, d.dashboard_id FROM ${LIVE_DASHBOARDS}
       WHERE d.organization_id = ? AND d.workspace_id = ANY(?::bigint[]) AND d.dashboard_id = ANY(?::bigint[])
       ON CONFLICT DO NOTHING RETURNING dashboard_id`,
      [id, organizationId, workspaceIds, dashboardIds],
    );
    return { granted: idsOf(granted), withdrawn: idsOf(withdrawn) };
  }
}

/** Not deleted, neither by themselves nor with their workspace. */
export const LIVE_DASHBOARDS = `(SELECT d.* FROM dashboards d JOIN workspaces w ON w.workspace_id = d.workspace_id
  WHERE d.deleted_at IS NULL AND w.deleted_at IS NULL) AS d`;

const HOLDERS = {
  user: { key: 'user_id', holders: 'users', isThere: 'user_status <> 0' },
  group: { key: 'group_id', holders: 'groups', isThere: 'true' },
} as const;

const idsOf = (rows: { dashboard_id: number }[]): number[] =>
  rows.map((row) => row.dashboard_id).sort((a, b) => a - b);
