import { z } from 'zod';
import { invalid } from '../../lib/errors.ts';
import type { OrderUpdate, PaymentEvent } from './payment-provider.ts';

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
export function parseStripeEvent(bytes: Buffer): PaymentEvent {
  const parsed = eventSchema.safeParse(parseJson(bytes));
  if (!parsed.success) throw invalid('', 'The body is not a Stripe event');
  const { id, type, data } = parsed.data;
  const session = sessionSchema.safeParse(data.object);
  const kind = session.success ? kindOf(type, session.data) : null;
  return {
    eventId: id,
    eventType: type,
    update: kind === null ? null : { kind, order: orderUpdate(session.data!) },
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
