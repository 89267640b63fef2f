import type { Clock } from '../../lib/clock.ts';
import { conflict, notFound } from '../../lib/errors.ts';
import type { OrderUpdate, PaymentEvent, PaymentProvider } from '../../providers/payment/payment-provider.ts';
import type { EventOutcome, PurchaseRow } from '../../repositories/credits.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import { grantPurchase, purchaseAuditEntry } from './grant-purchase.ts';

/** Handles events of the payment provider: each counts once, however often and in whatever order they arrive. */
export class PaymentEventService {
  constructor(
    private readonly store: Store,
    private readonly payment: PaymentProvider | null,
    private readonly startingCredits: number,
    private readonly clock: Clock,
  ) {}

  /** Throws 409 `payment_mismatch` each time an event does not match its order; a person has to check it. */
  async handle(bytes: Buffer, signature: string | null): Promise<void> {
    if (this.payment === null) throw notFound('address');
    const event = await this.payment.readEvent(bytes, signature, this.clock.now());
    const outcome = await this.store.transaction((repositories) => this.apply(repositories, event));
    if (outcome === 'refused')
      throw conflict('payment_mismatch', 'The payment does not match the order; no credits were granted');
  }

  private async apply(
    repositories: Repositories,
    { eventId, eventType, update }: PaymentEvent,
  ): Promise<EventOutcome> {
    const { audit, credits } = repositories;
    // Serializes events of the same purchase.
    const purchase = update === null ? null : await credits.lockPurchase(update.order.checkoutId);
    if (update === null || purchase === null)
      return (await credits.recordPaymentEvent(eventId, eventType, null, 'ignored')) ?? 'ignored';
    const outcome = matchesOrder(update.order, purchase) ? 'applied' : 'refused';
    const before = await credits.recordPaymentEvent(eventId, eventType, purchase.checkout_id, outcome);
    if (before !== null) return before;
    if (outcome === 'refused') {
      const { amount, currency } = update.order;
      const entry = purchaseAuditEntry(purchase, 'payment_refused');
      await audit.record({ ...entry, details: { ...entry.details, reported: { amount, currency } } });
    } else if (update.kind === 'paid') {
      await grantPurchase(repositories, purchase, this.startingCredits);
    } else if (await credits.endPurchase(purchase.checkout_id, 'expired')) {
      await audit.record(purchaseAuditEntry(purchase, 'order_expired'));
    }
    return outcome;
  }
}

const matchesOrder = (result: OrderUpdate, purchase: PurchaseRow): boolean =>
  result.sessionId === purchase.provider_session_id &&
  result.organizationId === String(purchase.organization_id) &&
  result.amount === purchase.amount &&
  result.currency === purchase.currency;
