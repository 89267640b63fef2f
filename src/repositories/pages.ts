import type { Database } from '../db/connect.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import type { PageLogic } from '../domain/survey/logic/logic.ts';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

export interface PageFields {
  title: string | null;
  description: string | null;
  logic: PageLogic | null;
}

interface PageRow {
  page_id: number;
  page_title: string | null;
  page_description: string | null;
  page_logic: PageLogic | null;
  retired: boolean;
}

/** The pages of surveys. Who changes them holds the survey's lock. */
export class PageRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Retired ones too, in order. */
  ofSurvey({ organizationId, surveyId }: SurveyKey): Promise<PageRow[]> {
    return rowsOf(
      this.db,
      `SELECT page_id, page_title, page_description, page_logic, retired FROM survey_pages
       WHERE organization_id = ? AND survey_id = ? ORDER BY page_order, page_id`,
      [organizationId, surveyId],
    );
  }

  /** Ids for pages that are about to be added, so that what is added can refer to itself. */
  async reserveIds(count: number): Promise<number[]> {
    const rows = await rowsOf<{ id: number }>(
      this.db,
      `SELECT nextval(pg_get_serial_sequence('survey_pages', 'page_id')) AS id FROM generate_series(1, ?)`,
      [count],
    );
    return rows.map((row) => row.id);
  }

  /** After those that are there. */
  async add({ organizationId, surveyId }: SurveyKey, pages: (PageFields & { id: number })[]): Promise<void> {
    const records = pages.map((page, index) => ({
      page_id: page.id,
      place: index + 1,
      page_title: page.title,
      page_description: page.description,
      page_logic: page.logic,
    }));
    await countOf(
      this.db,
      `INSERT INTO survey_pages (organization_id, survey_id, page_id, page_order, page_title, page_description, page_logic)
       SELECT ?, ?, page_id, place + (SELECT coalesce(max(page_order), 0) FROM survey_pages WHERE survey_id = ?), page_title,
              page_description, nullif(page_logic, 'null')
       FROM json_to_recordset(?::json) AS given (page_id bigint, place integer, page_title text, page_description text, page_logic jsonb)`,
      [organizationId, surveyId, surveyId, JSON.stringify(records)],
    );
  }

  async save({ organizationId, surveyId }: SurveyKey, pageId: number, page: PageFields): Promise<void> {
    await countOf(
      this.db,
      `UPDATE survey_pages SET page_title = ?, page_description = ?, page_logic = ?
       WHERE organization_id = ? AND survey_id = ? AND page_id = ?`,
      [
        page.title,
        page.description,
        page.logic === null ? null : JSON.stringify(page.logic),
        organizationId,
        surveyId,
        pageId,
      ],
    );
  }

  /** Its questions are gone already. */
  async remove({ organizationId, surveyId }: SurveyKey, pageId: number): Promise<void> {
    await countOf(
      this.db,
      `DELETE FROM survey_pages WHERE organization_id = ? AND survey_id = ? AND page_id = ?`,
      [organizationId, surveyId, pageId],
    );
  }

  async retire({ organizationId, surveyId }: SurveyKey, pageId: number): Promise<void> {
    await countOf(
      this.db,
      `UPDATE survey_pages SET retired = true WHERE organization_id = ? AND survey_id = ? AND page_id = ?`,
      [organizationId, surveyId, pageId],
    );
  }

  /** Retired pages that are not in the list keep their order number. */
  async setOrder({ organizationId, surveyId }: SurveyKey, pageIds: readonly number[]): Promise<void> {
    await countOf(
      this.db,
      `UPDATE survey_pages p SET page_order = given.place
       FROM unnest(?::bigint[]) WITH ORDINALITY AS given (page_id, place)
       WHERE p.organization_id = ? AND p.survey_id = ? AND p.page_id = given.page_id`,
      [pageIds, organizationId, surveyId],
    );
  }
}
