import { z } from 'zod';
import {
  priceOfCredits,
  CREDIT_AMOUNT,
  CREDIT_CURRENCY,
  CREDIT_PACKS,
  MAX_CREDITS,
  MIN_CREDITS,
} from '../../domain/credits/packs.ts';
import { PRICES } from '../../domain/credits/prices.ts';
import { admin, anyone, member } from '../../http/access.ts';
import { dataReply } from '../../http/reply.ts';
import { signedBody } from '../../http/define-route.ts';
import { defineRoute } from '../define-route.ts';

const currency = z.string().describe('ISO 4217 code in lower case');
const cents = z.int().describe('In the smallest unit of the currency, such as cents');

const offerSchema = z
  .strictObject({
    packs: z.array(z.strictObject({ credits: z.int(), amount: cents, currency })),
    min_credits: z.int(),
    max_credits: z.int(),
    unit_amount: z.number().describe('Price of one credit without a pack, in cents'),
    currency,
    prices: z
      .array(
        z.strictObject({
          engine: z.enum(['openai', 'built-in']),
          model: z.string().nullable().describe('null: all other models of the engine'),
          credits_per_1000_tokens: z
            .number()
            .describe('Credits per 1,000 input and output tokens; at least 1 credit per call'),
        }),
      )
      .describe('Prices of AI operations'),
    provider: z
      .enum(['stripe', 'sandbox'])
      .nullable()
      .describe('sandbox: no money is charged (`PAYMENT_SANDBOX`); null: credits cannot be bought'),
  })
  .meta({ id: 'CreditOffer' });

const returnAddress = z
  .string()
  .max(2_000)
  .optional()
  .describe(
    'URL on this server, or on an origin in `ALLOWED_ORIGINS`. Default: a page of this server that shows the result',
  );

export const checkoutRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/billing/credits',
    operationId: 'getCreditOffer',
    summary: 'Get credit prices',
    description:
      'Returns credit packs and prices. Any other number of credits costs the unit price of the next smaller pack, rounded to a ' +
      'cent, but never more than the next larger pack.',
    access: member,
    reply: dataReply(offerSchema),
    handler: ({ services }) => ({
      packs: CREDIT_PACKS.map(({ credits }) => ({
        credits,
        amount: priceOfCredits(credits),
        currency: CREDIT_CURRENCY,
      })),
      min_credits: MIN_CREDITS,
      max_credits: MAX_CREDITS,
      unit_amount: CREDIT_AMOUNT,
      currency: CREDIT_CURRENCY,
      prices: PRICES.map(({ engine, model, credits_per_1000_tokens }) => ({
        engine,
        model,
        credits_per_1000_tokens,
      })),
      provider: services.checkouts.provider,
    }),
  }),
  defineRoute({
    method: 'post',
    path: '/api/billing/create-credits-checkout',
    operationId: 'createCreditsCheckout',
    summary: 'Create a credit checkout',
    description:
      'Returns a `checkout_url` to pay within a day. Credits are added when the payment is confirmed. With ' +
      '`PAYMENT_SANDBOX=true` instead of a payment provider, `checkout_url` is a page of this server and no money is charged.',
    access: admin,
    body: z.strictObject({
      credits: z.int().min(MIN_CREDITS).max(MAX_CREDITS),
      success_url: returnAddress,
      cancel_url: returnAddress,
    }),
    example: {
      credits: 1000,
    },
    reply: dataReply(
      z.strictObject({ checkout_id: z.uuid(), checkout_url: z.url() }).meta({ id: 'Checkout' }),
    ),
    status: 201,
    errors: {
      502: '`payment_provider_failed`: the payment provider rejected the order; nothing was charged',
      503:
        '`payment_provider_required`: no payment provider is configured; `payment_provider_unavailable`: the payment provider ' +
        'does not respond',
    },
    async handler({ services, caller, body, request }) {
      const wanted = { credits: body.credits, successUrl: body.success_url, cancelUrl: body.cancel_url };
      const { id, url } = await services.checkouts.create(caller, wanted, request.baseUrl);
      return { checkout_id: id, checkout_url: url };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/billing/stripe-webhook',
    operationId: 'receiveStripeEvent',
    summary: 'Receive a Stripe event',
    description:
      'Called by Stripe with a signature. Each event is processed once. Events that are not needed are acknowledged and ' +
      'ignored; payments that do not match the order are rejected. 404 if Stripe is not configured.',
    access: anyone,
    rateLimit: 'public',
    body: signedBody('Stripe-Signature'),
    reply: dataReply(z.strictObject({ received: z.literal(true) })),
    errors: { 409: '`payment_mismatch`: amount, currency or organization differ from the order' },
    async handler({ services, body }) {
      await services.paymentEvents.handle(body.bytes, body.signature);
      return { received: true as const };
    },
  }),
];
