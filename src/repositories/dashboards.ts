import type { Knex } from 'knex';
import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';
import { requireRow } from '../lib/require-value.ts';
import { type ContentListing, deletionCondition, listContent, updateOrder } from './list-queries.ts';
import { qualifyColumns } from './tables/table.ts';
import type {
  ChartPosition,
  DashboardChartTable,
  DashboardPageTable,
  DashboardShareTable,
  DashboardTable,
} from './tables/results.ts';

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
  'deleted_at',
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

/**
 * The dashboards of one workspace, those of it that were deleted after a time, or those granted to one user, optionally limited to one
 * workspace.
 */
type ListedOf =
  { workspaceId: number; deletedSince?: Date } | { userId: number; inWorkspaceId: number | null };

/** Whether a dashboard `d` is granted to a user, directly or through a group. Binds the user twice. */
export const IS_GIVEN_TO = `EXISTS (SELECT 1 FROM dashboard_shares g WHERE g.dashboard_id = d.dashboard_id
  AND (g.user_id = ? OR g.group_id IN (SELECT m.group_id FROM group_members m WHERE m.user_id = ?)))`;

const PAGE_COLUMNS = ['page_id', 'page_title'] as const;

export type DashboardPageRow = Pick<DashboardPageTable, (typeof PAGE_COLUMNS)[number]>;

const CHART_COLUMNS = [
  'chart_id',
  'page_id',
  'chart_type',
  'chart_title',
  'chart_config',
  'position',
  'survey_id',
] as const;

export type DashboardChartRow = Pick<DashboardChartTable, (typeof CHART_COLUMNS)[number]> & {
  /** The survey is deleted, or its workspace is. */
  survey_gone: boolean;
};

export type ChartFields = Omit<DashboardChartRow, 'chart_id' | 'survey_gone'>;

interface ChartPlacement {
  chartId: number;
  pageId: number;
  position: ChartPosition | null;
}

/**
 * Dashboards of organizations with their pages and charts. Deleted dashboards are returned only where a parameter asks for them. Callers
 * that change pages or charts hold the dashboard's lock.
 */
export class DashboardRepository {
  constructor(private readonly db: Database) {}

  /** Newest first. Returns one row more than `limit` if there are more. */
  async list(
    organizationId: number,
    of: ListedOf,
    listing: ContentListing,
  ): Promise<{ found: ListedDashboardRow[]; total: number }> {
    const { db } = this;
    const workspaceId = 'userId' in of ? of.inWorkspaceId : of.workspaceId;
    let matching = db('dashboards')
      .where({ organization_id: organizationId })
      .where(deletionCondition('deletedSince' in of ? of.deletedSince : undefined))
      .whereExists(
        db('workspaces').where('workspace_id', db.ref('dashboards.workspace_id')).whereNull('deleted_at'),
      );
    if ('userId' in of) matching = matching.whereExists(this.queryGrants(of.userId));
    if (workspaceId !== null) matching = matching.where('workspace_id', workspaceId);
    const selection = [
      ...this.selectDashboards(),
      this.queryParts('dashboard_pages').count().as('page_count') as Knex.QueryBuilder,
      this.queryParts('dashboard_charts').count().as('chart_count') as Knex.QueryBuilder,
    ];
    return listContent<ListedDashboardRow>({
      matching,
      type: 'dashboard',
      selection,
      contentListing: listing,
    });
  }

  async find(key: DashboardKey): Promise<DashboardRow | null> {
    return (await this.selectOne(key)) ?? null;
  }

  /** As `find`. Locks the dashboard, and thereby its pages, charts and shares, against changes until the transaction ends. */
  async lock(key: DashboardKey): Promise<DashboardRow | null> {
    return (await this.selectOne(key).forNoKeyUpdate('dashboards')) ?? null;
  }

  /** As `lock`, for a dashboard that was deleted after a time. */
  async lockDeleted(key: DashboardKey, deletedSince: Date): Promise<DashboardRow | null> {
    return (await this.selectOne(key, deletedSince).forNoKeyUpdate('dashboards')) ?? null;
  }

  private selectOne({ organizationId, dashboardId }: DashboardKey, deletedSince?: Date) {
    return this.db('dashboards')
      .first<DashboardRow | undefined>(...this.selectDashboards())
      .where({ organization_id: organizationId, dashboard_id: dashboardId })
      .where(deletionCondition(deletedSince));
  }

  /** The slugs of the organization that equal this one, or begin with it and a hyphen. */
  async listSlugsLike(organizationId: number, slug: string): Promise<Set<string>> {
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

  async update({ organizationId, dashboardId }: DashboardKey, fields: DashboardFields): Promise<void> {
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

  /** Hides the dashboard until it is restored. Keeps the shares, which no longer open the dashboard. */
  async delete({ organizationId, dashboardId }: DashboardKey, now: Date): Promise<void> {
    await this.db('dashboards')
      .where({ organization_id: organizationId, dashboard_id: dashboardId })
      .update({ deleted_at: now });
  }

  /** The caller holds the lock and has checked that the slug is free; a concurrent request can still take it (`slug_taken`). */
  async restore({ organizationId, dashboardId }: DashboardKey, slug: string): Promise<void> {
    await this.db('dashboards')
      .where({ organization_id: organizationId, dashboard_id: dashboardId })
      .update({
        deleted_at: null,
        dashboard_slug: slug,
        revision: this.db.raw('revision + 1'),
        updated_at: this.db.fn.now(),
      });
  }

  private selectDashboards() {
    const { db } = this;
    return [
      ...COLUMNS,
      db('organizations')
        .select('organization_slug')
        .where('organization_id', db.ref('dashboards.organization_id'))
        .as('organization_slug') as Knex.QueryBuilder,
      this.queryParts('dashboard_shares')
        .select('share_type')
        .whereIn('share_type', ['public', 'password'])
        .as('open_share'),
    ];
  }

  /** The shares of a dashboard with a user, directly or through a group. */
  private queryGrants(userId: number): Knex.QueryBuilder {
    const groupIds = this.db('group_members').select('group_id').where('user_id', userId);
    return this.queryParts('dashboard_shares').where((builder) => {
      void builder.where('user_id', userId).orWhereIn('group_id', groupIds);
    });
  }

  private queryParts(table: 'dashboard_pages' | 'dashboard_charts' | 'dashboard_shares'): Knex.QueryBuilder {
    return this.db(table).where(`${table}.dashboard_id`, this.db.ref('dashboards.dashboard_id'));
  }

  /** In the order of the dashboard. */
  async listPages({ organizationId, dashboardId }: DashboardKey): Promise<DashboardPageRow[]> {
    return this.db('dashboard_pages')
      .select(...PAGE_COLUMNS)
      .where({ organization_id: organizationId, dashboard_id: dashboardId })
      .orderBy(['page_order', 'page_id']);
  }

  /** Adds a page after the last one. */
  async addPage(
    { organizationId, dashboardId }: DashboardKey,
    title: string | null,
  ): Promise<DashboardPageRow> {
    const rows = await this.db('dashboard_pages')
      .insert({
        organization_id: organizationId,
        dashboard_id: dashboardId,
        page_order: this.db.raw(
          '(SELECT coalesce(max(page_order), 0) + 1 FROM dashboard_pages WHERE dashboard_id = ?)',
          [dashboardId],
        ),
        page_title: title,
      })
      .returning([...PAGE_COLUMNS]);
    return requireRow(rows, 'dashboard_pages');
  }

  async setPageTitle(
    { organizationId, dashboardId }: DashboardKey,
    pageId: number,
    title: string | null,
  ): Promise<void> {
    await this.db('dashboard_pages')
      .where({ organization_id: organizationId, dashboard_id: dashboardId, page_id: pageId })
      .update({ page_title: title });
  }

  /** Deletes a page with its charts. */
  async removePage({ organizationId, dashboardId }: DashboardKey, pageId: number): Promise<void> {
    const key = { organization_id: organizationId, dashboard_id: dashboardId, page_id: pageId };
    await this.db('dashboard_charts').where(key).delete();
    await this.db('dashboard_pages').where(key).delete();
  }

  /** `pageIds`: every page of the dashboard, in the new order. */
  async setPageOrder(
    { organizationId, dashboardId }: DashboardKey,
    pageIds: readonly number[],
  ): Promise<void> {
    const owner = { organization_id: organizationId, dashboard_id: dashboardId };
    await updateOrder(
      this.db,
      { table: 'dashboard_pages', idColumn: 'page_id', orderColumn: 'page_order', owner },
      pageIds,
    );
  }

  /** In the order of the pages, and within a page in the order of its charts. */
  async listCharts({ organizationId, dashboardId }: DashboardKey): Promise<DashboardChartRow[]> {
    return this.db('dashboard_charts')
      .join('dashboard_pages', 'dashboard_pages.page_id', 'dashboard_charts.page_id')
      .select<DashboardChartRow[]>(...this.selectCharts())
      .where('dashboard_charts.organization_id', organizationId)
      .where('dashboard_charts.dashboard_id', dashboardId)
      .orderBy([
        'dashboard_pages.page_order',
        'dashboard_pages.page_id',
        'dashboard_charts.chart_order',
        'dashboard_charts.chart_id',
      ]);
  }

  /** The charts of these ids by id, on any dashboard of the organization that is not deleted. */
  async findCharts(
    organizationId: number,
    chartIds: readonly number[],
  ): Promise<Map<number, DashboardChartRow & { dashboard_id: number }>> {
    const rows = await this.db('dashboard_charts')
      .join('dashboards', 'dashboards.dashboard_id', 'dashboard_charts.dashboard_id')
      .join('workspaces', 'workspaces.workspace_id', 'dashboards.workspace_id')
      .select<(DashboardChartRow & { dashboard_id: number })[]>(
        'dashboard_charts.dashboard_id',
        ...this.selectCharts(),
      )
      .where('dashboard_charts.organization_id', organizationId)
      .whereRaw('dashboard_charts.chart_id = ANY(?::bigint[])', [[...chartIds]])
      .whereNull('dashboards.deleted_at')
      .whereNull('workspaces.deleted_at');
    return new Map(rows.map((row) => [row.chart_id, row]));
  }

  /** Adds a chart after the last one. Returns its id. */
  async addChart({ organizationId, dashboardId }: DashboardKey, chart: ChartFields): Promise<number> {
    const rows = await this.db('dashboard_charts')
      .insert({
        ...writtenChart(chart),
        organization_id: organizationId,
        dashboard_id: dashboardId,
        chart_order: this.db.raw(
          '(SELECT coalesce(max(chart_order), 0) + 1 FROM dashboard_charts WHERE dashboard_id = ?)',
          [dashboardId],
        ),
      })
      .returning('chart_id');
    return requireRow(rows, 'dashboard_charts').chart_id;
  }

  async updateChart(
    { organizationId, dashboardId }: DashboardKey,
    chartId: number,
    chart: ChartFields,
  ): Promise<void> {
    await this.db('dashboard_charts')
      .where({ organization_id: organizationId, dashboard_id: dashboardId, chart_id: chartId })
      .update(writtenChart(chart));
  }

  async removeChart({ organizationId, dashboardId }: DashboardKey, chartId: number): Promise<void> {
    await this.db('dashboard_charts')
      .where({ organization_id: organizationId, dashboard_id: dashboardId, chart_id: chartId })
      .delete();
  }

  /** Moves charts to these pages and positions, in the order of the list. */
  async setChartPlacements(
    { organizationId, dashboardId }: DashboardKey,
    placements: readonly ChartPlacement[],
  ): Promise<void> {
    const records = placements.map(({ chartId, pageId, position }, index) => ({
      chart_id: chartId,
      page_id: pageId,
      position,
      chart_order: index + 1,
    }));
    // Raw SQL: updates many rows with different values in one statement.
    await queryCount(
      this.db,
      `UPDATE dashboard_charts c
       SET page_id = given.page_id, chart_order = given.chart_order, position = nullif(given.position, 'null')
       FROM jsonb_to_recordset(?::jsonb) AS given (chart_id bigint, page_id bigint, position jsonb, chart_order integer)
       WHERE c.organization_id = ? AND c.dashboard_id = ? AND c.chart_id = given.chart_id`,
      [JSON.stringify(records), organizationId, dashboardId],
    );
  }

  /** The survey of a question; null: the organization has no such question. */
  async findSurveyOfQuestion(organizationId: number, questionId: number): Promise<number | null> {
    const row = await this.db('questions')
      .first('survey_id')
      .where({ organization_id: organizationId, question_id: questionId });
    return row?.survey_id ?? null;
  }

  private selectCharts(): (string | Knex.Raw)[] {
    const survey = this.db('surveys')
      .join('workspaces', 'workspaces.workspace_id', 'surveys.workspace_id')
      .where('surveys.survey_id', this.db.ref('dashboard_charts.survey_id'))
      .whereNot('surveys.survey_status', 0)
      .whereNull('workspaces.deleted_at');
    return [
      ...qualifyColumns('dashboard_charts', CHART_COLUMNS),
      this.db.raw('dashboard_charts.survey_id IS NOT NULL AND NOT EXISTS ? AS survey_gone', [survey]),
    ];
  }
}

const written = (fields: DashboardFields) => ({
  workspace_id: fields.workspace_id,
  dashboard_name: fields.dashboard_name,
  dashboard_description: fields.dashboard_description,
  dashboard_slug: fields.dashboard_slug,
  dashboard_settings: JSON.stringify(fields.dashboard_settings),
});

const writtenChart = (chart: ChartFields) => ({
  page_id: chart.page_id,
  chart_type: chart.chart_type,
  chart_title: chart.chart_title,
  chart_config: JSON.stringify(chart.chart_config),
  position: chart.position === null ? null : JSON.stringify(chart.position),
  survey_id: chart.survey_id,
});
