import { stripeEvent, signStripeEvent } from '../fake-payment-server.ts';
import type { Rows } from './row.ts';

const SECRET = 'whsec_fakeSecretOfTests';

/** A payment provider at a closed port; sufficient for refused requests. */
export const UNREACHABLE_STRIPE = {
  STRIPE_SECRET_KEY: 'sk_test_fakeKeyOfTests',
  STRIPE_WEBHOOK_SECRET: SECRET,
  STRIPE_API_BASE: 'http://127.0.0.1:9',
};

export const billingRows: Rows = {
  getCreditBalance: {},
  getCreditUsage: {},
  getCreditOffer: {},
  createCreditsCheckout: { body: () => ({ credits: 1_000 }) },
  receiveStripeEvent: {
    body: (_ids, n) => JSON.parse(stripeEvent('payout.paid', {}, `evt_matrix_${n}`)) as object,
    headers: (text) => ({ 'Stripe-Signature': signStripeEvent(text, SECRET) }),
  },
};
