import type { Database } from '../db/connect.ts';
import { queryCount, queryRow, queryRows } from '../db/rows.ts';
import { requireValue } from '../lib/require-value.ts';
import type { CreditPurchaseTable, CreditUsageTable, PaymentEventTable } from './tables/system.ts';
import { qualifyColumns } from './tables/table.ts';

/** The work that credits pay for. */
export interface CreditPurpose {
  organizationId: number;
  userId: number;
  /** null: the work belongs to no survey. */
  surveyId: number | null;
  operation: string;
}

/** What finished work cost. */
interface CreditsSpent {
  engine: string;
  model: string;
  inputTokens: number;
  outputTokens: number;
  tokensEstimated: boolean;
  credits: number;
}

/** Sums of the credits spent: in total, or for one day, operation, user or survey. */
export interface UsageRow extends Pick<
  CreditUsageTable,
  'survey_id' | 'input_tokens' | 'output_tokens' | 'credits'
> {
  grouped_by: 'all' | 'day' | 'operation' | 'user' | 'survey';
  /** `2026-03-31`. */
  day: string | null;
  operation: string | null;
  user_id: number | null;
  user_name: string | null;
  survey_name: string | null;
  calls: number;
}

export type PurchaseState = CreditPurchaseTable['purchase_state'];

/** What the handling of an event of a payment provider resulted in. */
export type EventOutcome = PaymentEventTable['outcome'];

interface NewPurchase {
  checkoutId: string;
  organizationId: number;
  userId: number;
  credits: number;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
  provider: CreditPurchaseTable['provider'];
  /** null: the provider does not know the purchase. */
  providerSessionId: string | null;
  successUrl: string | null;
  cancelUrl: string | null;
}

const PURCHASE_COLUMNS = [
  'checkout_id',
  'organization_id',
  'credits',
  'amount',
  'currency',
  'provider',
  'provider_session_id',
  'success_url',
  'cancel_url',
] as const;

export type PurchaseRow = Pick<CreditPurchaseTable, (typeof PURCHASE_COLUMNS)[number]> & {
  organization_name: string;
  /** The sandbox sends no event when a purchase expires: an open one counts as expired after a day. */
  purchase_state: PurchaseState;
};

/**
 * Locks the account of a reservation before the reservation is changed. A new reservation, which locks the account too, waits for the end
 * of the reservation for the same work: the opposite order would be a deadlock.
 */
const LOCKED_RESERVATION = `locked AS MATERIALIZED (
         SELECT reservation_id FROM credit_reservations JOIN credit_accounts account USING (organization_id)
         WHERE reservation_id = ? FOR NO KEY UPDATE OF account)`;

/**
 * The credits of organizations, their purchases, and the events that payment providers sent about them. Each change of a balance is one statement that also writes the entry of the ledger, so that the balance
 * equals the sum of the ledger at every moment.
 */
export class CreditRepository {
  constructor(private readonly db: Database) {}

  /** Creates the account with its starting credits, unless it exists. */
  async openAccount(organizationId: number, startingCredits: number): Promise<void> {
    // Raw SQL: the balance and its entry in the ledger are written in one statement.
    await queryCount(
      this.db,
      `WITH account AS (
         INSERT INTO credit_accounts (organization_id, balance) VALUES (?, ?)
         ON CONFLICT (organization_id) DO NOTHING RETURNING organization_id, balance)
       INSERT INTO credit_ledger (organization_id, entry_kind, credits, balance_after)
       SELECT organization_id, 'grant', balance, balance FROM account`,
      [organizationId, startingCredits],
    );
  }

  /** null: the organization has no account yet. */
  async findBalance(organizationId: number): Promise<number | null> {
    const row = await this.db('credit_accounts').first('balance').where('organization_id', organizationId);
    return row?.balance ?? null;
  }

  /**
   * Reserves credits. Returns the id of the reservation. `already_running`: the survey has an open reservation for the same work
   * (`workKey`, SHA-256).
   */
  async reserve({
    creditPurpose: { organizationId, userId, surveyId, operation },
    credits,
    leaseSeconds,
    workKey,
  }: {
    creditPurpose: CreditPurpose;
    credits: number;
    leaseSeconds: number;
    workKey: Buffer | null;
  }): Promise<number | 'insufficient' | 'already_running'> {
    try {
      // Raw SQL: the balance, the reservation and the entry in the ledger are written in one statement.
      const row = await queryRow<{ reservation_id: number }>(
        this.db,
        `WITH debited AS (
           UPDATE credit_accounts SET balance = balance - ?
           WHERE organization_id = ? AND balance >= ? RETURNING organization_id, balance),
         reserved AS (
           INSERT INTO credit_reservations (organization_id, user_id, survey_id, operation, credits, work_key, lease_until)
           SELECT organization_id, ?, ?::bigint, ?, ?, ?::bytea, clock_timestamp() + ? * interval '1 second' FROM debited
           RETURNING reservation_id, credits)
         INSERT INTO credit_ledger (organization_id, entry_kind, credits, balance_after, reservation_id)
         SELECT debited.organization_id, 'reservation', -reserved.credits, debited.balance, reserved.reservation_id FROM debited, reserved
         RETURNING reservation_id`,
        [credits, organizationId, credits, userId, surveyId, operation, credits, workKey, leaseSeconds],
      );
      return row?.reservation_id ?? 'insufficient';
    } catch (error) {
      if ((error as { constraint?: unknown }).constraint === 'credit_reservations_work_unique')
        return 'already_running';
      throw error;
    }
  }

  /** Returns false if the reservation has ended. */
  async extendLease(reservationId: number, leaseSeconds: number): Promise<boolean> {
    const extended = await this.db('credit_reservations')
      .where({ reservation_id: reservationId, reservation_state: 'open' })
      .update({ lease_until: this.db.raw(`clock_timestamp() + ? * interval '1 second'`, [leaseSeconds]) });
    return extended > 0;
  }

  /** Charges what was spent, at most the reserved credits, and releases the rest. Returns the charge; null: the reservation had ended. */
  async settle(reservationId: number, spent: CreditsSpent): Promise<number | null> {
    // Raw SQL: the reservation, the balance, the ledger and the usage are written in one statement.
    const row = await queryRow<{ credits: number }>(
      this.db,
      `WITH ${LOCKED_RESERVATION},
       ended AS (
         UPDATE credit_reservations r SET reservation_state = 'settled' FROM locked
         WHERE r.reservation_id = locked.reservation_id AND r.reservation_state = 'open'
         RETURNING r.*, least(r.credits, ?::bigint) AS spent),
       refunded AS (
         UPDATE credit_accounts a SET balance = a.balance + ended.credits - ended.spent FROM ended
         WHERE a.organization_id = ended.organization_id RETURNING a.balance),
       entry AS (
         INSERT INTO credit_ledger (organization_id, entry_kind, credits, balance_after, reservation_id)
         SELECT ended.organization_id, 'settlement', ended.credits - ended.spent, refunded.balance, ended.reservation_id
         FROM ended, refunded)
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

  /** Releases all reserved credits. Returns false if the reservation had ended. */
  release(reservationId: number): Promise<boolean> {
    return this.refund(reservationId, '');
  }

  /** As `release`, only if the lease has expired. */
  releaseAbandoned(reservationId: number): Promise<boolean> {
    return this.refund(reservationId, 'AND lease_until < clock_timestamp()');
  }

  /** Open reservations whose lease has expired, the oldest lease first. */
  async listAbandoned(limit: number): Promise<number[]> {
    const rows = await this.db('credit_reservations')
      .select('reservation_id')
      .where('reservation_state', 'open')
      .where('lease_until', '<', this.db.raw('clock_timestamp()'))
      .orderBy('lease_until')
      .limit(limit);
    return rows.map((row) => row.reservation_id);
  }

  /** Sums of the credits spent from `from` until before `until`. Days are in UTC. */
  summarizeUsage(organizationId: number, from: Date, until: Date): Promise<UsageRow[]> {
    // Raw SQL: the builder has no grouping sets.
    return queryRows(
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

  private async refund(reservationId: number, condition: string): Promise<boolean> {
    // Raw SQL: the reservation, the balance and the entry in the ledger are written in one statement.
    const released = await queryCount(
      this.db,
      `WITH ${LOCKED_RESERVATION},
       ended AS (
         UPDATE credit_reservations r SET reservation_state = 'released' FROM locked
         WHERE r.reservation_id = locked.reservation_id AND r.reservation_state = 'open' ${condition}
         RETURNING r.reservation_id, r.organization_id, r.credits),
       refunded AS (
         UPDATE credit_accounts a SET balance = a.balance + ended.credits FROM ended
         WHERE a.organization_id = ended.organization_id RETURNING a.balance)
       INSERT INTO credit_ledger (organization_id, entry_kind, credits, balance_after, reservation_id)
       SELECT ended.organization_id, 'release', ended.credits, refunded.balance, ended.reservation_id FROM ended, refunded`,
      [reservationId],
    );
    return released > 0;
  }

  async createPurchase(purchase: NewPurchase): Promise<void> {
    await this.db('credit_purchases').insert({
      checkout_id: purchase.checkoutId,
      organization_id: purchase.organizationId,
      user_id: purchase.userId,
      credits: purchase.credits,
      amount: purchase.amount,
      currency: purchase.currency,
      provider: purchase.provider,
      provider_session_id: purchase.providerSessionId,
      success_url: purchase.successUrl,
      cancel_url: purchase.cancelUrl,
    });
  }

  async findPurchase(checkoutId: string): Promise<PurchaseRow | null> {
    const [row] = await this.selectPurchase(checkoutId);
    return row ?? null;
  }

  /** As `byId`. Locks the purchase until the transaction ends. */
  async lockPurchase(checkoutId: string): Promise<PurchaseRow | null> {
    const [row] = await this.selectPurchase(checkoutId).forUpdate('credit_purchases');
    return row ?? null;
  }

  /**
   * Marks the purchase as paid and adds its credits, with an entry in the ledger, also when it had been cancelled or had expired: the
   * customer has paid. The organization must have an account. Returns false if the credits had been added before.
   */
  async payPurchase(checkoutId: string): Promise<boolean> {
    // Raw SQL: the purchase, the balance and the entry in the ledger are written in one statement.
    const added = await queryCount(
      this.db,
      `WITH paid AS (
         UPDATE credit_purchases SET purchase_state = 'paid', paid_at = clock_timestamp()
         WHERE checkout_id = ? AND purchase_state <> 'paid'
         RETURNING checkout_id, organization_id, credits),
       credited AS (
         UPDATE credit_accounts a SET balance = a.balance + paid.credits FROM paid
         WHERE a.organization_id = paid.organization_id RETURNING a.balance)
       INSERT INTO credit_ledger (organization_id, entry_kind, credits, balance_after, checkout_id)
       SELECT paid.organization_id, 'purchase', paid.credits, credited.balance, paid.checkout_id FROM paid, credited`,
      [checkoutId],
    );
    return added > 0;
  }

  /** Returns false if the purchase had ended. */
  async endPurchase(checkoutId: string, state: 'cancelled' | 'expired'): Promise<boolean> {
    const ended = await this.db('credit_purchases')
      .where({ checkout_id: checkoutId, purchase_state: 'open' })
      .update({ purchase_state: state });
    return ended > 0;
  }

  /** Records an event and its outcome. Returns null, or the outcome recorded earlier if the provider had sent the event before. */
  async recordPaymentEvent({
    eventId,
    eventType,
    checkoutId,
    outcome,
  }: {
    eventId: string;
    eventType: string;
    checkoutId: string | null;
    outcome: EventOutcome;
  }): Promise<EventOutcome | null> {
    const added = await this.db('payment_events')
      .insert({ event_id: eventId, event_type: eventType, checkout_id: checkoutId, outcome })
      .onConflict('event_id')
      .ignore()
      .returning('event_id');
    if (added.length > 0) return null;
    const earlier = requireValue(
      await this.db('payment_events').first('outcome').where('event_id', eventId),
      'row of payment_events',
    );
    return earlier.outcome;
  }

  private selectPurchase(checkoutId: string) {
    return this.db('credit_purchases')
      .join('organizations', 'organizations.organization_id', 'credit_purchases.organization_id')
      .select<PurchaseRow[]>(
        ...qualifyColumns('credit_purchases', PURCHASE_COLUMNS),
        'organizations.organization_name',
        this.db.raw(
          `CASE WHEN provider = 'sandbox' AND purchase_state = 'open'
             AND credit_purchases.created_at < now() - interval '24 hours'
           THEN 'expired' ELSE purchase_state END AS purchase_state`,
        ),
      )
      .where('credit_purchases.checkout_id', checkoutId);
  }
}
