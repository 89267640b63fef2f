import { z } from 'zod';
import { invalid } from '../../lib/errors.ts';
import type { OrderUpdate, PaymentEvent } from './payment-provider.ts';

/** What every event has. The names are stored: nothing strange is in them. */
const eventSchema = z.object({
  id: z.string().regex(/^[\w-]{1,255}$/),
  type: z.string().regex(/^[\w.]{1,255}$/),
  data: z.object({ object: z.unknown() }),
});

/** What we wait for; of an account that others use too, there may be sessions that hold none of it. */
const sessionSchema = z.object({
  id: z.string(),
  client_reference_id: z.uuid(),
  payment_status: z.string().nullish(),
  amount_total: z.int().nullish(),
  currency: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
type Session = z.output<typeof sessionSchema>;

/** Reads what Stripe sent. Its signature was right, or this must not be asked. */
export function parseStripeEvent(bytes: Buffer): PaymentEvent {
  const parsed = eventSchema.safeParse(parseJson(bytes));
  if (!parsed.success) throw invalid('', 'The body is no event of Stripe');
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

/** Whoever pays by a debit that takes days completes the session first, and pays later. */
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
