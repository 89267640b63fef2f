import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';

/** What credits are wanted for. */
export interface CreditPurpose {
  organizationId: number;
  userId: number;
  /** null: of no survey. */
  surveyId: number | null;
  operation: string;
}

/** What work came to. */
export interface CreditsSpent {
  engine: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  tokensEstimated: boolean;
  credits: number;
}

/** Sums of what was spent: in all, or of one day, operation, user or survey. */
export interface UsageRow {
  grouped_by: 'all' | 'day' | 'operation' | 'user' | 'survey';
  /** `2026-03-31`. */
  day: string | null;
  operation: string | null;
  user_id: number | null;
  user_name: string | null;
  survey_id: number | null;
  survey_name: string | null;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  credits: number;
}

/**
 * The credits of organizations. Each change of a balance is one statement that writes its line of the ledger too, so that the balance is
 * the ledger's sum at every moment.
 */
export class CreditRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  /** Makes the account where there is none yet, with what it begins with. */
  async open(organizationId: number, startingCredits: number): Promise<void> {
    await countOf(
      this.db,
      `WITH made AS (
         INSERT INTO credit_accounts (organization_id, balance) VALUES (?, ?)
         ON CONFLICT (organization_id) DO NOTHING RETURNING organization_id, balance)
       INSERT INTO credit_ledger (organization_id, entry_kind, credits, balance_after)
       SELECT organization_id, 'grant', balance, balance FROM made`,
      [organizationId, startingCredits],
    );
  }

  /** null: there is no account yet. */
  async balance(organizationId: number): Promise<number | null> {
    const row = await rowOf<{ balance: number }>(
      this.db,
      `SELECT balance FROM credit_accounts WHERE organization_id = ?`,
      [organizationId],
    );
    return row?.balance ?? null;
  }

  /**
   * Sets credits aside; gives the reservation's id. `under_way`: there is an open one for the same work (`workKey`, SHA-256) on the
   * same survey.
   */
  async reserve(
    { organizationId, userId, surveyId, operation }: CreditPurpose,
    credits: number,
    leaseSeconds: number,
    workKey: Buffer | null,
  ): Promise<number | 'too_few' | 'under_way'> {
    try {
      const row = await rowOf<{ reservation_id: number }>(
        this.db,
        `WITH taken AS (
           UPDATE credit_accounts SET balance = balance - ?
           WHERE organization_id = ? AND balance >= ? RETURNING organization_id, balance),
         held AS (
           INSERT INTO credit_reservations (organization_id, user_id, survey_id, operation, credits, work_key, lease_until)
           SELECT organization_id, ?, ?::bigint, ?, ?, ?::bytea, clock_timestamp() + ? * interval '1 second' FROM taken
           RETURNING reservation_id, credits)
         INSERT INTO credit_ledger (organization_id, entry_kind, credits, balance_after, reservation_id)
         SELECT taken.organization_id, 'reservation', -held.credits, taken.balance, held.reservation_id FROM taken, held
         RETURNING reservation_id`,
        [credits, organizationId, credits, userId, surveyId, operation, credits, workKey, leaseSeconds],
      );
      return row?.reservation_id ?? 'too_few';
    } catch (error) {
      if ((error as { constraint?: unknown }).constraint === 'credit_reservations_work') return 'under_way';
      throw error;
    }
  }

  /** False: it has ended. */
  async extend(reservationId: number, leaseSeconds: number): Promise<boolean> {
    const extended = await countOf(
      this.db,
      `UPDATE credit_reservations SET lease_until = clock_timestamp() + ? * interval '1 second'
       WHERE reservation_id = ? AND reservation_state = 'open'`,
      [leaseSeconds, reservationId],
    );
    return extended > 0;
  }

  /** Keeps what was spent, at most what was set aside, and gives back the rest; says what was kept. null: it had ended before. */
  async settle(reservationId: number, spent: CreditsSpent): Promise<number | null> {
    const row = await rowOf<{ credits: number }>(
      this.db,
      `WITH ended AS (
         UPDATE credit_reservations SET reservation_state = 'settled'
         WHERE reservation_id = ? AND reservation_state = 'open'
         RETURNING *, least(credits, ?::bigint) AS spent),
       back AS (
         UPDATE credit_accounts a SET balance = a.balance + ended.credits - ended.spent FROM ended
         WHERE a.organization_id = ended.organization_id RETURNING a.balance),
       entry AS (
         INSERT INTO credit_ledger (organization_id, entry_kind, credits, balance_after, reservation_id)
         SELECT ended.organization_id, 'settlement', ended.credits - ended.spent, back.balance, ended.reservation_id
         FROM ended, back)
       INSERT INTO credit_usage (reservation_id, organization_id, user_id, survey_id, operation, engine, model, input_tokens,
         output_tokens, tokens_estimated, credits)
       SELECT reservation_id, organization_id, user_id, survey_id, operation, ?, ?, ?, ?, ?, spent FROM ended
       RETURNING credits`,
      [
        reservationId,
        spent.credits,
        spent.engine,
        spent.model,
        spent.inputTokens,
        spent.outputTokens,
        spent.tokensEstimated,
      ],
    );
    return row?.credits ?? null;
  }

  /** Gives back all of it. False: it had ended before. */
  release(reservationId: number): Promise<boolean> {
    return this.giveBack(reservationId, '');
  }

  /** The same, only if nobody has moved its lease on meanwhile. */
  releaseAbandoned(reservationId: number): Promise<boolean> {
    return this.giveBack(reservationId, 'AND lease_until < clock_timestamp()');
  }

  /** Those whose lease has run out, the oldest first. */
  async abandoned(limit: number): Promise<number[]> {
    const rows = await rowsOf<{ reservation_id: number }>(
      this.db,
      `SELECT reservation_id FROM credit_reservations
       WHERE reservation_state = 'open' AND lease_until < clock_timestamp() ORDER BY lease_until LIMIT ?`,
      [limit],
    );
    return rows.map((row) => row.reservation_id);
  }

  /** What was spent from one moment to before another, as sums; days are of UTC. */
  usage(organizationId: number, from: Date, until: Date): Promise<UsageRow[]> {
    return rowsOf(
      this.db,
      `WITH sums AS (
         SELECT CASE grouping(day, operation, user_id, survey_id)
             WHEN 15 THEN 'all' WHEN 7 THEN 'day' WHEN 11 THEN 'operation' WHEN 13 THEN 'user' ELSE 'survey' END AS grouped_by,
           day, operation, user_id, survey_id, count(*) AS calls, coalesce(sum(input_tokens), 0)::bigint AS input_tokens,
           coalesce(sum(output_tokens), 0)::bigint AS output_tokens, coalesce(sum(credits), 0)::bigint AS credits
         FROM (SELECT to_char(used_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, * FROM credit_usage
               WHERE organization_id = ? AND used_at >= ? AND used_at < ?) AS used
         GROUP BY GROUPING SETS ((), (day), (operation), (user_id), (survey_id)))
       SELECT sums.*, u.user_name, s.survey_name FROM sums
       LEFT JOIN users u ON u.user_id = sums.user_id
       LEFT JOIN surveys s ON s.survey_id = sums.survey_id
       ORDER BY sums.day, sums.credits DESC, sums.operation, sums.user_id, sums.survey_id`,
      [organizationId, from, until],
    );
  }

  private async giveBack(reservationId: number, condition: string): Promise<boolean> {
    const released = await countOf(
      this.db,
      `WITH ended AS (
         UPDATE credit_reservations SET reservation_state = 'released'
         WHERE reservation_id = ? AND reservation_state = 'open' ${condition}
         RETURNING reservation_id, organization_id, credits),
       back AS (
         UPDATE credit_accounts a SET balance = a.balance + ended.credits FROM ended
         WHERE a.organization_id = ended.organization_id RETURNING a.balance)
       INSERT INTO credit_ledger (organization_id, entry_kind, credits, balance_after, reservation_id)
       SELECT ended.organization_id, 'release', ended.credits, back.balance, ended.reservation_id FROM ended, back`,
      [reservationId],
    );
    return released > 0;
  }
}
