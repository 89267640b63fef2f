import type { Database } from '../db/connect.ts';
import { queryRow } from '../db/rows.ts';
import type { ReportKey } from './reports.ts';
import type { ReportImageTable } from './tables/reports.ts';

const COLUMNS = ['image_id', 'content_type', 'width', 'height', 'created_at'] as const;

/** Without the bytes of the image. */
export type ReportImageRow = Pick<ReportImageTable, (typeof COLUMNS)[number]> & { size_bytes: number };

export type ReportPictureRow = ReportImageRow & Pick<ReportImageTable, 'picture'>;

export type NewReportImage = Pick<ReportImageTable, 'content_type' | 'width' | 'height' | 'picture'>;

/** Images of reports. */
export class ReportImageRepository {
  constructor(private readonly db: Database) {}

  /** In the order of upload. */
  async ofReport({ organizationId, reportId }: ReportKey): Promise<ReportImageRow[]> {
    return this.db('report_images')
      .select<ReportImageRow[]>(...COLUMNS, this.sizeBytes())
      .where({ organization_id: organizationId, report_id: reportId })
      .orderBy('image_id');
  }

  async picture({ organizationId, reportId }: ReportKey, imageId: number): Promise<ReportPictureRow | null> {
    const row = await this.db('report_images')
      .first<ReportPictureRow | undefined>(...COLUMNS, 'picture', this.sizeBytes())
      .where({ organization_id: organizationId, report_id: reportId, image_id: imageId });
    return row ?? null;
  }

  async add({ organizationId, reportId }: ReportKey, image: NewReportImage): Promise<ReportImageRow> {
    const { content_type, width, height, picture } = image;
    const [row] = await this.db('report_images')
      .insert({ organization_id: organizationId, report_id: reportId, content_type, width, height, picture })
      .returning<ReportImageRow[]>([...COLUMNS, this.sizeBytes()]);
    return row!;
  }

  /** Copies all images into another report of the organization. Returns the new id by the old id. */
  async copy({ organizationId, reportId }: ReportKey, toReportId: number): Promise<Map<number, number>> {
    const ids = new Map<number, number>();
    for (const { image_id: imageId } of await this.ofReport({ organizationId, reportId })) {
      // Raw SQL: the builder has no INSERT … SELECT of typed columns, and the bytes need not travel through this process.
      const row = await queryRow<{ image_id: number }>(
        this.db,
        `INSERT INTO report_images (organization_id, report_id, content_type, width, height, picture)
         SELECT organization_id, ?, content_type, width, height, picture FROM report_images
         WHERE organization_id = ? AND image_id = ? RETURNING image_id`,
        [toReportId, organizationId, imageId],
      );
      ids.set(imageId, row!.image_id);
    }
    return ids;
  }

  async remove({ organizationId, reportId }: ReportKey, imageId: number): Promise<void> {
    await this.db('report_images')
      .where({ organization_id: organizationId, report_id: reportId, image_id: imageId })
      .delete();
  }

  private sizeBytes() {
    return this.db.raw<number>('length(picture) AS size_bytes');
  }
}
