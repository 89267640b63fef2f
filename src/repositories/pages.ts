import type { Database } from '../db/connect.ts';
import { queryCount, queryRows } from '../db/rows.ts';
import type { PageLogic } from '../domain/survey/logic/logic.ts';
import type { SurveyPageTable } from './tables/surveys.ts';

interface SurveyKey {
  organizationId: number;
  surveyId: number;
}

export interface PageFields {
  title: string | null;
  description: string | null;
  logic: PageLogic | null;
}

const COLUMNS = ['page_id', 'page_title', 'page_description', 'page_logic', 'retired'] as const;

type PageRow = Pick<SurveyPageTable, (typeof COLUMNS)[number]>;

/** The pages of surveys. The caller of a method that writes holds the survey's lock. */
export class PageRepository {
  constructor(private readonly db: Database) {}

  /** In order, with retired pages. */
  async listBySurvey({ organizationId, surveyId }: SurveyKey): Promise<PageRow[]> {
    return this.db('survey_pages')
      .select(...COLUMNS)
      .where({ organization_id: organizationId, survey_id: surveyId })
      .orderBy(['page_order', 'page_id']);
  }

  /** Returns ids for pages that are about to be added, so that they can refer to each other. */
  async reserveIds(count: number): Promise<number[]> {
    // Raw SQL: reads the sequence of the key.
    const rows = await queryRows<{ id: number }>(
      this.db,
      `SELECT nextval(pg_get_serial_sequence('survey_pages', 'page_id')) AS id FROM generate_series(1, ?)`,
      [count],
    );
    return rows.map((row) => row.id);
  }

  /** Adds the pages after the existing ones, in this order. */
  async add({ organizationId, surveyId }: SurveyKey, pages: (PageFields & { id: number })[]): Promise<void> {
    const records = pages.map((page, index) => ({
      page_id: page.id,
      position: index + 1,
      page_title: page.title,
      page_description: page.description,
      page_logic: page.logic,
    }));
    // Raw SQL: bulk insert.
    await queryCount(
      this.db,
      `INSERT INTO survey_pages (organization_id, survey_id, page_id, page_order, page_title, page_description, page_logic)
       SELECT ?, ?, page_id, given.position + (SELECT coalesce(max(page_order), 0) FROM survey_pages WHERE survey_id = ?), page_title,
              page_description, nullif(page_logic, 'null')
       FROM json_to_recordset(?::json) AS given (page_id bigint, position integer, page_title text, page_description text, page_logic jsonb)`,
      [organizationId, surveyId, surveyId, JSON.stringify(records)],
    );
  }

  async save({ organizationId, surveyId }: SurveyKey, pageId: number, page: PageFields): Promise<void> {
    await this.db('survey_pages')
      .where({ organization_id: organizationId, survey_id: surveyId, page_id: pageId })
      .update({
        page_title: page.title,
        page_description: page.description,
        page_logic: page.logic === null ? null : JSON.stringify(page.logic),
      });
  }

  /** The caller has removed the page's questions. */
  async remove({ organizationId, surveyId }: SurveyKey, pageId: number): Promise<void> {
    await this.db('survey_pages')
      .where({ organization_id: organizationId, survey_id: surveyId, page_id: pageId })
      .delete();
  }

  async retire({ organizationId, surveyId }: SurveyKey, pageId: number): Promise<void> {
    await this.db('survey_pages')
      .where({ organization_id: organizationId, survey_id: surveyId, page_id: pageId })
      .update({ retired: true });
  }

  /** Retired pages that are not in the list keep their order number. */
  async setOrder({ organizationId, surveyId }: SurveyKey, pageIds: readonly number[]): Promise<void> {
    // Raw SQL: updates from an unnested list.
    await queryCount(
      this.db,
      `UPDATE survey_pages p SET page_order = given.position
       FROM unnest(?::bigint[]) WITH ORDINALITY AS given (page_id, position)
       WHERE p.organization_id = ? AND p.survey_id = ? AND p.page_id = given.page_id`,
      [pageIds, organizationId, surveyId],
    );
  }
}
