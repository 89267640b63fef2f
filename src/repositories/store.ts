import type { Database } from '../db/connect.ts';
import { isDistributed } from '../db/distribution/citus.ts';
import {
  JoinedTransactions,
  type JoinHooks,
  openReplicaSnapshot,
  openSnapshot,
  type SnapshotTransaction,
  READ_ONLY_SNAPSHOT,
} from '../db/transactions.ts';
import type { Replicas } from '../db/replicas.ts';
import { Semaphore } from '../lib/concurrency.ts';
import { type Repositories, repositoriesOn } from './repositories.ts';

/** Rolls a dry run back. */
class DryRunRollback extends Error {}

/** The database as it was at one moment, for as long as it takes to read it. */
export interface OpenSnapshot extends Pick<SnapshotTransaction, 'end' | 'isReplicaFailure'> {
  readonly read: Repositories;
}

/** Limit of `openSnapshot`, because each open snapshot keeps a connection of the pool. */
const MAX_OPEN_SNAPSHOTS = 3;

const DISTRIBUTION_TTL_MS = 60_000;

/** The database as services see it. */
export class Store {
  private readonly pool: Repositories;
  private readonly joined: JoinedTransactions;
  /** Of open joined transactions. */
  private readonly joinedRepositories = new WeakMap<Database, Repositories>();
  private readonly replicaServers: Replicas | null;
  private readonly snapshotLimit = new Semaphore(MAX_OPEN_SNAPSHOTS);
  private distribution = { until: 0, answer: Promise.resolve(false) };

  constructor(
    private readonly db: Database,
    replicas: Replicas | null = null,
  ) {
    this.replicaServers = replicas;
    this.pool = repositoriesOn(db);
    this.joined = new JoinedTransactions(db);
  }

  /** What is committed; within `join` also what was written before. Writes belong into `transaction`. */
  get read(): Repositories {
    const { current } = this.joined;
    if (current === null) return this.pool;
    return this.repositoriesWithin(current);
  }

  private repositoriesWithin(trx: Database): Repositories {
    const known = this.joinedRepositories.get(trx) ?? repositoriesOn(trx);
    this.joinedRepositories.set(trx, known);
    return known;
  }

  /**
   * Everything `work` does through the repositories it is handed commits together, or not at all. No network call,
   * hashing or rendering belongs inside.
   */
  transaction<T>(work: (repositories: Repositories) => Promise<T>): Promise<T> {
    return this.joined.transaction((trx) => work(repositoriesOn(trx)));
  }

  /**
   * All transactions that `work` begins commit together when it returns, or not at all; see JoinedTransactions.
   */
  join<T>({ onOpen, beforeCommit }: JoinHooks<T, Repositories>, work: () => Promise<T>): Promise<T> {
    const steps: JoinHooks<T> = {
      onOpen: (outer) => onOpen(this.repositoriesWithin(outer)),
      beforeCommit: (outer, result) => beforeCommit(this.repositoriesWithin(outer), result),
    };
    return this.joined.join(steps, work);
  }

  /**
   * Runs `work` outside of what is joined. For everything that serves more than one request, such as a load into a cache: it must not
   * see what may be rolled back, nor end with the request that began it.
   */
  detached<T>(work: () => T): T {
    return this.joined.detached(work);
  }

  /** With `isDryRun`, rolls everything back after `work`: the outcome is exact, except for generated ids. */
  async transactionOrDryRun<T>(
    isDryRun: boolean,
    work: (repositories: Repositories) => Promise<T>,
  ): Promise<T> {
    if (!isDryRun) return this.transaction(work);
    let tried: { outcome: T } | null = null;
    try {
      return await this.transaction(async (repositories) => {
        tried = { outcome: await work(repositories) };
        throw new DryRunRollback();
      });
    } catch (error) {
      if (error instanceof DryRunRollback && tried !== null) return (tried as { outcome: T }).outcome;
      throw error;
    }
  }

  /** One consistent view over several reads. */
  snapshot<T>(work: (repositories: Repositories) => Promise<T>): Promise<T> {
    // Only this transaction sees what it has written.
    if (this.joined.current !== null) return work(this.read);
    return this.db.transaction((trx) => work(repositoriesOn(trx)), READ_ONLY_SNAPSHOT);
  }

  /**
   * The same for long reads: on a replica that has everything committed before the call, where there is one. Repeats `work` on the
   * primary when the replica fails meanwhile.
   */
  async readOnlySnapshot<T>(work: (repositories: Repositories) => Promise<T>): Promise<T> {
    const view = this.joined.current === null ? await openReplicaSnapshot(this.replicaServers) : null;
    if (view === null) return this.snapshot(work);
    try {
      return await work(repositoriesOn(view.db, view.watermark));
    } catch (error) {
      if (!view.isReplicaFailure(error)) throw error;
    } finally {
      await view.end();
    }
    return this.snapshot(work);
  }

  /**
   * Opens a snapshot that the caller must end, for example after streaming a reply. Waits while too many are open. `preferReplica`: reads
   * from a replica if one has everything committed before the call.
   */
  async openSnapshot({ preferReplica }: { preferReplica: boolean }): Promise<OpenSnapshot> {
    if (this.joined.current !== null)
      return { read: this.read, end: () => Promise.resolve(), isReplicaFailure: () => false };
    const release = await this.snapshotLimit.acquire();
    try {
      const view =
        (preferReplica ? await openReplicaSnapshot(this.replicaServers) : null) ??
        (await openSnapshot(this.db));
      return {
        read: repositoriesOn(view.db, view.watermark),
        end: () => view.end().finally(release),
        isReplicaFailure: (error) => view.isReplicaFailure(error),
      };
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Whether the responses are distributed over servers. Notices within a minute that this has changed. */
  isDistributed(): Promise<boolean> {
    const now = performance.now();
    if (now >= this.distribution.until) {
      const answer = isDistributed(this.db);
      this.distribution = { until: now + DISTRIBUTION_TTL_MS, answer };
      // The next call asks again.
      answer.catch(() => (this.distribution.until = 0));
    }
    return this.distribution.answer;
  }

  /** Of those that are set, how many can be read from; null: none are. */
  get replicas(): { configured: number; usable: number } | null {
    const states = this.replicaServers?.states;
    if (states === undefined) return null;
    return { configured: states.length, usable: states.filter(({ isUsable }) => isUsable).length };
  }
}
