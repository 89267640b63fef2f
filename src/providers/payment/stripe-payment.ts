import type { Stripe } from 'stripe';
import { parseStripeEvent } from './stripe-event.ts';
import {
  invalidSignature,
  type CheckoutSession,
  type Order,
  paymentUnavailable,
  type PaymentEvent,
  type PaymentProvider,
  paymentRefused,
} from './payment-provider.ts';

export interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** scheme://host[:port]; null: Stripe's own. */
  apiBase: string | null;
}

/** Together with two more tries: what a buyer waits for at most. */
const ANSWERS_WITHIN_MS = 10_000;
const MORE_TRIES = 2;
const PORTS = { http: 80, https: 443 };

type Sdk = typeof Stripe;
interface Opened {
  sdk: Sdk;
  client: Stripe;
}

/** Orders as Stripe's Checkout Sessions. Its package is large, and is loaded when first needed. */
export class StripePayment implements PaymentProvider {
  readonly name = 'stripe';
  private readonly settings: StripeSettings;
  private opened: Promise<Opened> | null = null;

  constructor(settings: StripeSettings) {
    this.settings = settings;
  }

  async openCheckout(order: Order): Promise<CheckoutSession> {
    const { sdk, client } = await this.stripe();
    const { checkoutId, credits, amount, currency } = order;
    const known = {
      checkout_id: checkoutId,
      organization_id: String(order.organizationId),
      credits: String(credits),
    };
    const product = { name: `${credits.toLocaleString('en')} credits` };
    let session: Stripe.Checkout.Session;
    try {
      session = await client.checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: checkoutId,
          metadata: known,
          payment_intent_data: { metadata: known },
          line_items: [{ quantity: 1, price_data: { currency, unit_amount: amount, product_data: product } }],
          success_url: order.successUrl,
          cancel_url: order.cancelUrl,
        },
        // Sent again after a line that broke, it is the same session.
        { idempotencyKey: checkoutId },
      );
    } catch (error) {
      throw toPaymentError(error, sdk);
    }
    if (typeof session.id !== 'string' || !isPage(session.url)) throw paymentRefused('it gave no page');
    return { sessionId: session.id, url: session.url };
  }

  async readEvent(bytes: Buffer, signature: string | null, now: Date): Promise<PaymentEvent> {
    const { sdk } = await this.stripe();
    const { webhookSecret: secret } = this.settings;
    const signatures = sdk.webhooks.signature!;
    try {
      // Its own tolerance of time, by our clock.
      signatures.verifyHeader(bytes, signature ?? '', secret, undefined, undefined, now.getTime());
    } catch (error) {
      if (error instanceof sdk.errors.StripeSignatureVerificationError) throw invalidSignature();
      throw error;
    }
    return parseStripeEvent(bytes);
  }

  private stripe(): Promise<Opened> {
    this.opened ??= openClient(this.settings).catch((error: unknown) => {
      this.opened = null;
      throw error;
    });
    return this.opened;
  }
}

async function openClient({ secretKey, apiBase }: StripeSettings): Promise<Opened> {
  const { Stripe: sdk } = await import('stripe');
  const base = apiBase === null ? null : new URL(apiBase);
  const protocol = base?.protocol === 'http:' ? ('http' as const) : ('https' as const);
  const place = base === null ? {} : { protocol, host: base.hostname, port: base.port || PORTS[protocol] };
  const client = new sdk(secretKey, {
    ...place,
    timeout: ANSWERS_WITHIN_MS,
    maxNetworkRetries: MORE_TRIES,
    telemetry: false,
  });
  return { sdk, client };
}

/** Its own words may quote what was sent, keys among it: only names of errors and numbers of requests are told. */
function toPaymentError(error: unknown, { errors }: Sdk): unknown {
  if (!(error instanceof errors.StripeError)) return error;
  const isAway =
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    error instanceof errors.StripeAPIError;
  const named = [error.type, error.code, error.requestId].filter(
    (word) => typeof word === 'string' && /^\w{1,80}$/.test(word),
  );
  return isAway ? paymentUnavailable() : paymentRefused(named.join(', '));
}

const isPage = (url: unknown): url is string => typeof url === 'string' && /^https?:\/\//.test(url);
