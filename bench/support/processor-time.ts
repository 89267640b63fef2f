import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from '../../src/db/connect.ts';

/** A tick of /proc, on every Linux that Node runs on. */
const TICK_MICROSECONDS = 10_000;

/** Microseconds of processor time of all PostgreSQL processes so far, or null if the system does not report it. */
export async function postgresTime(db: Database): Promise<number | null> {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>('SELECT pg_backend_pid() AS pid');
  const own = statOf(rows[0]!.pid);
  if (own === null) return null;
  const family = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((stat) => stat !== null)
    .filter(({ pid, parent }) => parent === own.parent || pid === own.parent);
  return family.reduce(
    // The time of ended processes is part of their parent's.
    (sum, { pid, used, usedByEnded }) => sum + used + (pid === own.parent ? usedByEnded : 0),
    0,
  );
}

/** Bytes that PostgreSQL has written to its write-ahead log since the cluster was created. */
export async function walPosition(db: Database): Promise<number> {
  const { rows } = await db.raw<{ rows: { position: string }[] }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS position`,
  );
  return Number(rows[0]!.position);
}

interface Stat {
  pid: number;
  parent: number;
  used: number;
  usedByEnded: number;
}

/** proc(5): behind the name in brackets come the state, the parent, and as 12th to 15th the times. */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15) as [number, number, number, number];
    return {
      pid,
      parent: fields[1]!,
      used: (user + system) * TICK_MICROSECONDS,
      usedByEnded: (endedUser + endedSystem) * TICK_MICROSECONDS,
    };
  } catch {
    return null;
  }
}
