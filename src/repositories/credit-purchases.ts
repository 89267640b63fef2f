import type { Database } from '../db/connect.ts';
import { countOf, rowOf } from '../db/rows.ts';

export type PurchaseState = 'open' | 'paid' | 'cancelled' | 'expired';

export interface NewPurchase {
  checkoutId: string;
  organizationId: number;
  userId: number;
  credits: number;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
  provider: 'stripe' | 'sandbox';
  /** What the provider calls it; null: it is ours alone. */
  providerSessionId: string | null;
  successUrl: string | null;
  cancelUrl: string | null;
}

export interface PurchaseRow {
  checkout_id: string;
  organization_id: number;
  organization_name: string;
  credits: number;
  amount: number;
  currency: string;
  provider: 'stripe' | 'sandbox';
  provider_session_id: string | null;
  /** Nobody tells us that one of the sandbox has expired: it is, after a day. */
  purchase_state: PurchaseState;
  success_url: string | null;
  cancel_url: string | null;
}

/** What came of what a payment provider told us. */
export type EventOutcome = 'applied' | 'ignored' | 'refused';

/** Credits that are bought, and what payment providers said about it. */
export class CreditPurchaseRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async create(purchase: NewPurchase): Promise<void> {
    const { credits, amount, currency, provider } = purchase;
    await countOf(
      this.db,
      `INSERT INTO credit_purchases (checkout_id, organization_id, user_id, credits, amount, currency, provider, provider_session_id,
         success_url, cancel_url)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      [
        ...[purchase.checkoutId, purchase.organizationId, purchase.userId],
        ...[credits, amount, currency, provider, purchase.providerSessionId],
        ...[purchase.successUrl, purchase.cancelUrl],
      ],
    );
  }

  byId(checkoutId: string): Promise<PurchaseRow | null> {
    return rowOf(this.db, `${PURCHASE} WHERE p.checkout_id = ?`, [checkoutId]);
  }

  /** The same, and whoever else is about to change it waits. */
  lock(checkoutId: string): Promise<PurchaseRow | null> {
    return rowOf(this.db, `${PURCHASE} WHERE p.checkout_id = ? FOR UPDATE OF p`, [checkoutId]);
  }

  /**
   * Gives the credits, with their line of the ledger: once, whatever happened to it before, since money is money. The organization must
   * have an account. False: they were given.
   */
  async pay(checkoutId: string): Promise<boolean> {
    const given = await countOf(
      this.db,
      `WITH paid AS (
         UPDATE credit_purchases SET purchase_state = 'paid', paid_at = clock_timestamp()
         WHERE checkout_id = ? AND purchase_state <> 'paid'
         RETURNING checkout_id, organization_id, credits),
       added AS (
         UPDATE credit_accounts a SET balance = a.balance + paid.credits FROM paid
         WHERE a.organization_id = paid.organization_id RETURNING a.balance)
       INSERT INTO credit_ledger (organization_id, entry_kind, credits, balance_after, checkout_id)
       SELECT paid.organization_id, 'purchase', paid.credits, added.balance, paid.checkout_id FROM paid, added`,
      [checkoutId],
    );
    return given > 0;
  }

  /** False: it had ended before. */
  async end(checkoutId: string, state: 'cancelled' | 'expired'): Promise<boolean> {
    const ended = await countOf(
      this.db,
      `UPDATE credit_purchases SET purchase_state = ? WHERE checkout_id = ? AND purchase_state = 'open'`,
      [state, checkoutId],
    );
    return ended > 0;
  }

  /** Writes down what was told, and what came of it; null: now. What came of it before, where it was told before. */
  async remember(
    eventId: string,
    eventType: string,
    checkoutId: string | null,
    outcome: EventOutcome,
  ): Promise<EventOutcome | null> {
    const added = await countOf(
      this.db,
      `INSERT INTO payment_events (event_id, event_type, checkout_id, outcome) VALUES (?, ?, ?, ?)
       ON CONFLICT (event_id) DO NOTHING`,
      [eventId, eventType, checkoutId, outcome],
    );
    if (added > 0) return null;
    const before = await rowOf<{ outcome: EventOutcome }>(
      this.db,
      'SELECT outcome FROM payment_events WHERE event_id = ?',
      [eventId],
    );
    return before!.outcome;
  }
}

const PURCHASE = `
  SELECT p.checkout_id, p.organization_id, o.organization_name, p.credits, p.amount, p.currency, p.provider, p.provider_session_id,
    CASE WHEN p.provider = 'sandbox' AND p.purchase_state = 'open' AND p.created_at < now() - interval '24 hours'
      THEN 'expired' ELSE p.purchase_state END AS purchase_state,
    p.success_url, p.cancel_url
  FROM credit_purchases p JOIN organizations o ON o.organization_id = p.organization_id`;
