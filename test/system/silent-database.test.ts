import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type FreezingProxy, startFreezingProxy } from '../../faults/support/freezing-proxy.ts';
import { connectDatabase, type Database } from '../../src/db/connect.ts';
import { fromDatabaseError } from '../../src/db/errors.ts';
import { Heartbeat } from '../../src/db/availability.ts';
import { liftTimeLimits } from '../../src/db/pg-pool.ts';
import { useDatabase } from '../support/database.ts';

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

/** Opens a pool through the proxy, with a stopped heartbeat. `changes`: the values of `isSilent` that the heartbeat reported. */
function openPool(statementTimeoutMs?: number): { db: Database; heartbeat: Heartbeat; changes: boolean[] } {
  const db = connectDatabase(proxy.url, 4, statementTimeoutMs);
  const changes: boolean[] = [];
  const heartbeat = new Heartbeat(db, (isSilent) => changes.push(isSilent));
  opened.push({ db, heartbeat });
  return { db, heartbeat, changes };
}

/** Returns the error of the rejected promise, and the milliseconds until then. */
async function catchFailure(work: Promise<unknown>): Promise<{ error: unknown; ms: number }> {
  const startedAt = performance.now();
  try {
    await work;
  } catch (error) {
    return { error, ms: performance.now() - startedAt };
  }
  throw new Error('The promise was not rejected');
}

describe('a database that does not reply', { timeout: 30_000 }, () => {
  test('fails waiting and new statements with database_unavailable, and is used again when it replies', async () => {
    const { db, heartbeat, changes } = openPool();
    await db.raw('SELECT 1');
    heartbeat.start();
    proxy.freeze();
    const waiting = await catchFailure(db.raw('SELECT 2'));
    expect(fromDatabaseError(waiting.error)).toMatchObject({
      code: 'database_unavailable',
      kind: 'unavailable',
    });
    expect(waiting.ms).toBeLessThan(7_000);
    expect(await catchFailure(heartbeat.check())).toMatchObject({
      ms: expect.toSatisfy((ms: number) => ms < 5_000),
    });
    const started = await catchFailure(db.transaction((trx) => trx.raw('SELECT 3')));
    expect(fromDatabaseError(started.error)?.code).toBe('database_unavailable');
    expect(started.ms).toBeLessThan(500);
    proxy.thaw();
    await expect.poll(() => changes, { timeout: 10_000 }).toEqual([true, false]);
    const { rows } = await db.raw<{ rows: { n: number }[] }>('SELECT 4 AS n');
    expect(rows).toEqual([{ n: 4 }]);
  });

  test('ends a statement with an overdue reply and discards its connection', async () => {
    const { db } = openPool(1_000);
    const getBackendPid = async () =>
      (await db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid')).rows[0]!.pid;
    const before = await getBackendPid();
    proxy.forgetConnections();
    const { error, ms } = await catchFailure(db.raw('SELECT 1'));
    expect(fromDatabaseError(error)?.code).toBe('database_unavailable');
    expect(ms).toBeLessThan(9_000);
    expect(await getBackendPid()).not.toBe(before);
  });

  test('is distinguished from a slow statement and from a single lost connection', async () => {
    const { db, heartbeat, changes } = openPool();
    const lostConnection = await db.transaction();
    await lostConnection.raw('SELECT 1');
    proxy.forgetConnections();
    heartbeat.start();
    // Knex sends a statement when it is first awaited.
    const slow = Promise.resolve(db.raw<{ rows: { n: number }[] }>('SELECT 1 AS n FROM pg_sleep(9)'));
    const { error, ms } = await catchFailure(lostConnection.raw('SELECT 2'));
    expect(fromDatabaseError(error)?.code).toBe('database_unavailable');
    expect(ms).toBeLessThan(8_000);
    expect((await slow).rows).toEqual([{ n: 1 }]);
    expect(changes).toEqual([]);
    await lostConnection.rollback().catch(() => undefined);
  });
});

test(
  'liftTimeLimits lifts the limits of server and client for one transaction',
  { timeout: 30_000 },
  async () => {
    const { db } = openPool(300);
    await db.transaction(async (trx) => {
      await liftTimeLimits(trx);
      await trx.raw('SELECT pg_sleep(7)');
    });
    const { error } = await catchFailure(db.raw('SELECT pg_sleep(7)'));
    expect(error).toMatchObject({ code: '57014' });
  },
);
