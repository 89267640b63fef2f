import type { Knex } from 'knex';
import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';
import { requireRow } from '../lib/require-value.ts';
import {
  type ContentListing,
  countRows,
  deletionCondition,
  listContent,
  updateOrder,
} from './list-queries.ts';
import type { ReportImageTable, ReportSlideTable, ReportTable } from './tables/results.ts';

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
  'deleted_at',
] as const;

export type ReportRow = Pick<ReportTable, (typeof COLUMNS)[number]> & { slide_count: number };

/** What a change may set. */
export type ReportFields = Pick<
  ReportTable,
  'workspace_id' | 'report_name' | 'report_description' | 'report_settings'
>;

interface ReportKey {
  organizationId: number;
  reportId: number;
}

const SLIDE_COLUMNS = ['slide_id', 'slide_order', 'slide_type', 'slide_title', 'slide_content'] as const;

export type ReportSlideRow = Pick<ReportSlideTable, (typeof SLIDE_COLUMNS)[number]>;

export type SlideFields = Pick<ReportSlideRow, 'slide_type' | 'slide_title' | 'slide_content'>;

const IMAGE_COLUMNS = ['image_id', 'content_type', 'width', 'height', 'created_at'] as const;

/** Without the bytes of the image. */
export type ReportImageRow = Pick<ReportImageTable, (typeof IMAGE_COLUMNS)[number]> & { size_bytes: number };

export type ReportPictureRow = ReportImageRow & Pick<ReportImageTable, 'picture'>;

export type NewReportImage = Pick<ReportImageTable, 'content_type' | 'width' | 'height' | 'picture'>;

/**
 * Reports of organizations with their slides and images. Deleted reports are returned only where a parameter asks for them. Callers that
 * change slides hold the report's lock.
 */
export class ReportRepository {
  constructor(private readonly db: Database) {}

  /** Newest first; with `deletedSince` those that were deleted after that time. Returns one row more than `limit` if there are more. */
  async list(
    {
      organizationId,
      workspaceId,
      deletedSince,
    }: { organizationId: number; workspaceId: number; deletedSince?: Date },
    listing: ContentListing,
  ): Promise<{ found: ReportRow[]; total: number }> {
    const matching = this.db('reports')
      .where({ organization_id: organizationId, workspace_id: workspaceId })
      .where(deletionCondition(deletedSince));
    return listContent<ReportRow>({
      matching,
      type: 'report',
      selection: [...COLUMNS, this.slideCount()],
      contentListing: listing,
    });
  }

  async find(key: ReportKey): Promise<ReportRow | null> {
    return (await this.selectOne(key)) ?? null;
  }

  /** As `find`. Locks the report, and thereby its slides, against changes until the transaction ends. */
  async lock(key: ReportKey): Promise<ReportRow | null> {
    return (await this.selectOne(key).forNoKeyUpdate('reports')) ?? null;
  }

  /** As `lock`, for a report that was deleted after a time. */
  async lockDeleted(key: ReportKey, deletedSince: Date): Promise<ReportRow | null> {
    return (await this.selectOne(key, deletedSince).forNoKeyUpdate('reports')) ?? null;
  }

  private selectOne({ organizationId, reportId }: ReportKey, deletedSince?: Date) {
    return this.db('reports')
      .first<ReportRow | undefined>(...COLUMNS, this.slideCount())
      .where({ organization_id: organizationId, report_id: reportId })
      .where(deletionCondition(deletedSince));
  }

  /** Returns the id of the new report. */
  async create(
    { organizationId, userId }: { organizationId: number; userId: number },
    fields: ReportFields,
  ): Promise<number> {
    const rows = await this.db('reports')
      .insert({ ...written(fields), organization_id: organizationId, created_by: userId })
      .returning('report_id');
    return requireRow(rows, 'reports').report_id;
  }

  async update({ organizationId, reportId }: ReportKey, fields: ReportFields): Promise<void> {
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

  /** Hides the report until it is restored. */
  async delete({ organizationId, reportId }: ReportKey, now: Date): Promise<void> {
    await this.db('reports')
      .where({ organization_id: organizationId, report_id: reportId })
      .update({ deleted_at: now });
  }

  async restore({ organizationId, reportId }: ReportKey): Promise<void> {
    await this.db('reports')
      .where({ organization_id: organizationId, report_id: reportId })
      .update({ deleted_at: null, revision: this.db.raw('revision + 1'), updated_at: this.db.fn.now() });
  }

  private slideCount(): Knex.QueryBuilder {
    return this.db('report_slides')
      .count()
      .where('report_id', this.db.ref('reports.report_id'))
      .as('slide_count');
  }

  /** In the order of the report. */
  async listSlides({ organizationId, reportId }: ReportKey): Promise<ReportSlideRow[]> {
    return this.db('report_slides')
      .select(...SLIDE_COLUMNS)
      .where({ organization_id: organizationId, report_id: reportId })
      .orderBy(['slide_order', 'slide_id']);
  }

  async findSlide({ organizationId, reportId }: ReportKey, slideId: number): Promise<ReportSlideRow | null> {
    const row = await this.db('report_slides')
      .first(...SLIDE_COLUMNS)
      .where({ organization_id: organizationId, report_id: reportId, slide_id: slideId });
    return row ?? null;
  }

  async countSlides({ organizationId, reportId }: ReportKey): Promise<number> {
    return countRows(
      this.db('report_slides').where({ organization_id: organizationId, report_id: reportId }),
    );
  }

  /** Inserts slides one after the other from this position on, and moves later slides up. Returns the ids of the new slides in order. */
  async insertSlide(
    { organizationId, reportId }: ReportKey,
    slideOrder: number,
    slides: readonly SlideFields[],
  ): Promise<number[]> {
    await this.db('report_slides')
      .where({ organization_id: organizationId, report_id: reportId })
      .where('slide_order', '>=', slideOrder)
      .increment('slide_order', slides.length);
    const records = slides.map((slide, index) => ({ ...slide, slide_order: slideOrder + index }));
    // Raw SQL: inserts any number of rows with one binding and returns their ids in a defined order.
    const rows = await queryRows<{ slide_id: number }>(
      this.db,
      `WITH inserted AS (
         INSERT INTO report_slides (organization_id, report_id, slide_order, slide_type, slide_title, slide_content)
         SELECT ?::bigint, ?::bigint, given.slide_order, given.slide_type, given.slide_title, given.slide_content
         FROM jsonb_to_recordset(?::jsonb) AS given (slide_order integer, slide_type text, slide_title text, slide_content jsonb)
         RETURNING slide_id, slide_order)
       SELECT slide_id FROM inserted ORDER BY slide_order`,
      [organizationId, reportId, JSON.stringify(records)],
    );
    return rows.map((row) => row.slide_id);
  }

  async updateSlide(
    { organizationId, reportId }: ReportKey,
    slideId: number,
    slide: SlideFields,
  ): Promise<void> {
    await this.db('report_slides')
      .where({ organization_id: organizationId, report_id: reportId, slide_id: slideId })
      .update({
        slide_type: slide.slide_type,
        slide_title: slide.slide_title,
        slide_content: JSON.stringify(slide.slide_content),
      });
  }

  /** Deletes a slide and moves later slides down. */
  async removeSlide(
    { organizationId, reportId }: ReportKey,
    { slide_id: slideId, slide_order: slideOrder }: Pick<ReportSlideRow, 'slide_id' | 'slide_order'>,
  ): Promise<void> {
    await this.db('report_slides')
      .where({ organization_id: organizationId, report_id: reportId, slide_id: slideId })
      .delete();
    await this.db('report_slides')
      .where({ organization_id: organizationId, report_id: reportId })
      .where('slide_order', '>', slideOrder)
      .decrement('slide_order', 1);
  }

  /** `slideIds`: every slide of the report, in the new order. */
  async setSlideOrder({ organizationId, reportId }: ReportKey, slideIds: readonly number[]): Promise<void> {
    const owner = { organization_id: organizationId, report_id: reportId };
    await updateOrder(
      this.db,
      { table: 'report_slides', idColumn: 'slide_id', orderColumn: 'slide_order', owner },
      slideIds,
    );
  }

  /** In the order of upload. */
  async listImages({ organizationId, reportId }: ReportKey): Promise<ReportImageRow[]> {
    return this.db('report_images')
      .select<ReportImageRow[]>(...IMAGE_COLUMNS, this.sizeBytes())
      .where({ organization_id: organizationId, report_id: reportId })
      .orderBy('image_id');
  }

  async findImage(
    { organizationId, reportId }: ReportKey,
    imageId: number,
  ): Promise<ReportPictureRow | null> {
    const row = await this.db('report_images')
      .first<ReportPictureRow | undefined>(...IMAGE_COLUMNS, 'picture', this.sizeBytes())
      .where({ organization_id: organizationId, report_id: reportId, image_id: imageId });
    return row ?? null;
  }

  async addImage({ organizationId, reportId }: ReportKey, image: NewReportImage): Promise<ReportImageRow> {
    const { content_type, width, height, picture } = image;
    const rows = await this.db('report_images')
      .insert({ organization_id: organizationId, report_id: reportId, content_type, width, height, picture })
      .returning<ReportImageRow[]>([...IMAGE_COLUMNS, this.sizeBytes()]);
    return requireRow(rows, 'report_images');
  }

  /** Copies all images into another report of the organization. Returns the new id by the old id. */
  async copyImages(
    { organizationId, reportId }: ReportKey,
    toReportId: number,
  ): Promise<Map<number, number>> {
    const ids = new Map<number, number>();
    for (const { image_id: imageId } of await this.listImages({ organizationId, reportId })) {
      // Raw SQL: the builder has no INSERT … SELECT of typed columns, and the bytes need not travel through this process.
      const rows = await queryRows<{ image_id: number }>(
        this.db,
        `INSERT INTO report_images (organization_id, report_id, content_type, width, height, picture)
         SELECT organization_id, ?, content_type, width, height, picture FROM report_images
         WHERE organization_id = ? AND image_id = ? RETURNING image_id`,
        [toReportId, organizationId, imageId],
      );
      ids.set(imageId, requireRow(rows, 'report_images').image_id);
    }
    return ids;
  }

  async removeImage({ organizationId, reportId }: ReportKey, imageId: number): Promise<void> {
    await this.db('report_images')
      .where({ organization_id: organizationId, report_id: reportId, image_id: imageId })
      .delete();
  }

  private sizeBytes() {
    return this.db.raw<number>('length(picture) AS size_bytes');
  }
}

const written = (fields: ReportFields) => ({
  workspace_id: fields.workspace_id,
  report_name: fields.report_name,
  report_description: fields.report_description,
  report_settings: JSON.stringify(fields.report_settings),
});
