import type { Database } from '../db/connect.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import type { StoredAnswers } from '../domain/answers/codec.ts';
import type { Attributes } from '../domain/respondents/attributes.ts';

/** A complete response of a wave, as quotas look at it. */
export interface CountedRow {
  response_id: number;
  wave_id: number;
  answers: StoredAnswers;
  hidden: Record<string, string> | null;
  /** Of its respondent; null: nobody knows who it is. */
  attributes: Attributes | null;
  quota_cells: number[] | null;
}

const ROW = `r.response_id, r.wave_id, r.answers, r.hidden, r.quota_cells, p.attributes`;
const FROM = `responses r LEFT JOIN respondents p ON p.respondent_id = r.respondent_id AND p.erased_at IS NULL`;
const COUNTS = `r.response_status = 'complete' AND r.deleted_at IS NULL AND NOT r.is_test`;

/** Looking again at what is stored, because answers or quotas were changed. The caller holds the waves. */
export class QuotaRecountRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Holds these responses until the transaction ends, previews left out. */
  async lockResponses(surveyId: number, responseIds: readonly number[]): Promise<void> {
    await countOf(
      this.db,
      `SELECT FROM responses WHERE survey_id = ? AND response_id = ANY(?::bigint[]) AND NOT is_preview ORDER BY response_id FOR UPDATE`,
      [surveyId, responseIds],
    );
  }

  /**
   * Nobody writes completes of the wave that were judged while it had no quotas: see the trigger note_quota_counts. The look at the
   * counts makes sure that the lock is taken where the trigger takes it: on the server that has the survey's responses.
   */
  async lockUnjudged(surveyId: number, waveId: number): Promise<void> {
    await countOf(
      this.db,
      `SELECT pg_advisory_xact_lock(hashtextextended('quotas of wave ' || ?::bigint, 0))
       FROM (SELECT count(*) FROM wave_counts WHERE survey_id = ? AND wave_id = ?) AS here`,
      [waveId, surveyId, waveId],
    );
  }

  /** Those of the ids that count, in these waves. */
  those(surveyId: number, waveIds: readonly number[], responseIds: readonly number[]): Promise<CountedRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${ROW} FROM ${FROM} WHERE r.survey_id = ? AND r.response_id = ANY(?::bigint[]) AND r.wave_id = ANY(?::bigint[]) AND ${COUNTS}
       ORDER BY r.response_id`,
      [surveyId, responseIds, waveIds],
    );
  }

  /** The next ones of the wave that count, in the order of their ids. */
  ofWave(surveyId: number, waveId: number, afterId: number, limit: number): Promise<CountedRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${ROW} FROM ${FROM} WHERE r.survey_id = ? AND r.response_id > ? AND r.wave_id = ? AND ${COUNTS}
       ORDER BY r.response_id LIMIT ?`,
      [surveyId, afterId, waveId, limit],
    );
  }

  async write(
    surveyId: number,
    rows: readonly { responseId: number; cellIds: readonly number[] }[],
  ): Promise<void> {
    if (rows.length === 0) return;
    await countOf(
      this.db,
      `UPDATE responses r SET quota_cells = ARRAY(SELECT json_array_elements_text(g.cells)::bigint)
       FROM json_to_recordset(?::json) AS g (id bigint, cells json) WHERE r.survey_id = ? AND r.response_id = g.id`,
      [JSON.stringify(rows.map(({ responseId: id, cellIds: cells }) => ({ id, cells }))), surveyId],
    );
  }

  /** Places of those that have ended, or were deleted. */
  async releaseEnded(surveyId: number, responseIds: readonly number[]): Promise<void> {
    await countOf(
      this.db,
      `DELETE FROM quota_holds h USING responses r
       WHERE h.survey_id = ? AND h.response_id = ANY(?::bigint[]) AND r.survey_id = h.survey_id AND r.response_id = h.response_id
         AND (r.deleted_at IS NOT NULL OR r.response_status <> 'partial')`,
      [surveyId, responseIds],
    );
  }
}
