import { z } from 'zod';
import { admin, member } from '../../http/access.ts';
import { dataReply } from '../../http/reply.ts';
import { startTimestamp, endTimestamp } from '../../http/timestamp-schemas.ts';
import { mustBe } from '../../lib/error-messages.ts';
import { invalid } from '../../lib/errors.ts';
import type { UsageRow } from '../../repositories/credits.ts';
import { defineRoute } from '../define-route.ts';

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

export const creditRoutes = [
  defineRoute({
    method: 'get',
    path: '/api/billing/balance',
    operationId: 'getCreditBalance',
    summary: 'Get the credit balance',
    description: 'Returns the available credits, without those reserved for running work.',
    access: member,
    reply: dataReply(z.strictObject({ balance: count }).meta({ id: 'CreditBalance' })),
    handler: async ({ services, caller }) => ({
      balance: await services.credits.balance(caller.organizationId),
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
    query: z.strictObject({ from: startTimestamp.optional(), until: endTimestamp.optional() }),
    reply: dataReply(usageSchema),
    async handler({ services, caller, query }) {
      const [start, end] = [requireAfterEpoch('from', query.from), requireAfterEpoch('until', query.until)];
      if (start !== null && end !== null && start >= end)
        throw invalid('until', mustBe(`after from (${start.toISOString()})`, end.toISOString()));
      const { from, until, rows } = await services.credits.usage(caller.organizationId, start, end);
      return presentUsage(from, until, rows);
    },
  }),
];
