import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { ReportKey } from './reports.ts';

/** Without its bytes. */
export interface ReportImageRow {
  image_id: number;
  content_type: 'image/png' | 'image/jpeg';
  /** Pixels. */
  width: number;
  height: number;
  size_bytes: number;
  created_at: Date;
}

export type ReportPictureRow = ReportImageRow & { picture: Buffer };

export type NewReportImage = Pick<ReportPictureRow, 'content_type' | 'width' | 'height' | 'picture'>;

const COLUMNS = `image_id, content_type, width, height, length(picture) AS size_bytes, created_at`;

/** Pictures of reports. */
export class ReportImageRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** In the order in which they came. */
  ofReport({ organizationId, reportId }: ReportKey): Promise<ReportImageRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${COLUMNS} FROM report_images WHERE organization_id = ? AND report_id = ? ORDER BY image_id`,
      [organizationId, reportId],
    );
  }

  picture({ organizationId, reportId }: ReportKey, imageId: number): Promise<ReportPictureRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS}, picture FROM report_images WHERE organization_id = ? AND report_id = ? AND image_id = ?`,
      [organizationId, reportId, imageId],
    );
  }

  async add({ organizationId, reportId }: ReportKey, image: NewReportImage): Promise<ReportImageRow> {
    const row = await rowOf<ReportImageRow>(
      this.db,
      `INSERT INTO report_images (organization_id, report_id, content_type, width, height, picture)
       VALUES (?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
      [organizationId, reportId, image.content_type, image.width, image.height, image.picture],
    );
    return row!;
  }

  /** Into another report of the organization; by the old id the new one. */
  async copy({ organizationId, reportId }: ReportKey, toReportId: number): Promise<Map<number, number>> {
    const ids = new Map<number, number>();
    for (const { image_id: imageId } of await this.ofReport({ organizationId, reportId })) {
      const row = await rowOf<{ image_id: number }>(
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
    await countOf(
      this.db,
      `DELETE FROM report_images WHERE organization_id = ? AND report_id = ? AND image_id = ?`,
      [organizationId, reportId, imageId],
    );
  }
}
