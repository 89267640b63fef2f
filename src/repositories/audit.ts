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

/** What a move between workspaces decided about who must keep seeing the object. */
export interface MoveState {
  /** An editor moved it: the workspace whose audience must keep seeing it; null: none. */
  seenByWorkspaceId: number | null;
  /** An admin moved it, so the owner of its workspace decides about it. */
  isHandedOver: boolean;
}

const MOVE_STATE = `(details ->> 'seen_by_workspace_id')::int AS seen_by_workspace_id,
  coalesce((details ->> 'handed_over')::boolean, false) AS is_handed_over`;

/** A survey, dashboard or report with its author and its newest move. */
export interface WorkspaceObjectRow {
  object_type: MovableType;
  object_id: number;
  object_name: string;
  /** null: unknown, in a dashboard of an early version. */
  created_by: number | null;
  is_deleted: boolean;
  seen_by_workspace_id: number | null;
  is_handed_over: boolean;
}

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

  /** What the newest move of an object decided, of those before an entry; null: it was never moved. */
  async findMoveState(
    organizationId: number,
    object: { type: MovableType; id: number },
    beforeAuditId: number,
  ): Promise<MoveState | null> {
    const row = await this.db('audit_log')
      .first<{ seen_by_workspace_id: number | null; is_handed_over: boolean } | undefined>(
        this.db.raw(MOVE_STATE),
      )
      .where({
        organization_id: organizationId,
        object_type: object.type,
        object_id: String(object.id),
        action: `${object.type}.moved`,
      })
      .where('audit_id', '<', beforeAuditId)
      .orderBy('audit_id', 'desc');
    if (row === undefined) return null;
    return { seenByWorkspaceId: row.seen_by_workspace_id, isHandedOver: row.is_handed_over };
  }

  /** The objects of a workspace, deleted ones too unless they are erased. */
  async listWorkspaceObjects(organizationId: number, workspaceId: number): Promise<WorkspaceObjectRow[]> {
    return this.queryObjects('o.workspace_id = ?', [organizationId, workspaceId]);
  }

  /** null: the organization has no such object, or it is erased. */
  async findWorkspaceObject(
    organizationId: number,
    type: MovableType,
    id: number,
  ): Promise<WorkspaceObjectRow | null> {
    const [row] = await this.queryObjects('o.object_type = ? AND o.object_id = ?', [
      organizationId,
      type,
      id,
    ]);
    return row ?? null;
  }

  private queryObjects(
    condition: string,
    bindings: readonly (string | number)[],
  ): Promise<WorkspaceObjectRow[]> {
    // Raw SQL: joins a union of three tables with the newest move of each object.
    return queryRows<WorkspaceObjectRow>(
      this.db,
      `SELECT o.object_type, o.object_id, o.object_name, o.created_by, o.is_deleted, moved.seen_by_workspace_id,
              coalesce(moved.is_handed_over, false) AS is_handed_over
       FROM (
         SELECT 'survey' AS object_type, survey_id AS object_id, survey_name AS object_name, created_by,
                survey_status = 0 AS is_deleted, organization_id, workspace_id
         FROM surveys WHERE erased_at IS NULL
         UNION ALL SELECT 'dashboard', dashboard_id, dashboard_name, created_by, deleted_at IS NOT NULL, organization_id, workspace_id
         FROM dashboards
         UNION ALL SELECT 'report', report_id, report_name, created_by, deleted_at IS NOT NULL, organization_id, workspace_id
         FROM reports) o
       LEFT JOIN LATERAL (
         SELECT ${MOVE_STATE} FROM audit_log l
         WHERE l.organization_id = o.organization_id AND l.object_type = o.object_type AND l.object_id = o.object_id::text
           AND l.action = o.object_type || '.moved'
         ORDER BY l.audit_id DESC LIMIT 1) moved ON true
       WHERE o.organization_id = ? AND ${condition}
       ORDER BY o.is_deleted, o.object_type DESC, o.object_id`,
      bindings,
    );
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
