import type { Knex } from 'knex';
import type { Database } from '../db/connect.ts';
import type { ReportTable } from './tables/reports.ts';

const COLUMNS = [
  'report_id',
  'organization_id',
  'workspace_id',
  'report_name',
  'report_description',
  'report_settings',
  'revision',
  'created_at',
  'updated_at',
] as const;

export type ReportRow = Pick<ReportTable, (typeof COLUMNS)[number]> & { slide_count: number };

/** What a change may set. */
export type ReportFields = Pick<
  ReportTable,
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

/** Reports of organizations. Deleted reports are never returned. */
export class ReportRepository {
  constructor(private readonly db: Database) {}

  /** Newest first. Returns one row more than `limit` if there are more. */
  async list(
    { organizationId, workspaceId }: { organizationId: number; workspaceId: number },
    { search, beforeId, skip, limit }: ReportListing,
  ): Promise<{ found: ReportRow[]; total: number }> {
    let matching = this.db('reports').where({
      organization_id: organizationId,
      workspace_id: workspaceId,
      deleted_at: null,
    });
    if (search !== null)
      matching = matching.whereRaw(
        `position(lower(?) IN lower(report_name || ' ' || coalesce(report_description, ''))) > 0`,
        [search],
      );
    const page = beforeId === null ? matching.clone() : matching.clone().where('report_id', '<', beforeId);
    const found = await page
      .select<ReportRow[]>(...COLUMNS, this.slideCount())
      .orderBy('report_id', 'desc')
      .offset(skip)
      .limit(limit + 1);
    const [count] = await matching.count<{ count: number }[]>();
    return { found, total: count!.count };
  }

  async one({ organizationId, reportId }: ReportKey): Promise<ReportRow | null> {
    const row = await this.db('reports')
      .first<ReportRow | undefined>(...COLUMNS, this.slideCount())
      .where({ organization_id: organizationId, report_id: reportId, deleted_at: null });
    return row ?? null;
  }

  /** As `one`. Locks the report, and thereby its slides, against changes until the transaction ends. */
  async lock({ organizationId, reportId }: ReportKey): Promise<ReportRow | null> {
    const row = await this.db('reports')
      .first<ReportRow | undefined>(...COLUMNS, this.slideCount())
      .where({ organization_id: organizationId, report_id: reportId, deleted_at: null })
      .forNoKeyUpdate('reports');
    return row ?? null;
  }

  /** Returns the id of the new report. */
  async create(
    { organizationId, userId }: { organizationId: number; userId: number },
    fields: ReportFields,
  ): Promise<number> {
    const [row] = await this.db('reports')
      .insert({ ...written(fields), organization_id: organizationId, created_by: userId })
      .returning('report_id');
    return row!.report_id;
  }

  async save({ organizationId, reportId }: ReportKey, fields: ReportFields): Promise<void> {
    await this.db('reports')
      .where({ organization_id: organizationId, report_id: reportId })
      .update({
        ...written(fields),
        revision: this.db.raw('revision + 1'),
        updated_at: this.db.fn.now(),
      });
  }

  /** Records a change of the report's slides or images. */
  async incrementRevision({ organizationId, reportId }: ReportKey): Promise<void> {
    await this.db('reports')
      .where({ organization_id: organizationId, report_id: reportId })
      .update({ revision: this.db.raw('revision + 1'), updated_at: this.db.fn.now() });
  }

  /** Soft delete. */
  async delete({ organizationId, reportId }: ReportKey): Promise<void> {
    await this.db('reports')
      .where({ organization_id: organizationId, report_id: reportId })
      .update({ deleted_at: this.db.fn.now() });
  }

  private slideCount(): Knex.QueryBuilder {
    return this.db('report_slides')
      .count()
      .where('report_id', this.db.ref('reports.report_id'))
      .as('slide_count');
  }
}

const written = (fields: ReportFields) => ({
  workspace_id: fields.workspace_id,
  report_name: fields.report_name,
  report_description: fields.report_description,
  report_settings: JSON.stringify(fields.report_settings),
});
