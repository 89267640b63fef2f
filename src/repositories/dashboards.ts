import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';

/** How a dashboard is open to everybody who has its address; null: not at all. */
export type OpenShare = 'public' | 'password' | null;

export interface DashboardRow {
  dashboard_id: number;
  organization_id: number;
  workspace_id: number;
  dashboard_name: string;
  dashboard_description: string | null;
  dashboard_slug: string;
  /** Only what was chosen; see domain/charts/dashboard-settings.ts. */
  dashboard_settings: Record<string, unknown>;
  /** Raised by every change of what is shown. */
  revision: number;
  created_at: Date;
  updated_at: Date;
  organization_slug: string;
  open_share: OpenShare;
}

export type ListedDashboardRow = DashboardRow & { page_count: number; chart_count: number };

/** What a change may set. */
export type DashboardFields = Pick<
  DashboardRow,
  'workspace_id' | 'dashboard_name' | 'dashboard_description' | 'dashboard_slug' | 'dashboard_settings'
>;

export interface DashboardKey {
  organizationId: number;
  dashboardId: number;
}

/** Of one workspace, or what one user was given: all of it, or what lies in one workspace. */
type ListedOf = { workspaceId: number } | { userId: number; within: number | null };

export interface DashboardListing {
  /** A part of the name or description, ignoring case. */
  search: string | null;
  beforeId: number | null;
  skip: number;
  limit: number;
}

const COLUMNS = `d.dashboard_id, d.organization_id, d.workspace_id, d.dashboard_name, d.dashboard_description, d.dashboard_slug,
  d.dashboard_settings, d.revision, d.created_at, d.updated_at,
  (SELECT o.organization_slug FROM organizations o WHERE o.organization_id = d.organization_id) AS organization_slug,
  (SELECT s.share_type FROM dashboard_shares s
   WHERE s.dashboard_id = d.dashboard_id AND s.share_type IN ('public', 'password')) AS open_share`;
const COUNTS = `(SELECT count(*) FROM dashboard_pages p WHERE p.dashboard_id = d.dashboard_id) AS page_count,
  (SELECT count(*) FROM dashboard_charts c WHERE c.dashboard_id = d.dashboard_id) AS chart_count`;

/** Given to a user themselves or to a group of theirs; binds the user twice. */
export const IS_GIVEN_TO = `EXISTS (SELECT 1 FROM dashboard_shares g WHERE g.dashboard_id = d.dashboard_id
  AND (g.user_id = ? OR g.group_id IN (SELECT m.group_id FROM group_members m WHERE m.user_id = ?)))`;

export class DashboardRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Newest first, and one more than `limit` where there is more. */
  async list(
    organizationId: number,
    of: ListedOf,
    { search, beforeId, skip, limit }: DashboardListing,
  ): Promise<{ found: ListedDashboardRow[]; total: number }> {
    const isGiven = 'userId' in of;
    const ours = isGiven
      ? `${IS_GIVEN_TO} AND (?::bigint IS NULL OR d.workspace_id = ?)`
      : 'd.workspace_id = ?';
    const bound = isGiven ? [of.userId, of.userId, of.within, of.within] : [of.workspaceId];
    const from = `FROM dashboards d JOIN workspaces w ON w.workspace_id = d.workspace_id AND w.deleted_at IS NULL
      WHERE d.organization_id = ? AND d.deleted_at IS NULL AND ${ours}
        AND (?::text IS NULL
             OR position(lower(?) IN lower(d.dashboard_name || ' ' || coalesce(d.dashboard_description, ''))) > 0)`;
    const matching = [organizationId, ...bound, search, search];
    const found = await rowsOf<ListedDashboardRow>(
      this.db,
      `SELECT ${COLUMNS}, ${COUNTS} ${from} AND (?::bigint IS NULL OR d.dashboard_id < ?)
       ORDER BY d.dashboard_id DESC OFFSET ? LIMIT ?`,
      [...matching, beforeId, beforeId, skip, limit + 1],
    );
    const count = await rowOf<{ count: number }>(this.db, `SELECT count(*) ${from}`, matching);
    return { found, total: count!.count };
  }

  one({ organizationId, dashboardId }: DashboardKey): Promise<DashboardRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS} FROM dashboards d WHERE d.organization_id = ? AND d.dashboard_id = ? AND d.deleted_at IS NULL`,
      [organizationId, dashboardId],
    );
  }

  /** As one; until the transaction ends nobody else changes the dashboard or what is on it. */
  lock({ organizationId, dashboardId }: DashboardKey): Promise<DashboardRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS} FROM dashboards d
       WHERE d.organization_id = ? AND d.dashboard_id = ? AND d.deleted_at IS NULL FOR NO KEY UPDATE OF d`,
      [organizationId, dashboardId],
    );
  }

  /** Those of the organization's slugs that are this one, or this one with a number after it. */
  async slugsLike(organizationId: number, slug: string): Promise<Set<string>> {
    const rows = await rowsOf<{ dashboard_slug: string }>(
      this.db,
      `SELECT dashboard_slug FROM dashboards
       WHERE organization_id = ? AND deleted_at IS NULL
         AND (dashboard_slug = ? OR starts_with(dashboard_slug, ? || '-'))`,
      [organizationId, slug, slug],
    );
    return new Set(rows.map((row) => row.dashboard_slug));
  }

  /** null: the slug is taken. */
  async create(
    { organizationId, userId }: { organizationId: number; userId: number },
    fields: DashboardFields,
  ): Promise<number | null> {
    const row = await rowOf<{ dashboard_id: number }>(
      this.db,
      `INSERT INTO dashboards (organization_id, workspace_id, dashboard_name, dashboard_description, dashboard_slug,
         dashboard_settings, created_by)
       VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (organization_id, dashboard_slug) WHERE deleted_at IS NULL DO NOTHING RETURNING dashboard_id`,
      [
        organizationId,
        fields.workspace_id,
        fields.dashboard_name,
        fields.dashboard_description,
        fields.dashboard_slug,
        JSON.stringify(fields.dashboard_settings),
        userId,
      ],
    );
    return row?.dashboard_id ?? null;
  }

  async save({ organizationId, dashboardId }: DashboardKey, fields: DashboardFields): Promise<void> {
    await countOf(
      this.db,
      `UPDATE dashboards SET workspace_id = ?, dashboard_name = ?, dashboard_description = ?, dashboard_slug = ?,
         dashboard_settings = ?, revision = revision + 1, updated_at = now()
       WHERE organization_id = ? AND dashboard_id = ?`,
      [
        fields.workspace_id,
        fields.dashboard_name,
        fields.dashboard_description,
        fields.dashboard_slug,
        JSON.stringify(fields.dashboard_settings),
        organizationId,
        dashboardId,
      ],
    );
  }

  /** What is on it was changed. */
  async raiseRevision({ organizationId, dashboardId }: DashboardKey): Promise<void> {
    await countOf(
      this.db,
      `UPDATE dashboards SET revision = revision + 1, updated_at = now() WHERE organization_id = ? AND dashboard_id = ?`,
      [organizationId, dashboardId],
    );
  }

  /** Its shares stay with it, out of reach. */
  async delete({ organizationId, dashboardId }: DashboardKey): Promise<void> {
    await countOf(
      this.db,
      `UPDATE dashboards SET deleted_at = now() WHERE organization_id = ? AND dashboard_id = ?`,
      [organizationId, dashboardId],
    );
  }
}
