import type { Database } from '../db/connect.ts';
import { countOf, rowsOf } from '../db/rows.ts';

/** Something kept under what it was made from: SHA-256, as hex digits. */
export interface KeptResult {
  key: string;
  result: unknown;
}

/** What engines made of texts and figures of surveys. */
export class AnalysisResultRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** What is there of those, by key. */
  async found(surveyId: number, keys: readonly string[]): Promise<Map<string, unknown>> {
    const rows = await rowsOf<KeptResult>(
      this.db,
      `SELECT encode(result_key, 'hex') AS key, result FROM analysis_results
       WHERE survey_id = ? AND result_key = ANY (SELECT decode(key, 'hex') FROM unnest(?::text[]) AS key)`,
      [surveyId, keys],
    );
    return new Map(rows.map(({ key, result }) => [key, result]));
  }

  /** What was there already stays. */
  async keep(surveyId: number, results: readonly KeptResult[]): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO analysis_results (survey_id, result_key, result)
       SELECT ?, decode(key, 'hex'), result::jsonb FROM unnest(?::text[], ?::text[]) AS made (key, result)
       ON CONFLICT DO NOTHING`,
      [surveyId, results.map(({ key }) => key), results.map(({ result }) => JSON.stringify(result))],
    );
  }

  /** Forgets what is older, at most so many; says how many. */
  forget(olderThanDays: number, atOnce: number): Promise<number> {
    return countOf(
      this.db,
      `DELETE FROM analysis_results WHERE (survey_id, result_key) IN (
         SELECT survey_id, result_key FROM analysis_results
         WHERE made_at < now() - ? * interval '1 day' ORDER BY made_at LIMIT ?)`,
      [olderThanDays, atOnce],
    );
  }
}
