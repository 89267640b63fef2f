import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';
import type { Attributes } from '../domain/respondents/attributes.ts';
import { qualifyColumns, qualifyValues } from './tables/columns.ts';
import type { ResponseTable } from './tables/responses.ts';

const RESPONSE_COLUMNS = ['response_id', 'wave_id', 'answers', 'hidden', 'quota_cells'] as const;

/**
 * A complete response of a wave, with everything that quota conditions use. `wave_id` is not null, because only responses of waves are
 * counted; `attributes` is null without a respondent.
 */
export type CountedRow = Pick<ResponseTable, Exclude<(typeof RESPONSE_COLUMNS)[number], 'wave_id'>> & {
  wave_id: number;
  attributes: Attributes | null;
};

/** Recounts stored responses after answers or quotas changed. The caller has locked the waves. */
export class QuotaRecountRepository {
  constructor(private readonly db: Database) {}

  /** Locks these responses, except previews, until the transaction ends. */
  async lockResponses(surveyId: number, responseIds: readonly number[]): Promise<void> {
    await this.db('responses')
      .select('response_id')
      .where({ survey_id: surveyId, response_id: anyOf(this.db, responseIds), is_preview: false })
      .orderBy('response_id')
      .forUpdate();
  }

  /**
   * Keeps others from writing complete responses that were evaluated while the wave had no quotas: see the trigger note_quota_counts.
   * Reading the counts makes the lock be taken where the trigger takes it: on the server that has the survey's responses.
   */
  async lockUnevaluated(surveyId: number, waveId: number): Promise<void> {
    // Raw SQL: advisory lock.
    await queryCount(
      this.db,
      `SELECT pg_advisory_xact_lock(hashtextextended('quotas of wave ' || ?::bigint, 0))
       FROM (SELECT count(*) FROM wave_counts WHERE survey_id = ? AND wave_id = ?) AS here`,
      [waveId, surveyId, waveId],
    );
  }

  /** Returns those of the ids that count in these waves. */
  async listCounted(
    surveyId: number,
    waveIds: readonly number[],
    responseIds: readonly number[],
  ): Promise<CountedRow[]> {
    return this.countedIn(surveyId)
      .where(
        qualifyValues('responses', {
          response_id: anyOf(this.db, responseIds),
          wave_id: anyOf(this.db, waveIds),
        }),
      )
      .orderBy('response_id');
  }

  /** Returns the next responses that count in the wave, ordered by id. */
  async listByWave(surveyId: number, waveId: number, afterId: number, limit: number): Promise<CountedRow[]> {
    return this.countedIn(surveyId)
      .where(qualifyValues('responses', { wave_id: waveId }))
      .where('response_id', '>', afterId)
      .orderBy('response_id')
      .limit(limit);
  }

  async write(
    surveyId: number,
    rows: readonly { responseId: number; cellIds: readonly number[] }[],
  ): Promise<void> {
    if (rows.length === 0) return;
    // Raw SQL: bulk update.
    await queryCount(
      this.db,
      `UPDATE responses r SET quota_cells = ARRAY(SELECT json_array_elements_text(g.cells)::bigint)
       FROM json_to_recordset(?::json) AS g (id bigint, cells json) WHERE r.survey_id = ? AND r.response_id = g.id`,
      [JSON.stringify(rows.map(({ responseId: id, cellIds: cells }) => ({ id, cells }))), surveyId],
    );
  }

  /** Deletes reservations of responses that have ended or were deleted. */
  async releaseEnded(surveyId: number, responseIds: readonly number[]): Promise<void> {
    // Raw SQL: deletes by a join.
    await queryCount(
      this.db,
      `DELETE FROM quota_holds h USING responses r
       WHERE h.survey_id = ? AND h.response_id = ANY(?::bigint[]) AND r.survey_id = h.survey_id AND r.response_id = h.response_id
         AND (r.deleted_at IS NOT NULL OR r.response_status <> 'partial')`,
      [surveyId, responseIds],
    );
  }

  private countedIn(surveyId: number) {
    return this.db('responses')
      .leftJoin('respondents', (join) =>
        join.on('respondents.respondent_id', 'responses.respondent_id').andOnNull('respondents.erased_at'),
      )
      .select<CountedRow[]>(...qualifyColumns('responses', RESPONSE_COLUMNS), 'respondents.attributes')
      .where(
        qualifyValues('responses', {
          survey_id: surveyId,
          response_status: 'complete',
          deleted_at: null,
          is_test: false,
        }),
      );
  }
}
