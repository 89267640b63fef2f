import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/lib/errors.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { Store } from '../../../src/repositories/store.ts';
import type { CreditReservation } from '../../../src/domain/credits/credits.ts';
import { CreditService, AlreadyRunningError } from '../../../src/services/billing/credits.ts';
import { newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { choice } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const START = 10;
const app = useApp({ AI_STARTING_CREDITS: String(START) });
let organization: Organization;
let userId: number;

beforeEach(async () => {
  organization = await newOrganization(app);
  userId = organization.admin.userId;
});

/** As another process has it. */
const service = () => new CreditService(new Store(app.database.db), systemClock, START);
const purpose = (surveyId: number | null = null, operation = 'sentiment') => ({
  organizationId: organization.organizationId,
  userId,
  surveyId,
  operation,
});
const worker = { engine: 'openai', model: 'a-model' } as const;
const spending = (thousands: number, what = purpose()) => {
  return { purpose: what, engineModel: worker, maxTokens: thousands * 1_000 };
};
/** Takes so many thousands of tokens. */
const works = (thousands: number) => (reservation: CreditReservation) => {
  reservation.addUsage({ input_tokens: thousands * 900, output_tokens: thousands * 100 }, false);
  return Promise.resolve('done');
};
const spend = (most: number, used: number) => service().spend(spending(most), works(used));

const balance = async (who = organization.admin): Promise<number> =>
  (await who.get('/api/billing/balance').expect(200)).body.data.balance;

async function ledger(): Promise<{ entry_kind: string; credits: number; balance_after: number }[]> {
  const { rows } = await app.database.db.raw<{ rows: never[] }>(
    'SELECT entry_kind, credits, balance_after FROM credit_ledger WHERE organization_id = ? ORDER BY entry_id',
    [organization.organizationId],
  );
  return rows;
}

/** Statements that wait for a lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await app.database.db.raw<{ rows: { waiting: number }[] }>(
    `SELECT count(*)::int AS waiting FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0]!.waiting;
}

const codeOf = (error: unknown): string => (error instanceof AppError ? error.code : String(error));

describe('the credits of an organization', () => {
  it('are granted once initially and visible to members', async () => {
    expect(await balance()).toBe(START);
    expect(await balance(await organization.addUser('member'))).toBe(START);
    expect(await ledger()).toEqual([{ entry_kind: 'grant', credits: START, balance_after: START }]);
  });

  it('are granted once for twenty concurrent first reads', async () => {
    await Promise.all(Array.from({ length: 20 }, () => balance()));
    expect(await ledger()).toHaveLength(1);
  });

  it('are hidden from other organizations', async () => {
    await spend(4, 4);
    const other = await newOrganization(app);
    expect(await balance(other.admin)).toBe(START);
    await expectRefused((await organization.addUser('client')).get('/api/billing/balance'), 403);
  });
});

describe('work that costs credits', () => {
  it('keeps the used part of its reservation and reports the balance', async () => {
    const spent = await spend(6, 2);
    expect(spent).toMatchObject({ result: 'done', creditsUsed: 2, creditsRemaining: START - 2 });
    expect(await ledger()).toEqual([
      { entry_kind: 'grant', credits: START, balance_after: START },
      { entry_kind: 'reservation', credits: -6, balance_after: 4 },
      { entry_kind: 'settlement', credits: 4, balance_after: 8 },
    ]);
  });

  it('never uses more than its reservation', async () => {
    expect(await spend(3, 9)).toMatchObject({ creditsUsed: 3, creditsRemaining: START - 3 });
  });

  it('refunds the reservation and reports the error when it fails', async () => {
    const failing = service().spend(spending(5), () => Promise.reject(new Error('the provider is away')));
    await expect(failing).rejects.toThrow('the provider is away');
    expect(await balance()).toBe(START);
    expect((await ledger()).map(({ entry_kind: kind }) => kind)).toEqual(['grant', 'reservation', 'release']);
  });

  it('keeps what it used until it was stopped', async () => {
    const stop = new AbortController();
    const stopped = service().spend({ ...spending(6), signal: stop.signal }, async (reservation) => {
      await works(2)(reservation);
      stop.abort(new Error('nobody listens any more'));
      return Promise.reject(stop.signal.reason as Error);
    });
    await expect(stopped).rejects.toThrow('nobody listens any more');
    expect(await balance()).toBe(START - 2);
  });

  it('is not started twice concurrently for the same subject', async () => {
    const { surveyId } = await publishedSurvey(organization.admin, [[choice('Q1')]]);
    const same = { ...spending(2, purpose(surveyId)), workKey: Buffer.alloc(32, 7) };
    const repeated = await service().spend(same, async (reservation) => {
      const second = await service()
        .spend(same, works(1))
        .catch((error: unknown) => error);
      await works(1)(reservation);
      return second;
    });
    expect(repeated.result).toBeInstanceOf(AlreadyRunningError);
    expect(await balance()).toBe(START - 1);
    expect((await service().spend(same, works(1))).creditsUsed).toBe(1);
  });

  it.each(['charged', 'released'])('is %s while a request for the same work waits', async (end) => {
    const { surveyId } = await publishedSurvey(organization.admin, [[choice('Q1')]]);
    const same = { ...spending(2, purpose(surveyId)), workKey: Buffer.alloc(32, 7) };
    const locked = await app.database.db.transaction();
    const first = service().spend(same, async (reservation) => {
      // Both wait for this lock, the second request before the end of the first one.
      await locked('credit_accounts').where('organization_id', organization.organizationId).forUpdate();
      second = service().spend(same, works(1));
      void second.catch(() => undefined);
      await expect.poll(countWaiting).toBe(1);
      void expect
        .poll(countWaiting)
        .toBe(2)
        .finally(() => locked.commit());
      if (end === 'released') throw new Error('no');
      return works(1)(reservation);
    });
    let second: Promise<unknown> = first;
    if (end === 'released') await expect(first).rejects.toThrow('no');
    else expect((await first).creditsUsed).toBe(1);
    await expect(second).rejects.toBeInstanceOf(AlreadyRunningError);
    expect(await balance()).toBe(end === 'released' ? START : START - 1);
  });

  it('is not started with insufficient credits, with an error', async () => {
    let hasStarted = false;
    const error = await service()
      .spend(spending(START + 1), (reservation) => {
        hasStarted = true;
        return works(1)(reservation);
      })
      .catch((reason: unknown) => reason);
    expect(codeOf(error)).toBe('insufficient_credits');
    expect((error as AppError).message).toBe('This may take up to 11 credits, and the organization has 10');
    expect(hasStarted).toBe(false);
    expect(await balance()).toBe(START);
  });

  it('is started by one of twenty concurrent requests for the last credits', async () => {
    let startedAt = 0;
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        service()
          .spend(spending(START), async (reservation) => {
            startedAt += 1;
            await sleep(30);
            return works(START)(reservation);
          })
          .then(
            () => 'spent',
            (error: unknown) => codeOf(error),
          ),
      ),
    );
    expect(startedAt).toBe(1);
    expect(outcomes.filter((outcome) => outcome === 'spent')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'insufficient_credits')).toHaveLength(19);
    expect(await balance()).toBe(0);
  });

  it('leaves a ledger whose sum is the balance under concurrency', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        service()
          .spend(spending(1 + (index % 4)), async (reservation) => {
            if (index % 5 === 0) throw new Error('no');
            await sleep(index % 3);
            return works(1)(reservation);
          })
          .catch(() => undefined),
      ),
    );
    const entries = await ledger();
    expect(entries.reduce((sum, { credits }) => sum + credits, 0)).toBe(await balance());
    expect(Math.min(...entries.map(({ balance_after: after }) => after))).toBeGreaterThanOrEqual(0);
    let running = 0;
    // Each ledger line was written with its change of the balance, in sequence per account.
    for (const { credits, balance_after: after } of entries) expect(after).toBe((running += credits));
  });
});

describe('credits reserved by a dead process', () => {
  const reserve = () =>
    new Store(app.database.db).read.credits.reserve({
      creditPurpose: purpose(),
      credits: 7,
      leaseSeconds: 60,
      workKey: null,
    });
  const runOut = () =>
    app.database.db.raw(`UPDATE credit_reservations SET lease_until = now() - interval '1 second'`);

  it('are refunded once when their lease expires', async () => {
    await balance();
    await reserve();
    expect(await service().releaseAbandoned()).toBe(0);
    expect(await balance()).toBe(START - 7);
    await runOut();
    const released = await Promise.all([service(), service()].map((service) => service.releaseAbandoned()));
    expect(released.reduce((sum, one) => sum + one)).toBe(1);
    expect(await balance()).toBe(START);
  });

  it('are not charged when the work ends after expiry, and not refunded twice', async () => {
    const spent = await service().spend(spending(7), async (reservation) => {
      await runOut();
      await service().releaseAbandoned();
      return works(7)(reservation);
    });
    expect(spent).toMatchObject({ creditsUsed: 0, creditsRemaining: START });
    expect(await balance()).toBe(START);
  });
});

describe('credit usage', () => {
  const usage = (query = '') => organization.admin.get(`/api/billing/usage${query}`);

  it('is reported by day, operation, user and survey', async () => {
    const { surveyId } = await publishedSurvey(organization.admin, [[choice('Q1')]]);
    await service().spend(spending(5, purpose(surveyId)), works(3));
    await service().spend(spending(5, purpose(surveyId, 'themes')), works(1));
    await service().spend(spending(5, purpose(null, 'chat')), works(2));
    const { data } = (await usage().expect(200)).body;
    const sums = (calls: number, credits: number) => {
      return { calls, credits, input_tokens: credits * 900, output_tokens: credits * 100 };
    };
    expect(data.total).toEqual(sums(3, 6));
    expect(data.by_day).toEqual([{ day: new Date().toISOString().slice(0, 10), ...sums(3, 6) }]);
    expect(data.by_operation).toEqual([
      { operation: 'sentiment', ...sums(1, 3) },
      { operation: 'chat', ...sums(1, 2) },
      { operation: 'themes', ...sums(1, 1) },
    ]);
    expect(data.by_user).toEqual([{ user_id: userId, user_name: expect.any(String), ...sums(3, 6) }]);
    expect(data.by_survey).toEqual([
      { survey_id: surveyId, survey_name: expect.any(String), ...sums(2, 4) },
      { survey_id: null, survey_name: null, ...sums(1, 2) },
    ]);
  });

  it('is empty without usage, and limited to the requested period', async () => {
    await spend(1, 1);
    const { data } = (await usage('?until=2020-01-31T00:00:00Z').expect(200)).body;
    expect(data).toEqual({
      from: '2020-01-01T00:00:00.000Z',
      until: '2020-01-31T00:00:00.000Z',
      total: { calls: 0, credits: 0, input_tokens: 0, output_tokens: 0 },
      by_day: [],
      by_operation: [],
      by_user: [],
      by_survey: [],
    });
  });

  it('requires an admin and a valid period', async () => {
    await expectRefused((await organization.addUser('member')).get('/api/billing/usage'), 403);
    await expectInvalidField(usage('?from=yesterday'), 'from');
    await expectInvalidField(usage('?from=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z'), 'until');
  });
});
