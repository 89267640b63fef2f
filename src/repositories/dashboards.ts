import type { Knex } from 'knex';
import type { Database } from '../db/connect.ts';
import type { DashboardShareTable, DashboardTable } from './tables/dashboards.ts';

const COLUMNS = [
  'dashboard_id',
  'organization_id',
  'workspace_id',
  'dashboard_name',
  'dashboard_description',
  'dashboard_slug',
  'dashboard_settings',
  'revision',
  'created_at',
  'updated_at',
] as const;

/** How a dashboard is open to everyone who has its address; null: not open. */
export type OpenShare = Extract<DashboardShareTable['share_type'], 'public' | 'password'> | null;

export type DashboardRow = Pick<DashboardTable, (typeof COLUMNS)[number]> & {
  organization_slug: string;
  open_share: OpenShare;
};

export type ListedDashboardRow = DashboardRow & { page_count: number; chart_count: number };

/** What a change may set. */
export type DashboardFields = Pick<
  DashboardTable,
  'workspace_id' | 'dashboard_name' | 'dashboard_description' | 'dashboard_slug' | 'dashboard_settings'
>;

export interface DashboardKey {
  organizationId: number;
  dashboardId: number;
}

/** The dashboards of one workspace, or those granted to one user, optionally limited to one workspace. */
type ListedOf = { workspaceId: number } | { userId: number; inWorkspaceId: number | null };

export interface DashboardListing {
  /** A part of the name or description, ignoring case. */
  search: string | null;
  beforeId: number | null;
  skip: number;
  limit: number;
}

/** Whether a dashboard `d` is granted to a user, directly or through a group. Binds the user twice. */
export const IS_GIVEN_TO = `EXISTS (SELECT 1 FROM dashboard_shares g WHERE g.dashboard_id = d.dashboard_id
  AND (g.user_id = ? OR g.group_id IN (SELECT m.group_id FROM group_members m WHERE m.user_id = ?)))`;

/** Dashboards of organizations. Deleted dashboards are never returned. */
export class DashboardRepository {
  constructor(private readonly db: Database) {}

  /** Newest first. Returns one row more than `limit` if there are more. */
  async list(
    organizationId: number,
    of: ListedOf,
    { search, beforeId, skip, limit }: DashboardListing,
  ): Promise<{ found: ListedDashboardRow[]; total: number }> {
    const { db } = this;
    const workspaceId = 'userId' in of ? of.inWorkspaceId : of.workspaceId;
    let matching = db('dashboards')
      .where({ organization_id: organizationId, deleted_at: null })
      .whereExists(
        db('workspaces').where('workspace_id', db.ref('dashboards.workspace_id')).whereNull('deleted_at'),
      );
    if ('userId' in of) matching = matching.whereExists(this.grantsOf(of.userId));
    if (workspaceId !== null) matching = matching.where('workspace_id', workspaceId);
    if (search !== null)
      matching = matching.whereRaw(
        `position(lower(?) IN lower(dashboard_name || ' ' || coalesce(dashboard_description, ''))) > 0`,
        [search],
      );
    const page = beforeId === null ? matching.clone() : matching.clone().where('dashboard_id', '<', beforeId);
    const found = await page
      .select<ListedDashboardRow[]>(
        ...this.selection(),
        this.ofDashboard('dashboard_pages').count().as('page_count') as Knex.QueryBuilder,
        this.ofDashboard('dashboard_charts').count().as('chart_count') as Knex.QueryBuilder,
      )
      .orderBy('dashboard_id', 'desc')
      .offset(skip)
      .limit(limit + 1);
    const [count] = await matching.count<{ count: number }[]>();
    return { found, total: count!.count };
  }

  async one({ organizationId, dashboardId }: DashboardKey): Promise<DashboardRow | null> {
    const row = await this.db('dashboards')
      .first<DashboardRow | undefined>(...this.selection())
      .where({ organization_id: organizationId, dashboard_id: dashboardId, deleted_at: null });
    return row ?? null;
  }

  /** As `one`. Locks the dashboard, and thereby its pages, charts and shares, against changes until the transaction ends. */
  async lock({ organizationId, dashboardId }: DashboardKey): Promise<DashboardRow | null> {
    const row = await this.db('dashboards')
      .first<DashboardRow | undefined>(...this.selection())
      .where({ organization_id: organizationId, dashboard_id: dashboardId, deleted_at: null })
      .forNoKeyUpdate('dashboards');
    return row ?? null;
  }

  /** The slugs of the organization that equal this one, or begin with it and a hyphen. */
  async slugsLike(organizationId: number, slug: string): Promise<Set<string>> {
    const rows = await this.db('dashboards')
      .select('dashboard_slug')
      .where({ organization_id: organizationId, deleted_at: null })
      .where((slugs) => {
        void slugs.where('dashboard_slug', slug).orWhereRaw('starts_with(dashboard_slug, ?)', [`${slug}-`]);
      });
    return new Set(rows.map((row) => row.dashboard_slug));
  }

  /** Returns the id of the new dashboard; null: the slug is in use. */
  async create(
    { organizationId, userId }: { organizationId: number; userId: number },
    fields: DashboardFields,
  ): Promise<number | null> {
    const [row] = await this.db('dashboards')
      .insert({ ...written(fields), organization_id: organizationId, created_by: userId })
      .onConflict(this.db.raw('(organization_id, dashboard_slug) WHERE deleted_at IS NULL'))
      .ignore()
      .returning('dashboard_id');
    return row?.dashboard_id ?? null;
  }

  async save({ organizationId, dashboardId }: DashboardKey, fields: DashboardFields): Promise<void> {
    await this.db('dashboards')
      .where({ organization_id: organizationId, dashboard_id: dashboardId })
      .update({
        ...written(fields),
        revision: this.db.raw('revision + 1'),
        updated_at: this.db.fn.now(),
      });
  }

  /** Records a change of the dashboard's pages or charts. */
  async incrementRevision({ organizationId, dashboardId }: DashboardKey): Promise<void> {
    await this.db('dashboards')
      .where({ organization_id: organizationId, dashboard_id: dashboardId })
      .update({ revision: this.db.raw('revision + 1'), updated_at: this.db.fn.now() });
  }

  /** Soft delete. Keeps the shares, which no longer open the dashboard. */
  async delete({ organizationId, dashboardId }: DashboardKey): Promise<void> {
    await this.db('dashboards')
      .where({ organization_id: organizationId, dashboard_id: dashboardId })
      .update({ deleted_at: this.db.fn.now() });
  }

  private selection() {
    const { db } = this;
    return [
      ...COLUMNS,
      db('organizations')
        .select('organization_slug')
        .where('organization_id', db.ref('dashboards.organization_id'))
        .as('organization_slug') as Knex.QueryBuilder,
      this.ofDashboard('dashboard_shares')
        .select('share_type')
        .whereIn('share_type', ['public', 'password'])
        .as('open_share'),
    ];
  }

  /** The shares of a dashboard with a user, directly or through a group. */
  private grantsOf(userId: number): Knex.QueryBuilder {
    const groupIds = this.db('group_members').select('group_id').where('user_id', userId);
    return this.ofDashboard('dashboard_shares').where((builder) => {
      void builder.where('user_id', userId).orWhereIn('group_id', groupIds);
    });
  }

  private ofDashboard(table: 'dashboard_pages' | 'dashboard_charts' | 'dashboard_shares'): Knex.QueryBuilder {
    return this.db(table).where(`${table}.dashboard_id`, this.db.ref('dashboards.dashboard_id'));
  }
}

const written = (fields: DashboardFields) => ({
  workspace_id: fields.workspace_id,
  dashboard_name: fields.dashboard_name,
  dashboard_description: fields.dashboard_description,
  dashboard_slug: fields.dashboard_slug,
  dashboard_settings: JSON.stringify(fields.dashboard_settings),
});
