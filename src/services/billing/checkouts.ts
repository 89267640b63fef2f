import type { Config } from '../../config.ts';
import type { Caller } from '../../domain/access/caller.ts';
import { CREDIT_CURRENCY, priceOfCredits } from '../../domain/credits/credits.ts';
import type { Clock } from '../../lib/clock.ts';
import { quote } from '../../lib/error-messages.ts';
import { conflict, invalidFields, notFound, unavailable } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import { normalizeAllowedUrl } from '../../lib/urls.ts';
import type {
  CheckoutSession,
  OrderUpdate,
  PaymentEvent,
  PaymentProvider,
} from '../../providers/payment-provider.ts';
import type { EventOutcome, PurchaseRow, PurchaseState } from '../../repositories/credits.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';

/** A request to buy credits. */
interface CheckoutRequest {
  credits: number;
  /** Where the buyer is sent afterwards; undefined: to a page that shows the result. */
  successUrl: string | undefined;
  cancelUrl: string | undefined;
}

/** Long, because an administrator has to change a setting first. */
const RETRY_AFTER_SECONDS = 3_600;

/** Orders credits; the payment provider supplies the page to pay on. */
export class CheckoutService {
  constructor(
    private readonly store: Store,
    private readonly payment: PaymentProvider | null,
    private readonly settings: PaymentSettings,
    private readonly ids: Ids,
  ) {}

  /** Returns null if credits cannot be bought. */
  get provider(): 'stripe' | 'sandbox' | null {
    return this.payment?.name ?? (this.settings.hasSandbox ? 'sandbox' : null);
  }

  /** `baseUrl`: scheme://host of this installation's pages. */
  async create(
    caller: Caller,
    request: CheckoutRequest,
    baseUrl: string,
  ): Promise<{ id: string; url: string }> {
    const { provider } = this;
    if (provider === null)
      throw unavailable(
        'Credits cannot be bought: this server has no payment provider. Its administrator sets STRIPE_SECRET_KEY and ' +
          'STRIPE_WEBHOOK_SECRET, or PAYMENT_SANDBOX=true to try it without payment',
        RETRY_AFTER_SECONDS,
        'payment_provider_required',
      );
    const { successUrl, cancelUrl } = this.validateReturnUrls(request, baseUrl);
    const { organizationId, userId } = caller;
    const checkoutId = this.ids.uuid();
    const page = `${baseUrl}/checkout/${checkoutId}`;
    const amount = priceOfCredits(request.credits);
    const order = { checkoutId, organizationId, credits: request.credits, amount, currency: CREDIT_CURRENCY };
    // An order cannot be paid before its address is returned, so it is stored only after the provider accepted it.
    const opened: CheckoutSession | null =
      this.payment === null
        ? null
        : await this.payment.openCheckout({
            ...order,
            successUrl: successUrl ?? page,
            cancelUrl: cancelUrl ?? page,
          });
    await this.store.transaction(async (repositories) => {
      await repositories.credits.createPurchase({
        ...order,
        userId,
        provider,
        providerSessionId: opened?.sessionId ?? null,
        successUrl,
        cancelUrl,
      });
      await repositories.audit.record({
        by: caller,
        action: 'credits.ordered',
        objectType: 'credit_purchase',
        objectId: checkoutId,
        details: { credits: order.credits, amount, currency: order.currency, provider },
      });
    });
    return { id: checkoutId, url: opened?.url ?? page };
  }

  /** Buyers are redirected only to this installation or an allowed origin. */
  private validateReturnUrls(request: CheckoutRequest, baseUrl: string) {
    const origins = [baseUrl, ...this.settings.allowedOrigins];
    const problems: { field: string; message: string }[] = [];
    const read = (field: string, text: string | undefined): string | null => {
      if (text === undefined) return null;
      const address = normalizeAllowedUrl(text, origins);
      if (address === null)
        problems.push({
          field,
          message: `must be an address of ${origins.join(' or ')} (see ALLOWED_ORIGINS), not ${quote(text)}`,
        });
      return address;
    };
    const addresses = {
      successUrl: read('success_url', request.successUrl),
      cancelUrl: read('cancel_url', request.cancelUrl),
    };
    if (problems.length > 0) throw invalidFields(problems);
    return addresses;
  }
}

/** How credits are bought on this installation. */
interface PaymentSettings {
  /** Credits can be ordered without payment, to try buying; only with PAYMENT_SANDBOX=true. */
  hasSandbox: boolean;
  /** Besides this installation's own origin. */
  allowedOrigins: readonly string[];
  /** The credits of a new account. */
  startingCredits: number;
}

export const paymentSettingsOf = (config: Config): PaymentSettings => ({
  hasSandbox: config.paymentSandbox,
  allowedOrigins: config.allowedOrigins,
  startingCredits: config.aiStartingCredits,
});

/** Grants the purchased credits once and records it, in the transaction that marks the purchase as paid. */
async function grantPurchase(
  { audit, credits }: Repositories,
  purchase: PurchaseRow,
  startingCredits: number,
): Promise<boolean> {
  await credits.openAccount(purchase.organization_id, startingCredits);
  const given = await credits.payPurchase(purchase.checkout_id);
  if (given) await audit.record(purchaseAuditEntry(purchase, 'purchased'));
  return given;
}

/** Audit entry of a purchase without a user: the payer is unknown. */
const purchaseAuditEntry = (
  purchase: PurchaseRow,
  action: 'purchased' | 'order_cancelled' | 'order_expired' | 'payment_refused',
) => ({
  by: { organizationId: purchase.organization_id, userId: null },
  action: `credits.${action}`,
  objectType: 'credit_purchase',
  objectId: purchase.checkout_id,
  details: {
    credits: purchase.credits,
    amount: purchase.amount,
    currency: purchase.currency,
    provider: purchase.provider,
  },
});

/** The data of an order's page. */
export interface CheckoutPage {
  checkoutId: string;
  organization: string;
  credits: number;
  /** In the smallest unit of the currency. */
  amount: number;
  currency: string;
  provider: 'stripe' | 'sandbox';
  state: PurchaseState;
  /** Where the buyer is sent after paying or cancelling; null: the buyer stays on the page. */
  successUrl: string | null;
  cancelUrl: string | null;
}

const CHECKOUT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * The pages of orders. Anyone who knows an order's id may view and pay it, as on every provider's page: the id cannot
 * be guessed, the payer needs no account, and paying only gives the organization what it ordered. So no cookie is
 * read, and other sites cannot misuse one.
 */
export class CheckoutPageService {
  constructor(
    private readonly store: Store,
    private readonly settings: PaymentSettings,
  ) {}

  /** Returns null if the order does not exist. `ownUrl`: scheme://host of the page. */
  async open(checkoutId: string, ownUrl: string): Promise<CheckoutPage | null> {
    if (!CHECKOUT_ID.test(checkoutId)) return null;
    return this.pageOf(await this.store.read.credits.findPurchase(checkoutId), ownUrl);
  }

  /** Only for sandbox orders. Repeated payment has no effect, nor has payment of a cancelled or expired order. */
  pay(checkoutId: string, ownUrl: string): Promise<CheckoutPage | null> {
    return this.change(checkoutId, ownUrl, async (repositories, purchase) => {
      await grantPurchase(repositories, purchase, this.settings.startingCredits);
    });
  }

  cancel(checkoutId: string, ownUrl: string): Promise<CheckoutPage | null> {
    return this.change(checkoutId, ownUrl, async ({ audit, credits }, purchase) => {
      await credits.endPurchase(purchase.checkout_id, 'cancelled');
      await audit.record(purchaseAuditEntry(purchase, 'order_cancelled'));
    });
  }

  private async change(
    checkoutId: string,
    ownUrl: string,
    work: (repositories: Repositories, purchase: PurchaseRow) => Promise<void>,
  ): Promise<CheckoutPage | null> {
    if (!CHECKOUT_ID.test(checkoutId)) return null;
    return this.store.transaction(async (repositories) => {
      const { credits } = repositories;
      const purchase = await credits.lockPurchase(checkoutId);
      if (purchase === null || this.pageOf(purchase, ownUrl) === null) return null;
      if (purchase.provider !== 'sandbox') return null;
      if (purchase.purchase_state === 'open') await work(repositories, purchase);
      return this.pageOf(await credits.findPurchase(checkoutId), ownUrl);
    });
  }

  private pageOf(row: PurchaseRow | null, ownUrl: string): CheckoutPage | null {
    if (row === null || (row.provider === 'sandbox' && !this.settings.hasSandbox)) return null;
    // The order may have been placed under another host name, or an origin may no longer be allowed.
    const stillOurs = (address: string | null) =>
      address === null ? null : normalizeAllowedUrl(address, [ownUrl, ...this.settings.allowedOrigins]);
    return {
      checkoutId: row.checkout_id,
      organization: row.organization_name,
      credits: row.credits,
      amount: row.amount,
      currency: row.currency,
      provider: row.provider,
      state: row.purchase_state,
      successUrl: stillOurs(row.success_url),
      cancelUrl: stillOurs(row.cancel_url),
    };
  }
}

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
      return (
        (await credits.recordPaymentEvent({ eventId, eventType, checkoutId: null, outcome: 'ignored' })) ??
        'ignored'
      );
    const outcome = matchesOrder(update.order, purchase) ? 'applied' : 'refused';
    const before = await credits.recordPaymentEvent({
      eventId,
      eventType,
      checkoutId: purchase.checkout_id,
      outcome,
    });
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
