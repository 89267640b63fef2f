import type { Caller } from '../../domain/access/caller.ts';
import { priceOfCredits, CREDIT_CURRENCY } from '../../domain/credits/packs.ts';
import { normalizeAllowedUrl } from '../../lib/urls.ts';
import { invalidFields, unavailable } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import { quote } from '../../lib/error-messages.ts';
import type { CheckoutSession, PaymentProvider } from '../../providers/payment/payment-provider.ts';
import type { Store } from '../../repositories/store.ts';
import type { PaymentSettings } from './payment-settings.ts';

/** A request to buy credits. */
export interface CheckoutRequest {
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
