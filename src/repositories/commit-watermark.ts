import type { Database } from '../db/connect.ts';
import { queryRow } from '../db/rows.ts';
import { DAY_ZONE } from './response-columns.ts';

interface CommitWatermark {
  /** Milliseconds since 1970. */
  until_ms: number;
  /** IANA name of the time zone to whose days the survey's times are rounded; null: times are exact. */
  day_zone: string | null;
}

/**
 * The moment before which all commits are visible: no response with an earlier `updated_at` can still appear.
 *
 * A writer's `updated_at` is now(), the start of its transaction. It becomes visible when the transaction commits, maybe much later
 * and in any order. Writes from before the start of the oldest running transaction are therefore decided: their transactions are no
 * longer in pg_stat_activity, which a transaction leaves only after its commit is visible. Later transactions have a later now().
 * - Every running transaction counts, also one that has not written yet: it may still. Long readers only delay the watermark.
 * - now() is the start of this statement, not its end: a transaction may begin while it reads the activity.
 * - Between reading its clock and appearing in the activity a transaction needs microseconds, or longer when it is not scheduled:
 *   hence the margin of one second.
 * - A role sees the transactions of its own sessions (a member of pg_read_all_stats sees all): one role writes all responses.
 * - Call it outside a transaction, which would keep the first state of the activity that it read; read the responses afterwards.
 */
export class CommitWatermarkRepository {
  constructor(private readonly db: Database) {}

  /** null: no such survey. */
  find(surveyId: number): Promise<CommitWatermark | null> {
    // Raw SQL: one snapshot of now(), the activity of all sessions and the survey.
    return queryRow(
      this.db,
      `SELECT floor(extract(epoch FROM least(now(), oldest) - interval '1 second') * 1000)::bigint AS until_ms, ${DAY_ZONE}
       FROM surveys, (
         SELECT min(xact_start) AS oldest FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend') AS running
       WHERE survey_id = ?`,
      [surveyId],
    );
  }
}
