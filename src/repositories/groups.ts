import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';
import { DELETED } from '../domain/access/users.ts';
import { requireRow } from '../lib/require-value.ts';
import { qualifyColumns } from './tables/table.ts';
import type { GroupMemberTable, GroupTable, UserTable } from './tables/users.ts';

const COLUMNS = ['group_id', 'group_name', 'group_description', 'group_color', 'created_at'] as const;
const MEMBER_COLUMNS = ['user_id', 'user_name', 'user_email', 'user_role', 'user_status'] as const;

export type GroupRow = Pick<GroupTable, (typeof COLUMNS)[number]>;

/** Deleted users and dashboards do not count. */
export interface CountedGroupRow extends GroupRow {
  member_count: number;
  dashboard_count: number;
}

export type GroupMemberRow = Pick<UserTable, (typeof MEMBER_COLUMNS)[number]> &
  Pick<GroupMemberTable, 'added_at'>;

interface GroupKey {
  organizationId: number;
  groupId: number;
}

const whereGroup = ({ organizationId, groupId }: GroupKey) => ({
  organization_id: organizationId,
  group_id: groupId,
});

export class GroupRepository {
  constructor(private readonly db: Database) {}

  /** Oldest first. Counts the dashboards in these workspaces only. */
  async listByOrganization(
    organizationId: number,
    workspaceIds: readonly number[],
  ): Promise<CountedGroupRow[]> {
    const members = this.db('group_members')
      .join('users', 'users.user_id', 'group_members.user_id')
      .where('group_members.group_id', this.db.ref('groups.group_id'))
      .whereNot('users.user_status', DELETED)
      .count();
    const dashboards = this.db('dashboard_shares')
      .join('dashboards', 'dashboards.dashboard_id', 'dashboard_shares.dashboard_id')
      .join('workspaces', 'workspaces.workspace_id', 'dashboards.workspace_id')
      .where('dashboard_shares.group_id', this.db.ref('groups.group_id'))
      .where('dashboards.workspace_id', anyOf(this.db, workspaceIds))
      .whereNull('dashboards.deleted_at')
      .whereNull('workspaces.deleted_at')
      .count();
    return this.db('groups')
      .select<CountedGroupRow[]>(
        ...COLUMNS,
        this.db.raw('(?) AS member_count', [members]),
        this.db.raw('(?) AS dashboard_count', [dashboards]),
      )
      .where({ organization_id: organizationId })
      .orderBy('group_id');
  }

  async create(
    organizationId: number,
    group: { name: string; description: string | null; color: string | null },
  ): Promise<GroupRow> {
    const rows = await this.db('groups')
      .insert({
        organization_id: organizationId,
        group_name: group.name,
        group_description: group.description,
        ...(group.color !== null && { group_color: group.color }),
      })
      .returning(COLUMNS);
    return requireRow(rows, 'groups');
  }

  async find(key: GroupKey): Promise<GroupRow | null> {
    const row = await this.db('groups')
      .first(...COLUMNS)
      .where(whereGroup(key));
    return row ?? null;
  }

  /** As one. Locks the group until the transaction ends. */
  async lock(key: GroupKey): Promise<GroupRow | null> {
    const row = await this.db('groups')
      .first(...COLUMNS)
      .where(whereGroup(key))
      .forNoKeyUpdate();
    return row ?? null;
  }

  async update(
    key: GroupKey,
    group: { name: string; description: string | null; color: string },
  ): Promise<void> {
    await this.db('groups')
      .where(whereGroup(key))
      .update({ group_name: group.name, group_description: group.description, group_color: group.color });
  }

  /** Its members lose what was shared with the group. False: the group does not exist. */
  async delete(key: GroupKey): Promise<boolean> {
    return (await this.db('groups').where(whereGroup(key)).delete()) > 0;
  }

  /** In the order in which they were added, without deleted users. */
  async listMembers({ organizationId, groupId }: GroupKey): Promise<GroupMemberRow[]> {
    return this.db('group_members')
      .join('users', 'users.user_id', 'group_members.user_id')
      .select<GroupMemberRow[]>(...qualifyColumns('users', MEMBER_COLUMNS), 'group_members.added_at')
      .where('group_members.organization_id', organizationId)
      .where('group_members.group_id', groupId)
      .whereNot('users.user_status', DELETED)
      .orderBy(['group_members.added_at', 'group_members.user_id']);
  }

  /** Returns the ids of those who were not members yet, ascending. */
  async addMembers({ organizationId, groupId }: GroupKey, userIds: readonly number[]): Promise<number[]> {
    // Raw SQL: the builder has no typed INSERT ... SELECT.
    const rows = await queryRows<{ user_id: number }>(
      this.db,
      `INSERT INTO group_members (organization_id, group_id, user_id)
       SELECT organization_id, ?::bigint, user_id FROM users
       WHERE organization_id = ? AND user_id = ANY(?::bigint[]) AND user_status <> 0
       ON CONFLICT DO NOTHING RETURNING user_id`,
      [groupId, organizationId, userIds],
    );
    return rows.map((row) => row.user_id).sort((a, b) => a - b);
  }

  /** False: the user is not a member. */
  async removeMember(key: GroupKey, userId: number): Promise<boolean> {
    const deleted = await this.db('group_members')
      .where({ ...whereGroup(key), user_id: userId })
      .delete();
    return deleted > 0;
  }
}
