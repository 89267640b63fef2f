import type { Database } from '../db/connect.ts';
import { queryCount } from '../db/rows.ts';
import { qualifyColumns } from './tables/columns.ts';
import type { CreditPurchaseTable, PaymentEventTable } from './tables/billing.ts';

export type PurchaseState = CreditPurchaseTable['purchase_state'];

/** What the handling of an event of a payment provider resulted in. */
export type EventOutcome = PaymentEventTable['outcome'];

export interface NewPurchase {
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

const COLUMNS = [
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

export type PurchaseRow = Pick<CreditPurchaseTable, (typeof COLUMNS)[number]> & {
  organization_name: string;
  /** The sandbox sends no event when a purchase expires: an open one counts as expired after a day. */
  purchase_state: PurchaseState;
};

/** Purchases of credits, and the events that payment providers sent about them. */
export class CreditPurchaseRepository {
  constructor(private readonly db: Database) {}

  async create(purchase: NewPurchase): Promise<void> {
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

  async byId(checkoutId: string): Promise<PurchaseRow | null> {
    const [row] = await this.purchase(checkoutId);
    return row ?? null;
  }

  /** As `byId`. Locks the purchase until the transaction ends. */
  async lock(checkoutId: string): Promise<PurchaseRow | null> {
    const [row] = await this.purchase(checkoutId).forUpdate('credit_purchases');
    return row ?? null;
  }

  /**
   * Marks the purchase as paid and adds its credits, with an entry in the ledger, also when it had been cancelled or had expired: the
   * customer has paid. The organization must have an account. Returns false if the credits had been added before.
   */
  async pay(checkoutId: string): Promise<boolean> {
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
  async end(checkoutId: string, state: 'cancelled' | 'expired'): Promise<boolean> {
    const ended = await this.db('credit_purchases')
      .where({ checkout_id: checkoutId, purchase_state: 'open' })
      .update({ purchase_state: state });
    return ended > 0;
  }

  /** Records an event and its outcome. Returns null, or the outcome recorded earlier if the provider had sent the event before. */
  async recordEvent(
    eventId: string,
    eventType: string,
    checkoutId: string | null,
    outcome: EventOutcome,
  ): Promise<EventOutcome | null> {
    const added = await this.db('payment_events')
      .insert({ event_id: eventId, event_type: eventType, checkout_id: checkoutId, outcome })
      .onConflict('event_id')
      .ignore()
      .returning('event_id');
    if (added.length > 0) return null;
    const earlier = await this.db('payment_events').first('outcome').where('event_id', eventId);
    return earlier!.outcome;
  }

  private purchase(checkoutId: string) {
    return this.db('credit_purchases')
      .join('organizations', 'organizations.organization_id', 'credit_purchases.organization_id')
      .select<PurchaseRow[]>(
        ...qualifyColumns('credit_purchases', COLUMNS),
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
