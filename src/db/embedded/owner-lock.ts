import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { closeClient, connectSupervisor } from './cluster.ts';

/**
 * The process with this session-level advisory lock owns the cluster. PostgreSQL releases the lock as soon as the owner dies, so a killed
 * process leaves nothing behind. The numbers are "canv" and 1.
 */
const lockClass = 0x63616e76;
const lockId = 1;
const retryMs = 100;

export interface OwnerLock {
  /** The connection that acquired the lock. After a restart of the server another connection holds it. */
  client: Client;
  release(): Promise<void>;
}

export async function tryOwnerLock(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
    lockClass,
    lockId,
  ]);
  return rows[0]?.taken === true;
}

/** Returns the owner's application name (`canvass <pid>`), or null if there is no owner. */
export async function findOwner(client: Client): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    `select activity.application_name as name
       from pg_locks held join pg_stat_activity activity on activity.pid = held.pid
      where held.locktype = 'advisory' and held.granted and held.objsubid = 2
        and held.classid = $1::bigint::oid and held.objid = $2::bigint::oid
        and activity.datname = current_database()`,
    [lockClass, lockId],
  );
  return rows[0]?.name ?? null;
}

/** Acquires the lock and acquires it again when the connection is lost. Returns null if another process has it. */
export async function acquireOwnerLock(port: number, password: string): Promise<OwnerLock | null> {
  const first = await lockOnce(port, password);
  if (!first) return null;
  const released = new AbortController();
  const untilReleased = new Promise<void>((resolve) => {
    released.signal.addEventListener('abort', () => resolve());
  });

  const keep = async (): Promise<void> => {
    let lock: HeldLock | null = first;
    while (!released.signal.aborted) {
      if (lock) await Promise.race([lock.lost, untilReleased]);
      if (!released.signal.aborted) await Promise.race([sleep(retryMs), untilReleased]);
      if (!released.signal.aborted) lock = await lockOnce(port, password).catch(() => null);
    }
    if (lock) await closeClient(lock.client);
  };
  const renewal = keep();

  return {
    client: first.client,
    release: () => {
      released.abort();
      return renewal;
    },
  };
}

interface HeldLock {
  client: Client;
  /** Resolves when the connection has ended, which releases the lock. */
  lost: Promise<void>;
}

async function lockOnce(port: number, password: string): Promise<HeldLock | null> {
  const client = await connectSupervisor(port, password);
  const lossReported = new Promise<void>((resolve) => {
    client.once('end', resolve);
  });
  if (await tryOwnerLock(client)) return { client, lost: lossReported };
  await closeClient(client);
  return null;
}
