import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';

/** A stored result. `key`: SHA-256 of what the result was computed from, as hex digits. */
export interface KeptResult {
  key: string;
  result: unknown;
}

/** Results that AI engines computed from texts and figures of surveys. */
export class AnalysisResultRepository {
  constructor(private readonly db: Database) {}

  /** Returns the stored results of these keys, by key. */
  async findByKeys(surveyId: number, keys: readonly string[]): Promise<Map<string, unknown>> {
    const rows = await this.db('analysis_results')
      .where({ survey_id: surveyId })
      .whereRaw(`result_key = ANY (SELECT decode(key, 'hex') FROM unnest(?::text[]) AS key)`, [[...keys]])
      .select('result_key', 'result');
    return new Map(rows.map((row) => [row.result_key.toString('hex'), row.result]));
  }

  /** Stores results; a result that is stored already stays as it is. */
  async insertMany(surveyId: number, results: readonly KeptResult[]): Promise<void> {
    // Raw SQL: inserts any number of rows with three bindings.
    await queryCount(
      this.db,
      `INSERT INTO analysis_results (survey_id, result_key, result)
       SELECT ?, decode(key, 'hex'), result::jsonb FROM unnest(?::text[], ?::text[]) AS given (key, result)
       ON CONFLICT DO NOTHING`,
      [surveyId, results.map(({ key }) => key), results.map(({ result }) => JSON.stringify(result))],
    );
  }

  async deleteByKeys(surveyId: number, keys: readonly string[]): Promise<void> {
    await this.db('analysis_results')
      .where({ survey_id: surveyId })
      .whereRaw(`result_key = ANY (SELECT decode(key, 'hex') FROM unnest(?::text[]) AS key)`, [[...keys]])
      .delete();
  }

  /** Deletes the oldest results that exceed the age, at most `limit`. Returns how many. */
  deleteOld(olderThanDays: number, limit: number): Promise<number> {
    return this.db('analysis_results')
      .whereIn(
        ['survey_id', 'result_key'],
        this.db('analysis_results')
          .select('survey_id', 'result_key')
          .whereRaw(`created_at < now() - ? * interval '1 day'`, [olderThanDays])
          .orderBy('created_at')
          .limit(limit),
      )
      .delete();
  }
}
