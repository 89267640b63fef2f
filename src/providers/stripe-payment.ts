import { z } from 'zod';
import type { Stripe } from 'stripe';
import { invalid } from '../lib/errors.ts';
import {
  type CheckoutSession,
  invalidSignature,
  type Order,
  type OrderUpdate,
  type PaymentEvent,
  type PaymentProvider,
  paymentRefused,
  paymentUnavailable,
} from './payment-provider.ts';

interface StripeSettings {
  secretKey: string;
  webhookSecret: string;
  /** scheme://host[:port]; null: api.stripe.com. */
  apiBase: string | null;
}

/** Per attempt; with the retries it limits how long a buyer waits. */
const REQUEST_TIMEOUT_MS = 10_000;
const MAX_RETRIES = 2;
const PORTS = { http: 80, https: 443 };

type Sdk = typeof Stripe;
interface LoadedClient {
  sdk: Sdk;
  client: Stripe;
}

/** Creates orders as Stripe Checkout Sessions. The SDK is large and is loaded when first needed. */
export class StripePayment implements PaymentProvider {
  readonly name = 'stripe';
  private loaded: Promise<LoadedClient> | null = null;

  constructor(private readonly settings: StripeSettings) {}

  async openCheckout(order: Order): Promise<CheckoutSession> {
    const { sdk, client } = await this.loadClient();
    const { checkoutId, credits, amount, currency } = order;
    const metadata = {
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
          metadata,
          payment_intent_data: { metadata },
          line_items: [{ quantity: 1, price_data: { currency, unit_amount: amount, product_data: product } }],
          success_url: order.successUrl,
          cancel_url: order.cancelUrl,
        },
        // A retry after a broken connection returns the same session.
        { idempotencyKey: checkoutId },
      );
    } catch (error) {
      throw toPaymentError(error, sdk);
    }
    if (typeof session.id !== 'string' || !isHttpUrl(session.url))
      throw paymentRefused('no payment page in its reply');
    return { sessionId: session.id, url: session.url };
  }

  async readEvent(bytes: Buffer, signature: string | null, now: Date): Promise<PaymentEvent> {
    const { sdk } = await this.loadClient();
    const { webhookSecret: secret } = this.settings;
    const { signature: signatures } = sdk.webhooks;
    if (!signatures) throw new Error('the Stripe package cannot verify signatures');
    try {
      // Uses the SDK's default tolerance and the injected clock.
      signatures.verifyHeader(bytes, signature ?? '', secret, undefined, undefined, now.getTime());
    } catch (error) {
      if (error instanceof sdk.errors.StripeSignatureVerificationError) throw invalidSignature();
      throw error;
    }
    return parseStripeEvent(bytes);
  }

  private loadClient(): Promise<LoadedClient> {
    this.loaded ??= openClient(this.settings).catch((error: unknown) => {
      this.loaded = null;
      throw error;
    });
    return this.loaded;
  }
}

async function openClient({ secretKey, apiBase }: StripeSettings): Promise<LoadedClient> {
  const { Stripe: sdk } = await import('stripe');
  const base = apiBase === null ? null : new URL(apiBase);
  const protocol = base?.protocol === 'http:' ? ('http' as const) : ('https' as const);
  const address = base === null ? {} : { protocol, host: base.hostname, port: base.port || PORTS[protocol] };
  const client = new sdk(secretKey, {
    ...address,
    timeout: REQUEST_TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
  });
  return { sdk, client };
}

/** Stripe's messages may quote request data and keys, so only error types, codes and request ids are reported. */
function toPaymentError(error: unknown, { errors }: Sdk): unknown {
  if (!(error instanceof errors.StripeError)) return error;
  const isUnavailable =
    error instanceof errors.StripeConnectionError ||
    error instanceof errors.StripeRateLimitError ||
    error instanceof errors.StripeAPIError;
  const identifiers = [error.type, error.code, error.requestId].filter(
    (value) => typeof value === 'string' && /^\w{1,80}$/.test(value),
  );
  return isUnavailable ? paymentUnavailable() : paymentRefused(identifiers.join(', '));
}

const isHttpUrl = (url: unknown): url is string => typeof url === 'string' && /^https?:\/\//.test(url);

/** The members of every event. Ids and types are stored, so their characters are restricted. */
const eventSchema = z.object({
  id: z.string().regex(/^[\w-]{1,255}$/),
  type: z.string().regex(/^[\w.]{1,255}$/),
  data: z.object({ object: z.unknown() }),
});

/** A Checkout Session of ours. Sessions of other applications that share the account do not match. */
const sessionSchema = z.object({
  id: z.string(),
  client_reference_id: z.uuid(),
  payment_status: z.string().nullish(),
  amount_total: z.int().nullish(),
  currency: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
type Session = z.output<typeof sessionSchema>;

/** Parses the body of a webhook request. The caller has verified the signature. */
function parseStripeEvent(bytes: Buffer): PaymentEvent {
  const parsed = eventSchema.safeParse(parseJson(bytes));
  if (!parsed.success) throw invalid('', 'The body is not a Stripe event');
  const { id, type, data } = parsed.data;
  const session = sessionSchema.safeParse(data.object);
  const kind = session.success ? kindOf(type, session.data) : null;
  return {
    eventId: id,
    eventType: type,
    update: kind === null || !session.success ? null : { kind, order: orderUpdate(session.data) },
  };
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return null;
  }
}

/** Delayed payment methods, such as direct debit, complete the session days before the payment succeeds. */
function kindOf(type: string, { payment_status: status }: Session): 'paid' | 'expired' | null {
  const isPaid = type === 'checkout.session.completed' || type === 'checkout.session.async_payment_succeeded';
  if (isPaid) return status === 'paid' ? 'paid' : null;
  return type === 'checkout.session.expired' ? 'expired' : null;
}

function orderUpdate(session: Session): OrderUpdate {
  const organization = new Map(Object.entries(session.metadata ?? {})).get('organization_id');
  return {
    checkoutId: session.client_reference_id,
    sessionId: session.id,
    organizationId: typeof organization === 'string' ? organization : null,
    amount: session.amount_total ?? null,
    currency: session.currency ?? null,
  };
}
