import type { Database } from '../db/connect.ts';
import { rowOf } from '../db/rows.ts';
import { DAY_ZONE } from './response-columns.ts';

interface SettledMoment {
  /** Milliseconds since 1970. */
  until_ms: number;
  /** The zone whose days the times of its responses are rounded to; null: they are exact. */
  day_zone: string | null;
}

/**
 * Up to which moment the past is settled: no response with an earlier `updated_at` can still appear.
 *
 * A writer's `updated_at` is now(), the start of its transaction, and becomes visible when that commits, maybe much later and in any
 * order. So what was written before the start of the oldest transaction that is still running is decided: its writers are gone from
 * pg_stat_activity, which a transaction leaves only after its commit is visible. Whoever begins after this statement has a later now().
 * - Everybody counts who may write, also who has written nothing yet: the moment is taken at the start. Long readers only hold it back.
 * - now() here, and not the clock afterwards: a transaction may begin while the activity is being read.
 * - Between its clock and its appearance in the activity a transaction passes a few microseconds, unless it is not given the
 *   processor: hence the margin.
 * - A role sees the transactions of its own sessions (and a member of pg_read_all_stats all): responses are written under one role.
 * - Read it on a connection of its own, outside a transaction, which would keep its first look; then, later, read the responses.
 */
export class SettledMomentRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** null: no such survey. */
  of(surveyId: number): Promise<SettledMoment | null> {
    // Raw SQL: one snapshot of now(), the activity of all sessions and the survey.
    return rowOf(
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
