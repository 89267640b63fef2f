import { AppError, unavailable } from '../lib/errors.ts';

/** An order of credits. */
export interface Order {
  /** Our unguessable id. The provider stores it, and uses it as the idempotency key. */
  checkoutId: string;
  organizationId: number;
  credits: number;
  /** In the smallest unit of the currency. */
  amount: number;
  /** ISO 4217, in lower case. */
  currency: string;
  /** The provider's page redirects the buyer here after payment. */
  successUrl: string;
  cancelUrl: string;
}

/** The provider's page on which an order is paid. */
export interface CheckoutSession {
  sessionId: string;
  url: string;
}

/** An order as the provider reports it, for comparison with the stored order. */
export interface OrderUpdate {
  checkoutId: string;
  sessionId: string;
  organizationId: string | null;
  amount: number | null;
  currency: string | null;
}

/** An event of the provider with a verified signature. */
export interface PaymentEvent {
  /** The same for each delivery of the event. */
  eventId: string;
  /** The provider's name of the event type. */
  eventType: string;
  /** null: an irrelevant event, for example of another application that shares the provider account. */
  update: { kind: 'paid' | 'expired'; order: OrderUpdate } | null;
}

/** A payment provider. */
export interface PaymentProvider {
  readonly name: 'stripe';
  /**
   * Throws AppError 502 `payment_provider_failed` if the provider rejects the order, 503 `payment_provider_unavailable` if it is
   * unreachable, overloaded or too slow.
   */
  openCheckout(order: Order): Promise<CheckoutSession>;
  /** Verifies and parses a webhook request. Throws 400 `invalid_signature`, also for a signature that is too old. */
  readEvent(bytes: Buffer, signature: string | null, now: Date): Promise<PaymentEvent>;
}

/** One message for all causes, so that it reveals nothing about the verification. */
export const invalidSignature = () =>
  new AppError('invalid', 'invalid_signature', 'The signature of the request is missing, invalid or expired');

/** `reason`: short and without secrets, for the operator. */
export const paymentRefused = (reason: string) =>
  new AppError(
    'bad_gateway',
    'payment_provider_failed',
    `The payment provider rejected the order (${reason}); nothing was charged`,
  );

const RETRY_AFTER_SECONDS = 30;

export const paymentUnavailable = () =>
  unavailable(
    'The payment provider is not available; nothing was charged, try again',
    RETRY_AFTER_SECONDS,
    'payment_provider_unavailable',
  );
