import { AppError, unavailable } from '../../lib/errors.ts';

/** An order of credits. */
export interface Order {
  /** Ours, which nobody can guess; the provider keeps it, and takes the same order once. */
  checkoutId: string;
  organizationId: number;
  credits: number;
  /** In the smallest unit of the currency. */
  amount: number;
  /** ISO 4217, in small letters. */
  currency: string;
  /** Where the buyer goes from the provider’s page. */
  successUrl: string;
  cancelUrl: string;
}

/** The provider's page on which an order is paid. */
export interface CheckoutSession {
  sessionId: string;
  url: string;
}

/** What the provider says of an order: as it knows it, to be held against what we know. */
export interface OrderUpdate {
  checkoutId: string;
  sessionId: string;
  organizationId: string | null;
  amount: number | null;
  currency: string | null;
}

/** An event of the provider with a verified signature. */
export interface PaymentEvent {
  /** The same when it is told again. */
  eventId: string;
  /** In the provider's words. */
  eventType: string;
  /** null: nothing that we wait for, such as of somebody else who has the same account with it. */
  update: { kind: 'paid' | 'expired'; order: OrderUpdate } | null;
}

/** A payment provider. */
export interface PaymentProvider {
  readonly name: 'stripe';
  /**
   * Fails with AppError: 502 `payment_provider_failed` (it answered, and refused us), 503 `payment_provider_unavailable` (away,
   * overloaded, or out of time).
   */
  openCheckout(order: Order): Promise<CheckoutSession>;
  /** What it sent, of which nothing is believed before its signature is: 400 `invalid_signature`, of one of another time as well. */
  readEvent(bytes: Buffer, signature: string | null, now: Date): Promise<PaymentEvent>;
}

/** The same words whatever was wrong with it. */
export const invalidSignature = () =>
  new AppError('invalid', 'invalid_signature', 'This is not signed as it must be');

/** `reason`: a few words without secrets, for whoever runs this. */
export const paymentRefused = (reason: string) =>
  new AppError(
    'bad_gateway',
    'payment_provider_failed',
    `The payment provider did not take the order (${reason}); nothing was charged`,
  );

const RETRY_AFTER_SECONDS = 30;

export const paymentUnavailable = () =>
  unavailable(
    'The payment provider does not answer at the moment; nothing was charged, try again',
    RETRY_AFTER_SECONDS,
    'payment_provider_unavailable',
  );
