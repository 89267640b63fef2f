import type { Knex } from 'knex';
import type { Database } from '../db/connect.ts';
import { queryCount, queryRows } from '../db/rows.ts';
import type { Actor } from '../domain/access/caller.ts';
import { countRows, type IdPage, selectIdPage } from './list-queries.ts';
import { qualifyColumns } from './tables/table.ts';
import type { AuditLogTable } from './tables/users.ts';
import type { MovableType } from './workspaces.ts';

export interface AuditEntry {
  by: Actor;
  /** Object and past participle, as `survey.published`. */
  action: string;
  objectType: string;
  objectId: string | number | null;
  /** Counts and names only: no bodies, no answers, no secrets. */
  details?: Record<string, unknown>;
}

const COLUMNS = [
  'audit_id',
  'happened_at',
  'user_id',
  'action',
  'object_type',
  'object_id',
  'details',
  'credential',
  'address',
  'request_id',
] as const;

export type AuditRow = Pick<AuditLogTable, (typeof COLUMNS)[number]> & {
  /** null: the installation itself. */
  user_name: string | null;
};

/** The filters of a search; null: no filter. */
export interface AuditSearch {
  userId: number | null;
  /** One action as `survey.published`, or all actions of `survey`. */
  action: string | null;
  objectType: string | null;
  objectId: string | null;
  from: Date | null;
  until: Date | null;
}

export class AuditRepository {
  constructor(private readonly db: Database) {}

  /** Newest first. Returns one row more than `limit` if there are more. */
  async list(organizationId: number, search: AuditSearch, page: IdPage): Promise<AuditRow[]> {
    return selectIdPage(
      this.selectEntries().where((matches) => filterEntries(matches, organizationId, search)),
      { idColumn: 'audit_log.audit_id', order: 'newest_first' },
      page,
    );
  }

  /** null: the organization has no such entry. */
  async find(organizationId: number, auditId: number): Promise<AuditRow | null> {
    const [row] = await this.selectEntries()
      .where('audit_log.organization_id', organizationId)
      .where('audit_log.audit_id', auditId);
    return row ?? null;
  }

  /** The workspace that the object's newest move names as `seen_by_workspace_id`; null: none. */
  async findMoveAudience(
    organizationId: number,
    objectType: MovableType,
    objectId: number,
  ): Promise<number | null> {
    const row = await this.db('audit_log')
      .first<{ workspace_id: number | null } | undefined>(
        this.db.raw("(details ->> 'seen_by_workspace_id')::int AS workspace_id"),
      )
      .where({
        organization_id: organizationId,
        object_type: objectType,
        object_id: String(objectId),
        action: `${objectType}.moved`,
      })
      .orderBy('audit_id', 'desc');
    return row?.workspace_id ?? null;
  }

  /** The same for all objects in a workspace that are not deleted, each workspace once. */
  async listMoveAudiences(organizationId: number, workspaceId: number): Promise<number[]> {
    // Raw SQL: joins the newest move of each object with a union of three tables.
    const rows = await queryRows<{ workspace_id: number }>(
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
    return countRows(this.db('audit_log').where((matches) => filterEntries(matches, organizationId, search)));
  }

  async record(entry: AuditEntry): Promise<void> {
    const { origin } = entry.by;
    await this.db('audit_log').insert({
      organization_id: entry.by.organizationId,
      user_id: entry.by.userId,
      action: entry.action,
      object_type: entry.objectType,
      object_id: entry.objectId === null ? null : String(entry.objectId),
      details: entry.details === undefined ? null : JSON.stringify(entry.details),
      credential: origin?.credential ?? null,
      credential_id: origin?.credentialId ?? null,
      request_id: origin?.requestId ?? null,
      address: origin?.address ?? null,
    });
  }

  /** Records in every organization what the installation itself or the command line did. */
  async recordForAll(entry: Omit<AuditEntry, 'by'>): Promise<void> {
    // Raw SQL: the builder has no typed INSERT ... SELECT.
    await queryCount(
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

  private selectEntries() {
    return this.db('audit_log')
      .leftJoin('users', 'users.user_id', 'audit_log.user_id')
      .select<AuditRow[]>(...qualifyColumns('audit_log', COLUMNS), 'users.user_name');
  }
}

function filterEntries(query: Knex.QueryBuilder, organizationId: number, search: AuditSearch): void {
  const { userId, action, objectType, objectId, from, until } = search;
  void query.where('audit_log.organization_id', organizationId);
  if (userId !== null) void query.where('audit_log.user_id', userId);
  if (action !== null)
    void query.whereRaw("(audit_log.action = ? OR starts_with(audit_log.action, ? || '.'))", [
      action,
      action,
    ]);
  if (objectType !== null) void query.where('audit_log.object_type', objectType);
  if (objectId !== null) void query.where('audit_log.object_id', objectId);
  if (from !== null) void query.where('audit_log.happened_at', '>=', from);
  if (until !== null) void query.where('audit_log.happened_at', '<', until);
}
