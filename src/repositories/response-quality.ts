import type { Database } from '../db/connect.ts';
import { countOf, rowOf } from '../db/rows.ts';
import type { PageTimes } from '../domain/quality/page-times.ts';
import type { CompleteDurations } from '../domain/quality/speeder.ts';

/** By what two responses may be the same respondent's. */
export type Likeness = 'address_hash' | 'fingerprint' | 'external_id';

/** Responses that count: what was deleted, and tests, are nobody's first. */
const COUNTS = 'deleted_at IS NULL AND NOT is_test';

/** What is asked and kept of responses for their quality. */
export class ResponseQualityRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Until the transaction ends nobody else looks for, and then writes, a response with one of these. */
  async lockLikeness(
    keys: readonly { surveyId: number; likeness: Likeness; value: string }[],
  ): Promise<void> {
    const names = [...new Set(keys.map((key) => `${key.surveyId} ${key.likeness} ${key.value}`))];
    await countOf(
      this.db,
      `SELECT pg_advisory_xact_lock(key) FROM (
         SELECT DISTINCT hashtextextended(name, 0) AS key FROM unnest(?::text[]) AS name ORDER BY key) AS locks`,
      [names],
    );
  }

  /** How many responses of the survey have it; `ended`: only those that came to their end. */
  async countWith(
    surveyId: number,
    likeness: Likeness,
    value: string,
    which: { ended: boolean; exceptResponseId: number | null },
  ): Promise<number> {
    const row = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM responses
       WHERE survey_id = ? AND ${likeness} = ? AND ${COUNTS} ${which.ended ? `AND response_status <> 'partial'` : ''}
         AND response_id IS DISTINCT FROM ?::bigint`,
      [surveyId, value, which.exceptResponseId],
    );
    return row!.count;
  }

  async completeDurations(surveyId: number): Promise<CompleteDurations> {
    const row = await rowOf<{ count: number; median: number | null }>(
      this.db,
      `SELECT count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_seconds) AS median FROM responses
       WHERE survey_id = ? AND response_status = 'complete' AND ${COUNTS} AND duration_seconds IS NOT NULL`,
      [surveyId],
    );
    return { count: row!.count, medianSeconds: row!.median };
  }

  /** Of a response that is there, with the moment at which it was last written. */
  async pageTimes(
    surveyId: number,
    responseId: number,
  ): Promise<{ page_times: PageTimes | null; updated_at: Date }> {
    const row = await rowOf<{ page_times: PageTimes | null; updated_at: Date }>(
      this.db,
      `SELECT page_times, updated_at FROM responses WHERE survey_id = ? AND response_id = ?`,
      [surveyId, responseId],
    );
    return row!;
  }

  /** By what a response that is there may be like others. */
  async traces(
    surveyId: number,
    responseId: number,
  ): Promise<{ addressHash: string | null; fingerprint: string | null }> {
    const row = await rowOf<{ address_hash: string | null; fingerprint: string | null }>(
      this.db,
      `SELECT address_hash, fingerprint FROM responses WHERE survey_id = ? AND response_id = ?`,
      [surveyId, responseId],
    );
    return { addressHash: row!.address_hash, fingerprint: row!.fingerprint };
  }

  async savePageTimes(surveyId: number, responseId: number, times: PageTimes): Promise<void> {
    await countOf(this.db, `UPDATE responses SET page_times = ? WHERE survey_id = ? AND response_id = ?`, [
      JSON.stringify(times),
      surveyId,
      responseId,
    ]);
  }
}
