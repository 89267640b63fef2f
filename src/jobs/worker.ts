import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Ids } from '../lib/ids.ts';
import type { JobSignals } from '../repositories/job-signals.ts';
import type { ClaimedJob } from '../repositories/jobs.ts';
import type { Store } from '../repositories/store.ts';
import { Attempt } from './attempt.ts';
import { ABANDONED, MAX_ATTEMPTS } from './job-failure.ts';
import type { JobKind } from './job-kind.ts';

const LEASE_SECONDS = 30;
/** Polls as well as listening: a signal can be missed, a job may be due later, and leases expire silently. */
const POLL_INTERVAL_MS = 5_000;

export interface WorkerSettings {
  store: Store;
  signals: JobSignals;
  log: Logger;
  ids: Ids;
  kinds: readonly JobKind[];
  /** Maximum number of jobs that this process runs at once; 0: none. */
  concurrency: number;
  leaseSeconds?: number;
  pollIntervalMs?: number;
}

/**
 * Runs queued jobs, beside the workers of other processes. Each job runs under a lease that its process renews; if
 * the process ends, another one takes the job over.
 */
export class JobWorker {
  private readonly leaseSeconds: number;
  private readonly kinds: ReadonlyMap<string, JobKind>;
  private readonly running = new Set<Attempt>();
  private polling: Promise<void> | null = null;
  private isPollPending = false;
  private stopListening: (() => void) | null = null;
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly settings: WorkerSettings) {
    this.leaseSeconds = settings.leaseSeconds ?? LEASE_SECONDS;
    this.kinds = new Map(settings.kinds.map((kind) => [kind.kind, kind]));
  }

  start(): void {
    const { concurrency, signals, pollIntervalMs: lookEveryMs = POLL_INTERVAL_MS } = this.settings;
    if (concurrency === 0 || this.timer !== null) return;
    this.stopListening = signals.onQueued(() => this.poll());
    this.timer = setInterval(() => this.poll(), lookEveryMs);
    this.poll();
  }

  /** Claims no further jobs, asks running ones to stop, and requeues them for the next process. */
  async stop(withinMs: number): Promise<void> {
    if (this.timer === null) return;
    clearInterval(this.timer);
    this.timer = null;
    this.stopListening?.();
    await this.polling;
    for (const attempt of this.running) attempt.stop();
    const ended = Promise.all([...this.running].map((attempt) => attempt.ended));
    await Promise.race([ended, sleep(withinMs, undefined, { ref: false })]);
    await Promise.all([...this.running].map((attempt) => attempt.requeue()));
  }

  /** Polls one at a time; a poll requested meanwhile follows. */
  private poll(): void {
    this.isPollPending = true;
    this.polling ??= this.claimJobs().finally(() => {
      this.polling = null;
      if (this.isPollPending) this.poll();
    });
  }

  private async claimJobs(): Promise<void> {
    const { store, log } = this.settings;
    try {
      while (this.isPollPending) {
        this.isPollPending = false;
        await store.read.jobs.failAbandoned(MAX_ATTEMPTS, ABANDONED);
        while (this.timer !== null && this.running.size < this.settings.concurrency) {
          const job = await this.claim();
          if (job === null) break;
          this.run(job);
        }
      }
    } catch (error) {
      log.error({ err: error }, 'jobs cannot be taken; trying again');
    }
  }

  private claim(): Promise<ClaimedJob | null> {
    const leaseId = this.settings.ids.uuid();
    return this.settings.store.transaction(async ({ jobs, jobFiles }) => {
      const job = await jobs.claim([...this.kinds.keys()], leaseId, this.leaseSeconds, MAX_ATTEMPTS);
      if (job !== null) await jobFiles.release(job.job_id);
      return job;
    });
  }

  private run(job: ClaimedJob): void {
    const attempt = new Attempt(job, this.kinds.get(job.kind)!, {
      ...this.settings,
      leaseSeconds: this.leaseSeconds,
    });
    this.running.add(attempt);
    void attempt.ended.then(() => {
      this.running.delete(attempt);
      if (this.timer !== null) this.poll();
    });
  }
}
