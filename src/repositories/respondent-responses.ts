import type { Database } from '../db/connect.ts';
import { rowOf, rowsOf } from '../db/rows.ts';
import type { StoredAnswers } from '../domain/answers/codec.ts';
import type { ResponseStatus } from '../domain/dataset/response-row.ts';

/** Everything that is kept of a response and tells of whoever gave it. */
export interface RespondentResponseRow {
  survey_id: number;
  survey_name: string;
  response_id: number;
  response_status: ResponseStatus;
  status_reason: string | null;
  is_test: boolean;
  is_deleted: boolean;
  external_id: string | null;
  language: string | null;
  started_at: Date;
  completed_at: Date | null;
  duration_seconds: number | null;
  answers: StoredAnswers;
  /** What edits replaced; null: nothing was. */
  originals: Record<string, unknown> | null;
  hidden: Record<string, string> | null;
}

/** What one respondent answered, over all surveys of their workspace. */
export class RespondentResponseRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** By survey and in the order in which they began; of a survey that was made anonymous nothing is told. */
  ofRespondent(workspaceId: number, respondentId: number): Promise<RespondentResponseRow[]> {
    return rowsOf(
      this.db,
      `SELECT a.survey_id, s.survey_name, a.response_id, a.response_status, a.status_reason, a.is_test,
              a.deleted_at IS NOT NULL AS is_deleted, a.external_id, a.language, a.started_at, a.completed_at,
              a.duration_seconds, a.answers, a.originals, a.hidden
       FROM responses a JOIN surveys s ON s.survey_id = a.survey_id
       WHERE a.respondent_id = ? AND s.workspace_id = ? AND NOT s.is_anonymous
       ORDER BY a.survey_id, a.response_id`,
      [respondentId, workspaceId],
    );
  }

  /** Of surveys that are in another workspace by now. */
  async countElsewhere(workspaceId: number, respondentId: number): Promise<number> {
    const row = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM responses a JOIN surveys s ON s.survey_id = a.survey_id
       WHERE a.respondent_id = ? AND s.workspace_id <> ? AND NOT s.is_anonymous`,
      [respondentId, workspaceId],
    );
    return row!.count;
  }

  /** How the questions read by which the answers are keyed. */
  questions(surveyIds: readonly number[]): Promise<SurveyQuestionRow[]> {
    return rowsOf(
      this.db,
      `SELECT survey_id, question_code, question_text FROM questions
       WHERE survey_id = ANY(?::bigint[]) ORDER BY survey_id, question_id`,
      [surveyIds],
    );
  }
}

export interface SurveyQuestionRow {
  survey_id: number;
  question_code: string;
  question_text: string;
}
