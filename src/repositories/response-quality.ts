import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { StoredAnswers } from '../domain/answers/codec.ts';
import type { PageTimes } from '../domain/quality/page-times.ts';
import type { ResponseQuality } from '../domain/quality/quality-flag.ts';
import type { CompleteDurations } from '../domain/quality/speeder.ts';

/** By what two responses may be the same respondent's. */
export type Likeness = 'address_hash' | 'fingerprint' | 'external_id';

/** What two responses may have in common. */
export type Commonness = Likeness | 'answers';

interface StoredQuality {
  response_id: number;
  quality: ResponseQuality | null;
}

/** How many things were answered: each row of a matrix is one. */
const ANSWERED = `(SELECT coalesce(sum(CASE jsonb_typeof(a.value) WHEN 'null' THEN 0
    WHEN 'object' THEN (SELECT count(*) FROM jsonb_object_keys(a.value)) ELSE 1 END), 0) FROM jsonb_each(r.answers) a)`;

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

  /** Of a response that is there, with the moment at which it began. */
  async pageTimes(
    surveyId: number,
    responseId: number,
  ): Promise<{ page_times: PageTimes | null; started_at: Date }> {
    const row = await rowOf<{ page_times: PageTimes | null; started_at: Date }>(
      this.db,
      `SELECT page_times, started_at FROM responses WHERE survey_id = ? AND response_id = ?`,
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

  /**
   * The responses of the survey that have the same, by their ids, in groups of two and more. Answers are compared as PostgreSQL
   * writes them (its jsonb has one text for each value); with fewer than `fewestAnswers` they do not count.
   */
  async alike(surveyId: number, by: Commonness, fewestAnswers: number): Promise<number[][]> {
    const [value, least] = by === 'answers' ? ['md5(answers::text)', fewestAnswers] : [by, 0];
    const rows = await rowsOf<{ ids: number[] }>(
      this.db,
      `SELECT ids FROM (
         SELECT json_agg(response_id ORDER BY response_id) AS ids, min(response_id) AS response_id FROM responses
         WHERE survey_id = ? AND ${value} IS NOT NULL AND deleted_at IS NULL AND NOT is_preview
         GROUP BY ${value} HAVING count(*) > 1) g
       JOIN responses r USING (response_id) WHERE r.survey_id = ? AND (? = 0 OR ${ANSWERED} >= ?)`,
      [surveyId, surveyId, least, least],
    );
    return rows.map((row) => row.ids);
  }

  /** The answers to some questions, by response. */
  async answersTo(
    surveyId: number,
    codes: readonly string[],
    responseIds: readonly number[],
  ): Promise<Map<number, StoredAnswers>> {
    const rows = await rowsOf<{ response_id: number; answers: StoredAnswers }>(
      this.db,
      `SELECT response_id, coalesce((SELECT jsonb_object_agg(a.key, a.value) FROM jsonb_each(answers) a
         WHERE a.key = ANY(?::text[])), '{}') AS answers
       FROM responses WHERE survey_id = ? AND response_id = ANY(?::bigint[])`,
      [codes, surveyId, responseIds],
    );
    return new Map(rows.map((row) => [row.response_id, row.answers]));
  }

  /**
   * What is kept with those of the responses (ids ascending, at least one) that have flags or are among `wanted`; `hold` them
   * until the transaction ends.
   */
  qualityOf(
    surveyId: number,
    responseIds: readonly number[],
    wanted: readonly number[],
    hold: boolean,
  ): Promise<StoredQuality[]> {
    return rowsOf(
      this.db,
      `SELECT response_id, quality FROM responses
       WHERE survey_id = ? AND response_id BETWEEN ? AND ? AND response_id = ANY(?::bigint[])
         AND deleted_at IS NULL AND NOT is_preview
         AND (quality IS NOT NULL OR response_id = ANY(?::bigint[])) ORDER BY response_id ${hold ? 'FOR UPDATE' : ''}`,
      [surveyId, responseIds[0]!, responseIds.at(-1)!, responseIds, wanted],
    );
  }

  /** The next responses after an id that have flags. */
  flaggedAfter(
    surveyId: number,
    afterId: number,
    limit: number,
  ): Promise<{ response_id: number; quality: ResponseQuality }[]> {
    return rowsOf(
      this.db,
      `SELECT response_id, quality FROM responses
       WHERE survey_id = ? AND response_id > ? AND quality IS NOT NULL AND deleted_at IS NULL AND NOT is_preview
       ORDER BY response_id LIMIT ?`,
      [surveyId, afterId, limit],
    );
  }

  /** Those of the ids that are responses of the survey. */
  async known(surveyId: number, responseIds: readonly number[]): Promise<Set<number>> {
    const rows = await rowsOf<{ response_id: number }>(
      this.db,
      `SELECT response_id FROM responses
       WHERE survey_id = ? AND response_id = ANY(?::bigint[]) AND deleted_at IS NULL AND NOT is_preview`,
      [surveyId, responseIds],
    );
    return new Set(rows.map((row) => row.response_id));
  }
}
