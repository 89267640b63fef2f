import type { Database } from '../db/connect.ts';
import type { Actor } from '../domain/access/actor.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { MovableType } from './workspaces.ts';

export interface AuditEntry {
  by: Actor;
  /** What was done, as `survey.published`. */
  action: string;
  objectType: string;
  objectId: string | number | null;
  /** Counts and names only: no bodies, no answers, no secrets. */
  details?: Record<string, unknown>;
}

export interface AuditRow {
  audit_id: number;
  happened_at: Date;
  user_id: number | null;
  /** null: the installation itself. */
  user_name: string | null;
  action: string;
  object_type: string;
  object_id: string | null;
  details: Record<string, unknown> | null;
  credential: string | null;
  address: string | null;
  request_id: string | null;
}

/** What to look for; null: anything. */
export interface AuditSearch {
  userId: number | null;
  /** As `survey.published`, or all of `survey`. */
  action: string | null;
  objectType: string | null;
  objectId: string | null;
  from: Date | null;
  until: Date | null;
}

export class AuditRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Newest first, and one more than `limit` where there is more. */
  find(
    organizationId: number,
    search: AuditSearch,
    { beforeId, skip, limit }: { beforeId: number | null; skip: number; limit: number },
  ): Promise<AuditRow[]> {
    return rowsOf(
      this.db,
      `${ROWS} WHERE ${MATCHES} AND (?::bigint IS NULL OR a.audit_id < ?)
       ORDER BY a.audit_id DESC OFFSET ? LIMIT ?`,
      [...matching(organizationId, search), beforeId, beforeId, skip, limit + 1],
    );
  }

  /** null: the organization has no such entry. */
  one(organizationId: number, auditId: number): Promise<AuditRow | null> {
    return rowOf(this.db, `${ROWS} WHERE a.organization_id = ? AND a.audit_id = ?`, [
      organizationId,
      auditId,
    ]);
  }

  /** The workspace that the object's newest move names as `seen_by_workspace_id`; null: none. */
  async audienceKeptFor(
    organizationId: number,
    objectType: MovableType,
    objectId: number,
  ): Promise<number | null> {
    const row = await rowOf<{ workspace_id: number | null }>(
      this.db,
      `SELECT (details ->> 'seen_by_workspace_id')::int AS workspace_id FROM audit_log
       WHERE organization_id = ? AND object_type = ? AND object_id = ? AND action = object_type || '.moved'
       ORDER BY audit_id DESC LIMIT 1`,
      [organizationId, objectType, String(objectId)],
    );
    return row?.workspace_id ?? null;
  }

  /** The same for all live objects in a workspace, each workspace once. */
  async audiencesKeptIn(organizationId: number, workspaceId: number): Promise<number[]> {
    const rows = await rowsOf<{ workspace_id: number }>(
      this.db,
      `SELECT DISTINCT newest.workspace_id FROM (
         SELECT DISTINCT ON (object_type, object_id) object_type, object_id::bigint AS object_id,
                (details ->> 'seen_by_workspace_id')::int AS workspace_id
         FROM audit_log
         WHERE organization_id = ? AND object_type IN ('survey', 'dashboard', 'report') AND action = object_type || '.moved'
         ORDER BY object_type, object_id, audit_id DESC) newest
       JOIN (
         SELECT 'survey' AS object_type, survey_id AS object_id, workspace_id FROM surveys WHERE survey_status <> 0
         UNION ALL SELECT 'dashboard', dashboard_id, workspace_id FROM dashboards WHERE deleted_at IS NULL
         UNION ALL SELECT 'report', report_id, workspace_id FROM reports WHERE deleted_at IS NULL) live
         ON live.object_type = newest.object_type AND live.object_id = newest.object_id AND live.workspace_id = ?
       WHERE newest.workspace_id IS NOT NULL`,
      [organizationId, workspaceId],
    );
    return rows.map((row) => row.workspace_id);
  }

  async count(organizationId: number, search: AuditSearch): Promise<number> {
    const row = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM audit_log a WHERE ${MATCHES}`,
      matching(organizationId, search),
    );
    return row!.count;
  }

  async record(entry: AuditEntry): Promise<void> {
    const { origin } = entry.by;
    await countOf(
      this.db,
      `INSERT INTO audit_log (organization_id, user_id, action, object_type, object_id, details,
                              credential, credential_id, request_id, address)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        entry.by.organizationId,
        entry.by.userId,
        entry.action,
        entry.objectType,
        entry.objectId === null ? null : String(entry.objectId),
        entry.details === undefined ? null : JSON.stringify(entry.details),
        origin?.credential ?? null,
        origin?.credentialId ?? null,
        origin?.requestId ?? null,
        origin?.address ?? null,
      ],
    );
  }

  /** What concerns every organization, done by the installation itself or on the command line. */
  async recordForAll(entry: Omit<AuditEntry, 'by'>): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO audit_log (organization_id, action, object_type, object_id, details)
       SELECT organization_id, ?, ?, ?, ?::jsonb FROM organizations`,
      [
        entry.action,
        entry.objectType,
        entry.objectId === null ? null : String(entry.objectId),
        entry.details === undefined ? null : JSON.stringify(entry.details),
      ],
    );
  }
}

const ROWS = `SELECT a.audit_id, a.happened_at, a.user_id, u.user_name, a.action, a.object_type, a.object_id, a.details,
    a.credential, a.address, a.request_id
  FROM audit_log a LEFT JOIN users u ON u.user_id = a.user_id`;

const MATCHES = `a.organization_id = ?
  AND (?::bigint IS NULL OR a.user_id = ?)
  AND (?::text IS NULL OR a.action = ? OR starts_with(a.action, ? || '.'))
  AND (?::text IS NULL OR a.object_type = ?)
  AND (?::text IS NULL OR a.object_id = ?)
  AND (?::timestamptz IS NULL OR a.happened_at >= ?)
  AND (?::timestamptz IS NULL OR a.happened_at < ?)`;

function matching(organizationId: number, search: AuditSearch): (number | string | Date | null)[] {
  const { userId, action, objectType, objectId, from, until } = search;
  return [
    organizationId,
    ...[userId, userId],
    ...[action, action, action],
    ...[objectType, objectType],
    ...[objectId, objectId],
    ...[from, from],
    ...[until, until],
  ];
}
