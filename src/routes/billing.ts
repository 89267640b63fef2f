import type { Router } from 'express';
import { z } from 'zod';
import {
  CREDIT_AMOUNT,
  CREDIT_CURRENCY,
  CREDIT_PACKS,
  ENGINES,
  MAX_CREDITS,
  MIN_CREDITS,
  priceOfCredits,
  PRICES,
} from '../domain/credits/credits.ts';
import { admin, anyone, member } from '../http/access.ts';
import { buildRouter, type RouterDependencies } from '../http/build-router.ts';
import { signedBody } from '../http/define-route.ts';
import { dataReply } from '../http/reply.ts';
import { endTimestamp, startTimestamp } from '../http/timestamp-schemas.ts';
import { mustBe } from '../lib/error-messages.ts';
import { invalid } from '../lib/errors.ts';
import type { UsageRow } from '../repositories/credits.ts';
import type { Services } from '../services/services.ts';
import { defineRoute } from './define-route.ts';

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
          engine: z.enum(ENGINES),
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

const checkoutRoutes = [
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
    body: signedBody('Stripe-Signature', {
      id: 'evt_1QK8',
      type: 'checkout.session.completed',
      data: {
        object: {
          id: 'cs_test_a1b2',
          client_reference_id: '0b6f2a4e-4c1d-4f0a-9a67-2f6c1d9e8b35',
          payment_status: 'paid',
          amount_total: 10000,
          currency: 'eur',
        },
      },
    }),
    reply: dataReply(z.strictObject({ received: z.literal(true) })),
    errors: { 409: '`payment_mismatch`: amount, currency or organization differ from the order' },
    async handler({ services, body }) {
      await services.paymentEvents.handle(body.bytes, body.signature);
      return { received: true as const };
    },
  }),
];

const count = z.int().nonnegative();
const sums = { calls: count, input_tokens: count, output_tokens: count, credits: count };

const usageSchema = z
  .strictObject({
    from: z.iso.datetime(),
    until: z.iso.datetime().describe('Exclusive end'),
    total: z.strictObject(sums),
    by_day: z.array(z.strictObject({ day: z.iso.date().describe('Day in UTC'), ...sums })),
    by_operation: z.array(z.strictObject({ operation: z.string(), ...sums })),
    by_user: z.array(z.strictObject({ user_id: z.int(), user_name: z.string(), ...sums })),
    by_survey: z.array(
      z.strictObject({
        survey_id: z.int().nullable().describe('null: not related to a survey'),
        survey_name: z.string().nullable(),
        ...sums,
      }),
    ),
  })
  .meta({ id: 'CreditUsage' });

const sumsOf = ({ calls, input_tokens, output_tokens, credits }: UsageRow) => ({
  calls,
  input_tokens,
  output_tokens,
  credits,
});

function presentUsage(from: Date, until: Date, rows: readonly UsageRow[]): z.input<typeof usageSchema> {
  const rowsBy = (what: UsageRow['grouped_by']) => rows.filter((row) => row.grouped_by === what);
  const [total] = rowsBy('all');
  if (total === undefined) throw new Error('the usage has no total');
  return {
    from: from.toISOString(),
    until: until.toISOString(),
    total: sumsOf(total),
    by_day: rowsBy('day').flatMap((row) => (row.day === null ? [] : [{ day: row.day, ...sumsOf(row) }])),
    by_operation: rowsBy('operation').flatMap((row) =>
      row.operation === null ? [] : [{ operation: row.operation, ...sumsOf(row) }],
    ),
    by_user: rowsBy('user').flatMap((row) =>
      row.user_id === null || row.user_name === null
        ? []
        : [{ user_id: row.user_id, user_name: row.user_name, ...sumsOf(row) }],
    ),
    by_survey: rowsBy('survey').map((row) => ({
      survey_id: row.survey_id,
      survey_name: row.survey_name,
      ...sumsOf(row),
    })),
  };
}

/** Earlier times are rejected: replies repeat the period, and years before 1970 cannot have usage. */
const EARLIEST = new Date(0);

function requireAfterEpoch(field: string, moment: Date | undefined): Date | null {
  if (moment !== undefined && moment < EARLIEST)
    throw invalid(field, mustBe('1970-01-01 or later', moment.toISOString().slice(0, 10)));
  return moment ?? null;
}

const creditRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/billing/balance',
    operationId: 'getCreditBalance',
    summary: 'Get the credit balance',
    description: 'Returns the available credits, without those reserved for running work.',
    access: member,
    reply: dataReply(
      z.strictObject({ balance: count }).meta({ id: 'CreditBalance', examples: [{ balance: 994 }] }),
    ),
    handler: async ({ services, caller }) => ({
      balance: await services.credits.getBalance(caller.organizationId),
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/billing/usage',
    operationId: 'getCreditUsage',
    summary: 'List credit usage',
    description:
      'Returns usage by day, operation, user and survey. Default period: the thirty days before `until`; default of `until`: ' +
      'now. A date without a time is the start of that day (UTC); for `until`, the day is included.',
    access: admin,
    query: z.strictObject({
      from: startTimestamp.optional().describe('Inclusive start. Default: 30 days before `until`'),
      until: endTimestamp.optional().describe('Exclusive end; a date includes the whole day. Default: now'),
    }),
    reply: dataReply(usageSchema),
    replyExample: {
      from: '2026-10-25T06:02:40.087Z',
      until: '2026-11-24T06:02:40.087Z',
      total: { calls: 2, input_tokens: 13047, output_tokens: 3484, credits: 18 },
      by_day: [{ day: '2026-11-24', calls: 2, input_tokens: 13047, output_tokens: 3484, credits: 18 }],
      by_operation: [
        { operation: 'themes', calls: 1, input_tokens: 9753, output_tokens: 1585, credits: 12 },
        { operation: 'sentiment', calls: 1, input_tokens: 3294, output_tokens: 1899, credits: 6 },
      ],
      by_user: [
        {
          user_id: 1,
          user_name: 'Administrator',
          calls: 2,
          input_tokens: 13047,
          output_tokens: 3484,
          credits: 18,
        },
      ],
      by_survey: [
        {
          survey_id: 2,
          survey_name: 'Café visits (fictitious)',
          calls: 2,
          input_tokens: 13047,
          output_tokens: 3484,
          credits: 18,
        },
      ],
    },
    async handler({ services, caller, query }) {
      const [start, end] = [requireAfterEpoch('from', query.from), requireAfterEpoch('until', query.until)];
      if (start !== null && end !== null && start >= end)
        throw invalid('until', mustBe(`after from (${start.toISOString()})`, end.toISOString()));
      const { from, until, rows } = await services.credits.getUsage(caller.organizationId, start, end);
      return presentUsage(from, until, rows);
    },
  }),
];

export const billingRoutes = [...creditRoutes, ...checkoutRoutes];

export const billingRouter = (dependencies: RouterDependencies<Services>): Router =>
  buildRouter('/api/billing', billingRoutes, dependencies);
