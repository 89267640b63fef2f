import type { Database } from '../db/connect.ts';
import { rowsOf } from '../db/rows.ts';

export type SurveyType = 'quantitative' | 'qualitative' | 'mixed';
/** 1 draft, 2 active, 3 closed, 0 deleted. */
export type SurveyStatus = 0 | 1 | 2 | 3;

/** What decides how a survey is treated, and whether what a reader holds of it is still right. */
export interface SurveyStateRow {
  survey_id: number;
  organization_id: number;
  workspace_id: number;
  survey_status: SurveyStatus;
  survey_type: SurveyType;
  survey_settings: unknown;
  quality_settings: unknown;
  revision: number;
  published_version: number | null;
  closed_at: Date | null;
}

const STATE_COLUMNS =
  'survey_id, organization_id, workspace_id, survey_status, survey_type, survey_settings, quality_settings, revision, published_version, closed_at';

export class SurveyRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** null: there is no such survey, or it is deleted. Whoever asks has checked that the caller may know. */
  async state(surveyId: number): Promise<SurveyStateRow | null> {
    return (await this.states([surveyId])).get(surveyId) ?? null;
  }

  /** The same for several at once. */
  async states(surveyIds: number[]): Promise<Map<number, SurveyStateRow>> {
    const rows = await rowsOf<SurveyStateRow>(
      this.db,
      `SELECT ${STATE_COLUMNS} FROM surveys WHERE survey_id = ANY(?) AND survey_status <> 0`,
      [surveyIds],
    );
    return new Map(rows.map((row) => [row.survey_id, row]));
  }
}
