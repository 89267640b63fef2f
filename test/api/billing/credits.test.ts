import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../src/lib/errors.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { Store } from '../../../src/repositories/store.ts';
import type { CreditReservation } from '../../../src/domain/credits/credit-reservation.ts';
import { CreditService, AlreadyRunningError } from '../../../src/services/billing/credits.ts';
import { newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { choice } from '../../support/questions.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const START = 10;
const app = useApp({ AI_STARTING_CREDITS: String(START) });
let home: Organization;
let userId: number;

beforeEach(async () => {
  home = await newOrganization(app);
  userId = home.admin.userId;
});

/** As another process has it. */
const service = () => new CreditService(new Store(app.database.db), systemClock, START);
const purpose = (surveyId: number | null = null, operation = 'sentiment') => ({
  organizationId: home.organizationId,
  userId,
  surveyId,
  operation,
});
const worker = { engine: 'openai', model: 'a-model' } as const;
const spending = (thousands: number, what = purpose()) => {
  return { purpose: what, engineModel: worker, maxTokens: thousands * 1_000 };
};
/** Takes so many thousands of tokens. */
const works = (thousands: number) => (held: CreditReservation) => {
  held.addUsage({ input_tokens: thousands * 900, output_tokens: thousands * 100 }, false);
  return Promise.resolve('done');
};
const spend = (most: number, used: number) => service().spend(spending(most), works(used));

const balance = async (who = home.admin): Promise<number> =>
  (await who.get('/api/billing/balance').expect(200)).body.data.balance;

async function ledger(): Promise<{ entry_kind: string; credits: number; balance_after: number }[]> {
  const { rows } = await app.database.db.raw<{ rows: never[] }>(
    'SELECT entry_kind, credits, balance_after FROM credit_ledger WHERE organization_id = ? ORDER BY entry_id',
    [home.organizationId],
  );
  return rows;
}

const codeOf = (error: unknown): string => (error instanceof AppError ? error.code : String(error));

describe('the credits of an organization', () => {
  it('are given once to begin with, and seen by its members', async () => {
    expect(await balance()).toBe(START);
    expect(await balance(await home.person('member'))).toBe(START);
    expect(await ledger()).toEqual([{ entry_kind: 'grant', credits: START, balance_after: START }]);
  });

  it('are given once to twenty who look for the first time at once', async () => {
    await Promise.all(Array.from({ length: 20 }, () => balance()));
    expect(await ledger()).toHaveLength(1);
  });

  it('are nobody else’s', async () => {
    await spend(4, 4);
    const other = await newOrganization(app);
    expect(await balance(other.admin)).toBe(START);
    await expectRefused((await home.person('client')).get('/api/billing/balance'), 403);
  });
});

describe('work that takes credits', () => {
  it('keeps what it used of what was set aside, and tells what is left', async () => {
    const spent = await spend(6, 2);
    expect(spent).toMatchObject({ result: 'done', creditsUsed: 2, creditsRemaining: START - 2 });
    expect(await ledger()).toEqual([
      { entry_kind: 'grant', credits: START, balance_after: START },
      { entry_kind: 'reservation', credits: -6, balance_after: 4 },
      { entry_kind: 'settlement', credits: 4, balance_after: 8 },
    ]);
  });

  it('never keeps more than was set aside', async () => {
    expect(await spend(3, 9)).toMatchObject({ creditsUsed: 3, creditsRemaining: START - 3 });
  });

  it('gets everything back when it fails, and its failure is told', async () => {
    const failing = service().spend(spending(5), () => Promise.reject(new Error('the provider is away')));
    await expect(failing).rejects.toThrow('the provider is away');
    expect(await balance()).toBe(START);
    expect((await ledger()).map(({ entry_kind: kind }) => kind)).toEqual(['grant', 'reservation', 'release']);
  });

  it('keeps what it used until it was stopped', async () => {
    const stop = new AbortController();
    const stopped = service().spend({ ...spending(6), signal: stop.signal }, async (held) => {
      await works(2)(held);
      stop.abort(new Error('nobody listens any more'));
      return Promise.reject(stop.signal.reason as Error);
    });
    await expect(stopped).rejects.toThrow('nobody listens any more');
    expect(await balance()).toBe(START - 2);
  });

  it('is not begun twice at once on the same', async () => {
    const { surveyId } = await publishedSurvey(home.admin, [[choice('Q1')]]);
    const same = { ...spending(2, purpose(surveyId)), workKey: Buffer.alloc(32, 7) };
    const again = await service().spend(same, async (held) => {
      const second = await service()
        .spend(same, works(1))
        .catch((error: unknown) => error);
      await works(1)(held);
      return second;
    });
    expect(again.result).toBeInstanceOf(AlreadyRunningError);
    expect(await balance()).toBe(START - 1);
    expect((await service().spend(same, works(1))).creditsUsed).toBe(1);
  });

  it('is not begun when there are too few, and says so', async () => {
    let begun = false;
    const error = await service()
      .spend(spending(START + 1), (held) => {
        begun = true;
        return works(1)(held);
      })
      .catch((reason: unknown) => reason);
    expect(codeOf(error)).toBe('insufficient_credits');
    expect((error as AppError).message).toBe('This may take up to 11 credits, and the organization has 10');
    expect(begun).toBe(false);
    expect(await balance()).toBe(START);
  });

  it('is begun by one of twenty who race for the last credits', async () => {
    let begun = 0;
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        service()
          .spend(spending(START), async (held) => {
            begun += 1;
            await sleep(30);
            return works(START)(held);
          })
          .then(
            () => 'spent',
            (error: unknown) => codeOf(error),
          ),
      ),
    );
    expect(begun).toBe(1);
    expect(outcomes.filter((outcome) => outcome === 'spent')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'insufficient_credits')).toHaveLength(19);
    expect(await balance()).toBe(0);
  });

  it('leaves a ledger whose sum is the balance, whatever a crowd does', async () => {
    await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        service()
          .spend(spending(1 + (index % 4)), async (held) => {
            if (index % 5 === 0) throw new Error('no');
            await sleep(index % 3);
            return works(1)(held);
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

describe('credits that were set aside by somebody who died', () => {
  const reserve = () => new Store(app.database.db).read.credits.reserve(purpose(), 7, 60, null);
  const runOut = () =>
    app.database.db.raw(`UPDATE credit_reservations SET lease_until = now() - interval '1 second'`);

  it('come back when their lease has run out, once', async () => {
    await balance();
    await reserve();
    expect(await service().releaseAbandoned()).toBe(0);
    expect(await balance()).toBe(START - 7);
    await runOut();
    const released = await Promise.all([service(), service()].map((one) => one.releaseAbandoned()));
    expect(released.reduce((sum, one) => sum + one)).toBe(1);
    expect(await balance()).toBe(START);
  });

  it('cost nothing when the work ends after all, and are not given back twice', async () => {
    const spent = await service().spend(spending(7), async (held) => {
      await runOut();
      await service().releaseAbandoned();
      return works(7)(held);
    });
    expect(spent).toMatchObject({ creditsUsed: 0, creditsRemaining: START });
    expect(await balance()).toBe(START);
  });
});

describe('what credits were spent on', () => {
  const usage = (query = '') => home.admin.get(`/api/billing/usage${query}`);

  it('is told by day, operation, user and survey', async () => {
    const { surveyId } = await publishedSurvey(home.admin, [[choice('Q1')]]);
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

  it('is nothing where nothing was spent, and of the time that is asked for', async () => {
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

  it('is for admins, and of moments in their order', async () => {
    await expectRefused((await home.person('member')).get('/api/billing/usage'), 403);
    await expectInvalidField(usage('?from=yesterday'), 'from');
    await expectInvalidField(usage('?from=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z'), 'until');
  });
});
