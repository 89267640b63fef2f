import type { Database } from '../db/connect.ts';
import { queryCount, queryRows } from '../db/rows.ts';
import type { ReportKey } from './reports.ts';
import type { ReportSlideTable } from './tables/reports.ts';

const COLUMNS = ['slide_id', 'slide_order', 'slide_type', 'slide_title', 'slide_content'] as const;

export type ReportSlideRow = Pick<ReportSlideTable, (typeof COLUMNS)[number]>;

export type SlideFields = Pick<ReportSlideRow, 'slide_type' | 'slide_title' | 'slide_content'>;

/** The slides of reports. Callers that change slides hold the report's lock. */
export class ReportSlideRepository {
  constructor(private readonly db: Database) {}

  /** In the order of the report. */
  async ofReport({ organizationId, reportId }: ReportKey): Promise<ReportSlideRow[]> {
    return this.db('report_slides')
      .select(...COLUMNS)
      .where({ organization_id: organizationId, report_id: reportId })
      .orderBy(['slide_order', 'slide_id']);
  }

  async one({ organizationId, reportId }: ReportKey, slideId: number): Promise<ReportSlideRow | null> {
    const row = await this.db('report_slides')
      .first(...COLUMNS)
      .where({ organization_id: organizationId, report_id: reportId, slide_id: slideId });
    return row ?? null;
  }

  async count({ organizationId, reportId }: ReportKey): Promise<number> {
    const [row] = await this.db('report_slides')
      .where({ organization_id: organizationId, report_id: reportId })
      .count<{ count: number }[]>();
    return row!.count;
  }

  /** Inserts slides one after the other from this position on, and moves later slides up. Returns the ids of the new slides in order. */
  async insert(
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

  async save({ organizationId, reportId }: ReportKey, slideId: number, slide: SlideFields): Promise<void> {
    await this.db('report_slides')
      .where({ organization_id: organizationId, report_id: reportId, slide_id: slideId })
      .update({
        slide_type: slide.slide_type,
        slide_title: slide.slide_title,
        slide_content: JSON.stringify(slide.slide_content),
      });
  }

  /** Deletes a slide and moves later slides down. */
  async remove(
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
  async setOrder({ organizationId, reportId }: ReportKey, slideIds: readonly number[]): Promise<void> {
    // Raw SQL: the builder has no unnest with ordinality.
    await queryCount(
      this.db,
      `UPDATE report_slides s SET slide_order = given.slide_order
       FROM unnest(?::bigint[]) WITH ORDINALITY AS given (slide_id, slide_order)
       WHERE s.organization_id = ? AND s.report_id = ? AND s.slide_id = given.slide_id`,
      [slideIds, organizationId, reportId],
    );
  }
}
