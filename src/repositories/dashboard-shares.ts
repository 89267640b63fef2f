import { createHash } from 'node:crypto';
import type { Database } from '../db/connect.ts';
import { queryPreparedRows, queryRows } from '../db/rows.ts';
import { requireEntry, requireRow } from '../lib/require-value.ts';
import type { DashboardKey, OpenShare } from './dashboards.ts';
import { splitKeys } from './list-queries.ts';
import { HERE } from './response-data.ts';
import { qualifyColumns } from './tables/table.ts';
import type { DashboardShareTable, DashboardTable } from './tables/results.ts';
import type { OrganizationTable } from './tables/users.ts';

export const SHARE_TYPES = ['public', 'password', 'user', 'group'] as const;

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

const GRANT_COLUMNS = ['dashboard_id', 'dashboard_name', 'workspace_id'] as const;

export type GrantedDashboardRow = Pick<DashboardTable, (typeof GRANT_COLUMNS)[number]>;

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

/** Whom dashboards are shared with by name. */
export interface GrantHolder {
  type: 'user' | 'group';
  id: number;
}

export interface GrantReplacement {
  /** The workspaces that the caller may see. Grants in other workspaces stay as they are. */
  workspaceIds: readonly number[];
  /** Ignores dashboards that are deleted or in other workspaces. */
  dashboardIds: readonly number[];
}

/** As a FROM item `d`: dashboards of which neither they nor their workspace are deleted. */
const LIVE_DASHBOARDS = `(SELECT d.* FROM dashboards d JOIN workspaces w ON w.workspace_id = d.workspace_id
  WHERE d.deleted_at IS NULL AND w.deleted_at IS NULL) AS d`;

/** What decides whether a viewer may open a dashboard by its address, and whether a cached copy of it is current. */
export interface OpenDashboardRow
  extends
    Pick<DashboardShareTable, 'dashboard_id' | 'organization_id' | 'share_id' | 'password_hash'>,
    Pick<OrganizationTable, 'organization_name'> {
  share_type: NonNullable<OpenShare>;
  /** Differs whenever what is shown, or any data behind it, has changed. */
  version: string;
}

/** The surveys on a dashboard `d`, with their definitions and settings. */
const SURVEYS = `SELECT array_agg(s.survey_id ORDER BY s.survey_id) AS survey_ids,
    string_agg(concat_ws(' ', s.survey_id, s.survey_status, w.deleted_at, s.revision, s.columns_revision,
      s.is_anonymous, extract(epoch FROM s.survey_updated)), ';' ORDER BY s.survey_id) AS data
  FROM surveys s JOIN workspaces w ON w.workspace_id = s.workspace_id
  WHERE s.survey_id IN (SELECT c.survey_id FROM dashboard_charts c WHERE c.dashboard_id = d.dashboard_id)`;

const DEFINITION = `surveys.survey_ids, concat_ws(' ', d.dashboard_id, d.revision, o.organization_name, o.organization_slug, surveys.data) AS definition`;

/** Everything that a dashboard shows except responses. */
interface DashboardDefinition {
  definition: string;
  /** null: no surveys. */
  survey_ids: number[] | null;
}

/**
 * Which changes of a survey's responses are visible. A transaction that commits late has a lower id than others that are visible already.
 * Therefore the ids from the oldest running transaction (xmin) on are all listed; below xmin no further change can appear, so the newest
 * id represents all of them. Binds survey_id three times.
 */
const CHANGES = `SELECT concat_ws(' ', here.source,
    (SELECT changed_xid FROM responses
     WHERE survey_id = ? AND changed_in = here.response_table AND changed_xid < pg_snapshot_xmin(pg_current_snapshot())
     ORDER BY changed_xid DESC LIMIT 1),
    (SELECT string_agg(DISTINCT changed_xid::text, ',') FROM responses
     WHERE survey_id = ? AND changed_in = here.response_table AND changed_xid >= pg_snapshot_xmin(pg_current_snapshot()))) AS changes
  FROM ${HERE} AS here`;

/**
 * Who may view a dashboard besides the members of its workspace: the shares of one dashboard, the grants of a user or group across
 * dashboards, and dashboards opened by their address.
 */
export class DashboardShareRepository {
  constructor(private readonly db: Database) {}

  /** In the order of their creation, without the shares of deleted users. */
  async list(key: DashboardKey): Promise<DashboardShareRow[]> {
    return this.queryShares(key)
      .whereRaw('users.user_status IS DISTINCT FROM 0')
      .orderBy('dashboard_shares.share_id');
  }

  /** The share must exist. */
  async find(key: DashboardKey, shareId: number): Promise<DashboardShareRow> {
    const row = requireRow(
      await this.queryShares(key).where('dashboard_shares.share_id', shareId),
      'dashboard_shares',
    );
    return row;
  }

  /** Returns the id. The user or group must belong to the organization and have no share of this dashboard yet. */
  async add({ organizationId, dashboardId }: DashboardKey, share: NewShare): Promise<number> {
    const rows = await this.db('dashboard_shares')
      .insert({
        organization_id: organizationId,
        dashboard_id: dashboardId,
        share_type: share.type,
        password_hash: share.type === 'password' ? share.passwordHash : null,
        user_id: share.type === 'user' ? share.userId : null,
        group_id: share.type === 'group' ? share.groupId : null,
      })
      .returning('share_id');
    return requireRow(rows, 'dashboard_shares').share_id;
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

  private queryShares({ organizationId, dashboardId }: DashboardKey) {
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

  /** The dashboards that a user may view, by id. `workspaceIds` restricts them to these workspaces; null: all workspaces. */
  listGrantsOfUser(
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
  async listGrantsOfGroup(
    organizationId: number,
    groupId: number,
    workspaceIds: readonly number[],
  ): Promise<GrantedDashboardRow[]> {
    const granted = this.db('dashboard_shares')
      .select('dashboard_id')
      .where({ organization_id: organizationId, group_id: groupId });
    return this.queryLiveDashboards(workspaceIds)
      .select(...GRANT_COLUMNS)
      .whereIn('dashboard_id', granted)
      .orderBy('dashboard_id');
  }

  /** The ids among these of dashboards that are in these workspaces and not deleted. */
  async listGrantable(
    organizationId: number,
    workspaceIds: readonly number[],
    dashboardIds: readonly number[],
  ): Promise<Set<number>> {
    const rows = await this.queryLiveDashboards(workspaceIds)
      .select('dashboard_id')
      .where('organization_id', organizationId)
      .whereRaw('dashboard_id = ANY(?::bigint[])', [[...dashboardIds]]);
    return new Set(rows.map((row) => row.dashboard_id));
  }

  /** Replaces the direct grants of a user, or the grants of a group. Returns null if there is no such user or group. */
  async replaceGrants(
    organizationId: number,
    holder: GrantHolder,
    { workspaceIds, dashboardIds }: GrantReplacement,
  ): Promise<GrantChange | null> {
    const holderKey = holder.type === 'user' ? { user_id: holder.id } : { group_id: holder.id };
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
      `INSERT INTO dashboard_shares (organization_id, share_type, ${holder.type}_id, dashboard_id)
       SELECT d.organization_id, '${holder.type}', ?::bigint, d.dashboard_id FROM ${LIVE_DASHBOARDS}
       WHERE d.organization_id = ? AND d.workspace_id = ANY(?::bigint[]) AND d.dashboard_id = ANY(?::bigint[])
       ON CONFLICT DO NOTHING RETURNING dashboard_id`,
      [holder.id, organizationId, workspaceIds, dashboardIds],
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
  private queryLiveDashboards(workspaceIds: readonly number[]) {
    const workspace = this.db('workspaces')
      .where('workspace_id', this.db.ref('dashboards.workspace_id'))
      .whereNull('deleted_at');
    return this.db('dashboards')
      .whereRaw('workspace_id = ANY(?::bigint[])', [[...workspaceIds]])
      .whereNull('deleted_at')
      .whereExists(workspace);
  }

  /** Public and password-protected dashboards by their address, `organization-slug/dashboard-slug`. */
  async findOpen(addresses: string[]): Promise<Map<string, OpenDashboardRow>> {
    const [organizationSlugs, slugs] = splitKeys(addresses, '/');
    // Raw SQL: a planned statement of a hot path.
    const rows = await queryPreparedRows<
      Omit<OpenDashboardRow, 'version'> & DashboardDefinition & { address: string }
    >(
      this.db,
      'open_dashboards',
      `SELECT k.org_slug || '/' || k.slug AS address, d.dashboard_id, d.organization_id, o.organization_name,
              s.share_id, s.share_type, s.password_hash, ${DEFINITION}
       FROM unnest(?::text[], ?::text[]) AS k (org_slug, slug)
       JOIN organizations o ON o.organization_slug = k.org_slug
       JOIN dashboards d ON d.organization_id = o.organization_id AND d.dashboard_slug = k.slug AND d.deleted_at IS NULL
       JOIN workspaces dw ON dw.workspace_id = d.workspace_id AND dw.deleted_at IS NULL
       JOIN dashboard_shares s ON s.dashboard_id = d.dashboard_id AND s.share_type IN ('public', 'password')
       CROSS JOIN LATERAL (${SURVEYS}) AS surveys`,
      [organizationSlugs, slugs],
    );
    return new Map((await this.withVersions(rows)).map(({ address, ...row }) => [address, row]));
  }

  /** Versions by dashboard. The service has checked that the caller may view these dashboards. */
  async findVersions(dashboardIds: number[]): Promise<Map<number, string>> {
    // Raw SQL: a planned statement of a hot path.
    const rows = await queryPreparedRows<DashboardDefinition & { dashboard_id: number }>(
      this.db,
      'dashboard_versions',
      `SELECT d.dashboard_id, ${DEFINITION}
       FROM dashboards d JOIN organizations o ON o.organization_id = d.organization_id
       CROSS JOIN LATERAL (${SURVEYS}) AS surveys
       WHERE d.dashboard_id = ANY(?::bigint[])`,
      [dashboardIds],
    );
    return new Map((await this.withVersions(rows)).map((row) => [row.dashboard_id, row.version]));
  }

  /** Replaces the definitions by versions. Asks for each survey on its own, because surveys can be on different servers. */
  private async withVersions<Row extends DashboardDefinition>(
    dashboards: readonly Row[],
  ): Promise<(Omit<Row, keyof DashboardDefinition> & { version: string })[]> {
    const surveyIds = [...new Set(dashboards.flatMap((row) => row.survey_ids ?? []))];
    const changes = new Map(
      await Promise.all(surveyIds.map(async (id) => [id, await this.readChanges(id)] as const)),
    );
    return dashboards.map(({ definition, survey_ids: ids, ...row }) => {
      const parts = [definition, ...(ids ?? []).map((id) => requireEntry(changes, id, 'survey'))];
      return { ...row, version: createHash('md5').update(parts.join(';')).digest('hex') };
    });
  }

  private async readChanges(surveyId: number): Promise<string> {
    // Raw SQL: a planned statement of a hot path.
    const rows = await queryPreparedRows<{ changes: string }>(this.db, 'survey_changes', CHANGES, [
      surveyId,
      surveyId,
      surveyId,
    ]);
    return requireRow(rows, 'survey_changes').changes;
  }
}

const sortedIds = (rows: { dashboard_id: number }[]): number[] =>
  rows.map((row) => row.dashboard_id).sort((a, b) => a - b);
