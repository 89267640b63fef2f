import supertest from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization } from '../../support/actors.ts';
import { appOn, type TestApp, useApp } from '../../support/app.ts';
import { REDIS, RedisServer } from '../../support/redis-server.ts';

const test = useApp();
let ada: Actor;
let bob: Actor;
let redis: RedisServer;
const open: TestApp[] = [];
const logged: string[] = [];

/** A process with its own connection to Redis and the same database. */
function startProcess(): TestApp {
  const created = appOn(
    test.database,
    { RATE_LIMIT_GENERAL: '10', RATE_LIMIT_AUTH: '4', REDIS_URL: redis.url },
    { logLine: (line) => logged.push(line) },
  );
  open.push(created);
  return created;
}

async function ask(target: TestApp, actor: Actor): Promise<{ status: number; remaining: number }> {
  const reply = await supertest(target.app).get('/api/workspaces').set('X-API-Key', actor.apiKey!);
  return { status: reply.status, remaining: Number(reply.headers['ratelimit-remaining']) };
}

describe.skipIf(REDIS.isSkipped)(`rate limits counted in Redis by several processes${REDIS.why}`, () => {
  beforeAll(async () => {
    redis = await RedisServer.start();
    const home = await newOrganization(test);
    [ada, bob] = [await home.person('member'), await home.person('member')];
  });
  afterAll(() => redis.stop());
  afterEach(() => {
    for (const one of open.splice(0)) one.container.sharedCounters?.close();
    logged.splice(0);
  });

  it('are shared by all processes', async () => {
    const [one, other] = [startProcess(), startProcess()];
    const replies = [];
    for (let round = 0; round < 6; round += 1) replies.push(await ask(one, ada), await ask(other, ada));
    expect(replies.map(({ remaining }) => remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
    expect(replies.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 429, 429]);
  });

  it('are exact under concurrent requests to two processes', async () => {
    const [one, other] = [startProcess(), startProcess()];
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ask(index % 2 === 0 ? one : other, bob)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
  });

  it('count wrong passwords across processes, and right ones never', async () => {
    const [one, other] = [startProcess(), startProcess()];
    const dan = await (await newOrganization(test)).person('member');
    const logIn = async (target: TestApp, password: string) =>
      (await supertest(target.app).post('/api/auth').send({ action: 'login', email: dan.email, password }))
        .status;
    expect(await Promise.all([one, other, one, other].map((target) => logIn(target, dan.password)))).toEqual([
      200, 200, 200, 200,
    ]);
    const burst = await Promise.all(
      Array.from({ length: 20 }, (_, n) => logIn(n % 2 === 0 ? one : other, 'guess')),
    );
    expect(burst.filter((status) => status === 401)).toHaveLength(4);
    expect([await logIn(one, dan.password), await logIn(other, dan.password)]).toEqual([429, 429]);
  });

  it('restart in every process after a reset', async () => {
    const [one, other] = [startProcess(), startProcess()].map((each) =>
      each.container.sharedCounters!.counters('reset-test', 60_000),
    );
    await one!.increment('a');
    expect((await other!.increment('a')).totalHits).toBe(2);
    await one!.reset('a');
    expect((await other!.increment('a')).totalHits).toBe(1);
  });

  it('are counted per process while Redis is unavailable, without failing or waiting', async () => {
    const one = startProcess();
    const carol = await (await newOrganization(test)).person('member');
    await ask(one, carol);
    await redis.stop();
    const startedMs = performance.now();
    const withoutRedis = await ask(one, carol);
    expect(withoutRedis).toEqual({ status: 200, remaining: 9 });
    expect((await ask(one, carol)).remaining).toBe(8);
    expect(performance.now() - startedMs).toBeLessThan(5_000);
    expect(logged.filter((line) => line.includes('Redis cannot be reached'))).toHaveLength(1);
    await redis.run();
    await expect
      .poll(
        async () => {
          await ask(one, carol);
          return logged.some((line) => line.includes('counts rate limits again'));
        },
        { timeout: 10_000, interval: 50 },
      )
      .toBe(true);
  });
});
