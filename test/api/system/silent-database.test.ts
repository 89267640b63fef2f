import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FreezingProxy, startFreezingProxy } from '../../../faults/support/freezing-proxy.ts';
import { connect, type Database } from '../../../src/db/connect.ts';
import { fromDatabaseError } from '../../../src/db/errors.ts';
import { Heartbeat } from '../../../src/db/heartbeat.ts';
import { liftTimeLimits } from '../../../src/db/pg-pool.ts';
import { useDatabase } from '../../support/database.ts';

const database = useDatabase();
let proxy: FreezingProxy;
const opened: { db: Database; heartbeat: Heartbeat }[] = [];

beforeAll(async () => {
  proxy = await startFreezingProxy(database.url);
});
afterEach(async () => {
  proxy.thaw();
  for (const { db, heartbeat } of opened.splice(0)) {
    heartbeat.stop();
    await db.destroy();
  }
});
afterAll(() => proxy.close());

/** A pool behind the proxy, with a heartbeat that is not started. `changes`: what the heartbeat reported, silent or not. */
function open(statementTimeoutMs?: number): { db: Database; heartbeat: Heartbeat; changes: boolean[] } {
  const db = connect(proxy.url, 4, statementTimeoutMs);
  const changes: boolean[] = [];
  const heartbeat = new Heartbeat(db, (isSilent) => changes.push(isSilent));
  opened.push({ db, heartbeat });
  return { db, heartbeat, changes };
}

/** Returns the error of the rejected promise, and the milliseconds until then. */
async function failure(work: Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const began = performance.now();
  try {
    await work;
  } catch (error) {
    return { error, ms: performance.now() - began };
  }
  throw new Error('It did not fail');
}

describe('a database that does not reply', { timeout: 30_000 }, () => {
  test('fails what waits and what begins with 503, and is used again when it replies', async () => {
    const { db, heartbeat, changes } = open();
    await db.raw('SELECT 1');
    heartbeat.start();
    proxy.freeze();
    const waiting = await failure(db.raw('SELECT 2'));
    expect(fromDatabaseError(waiting.error)).toMatchObject({
      code: 'database_unavailable',
      kind: 'unavailable',
    });
    expect(waiting.ms).toBeLessThan(7_000);
    expect(await failure(heartbeat.check())).toMatchObject({
      ms: expect.toSatisfy((ms: number) => ms < 5_000),
    });
    const begun = await failure(db.transaction((trx) => trx.raw('SELECT 3')));
    expect(fromDatabaseError(begun.error)?.code).toBe('database_unavailable');
    expect(begun.ms).toBeLessThan(500);
    proxy.thaw();
    await expect.poll(() => changes, { timeout: 10_000 }).toEqual([true, false]);
    const { rows } = await db.raw<{ rows: { n: number }[] }>('SELECT 4 AS n');
    expect(rows).toEqual([{ n: 4 }]);
  });

  test('ends a statement whose reply is overdue, and never hands its connection out again', async () => {
    const { db } = open(1_000);
    const pid = async () =>
      (await db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
    const before = await pid();
    proxy.forgetConnections();
    const { error, ms } = await failure(db.raw('SELECT 1'));
    expect(fromDatabaseError(error)?.code).toBe('database_unavailable');
    expect(ms).toBeLessThan(9_000);
    expect(await pid()).not.toBe(before);
  });

  test('is told apart from a slow statement, and from one connection that was lost', async () => {
    const { db, heartbeat, changes } = open();
    const lost = await db.transaction();
    await lost.raw('SELECT 1');
    proxy.forgetConnections();
    heartbeat.start();
    // Knex sends it when it is first awaited.
    const slow = Promise.resolve(db.raw<{ rows: { n: number }[] }>('SELECT 1 AS n FROM pg_sleep(9)'));
    const { error, ms } = await failure(lost.raw('SELECT 2'));
    expect(fromDatabaseError(error)?.code).toBe('database_unavailable');
    expect(ms).toBeLessThan(8_000);
    expect((await slow).rows).toEqual([{ n: 1 }]);
    expect(changes).toEqual([]);
    await lost.rollback().catch(() => undefined);
  });
});

test(
  'work without a time limit outlives the limits of server and client, for one transaction',
  { timeout: 30_000 },
  async () => {
    const { db } = open(300);
    await db.transaction(async (trx) => {
      await liftTimeLimits(trx);
      await trx.raw('SELECT pg_sleep(7)');
    });
    const { error } = await failure(db.raw('SELECT pg_sleep(7)'));
    expect(error).toMatchObject({ code: '57014' });
  },
);
