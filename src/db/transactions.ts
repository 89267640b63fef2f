import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Knex } from 'knex';
import type { Database } from './connect.ts';
import { isDatabaseUnavailable, isResponseIdTaken, isSerializationFailure } from './errors.ts';
import type { Replicas } from './replicas.ts';

/** Hooks of the outer transaction. */
export interface JoinHooks<T, In = Knex.Transaction> {
  /** Runs first. An error it throws is thrown by the first inner transaction. */
  onOpen: (outer: In) => Promise<void>;
  /** Runs last, also when the work wrote nothing. */
  beforeCommit: (outer: In, result: T) => Promise<void>;
}

interface Joined {
  /** Opens the outer transaction on first use. */
  open: () => Promise<Knex.Transaction>;
  opening: Promise<Knex.Transaction> | null;
  /** null: nothing was written yet. */
  outer: Knex.Transaction | null;
  isOver: boolean;
}

interface Context {
  joined: Joined;
  /** The innermost transaction around the running code. */
  inner: Knex.Transaction | null;
}

/**
 * Commits all transactions of a piece of work together: within `join` each one is a savepoint of one outer transaction.
 *
 * The outer transaction opens with the first inner one, so that reading, computing and calls to other servers before the first write hold
 * no connection. The work is identified by its asynchronous context. Code that it starts for other requests too, such as loading a cache,
 * must run `detached`.
 */
export class JoinedTransactions {
  private readonly contexts = new AsyncLocalStorage<Context | null>();
  private running = 0;

  constructor(private readonly db: Database) {}

  /** The open transaction around the running code, or null. */
  get current(): Knex.Transaction | null {
    const context = this.contexts.getStore() ?? null;
    if (context === null || context.joined.isOver) return null;
    const { inner, joined } = context;
    return inner !== null && !inner.isCompleted() ? inner : joined.outer;
  }

  transaction<T>(work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const context = this.contexts.getStore() ?? null;
    if (context === null || context.joined.isOver) return this.db.transaction(work);
    return this.savepoint(context.joined, work);
  }

  /** Commits what `work` wrote when it returns, and rolls it back when it throws. */
  async join<T>({ onOpen, beforeCommit }: JoinHooks<T>, work: () => Promise<T>): Promise<T> {
    const joined: Joined = {
      opening: null,
      outer: null,
      isOver: false,
      open: async () => {
        joined.outer = await this.db.transaction();
        await onOpen(joined.outer);
        return joined.outer;
      },
    };
    this.running += 1;
    try {
      const result = await this.contexts.run({ joined, inner: null }, work);
      const outer = await openOuter(joined);
      await beforeCommit(outer, result);
      joined.isOver = true;
      await outer.commit();
      // Knex reports a failed commit only through this promise.
      await outer.executionPromise;
      return result;
    } catch (error) {
      joined.isOver = true;
      await rollBack(joined);
      throw error;
    } finally {
      this.running -= 1;
      // While contexts are tracked, every promise of the process costs a little more.
      if (this.running === 0) this.contexts.disable();
    }
  }

  /** Runs `work` outside the outer transaction: on separate connections, where it sees only committed rows. */
  detached<T>(work: () => T): T {
    return this.running === 0 ? work() : this.contexts.run(null, work);
  }

  private async savepoint<T>(joined: Joined, work: (trx: Knex.Transaction) => Promise<T>): Promise<T> {
    const around = this.current ?? (await openOuter(joined));
    return around.transaction((inner) => this.contexts.run({ joined, inner }, () => work(inner)));
  }
}

const openOuter = (joined: Joined): Promise<Knex.Transaction> => (joined.opening ??= joined.open());

/** Rolls back without hiding the error that ended the work. A closed connection has already rolled back. */
async function rollBack({ opening, outer }: Joined): Promise<void> {
  const opened = outer ?? (await opening?.catch(() => null)) ?? null;
  if (opened !== null && !opened.isCompleted()) await opened.rollback().catch(() => undefined);
}

export const READ_ONLY_SNAPSHOT = { isolationLevel: 'repeatable read', readOnly: true } as const;

/** A read-only transaction on one snapshot of the database. */
export interface SnapshotTransaction {
  db: Database;
  /** The snapshot to use instead of the transaction's own, on a replica (see replicas.ts); null on the primary. */
  watermark: string | null;
  /** Must be called at the end. Calling it again has no effect. */
  end(): Promise<void>;
  /**
   * Whether the error is a failure of the replica, after which the read can be repeated on the primary. Call it at most once, before
   * `end`.
   */
  isReplicaFailure(error: unknown): boolean;
}

export async function openSnapshot(db: Database): Promise<SnapshotTransaction> {
  const trx = await db.transaction(READ_ONLY_SNAPSHOT);
  return { db: trx, watermark: null, end: () => rollBackIfOpen(trx), isReplicaFailure: () => false };
}

/** Opens a snapshot on a replica that has everything committed before the call. Returns null if the primary must be used. */
export async function openReplicaSnapshot(replicas: Replicas | null): Promise<SnapshotTransaction | null> {
  const reader = (await replicas?.openReader()) ?? null;
  if (reader === null) return null;
  const reportReplicaFailure = (error: unknown) => {
    if (!isDatabaseUnavailable(error)) return false;
    reader.reportFailure();
    return true;
  };
  try {
    const trx = await reader.begin(READ_ONLY_SNAPSHOT);
    let isOpen = true;
    const end = async () => {
      if (!isOpen) return;
      isOpen = false;
      await rollBackIfOpen(trx).finally(() => reader.end());
    };
    return { db: trx, watermark: reader.watermark, end, isReplicaFailure: reportReplicaFailure };
  } catch (error) {
    const isReplicaFailure = reportReplicaFailure(error);
    reader.end();
    if (!isReplicaFailure) throw error;
    return null;
  }
}

/** Ends a transaction that wrote nothing. It may already have ended. */
async function rollBackIfOpen(trx: Knex.Transaction): Promise<void> {
  if (!trx.isCompleted()) await trx.rollback().catch(() => undefined);
}

const MAX_ATTEMPTS = 5;
/** The longest first wait; each later one is twice as long. */
const FIRST_WAIT_MS = 20;

/**
 * Repeats `work`, which runs its own transaction from the beginning, when a concurrent transaction made it fail: for example, a complete
 * response that was evaluated just before its wave got quotas, a deadlock of new quotas with a respondent who renews a reservation, or a response
 * whose random id is taken. The waits in between are random, so that requests that failed together do not meet again. Throws the last error
 * after five attempts.
 */
export async function retryOnSerializationFailure<T>(
  work: () => Promise<T>,
  wait: (milliseconds: number) => Promise<void> = sleep,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const mayRepeat = isSerializationFailure(error) || isResponseIdTaken(error);
      if (attempt === MAX_ATTEMPTS || !mayRepeat) throw error;
      await wait(FIRST_WAIT_MS * 2 ** (attempt - 1) * Math.random());
    }
  }
}
