import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';
import type { DashboardTable } from './tables/dashboards.ts';

const COLUMNS = ['dashboard_id', 'dashboard_name', 'workspace_id'] as const;

export type GrantedDashboardRow = Pick<DashboardTable, (typeof COLUMNS)[number]>;

export interface UserDashboardRow extends GrantedDashboardRow {
  granted_directly: boolean;
  /** The groups through which the user may view it, in the order of their ids. */
  group_ids: number[];
}

/** What a replacement changed, for the audit log. */
interface GrantChange {
  granted: number[];
  withdrawn: number[];
}

interface Replacement {
  organizationId: number;
  /** The workspaces that the caller may see. Grants in other workspaces stay as they are. */
  workspaceIds: readonly number[];
  /** Ignores dashboards that are deleted or in other workspaces. */
  dashboardIds: readonly number[];
}

/** Which dashboards users may view, directly and through their groups. */
export class DashboardGrantRepository {
  constructor(private readonly db: Database) {}

  /** The dashboards that a user may view, by id. `workspaceIds` restricts them to these workspaces; null: all workspaces. */
  ofUser(
    organizationId: number,
    userId: number,
    workspaceIds: readonly number[] | null,
  ): Promise<UserDashboardRow[]> {
    // Raw SQL: aggregates over a union of direct grants and grants of groups.
    return queryRows(
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

  /** The dashboards that the members of a group may view through it, by id. */
  async ofGroup(
    organizationId: number,
    groupId: number,
    workspaceIds: readonly number[],
  ): Promise<GrantedDashboardRow[]> {
    const granted = this.db('dashboard_shares')
      .select('dashboard_id')
      .where({ organization_id: organizationId, group_id: groupId });
    return this.liveDashboards(workspaceIds)
      .select(...COLUMNS)
      .whereIn('dashboard_id', granted)
      .orderBy('dashboard_id');
  }

  /** The ids among these of dashboards that are in these workspaces and not deleted. */
  async grantable(
    organizationId: number,
    workspaceIds: readonly number[],
    dashboardIds: readonly number[],
  ): Promise<Set<number>> {
    const rows = await this.liveDashboards(workspaceIds)
      .select('dashboard_id')
      .where('organization_id', organizationId)
      .whereRaw('dashboard_id = ANY(?::bigint[])', [[...dashboardIds]]);
    return new Set(rows.map((row) => row.dashboard_id));
  }

  /** Replaces a user's direct grants. Returns null if the user does not exist. */
  replaceForUser(replacement: Replacement & { userId: number }): Promise<GrantChange | null> {
    return this.replace('user', replacement, replacement.userId);
  }

  /** Replaces a group's grants. Returns null if the group does not exist. */
  replaceForGroup(replacement: Replacement & { groupId: number }): Promise<GrantChange | null> {
    return this.replace('group', replacement, replacement.groupId);
  }

  private async replace(
    holder: 'user' | 'group',
    { organizationId, workspaceIds, dashboardIds }: Replacement,
    id: number,
  ): Promise<GrantChange | null> {
    const holderKey = holder === 'user' ? { user_id: id } : { group_id: id };
    // Locks the user or group: two replacements at the same time would leave the union of both.
    if ((await this.lockHolder(organizationId, holderKey)) === undefined) return null;
    // Withdraws grants of deleted dashboards too, since restoring the dashboard must not restore them.
    const withdrawable = this.db('dashboards')
      .select('dashboard_id')
      .whereRaw('workspace_id = ANY(?::bigint[])', [[...workspaceIds]])
      .whereRaw('NOT dashboard_id = ANY(?::bigint[])', [[...dashboardIds]]);
    const withdrawn = await this.db('dashboard_shares')
      .where({ organization_id: organizationId, ...holderKey })
      .whereIn('dashboard_id', withdrawable)
      .delete()
      .returning('dashboard_id');
    // Raw SQL: the builder has no INSERT … SELECT of typed columns.
    const granted = await queryRows<{ dashboard_id: number }>(
      this.db,
      `INSERT INTO dashboard_shares (organization_id, share_type, ${holder}_id, dashboard_id)
       SELECT d.organization_id, '${holder}', ?::bigint, d.dashboard_id FROM ${LIVE_DASHBOARDS}
       WHERE d.organization_id = ? AND d.workspace_id = ANY(?::bigint[]) AND d.dashboard_id = ANY(?::bigint[])
       ON CONFLICT DO NOTHING RETURNING dashboard_id`,
      [id, organizationId, workspaceIds, dashboardIds],
    );
    return { granted: sortedIds(granted), withdrawn: sortedIds(withdrawn) };
  }

  private async lockHolder(
    organizationId: number,
    recipient: { user_id: number } | { group_id: number },
  ): Promise<object | undefined> {
    if ('group_id' in recipient)
      return this.db('groups')
        .first('group_id')
        .where({ organization_id: organizationId, ...recipient })
        .forNoKeyUpdate();
    return this.db('users')
      .first('user_id')
      .where({ organization_id: organizationId, ...recipient })
      .whereNot('user_status', 0)
      .forNoKeyUpdate();
  }

  /** The dashboards of these workspaces, unless the dashboard or its workspace is deleted. */
  private liveDashboards(workspaceIds: readonly number[]) {
    const workspace = this.db('workspaces')
      .where('workspace_id', this.db.ref('dashboards.workspace_id'))
      .whereNull('deleted_at');
    return this.db('dashboards')
      .whereRaw('workspace_id = ANY(?::bigint[])', [[...workspaceIds]])
      .whereNull('deleted_at')
      .whereExists(workspace);
  }
}

/** As a FROM item `d`: dashboards of which neither they nor their workspace are deleted. */
const LIVE_DASHBOARDS = `(SELECT d.* FROM dashboards d JOIN workspaces w ON w.workspace_id = d.workspace_id
  WHERE d.deleted_at IS NULL AND w.deleted_at IS NULL) AS d`;

const sortedIds = (rows: { dashboard_id: number }[]): number[] =>
  rows.map((row) => row.dashboard_id).sort((a, b) => a - b);
