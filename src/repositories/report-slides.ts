import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { SlideType } from '../domain/reports/slide-types.ts';
import type { ReportKey } from './reports.ts';

export interface ReportSlideRow {
  slide_id: number;
  /** From 1, without gaps. */
  slide_order: number;
  slide_type: SlideType;
  slide_title: string | null;
  /** As slideContentSchema of its type gives it. */
  slide_content: Record<string, unknown>;
}

export type SlideFields = Pick<ReportSlideRow, 'slide_type' | 'slide_title' | 'slide_content'>;

/** The slides of reports. Who changes them holds the report's lock. */
export class ReportSlideRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** In order. */
  ofReport({ organizationId, reportId }: ReportKey): Promise<ReportSlideRow[]> {
    return rowsOf(
      this.db,
      `SELECT slide_id, slide_order, slide_type, slide_title, slide_content FROM report_slides
       WHERE organization_id = ? AND report_id = ? ORDER BY slide_order, slide_id`,
      [organizationId, reportId],
    );
  }

  async one({ organizationId, reportId }: ReportKey, slideId: number): Promise<ReportSlideRow | null> {
    return rowOf(
      this.db,
      `SELECT slide_id, slide_order, slide_type, slide_title, slide_content FROM report_slides
       WHERE organization_id = ? AND report_id = ? AND slide_id = ?`,
      [organizationId, reportId, slideId],
    );
  }

  async count({ organizationId, reportId }: ReportKey): Promise<number> {
    const row = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM report_slides WHERE organization_id = ? AND report_id = ?`,
      [organizationId, reportId],
    );
    return row!.count;
  }

  /** One after the other at this place; those from there on move up. Gives their ids. */
  async insert(
    { organizationId, reportId }: ReportKey,
    slideOrder: number,
    slides: readonly SlideFields[],
  ): Promise<number[]> {
    await countOf(
      this.db,
      `UPDATE report_slides SET slide_order = slide_order + ? WHERE organization_id = ? AND report_id = ? AND slide_order >= ?`,
      [slides.length, organizationId, reportId, slideOrder],
    );
    const records = slides.map((slide, index) => ({ ...slide, slide_order: slideOrder + index }));
    const rows = await rowsOf<{ slide_id: number }>(
      this.db,
      `WITH made AS (
         INSERT INTO report_slides (organization_id, report_id, slide_order, slide_type, slide_title, slide_content)
         SELECT ?::bigint, ?::bigint, given.slide_order, given.slide_type, given.slide_title, given.slide_content
         FROM jsonb_to_recordset(?::jsonb) AS given (slide_order integer, slide_type text, slide_title text, slide_content jsonb)
         RETURNING slide_id, slide_order)
       SELECT slide_id FROM made ORDER BY slide_order`,
      [organizationId, reportId, JSON.stringify(records)],
    );
    return rows.map((row) => row.slide_id);
  }

  async save({ organizationId, reportId }: ReportKey, slideId: number, slide: SlideFields): Promise<void> {
    await countOf(
      this.db,
      `UPDATE report_slides SET slide_type = ?, slide_title = ?, slide_content = ?
       WHERE organization_id = ? AND report_id = ? AND slide_id = ?`,
      [
        slide.slide_type,
        slide.slide_title,
        JSON.stringify(slide.slide_content),
        organizationId,
        reportId,
        slideId,
      ],
    );
  }

  /** The gap closes. */
  async remove(
    { organizationId, reportId }: ReportKey,
    { slide_id: slideId, slide_order: slideOrder }: Pick<ReportSlideRow, 'slide_id' | 'slide_order'>,
  ): Promise<void> {
    await countOf(
      this.db,
      `DELETE FROM report_slides WHERE organization_id = ? AND report_id = ? AND slide_id = ?`,
      [organizationId, reportId, slideId],
    );
    await countOf(
      this.db,
      `UPDATE report_slides SET slide_order = slide_order - 1 WHERE organization_id = ? AND report_id = ? AND slide_order > ?`,
      [organizationId, reportId, slideOrder],
    );
  }

  /** All of them. */
  async setOrder({ organizationId, reportId }: ReportKey, slideIds: readonly number[]): Promise<void> {
    await countOf(
      this.db,
      `UPDATE report_slides s SET slide_order = given.place
       FROM unnest(?::bigint[]) WITH ORDINALITY AS given (slide_id, place)
       WHERE s.organization_id = ? AND s.report_id = ? AND s.slide_id = given.slide_id`,
      [slideIds, organizationId, reportId],
    );
  }
}
