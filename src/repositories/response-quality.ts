import type { Database } from '../db/connect.ts';
import { queryCount, queryPreparedRows, queryRows } from '../db/rows.ts';
import type { StoredAnswers } from '../domain/questions/answers/codec.ts';
import type { CompleteDurations, PageTimes } from '../domain/quality/speeder.ts';
import type { ResponseQuality } from '../domain/responses/quality-flag.ts';
import { requireRow, requireValue } from '../lib/require-value.ts';
import { countRows } from './list-queries.ts';
import type { ResponseTable } from './tables/responses.ts';

/** Columns that show that two responses come from the same respondent. */
export type DuplicateKey = 'address_hash' | 'fingerprint' | 'external_id';

interface DuplicateKeyValue {
  surveyId: number;
  duplicateKey: DuplicateKey;
  value: string;
}

/** What duplicate detection compares. */
export type ComparedValue = DuplicateKey | 'answers';

type StoredQuality = Pick<ResponseTable, 'response_id' | 'quality'>;

/** The number of answers; each row of a matrix is one. */
const ANSWERED = `(SELECT coalesce(sum(CASE jsonb_typeof(a.value) WHEN 'null' THEN 0
    WHEN 'object' THEN (SELECT count(*) FROM jsonb_object_keys(a.value)) ELSE 1 END), 0) FROM jsonb_each(r.answers) a)`;

/** The parts of responses that quality checks read and write. */
export class ResponseQualityRepository {
  constructor(private readonly db: Database) {}

  /** Locks these keys until the transaction ends, so that two responses with the same key cannot both find it unused. */
  async lockDuplicateKeys(keys: readonly DuplicateKeyValue[]): Promise<void> {
    const names = [...new Set(keys.map((key) => `${key.surveyId} ${key.duplicateKey} ${key.value}`))];
    // Raw SQL: advisory locks.
    await queryCount(
      this.db,
      `SELECT pg_advisory_xact_lock(key) FROM (
         SELECT DISTINCT hashtextextended(name, 0) AS key FROM unnest(?::text[]) AS name ORDER BY key) AS locks`,
      [names],
    );
  }

  /** How many responses of the survey have the key. `ended`: counts only completed and screened-out ones. */
  async countWithKey(
    { surveyId, duplicateKey, value }: DuplicateKeyValue,
    { ended, exceptResponseId }: { ended: boolean; exceptResponseId: number | null },
  ): Promise<number> {
    const query = this.countedResponses(surveyId).where(duplicateKey, value);
    if (ended) void query.whereNot('response_status', 'partial');
    if (exceptResponseId !== null) void query.whereNot('response_id', exceptResponseId);
    return countRows(query);
  }

  async listCompleteDurations(surveyId: number): Promise<CompleteDurations> {
    const rows = await this.countedResponses(surveyId)
      .select<{ count: number; median: number | null }[]>(
        this.db.raw('count(*), percentile_cont(0.5) WITHIN GROUP (ORDER BY duration_seconds) AS median'),
      )
      .where({ response_status: 'complete' })
      .whereNotNull('duration_seconds');
    const { count, median } = requireRow(rows, 'responses');
    return { count, medianSeconds: median };
  }

  /** Of an existing response. */
  async listPageTimes(
    surveyId: number,
    responseId: number,
  ): Promise<Pick<ResponseTable, 'page_times' | 'started_at'>> {
    // Raw SQL: hot path of saving.
    const rows = await queryPreparedRows<Pick<ResponseTable, 'page_times' | 'started_at'>>(
      this.db,
      'page_times',
      'SELECT page_times, started_at FROM responses WHERE survey_id = ? AND response_id = ?',
      [surveyId, responseId],
    );
    return requireRow(rows, 'response');
  }

  /** The keys of an existing response by which duplicates are found. */
  async listDuplicateKeys(
    surveyId: number,
    responseId: number,
  ): Promise<{ addressHash: string | null; fingerprint: string | null }> {
    const row = await this.db('responses')
      .first('address_hash', 'fingerprint')
      .where({ survey_id: surveyId, response_id: responseId });
    const { address_hash, fingerprint } = requireValue(row, 'response');
    return { addressHash: address_hash, fingerprint };
  }

  async savePageTimes(surveyId: number, responseId: number, times: PageTimes): Promise<void> {
    // Raw SQL: hot path of saving.
    await queryPreparedRows(
      this.db,
      'save_page_times',
      'UPDATE responses SET page_times = ? WHERE survey_id = ? AND response_id = ?',
      [JSON.stringify(times), surveyId, responseId],
    );
  }

  /**
   * The response_id of responses that have the same value, in groups of two and more. Answers are compared as PostgreSQL writes
   * them (its jsonb has one text for each value); responses with fewer than `fewestAnswers` answers are left out.
   */
  async findDuplicates(surveyId: number, by: ComparedValue, fewestAnswers: number): Promise<number[][]> {
    const [value, least] = by === 'answers' ? ['md5(answers::text)', fewestAnswers] : [by, 0];
    // Raw SQL: groups by an expression, aggregates ids as JSON, and joins the first response of each group again.
    const rows = await queryRows<{ ids: number[] }>(
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

  /** The answers to these questions by response_id; ids that the survey does not have are absent. */
  async listAnswers(
    surveyId: number,
    codes: readonly string[],
    responseIds: readonly number[],
  ): Promise<Map<number, StoredAnswers>> {
    const rows = await this.db('responses')
      .select('response_id', {
        answers: this.db.raw<StoredAnswers>(
          `coalesce((SELECT jsonb_object_agg(a.key, a.value) FROM jsonb_each(answers) a WHERE a.key = ANY(?::text[])), '{}')`,
          [[...codes]],
        ),
      })
      .where({ survey_id: surveyId })
      .whereRaw('response_id = ANY(?::bigint[])', [[...responseIds]]);
    return new Map(rows.map((row) => [row.response_id, row.answers]));
  }

  /** How many of the questions each response was shown. */
  async countShown(
    surveyId: number,
    codes: readonly string[],
    responseIds: readonly number[],
  ): Promise<Map<number, number>> {
    const rows = await this.db('responses')
      .select('response_id', {
        shown: this.db.raw<number>(
          '(SELECT count(*)::int FROM jsonb_object_keys(answers) AS code WHERE code = ANY(?::text[]))',
          [[...codes]],
        ),
      })
      .where({ survey_id: surveyId })
      .whereRaw('response_id = ANY(?::bigint[])', [[...responseIds]]);
    return new Map(rows.map((row) => [row.response_id, row.shown]));
  }

  /**
   * The quality of those of the responses (ids ascending, at least one) that have flags or are among `wanted`. `lock`: locks them
   * until the transaction ends.
   */
  async listQuality({
    surveyId,
    responseIds,
    wanted,
    lock,
  }: {
    surveyId: number;
    responseIds: readonly number[];
    wanted: readonly number[];
    lock: boolean;
  }): Promise<StoredQuality[]> {
    const query = this.db('responses')
      .select('response_id', 'quality')
      .where({ survey_id: surveyId, deleted_at: null, is_preview: false })
      .whereBetween('response_id', [responseIds[0] ?? 0, responseIds.at(-1) ?? 0])
      .whereRaw('response_id = ANY(?::bigint[])', [[...responseIds]])
      .whereRaw('(quality IS NOT NULL OR response_id = ANY(?::bigint[]))', [[...wanted]])
      .orderBy('response_id');
    return lock ? query.forUpdate() : query;
  }

  /** The next at most `limit` flagged responses after an id, by response_id. */
  async listFlaggedAfter(
    surveyId: number,
    afterId: number,
    limit: number,
  ): Promise<{ response_id: number; quality: ResponseQuality }[]> {
    const rows = await this.db('responses')
      .select('response_id', 'quality')
      .where({ survey_id: surveyId, deleted_at: null, is_preview: false })
      .where('response_id', '>', afterId)
      .whereNotNull('quality')
      .orderBy('response_id')
      .limit(limit);
    return rows as { response_id: number; quality: ResponseQuality }[];
  }

  /** Those of the ids that are responses of the survey. */
  async filterExisting(surveyId: number, responseIds: readonly number[]): Promise<Set<number>> {
    const ids = await this.db('responses')
      .where({ survey_id: surveyId, deleted_at: null, is_preview: false })
      .whereRaw('response_id = ANY(?::bigint[])', [[...responseIds]])
      .pluck('response_id');
    return new Set(ids);
  }

  /** Responses that statistics count: neither deleted nor tests. */
  private countedResponses(surveyId: number) {
    return this.db('responses').where({ survey_id: surveyId, deleted_at: null, is_test: false });
  }
}
