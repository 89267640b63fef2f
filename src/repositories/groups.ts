import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { UserRole } from '../domain/access/caller.ts';
import type { UserStatus } from '../domain/access/user-status.ts';
import { LIVE_DASHBOARDS } from './dashboard-grants.ts';

export interface GroupRow {
  group_id: number;
  group_name: string;
  group_description: string | null;
  group_color: string;
  created_at: Date;
}

/** Counts what is there: deleted users and dashboards are left out. */
export interface CountedGroupRow extends GroupRow {
  member_count: number;
  dashboard_count: number;
}

export interface GroupMemberRow {
  user_id: number;
  user_name: string;
  user_email: string;
  user_role: UserRole;
  user_status: UserStatus;
  added_at: Date;
}

interface InGroup {
  organizationId: number;
  groupId: number;
}

const COLUMNS = 'g.group_id, g.group_name, g.group_description, g.group_color, g.created_at';

export class GroupRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Oldest first. Dashboards are counted that lie in these workspaces. */
  ofOrganization(organizationId: number, workspaceIds: readonly number[]): Promise<CountedGroupRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${COLUMNS},
              (SELECT count(*) FROM group_members m JOIN users u ON u.user_id = m.user_id AND u.user_status <> 0
               WHERE m.group_id = g.group_id) AS member_count,
              (SELECT count(*) FROM dashboard_shares gd JOIN ${LIVE_DASHBOARDS} ON d.dashboard_id = gd.dashboard_id
               WHERE gd.group_id = g.group_id AND d.workspace_id = ANY(?::bigint[])) AS dashboard_count
       FROM groups g WHERE g.organization_id = ? ORDER BY g.group_id`,
      [workspaceIds, organizationId],
    );
  }

  async create(
    organizationId: number,
    group: { name: string; description: string | null; color: string | null },
  ): Promise<GroupRow> {
    const row = await rowOf<GroupRow>(
      this.db,
      `INSERT INTO groups AS g (organization_id, group_name, group_description, group_color)
       VALUES (?, ?, ?, coalesce(?, '#6366f1')) RETURNING ${COLUMNS}`,
      [organizationId, group.name, group.description, group.color],
    );
    return row!;
  }

  one({ organizationId, groupId }: InGroup): Promise<GroupRow | null> {
    return rowOf(this.db, `SELECT ${COLUMNS} FROM groups g WHERE g.organization_id = ? AND g.group_id = ?`, [
      organizationId,
      groupId,
    ]);
  }

  /** As one; until the transaction ends nobody else changes or deletes this group. */
  lock({ organizationId, groupId }: InGroup): Promise<GroupRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS} FROM groups g WHERE g.organization_id = ? AND g.group_id = ? FOR NO KEY UPDATE`,
      [organizationId, groupId],
    );
  }

  async update(
    { organizationId, groupId }: InGroup,
    group: { name: string; description: string | null; color: string },
  ): Promise<void> {
    await countOf(
      this.db,
      `UPDATE groups SET group_name = ?, group_description = ?, group_color = ?
       WHERE organization_id = ? AND group_id = ?`,
      [group.name, group.description, group.color, organizationId, groupId],
    );
  }

  /** Its members lose what they had through it. False: it is not there. */
  async delete({ organizationId, groupId }: InGroup): Promise<boolean> {
    const count = await countOf(this.db, `DELETE FROM groups WHERE organization_id = ? AND group_id = ?`, [
      organizationId,
      groupId,
    ]);
    return count > 0;
  }

  /** In the order in which they were added; deleted users are left out. */
  members({ organizationId, groupId }: InGroup): Promise<GroupMemberRow[]> {
    return rowsOf(
      this.db,
      `SELECT m.user_id, u.user_name, u.user_email, u.user_role, u.user_status, m.added_at
       FROM group_members m JOIN users u ON u.user_id = m.user_id AND u.user_status <> 0
       WHERE m.organization_id = ? AND m.group_id = ? ORDER BY m.added_at, m.user_id`,
      [organizationId, groupId],
    );
  }

  /** Gives those who were no members yet. */
  async addMembers({ organizationId, groupId }: InGroup, userIds: readonly number[]): Promise<number[]> {
    const rows = await rowsOf<{ user_id: number }>(
      this.db,
      `INSERT INTO group_members (organization_id, group_id, user_id)
       SELECT organization_id, ?::bigint, user_id FROM users
       WHERE organization_id = ? AND user_id = ANY(?::bigint[]) AND user_status <> 0
       ON CONFLICT DO NOTHING RETURNING user_id`,
      [groupId, organizationId, userIds],
    );
    return rows.map((row) => row.user_id).sort((a, b) => a - b);
  }

  /** False: this user is no member. */
  async removeMember({ organizationId, groupId }: InGroup, userId: number): Promise<boolean> {
    const count = await countOf(
      this.db,
      `DELETE FROM group_members WHERE organization_id = ? AND group_id = ? AND user_id = ?`,
      [organizationId, groupId, userId],
    );
    return count > 0;
  }
}
