import supertest from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization } from '../support/actors.ts';
import { appOn, type TestApp, useApp } from '../support/app.ts';
import { REDIS, RedisServer } from '../support/redis-server.ts';

const test = useApp();
let ada: Actor;
let bob: Actor;
let redis: RedisServer;
const open: TestApp[] = [];
const logged: string[] = [];

/** One of several processes: its own connection to Redis, the same database. */
function process(): TestApp {
  const app = appOn(
    test.database,
    { RATE_LIMIT_GENERAL: '10', RATE_LIMIT_AUTH: '4', REDIS_URL: redis.url },
    { logLine: (line) => logged.push(line) },
  );
  open.push(app);
  return app;
}

async function readLimit(on: TestApp, actor: Actor): Promise<{ status: number; left: number }> {
  const reply = await supertest(on.app).get('/api/workspaces').set('X-API-Key', actor.apiKey!);
  return { status: reply.status, left: Number(reply.headers['ratelimit-remaining']) };
}

describe.skipIf(REDIS.isSkipped)(`rate limits shared in Redis${REDIS.skipNote}`, () => {
  beforeAll(async () => {
    redis = await RedisServer.start();
    const organization = await newOrganization(test);
    [ada, bob] = [await organization.addUser('member'), await organization.addUser('member')];
  });
  afterAll(() => redis.stop());
  afterEach(() => {
    for (const one of open.splice(0)) one.container.sharedCounters?.close();
    logged.splice(0);
  });

  it('share one limit across processes', async () => {
    const [one, other] = [process(), process()];
    const replies = [];
    for (let round = 0; round < 6; round += 1)
      replies.push(await readLimit(one, ada), await readLimit(other, ada));
    expect(replies.map(({ left: remaining }) => remaining)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
    expect(replies.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 429, 429]);
  });

  it('stay exact under concurrent requests to both processes', async () => {
    const [one, other] = [process(), process()];
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) => readLimit(index % 2 === 0 ? one : other, bob)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
  });

  it('count wrong passwords of all processes together, and no correct ones', async () => {
    const [one, other] = [process(), process()];
    const dan = await (await newOrganization(test)).addUser('member');
    const logIn = async (on: TestApp, password: string) =>
      (await supertest(on.app).post('/api/auth').send({ action: 'login', email: dan.email, password }))
        .status;
    expect(await Promise.all([one, other, one, other].map((on) => logIn(on, dan.password)))).toEqual([
      200, 200, 200, 200,
    ]);
    const burst = await Promise.all(
      Array.from({ length: 20 }, (_, n) => logIn(n % 2 === 0 ? one : other, 'guess')),
    );
    expect(burst.filter((status) => status === 401)).toHaveLength(4);
    expect([await logIn(one, dan.password), await logIn(other, dan.password)]).toEqual([429, 429]);
  });

  it('restart in every process for a key that was reset', async () => {
    const [one, other] = [process(), process()].map((each) =>
      each.container.sharedCounters!.counters('reset-test', 60_000),
    );
    await one!.increment('a');
    expect((await other!.increment('a')).totalHits).toBe(2);
    await one!.reset('a');
    expect((await other!.increment('a')).totalHits).toBe(1);
  });

  it('are counted per process while Redis is unavailable, without failing or waiting requests', async () => {
    const one = process();
    const carol = await (await newOrganization(test)).addUser('member');
    await readLimit(one, carol);
    await redis.stop();
    const startedAt = performance.now();
    const unavailable = await readLimit(one, carol);
    expect(unavailable).toEqual({ status: 200, left: 9 });
    expect((await readLimit(one, carol)).left).toBe(8);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(logged.filter((line) => line.includes('Redis cannot be reached'))).toHaveLength(1);
    await redis.run();
    await expect
      .poll(
        async () => {
          await readLimit(one, carol);
          return logged.some((line) => line.includes('counts rate limits again'));
        },
        { timeout: 10_000, interval: 50 },
      )
      .toBe(true);
  });
});
