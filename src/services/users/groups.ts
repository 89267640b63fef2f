import type { Caller } from '../../domain/access/caller.ts';
import { notFound } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { GrantedDashboardRow } from '../../repositories/dashboard-shares.ts';
import type { CountedGroupRow, GroupMemberRow, GroupRow } from '../../repositories/groups.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccessService } from '../access.ts';
import { refuseUnknownIds, replaceDashboardGrants } from './users.ts';

const DEFAULT_GROUP_COLOR = '#6366f1';

/** undefined: unchanged. Color null: the default. */
export interface GroupChanges {
  name?: string | undefined;
  description?: string | null | undefined;
  color?: string | null | undefined;
}

/** Groups of users who can view the same dashboards. */
export class GroupService {
  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
  ) {}

  /**
   * Returns groups, oldest first, with the number of dashboards that the caller can see. `search`: a part of the
   * name.
   */
  async list(caller: Caller, search?: string): Promise<CountedGroupRow[]> {
    const workspaceIds = await this.visibleWorkspaceIds(caller);
    const groups = await this.store.read.groups.listByOrganization(caller.organizationId, workspaceIds);
    const searchText = search?.normalize().toLowerCase() ?? '';
    return groups.filter((group) => group.group_name.normalize().toLowerCase().includes(searchText));
  }

  /** Creates a group with its members and dashboards. Throws 400 if one of them is unknown. */
  async create(
    caller: Caller,
    input: {
      name: string;
      description: string | null;
      color: string | null;
      userIds: readonly number[];
      dashboardIds: readonly number[];
    },
  ): Promise<CountedGroupRow> {
    const workspaceIds = await this.visibleWorkspaceIds(caller);
    return this.store.transaction(async (repositories) => {
      const group = await repositories.groups.create(caller.organizationId, input);
      const { group_id: groupId } = group;
      await recordGroupAudit({ repositories, by: caller, groupId, action: 'created' });
      const added = await addMembers({ repositories, caller, groupId, userIds: input.userIds });
      const granted = await replaceDashboardGrants({
        repositories,
        by: caller,
        holder: { type: 'group', id: groupId },
        workspaceIds,
        dashboardIds: input.dashboardIds,
      });
      return { ...group, member_count: added.length, dashboard_count: granted.length };
    });
  }

  async update(caller: Caller, groupId: number, changes: GroupChanges): Promise<CountedGroupRow> {
    const group = { organizationId: caller.organizationId, groupId };
    const workspaceIds = await this.visibleWorkspaceIds(caller);
    return this.store.transaction(async (repositories) => {
      const before = await lockGroup(repositories, group);
      const after = {
        name: changes.name ?? before.group_name,
        description: changes.description === undefined ? before.group_description : changes.description,
        color: changes.color === undefined ? before.group_color : (changes.color ?? DEFAULT_GROUP_COLOR),
      };
      const fields = [
        ...(after.name === before.group_name ? [] : ['group_name']),
        ...(after.description === before.group_description ? [] : ['group_description']),
        ...(after.color === before.group_color ? [] : ['group_color']),
      ];
      if (fields.length > 0) {
        await repositories.groups.update(group, after);
        await recordGroupAudit({ repositories, by: caller, groupId, action: 'updated', details: { fields } });
      }
      const memberCounts = await repositories.groups.listByOrganization(caller.organizationId, workspaceIds);
      return requireValue(
        memberCounts.find((one) => one.group_id === groupId),
        'group',
      );
    });
  }

  /** Deletes a group. Its members immediately lose the access that only the group gave them. */
  async delete(caller: Caller, groupId: number): Promise<void> {
    await this.store.transaction(async (repositories) => {
      const group = { organizationId: caller.organizationId, groupId };
      if (!(await repositories.groups.delete(group))) throw notFound('group');
      await recordGroupAudit({ repositories, by: caller, groupId, action: 'deleted' });
    });
  }

  async listMembers(caller: Caller, groupId: number): Promise<GroupMemberRow[]> {
    const group = { organizationId: caller.organizationId, groupId };
    if ((await this.store.read.groups.find(group)) === null) throw notFound('group');
    return this.store.read.groups.listMembers(group);
  }

  /** Adds members; existing ones stay. Throws 400 and adds none if one is not in the organization. */
  addMembers(caller: Caller, groupId: number, userIds: readonly number[]): Promise<GroupMemberRow[]> {
    const group = { organizationId: caller.organizationId, groupId };
    return this.store.transaction(async (repositories) => {
      await lockGroup(repositories, group);
      await addMembers({ repositories, caller, groupId, userIds });
      return repositories.groups.listMembers(group);
    });
  }

  async removeMember(caller: Caller, groupId: number, userId: number): Promise<void> {
    const group = { organizationId: caller.organizationId, groupId };
    await this.store.transaction(async (repositories) => {
      await lockGroup(repositories, group);
      if (!(await repositories.groups.removeMember(group, userId))) throw notFound('member');
      await recordGroupAudit({
        repositories,
        by: caller,
        groupId,
        action: 'member_removed',
        details: { user_id: userId },
      });
    });
  }

  /** Returns the group's dashboards that the caller can see. */
  async listDashboards(caller: Caller, groupId: number): Promise<GrantedDashboardRow[]> {
    const { organizationId } = caller;
    if ((await this.store.read.groups.find({ organizationId, groupId })) === null) throw notFound('group');
    const workspaceIds = await this.visibleWorkspaceIds(caller);
    return this.store.read.dashboardShares.listGrantsOfGroup(organizationId, groupId, workspaceIds);
  }

  /** Replaces the dashboards that the caller can see; others stay unchanged. */
  async setDashboards(
    caller: Caller,
    groupId: number,
    dashboardIds: readonly number[],
  ): Promise<GrantedDashboardRow[]> {
    const { organizationId } = caller;
    const workspaceIds = await this.visibleWorkspaceIds(caller);
    return this.store.transaction(async (repositories) => {
      await lockGroup(repositories, { organizationId, groupId });
      const holder = { type: 'group', id: groupId } as const;
      await replaceDashboardGrants({ repositories, by: caller, holder, workspaceIds, dashboardIds });
      return repositories.dashboardShares.listGrantsOfGroup(organizationId, groupId, workspaceIds);
    });
  }

  private async visibleWorkspaceIds(caller: Caller): Promise<number[]> {
    return (await this.access.listVisibleWorkspaces(caller)).map(({ row }) => row.workspace_id);
  }
}

/** Returns the ids of the users who were not members before. Throws 400 where one is not of the organization. */
async function addMembers({
  repositories,
  caller,
  groupId,
  userIds,
}: {
  repositories: Repositories;
  caller: Caller;
  groupId: number;
  userIds: readonly number[];
}): Promise<number[]> {
  const { organizationId } = caller;
  const known = await repositories.users.filterExisting(organizationId, userIds);
  refuseUnknownIds({ field: 'user_ids', kind: 'user', ids: userIds, known });
  const added = await repositories.groups.addMembers({ organizationId, groupId }, userIds);
  if (added.length > 0)
    await recordGroupAudit({
      repositories,
      by: caller,
      groupId,
      action: 'members_added',
      details: { user_ids: added },
    });
  return added;
}

async function lockGroup(
  repositories: Repositories,
  group: { organizationId: number; groupId: number },
): Promise<GroupRow> {
  const row = await repositories.groups.lock(group);
  if (row === null) throw notFound('group');
  return row;
}

const recordGroupAudit = ({
  repositories: { audit },
  by,
  groupId,
  action,
  details,
}: {
  repositories: Repositories;
  by: Caller;
  groupId: number;
  action: string;
  details?: Record<string, unknown> | undefined;
}): Promise<void> =>
  audit.record({
    by,
    action: `group.${action}`,
    objectType: 'group',
    objectId: groupId,
    ...(details === undefined ? {} : { details }),
  });
