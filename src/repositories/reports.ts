import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';

export interface ReportRow {
  report_id: number;
  organization_id: number;
  workspace_id: number;
  report_name: string;
  report_description: string | null;
  /** Only what was chosen; see domain/reports/report-settings.ts. */
  report_settings: Record<string, unknown>;
  /** Raised by every change of what is shown. */
  revision: number;
  created_at: Date;
  updated_at: Date;
  slide_count: number;
}

/** What a change may set. */
export type ReportFields = Pick<
  ReportRow,
  'workspace_id' | 'report_name' | 'report_description' | 'report_settings'
>;

export interface ReportKey {
  organizationId: number;
  reportId: number;
}

export interface ReportListing {
  /** A part of the name or description, ignoring case. */
  search: string | null;
  beforeId: number | null;
  skip: number;
  limit: number;
}

const COLUMNS = `r.report_id, r.organization_id, r.workspace_id, r.report_name, r.report_description, r.report_settings, r.revision,
  r.created_at, r.updated_at, (SELECT count(*) FROM report_slides s WHERE s.report_id = r.report_id) AS slide_count`;

export class ReportRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Newest first, and one more than `limit` where there is more. */
  async list(
    { organizationId, workspaceId }: { organizationId: number; workspaceId: number },
    { search, beforeId, skip, limit }: ReportListing,
  ): Promise<{ found: ReportRow[]; total: number }> {
    const from = `FROM reports r WHERE r.organization_id = ? AND r.workspace_id = ? AND r.deleted_at IS NULL
      AND (?::text IS NULL
           OR position(lower(?) IN lower(r.report_name || ' ' || coalesce(r.report_description, ''))) > 0)`;
    const matching = [organizationId, workspaceId, search, search];
    const found = await rowsOf<ReportRow>(
      this.db,
      `SELECT ${COLUMNS} ${from} AND (?::bigint IS NULL OR r.report_id < ?) ORDER BY r.report_id DESC OFFSET ? LIMIT ?`,
      [...matching, beforeId, beforeId, skip, limit + 1],
    );
    const count = await rowOf<{ count: number }>(this.db, `SELECT count(*) ${from}`, matching);
    return { found, total: count!.count };
  }

  one({ organizationId, reportId }: ReportKey): Promise<ReportRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS} FROM reports r WHERE r.organization_id = ? AND r.report_id = ? AND r.deleted_at IS NULL`,
      [organizationId, reportId],
    );
  }

  /** As one; until the transaction ends nobody else changes the report or what is in it. */
  lock({ organizationId, reportId }: ReportKey): Promise<ReportRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS} FROM reports r
       WHERE r.organization_id = ? AND r.report_id = ? AND r.deleted_at IS NULL FOR NO KEY UPDATE OF r`,
      [organizationId, reportId],
    );
  }

  async create(
    { organizationId, userId }: { organizationId: number; userId: number },
    fields: ReportFields,
  ): Promise<number> {
    const row = await rowOf<{ report_id: number }>(
      this.db,
      `INSERT INTO reports (organization_id, workspace_id, report_name, report_description, report_settings, created_by)
       VALUES (?, ?, ?, ?, ?, ?) RETURNING report_id`,
      [
        organizationId,
        fields.workspace_id,
        fields.report_name,
        fields.report_description,
        JSON.stringify(fields.report_settings),
        userId,
      ],
    );
    return row!.report_id;
  }

  async save({ organizationId, reportId }: ReportKey, fields: ReportFields): Promise<void> {
    await countOf(
      this.db,
      `UPDATE reports SET workspace_id = ?, report_name = ?, report_description = ?, report_settings = ?,
         revision = revision + 1, updated_at = now()
       WHERE organization_id = ? AND report_id = ?`,
      [
        fields.workspace_id,
        fields.report_name,
        fields.report_description,
        JSON.stringify(fields.report_settings),
        organizationId,
        reportId,
      ],
    );
  }

  /** What is in it was changed. */
  async raiseRevision({ organizationId, reportId }: ReportKey): Promise<void> {
    await countOf(
      this.db,
      `UPDATE reports SET revision = revision + 1, updated_at = now() WHERE organization_id = ? AND report_id = ?`,
      [organizationId, reportId],
    );
  }

  async delete({ organizationId, reportId }: ReportKey): Promise<void> {
    await countOf(
      this.db,
      `UPDATE reports SET deleted_at = now() WHERE organization_id = ? AND report_id = ?`,
      [organizationId, reportId],
    );
  }
}
