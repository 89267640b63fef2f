import type { Database } from '../db/connect.ts';
import { queryPreparedRows } from '../db/rows.ts';
import type { OpenShare } from './dashboards.ts';

/** What decides whether a viewer may open a dashboard by its address, and whether a cached copy of it is current. */
export interface OpenDashboardRow {
  dashboard_id: number;
  organization_id: number;
  organization_name: string;
  share_id: number;
  share_type: NonNullable<OpenShare>;
  /** Of a password share. */
  password_hash: string | null;
  /** Differs whenever what is shown, or any data behind it, has changed. */
  version: string;
}

/**
 * For each survey on a dashboard: its definition, its settings, and which changes of its responses are visible. A transaction that
 * commits late has a lower id than others that are visible already. Therefore the ids from the oldest running transaction (xmin) on are
 * all listed; below xmin no further change can appear, so the newest id represents all of them.
 */
const SURVEYS = `SELECT string_agg(concat_ws(' ', s.survey_id, s.survey_status, w.deleted_at, s.revision, s.columns_revision,
    s.is_anonymous, extract(epoch FROM s.survey_updated), data.settled, data.recent), ';' ORDER BY s.survey_id) AS data
  FROM surveys s JOIN workspaces w ON w.workspace_id = s.workspace_id
  CROSS JOIN LATERAL (
    SELECT (SELECT r.changed_xid FROM responses r
            WHERE r.survey_id = s.survey_id AND r.changed_xid < pg_snapshot_xmin(pg_current_snapshot())
            ORDER BY r.changed_xid DESC LIMIT 1) AS settled,
           (SELECT string_agg(DISTINCT r.changed_xid::text, ',') FROM responses r
            WHERE r.survey_id = s.survey_id AND r.changed_xid >= pg_snapshot_xmin(pg_current_snapshot())) AS recent
  ) AS data
  WHERE s.survey_id IN (SELECT c.survey_id FROM dashboard_charts c WHERE c.dashboard_id = d.dashboard_id)`;

const VERSION = `md5(concat_ws(' ', d.dashboard_id, d.revision, o.organization_name, o.organization_slug, surveys.data))`;

/** Dashboards with the version of everything that they show, in one round trip for all concurrent requests. */
export class DashboardVersionRepository {
  constructor(private readonly db: Database) {}

  /** Public and password-protected dashboards by their address, `organization-slug/dashboard-slug`. */
  async open(addresses: string[]): Promise<Map<string, OpenDashboardRow>> {
    const parts = addresses.map((address) => address.split('/'));
    // Raw SQL: a planned statement of a hot path.
    const rows = await queryPreparedRows<OpenDashboardRow & { address: string }>(
      this.db,
      'open_dashboards',
      `SELECT k.org_slug || '/' || k.slug AS address, d.dashboard_id, d.organization_id, o.organization_name,
              s.share_id, s.share_type, s.password_hash, ${VERSION} AS version
       FROM unnest(?::text[], ?::text[]) AS k (org_slug, slug)
       JOIN organizations o ON o.organization_slug = k.org_slug
       JOIN dashboards d ON d.organization_id = o.organization_id AND d.dashboard_slug = k.slug AND d.deleted_at IS NULL
       JOIN workspaces dw ON dw.workspace_id = d.workspace_id AND dw.deleted_at IS NULL
       JOIN dashboard_shares s ON s.dashboard_id = d.dashboard_id AND s.share_type IN ('public', 'password')
       CROSS JOIN LATERAL (${SURVEYS}) AS surveys`,
      [parts.map(([orgSlug]) => orgSlug!), parts.map(([, slug]) => slug!)],
    );
    return new Map(rows.map(({ address, ...row }) => [address, row]));
  }

  /** Versions by dashboard. The service has checked that the caller may view these dashboards. */
  async versions(dashboardIds: number[]): Promise<Map<number, string>> {
    // Raw SQL: a planned statement of a hot path.
    const rows = await queryPreparedRows<{ dashboard_id: number; version: string }>(
      this.db,
      'dashboard_versions',
      `SELECT d.dashboard_id, ${VERSION} AS version
       FROM dashboards d JOIN organizations o ON o.organization_id = d.organization_id
       CROSS JOIN LATERAL (${SURVEYS}) AS surveys
       WHERE d.dashboard_id = ANY(?::bigint[])`,
      [dashboardIds],
    );
    return new Map(rows.map((row) => [row.dashboard_id, row.version]));
  }
}
