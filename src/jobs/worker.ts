import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { boundedError } from '../lib/bounded-error.ts';
import { AppError } from '../lib/errors.ts';
import type { Ids } from '../lib/ids.ts';
import type { ClaimedJob, JobOwner, JobSignals } from '../repositories/jobs.ts';
import type { Store } from '../repositories/store.ts';
import type { JobError } from '../repositories/tables/system.ts';
import type { JobKind } from './job-kinds.ts';

/** After this many attempts that failed, or whose process ended, the job fails. */
const MAX_ATTEMPTS = 3;

const TRANSIENT_KINDS: ReadonlySet<AppError['kind']> = new Set([
  'unavailable',
  'bad_gateway',
  'too_many_requests',
]);

/**
 * Returns whether a job is retried: known errors are final unless they are transient; other errors may be temporary.
 */
function shouldRetry(error: unknown, attempts: number): boolean {
  if (attempts >= MAX_ATTEMPTS) return false;
  return !(error instanceof AppError) || TRANSIENT_KINDS.has(error.kind);
}

/** 2, 8, 32, … seconds. */
const retryDelaySeconds = (attempts: number): number => 2 * 4 ** (attempts - 1);

/** Converts an error to what the owner sees. An internal error reveals only the request_id for support. */
function toJobError(error: unknown, requestId: string | null): JobError {
  if (error instanceof AppError) return { code: error.code, ...boundedError(error) };
  const where = requestId === null ? 'it' : `it, with the request_id ${requestId},`;
  const message = `Something went wrong on our side; start it again, and report ${where} when that does not help`;
  return { message, code: 'internal_error', details: [] };
}

/** Why the owner waits for the next attempt. */
function retryReason(error: unknown, attempts: number, afterSeconds: number): string {
  const cause = error instanceof AppError ? boundedError(error).message : 'something went wrong on our side';
  return `Attempt ${attempts} of ${MAX_ATTEMPTS} failed: ${cause}. The next one starts in ${afterSeconds} seconds`;
}

/** The error of a job whose process ended during every attempt. */
const ABANDONED: JobError = {
  message: `The job was started ${MAX_ATTEMPTS} times, and its process ended each time before the job was done`,
  code: 'job_abandoned',
  details: [],
};

/** How often progress is written, and the lease is checked. */
const TICK_MS = 500;

interface AttemptSettings {
  store: Store;
  signals: JobSignals;
  log: Logger;
  leaseSeconds: number;
}

type Outcome = 'done' | 'failed' | 'waiting' | 'requeued' | 'lost';

/** One run of a job under a lease, which it renews until the job is done, fails, is stopped, or loses the lease. */
class Attempt {
  /** Resolves when the run has ended; never rejects. */
  readonly ended: Promise<void>;
  private readonly stopping = new AbortController();
  private reported = { progress: 0, message: null as string | null };
  private latest = this.reported;
  private renewedAt = performance.now();
  private hasLease = true;

  constructor(
    private readonly job: ClaimedJob,
    kind: JobKind,
    private readonly settings: AttemptSettings,
  ) {
    this.ended = this.run(kind);
  }

  /** Asks the handler to stop; the job is requeued. */
  stop(): void {
    this.stopping.abort(new Error('This process stops'));
  }

  /** Requeues a job whose handler does not stop. The handler can no longer write a result, because the lease is gone. */
  async requeue(): Promise<void> {
    await this.settings.store.read.jobs.requeue(this.job);
  }

  private async run(kind: JobKind): Promise<void> {
    const { job, settings } = this;
    const startedAt = performance.now();
    const forget = settings.signals.onCancelled(job.job_id, () => this.onLeaseLost());
    const ticking = setInterval(() => void this.tick(), TICK_MS);
    let outcome: Outcome = 'lost';
    let failure: unknown;
    try {
      outcome = await this.work(kind).catch((error: unknown) => {
        failure = error;
        return this.settleFailure(error);
      });
    } catch (error) {
      // The database is unavailable: the job is run again when the lease expires.
      failure = error;
    } finally {
      clearInterval(ticking);
      forget();
    }
    const line = {
      job_id: job.job_id,
      kind: job.kind,
      request_id: job.request_id,
      attempt: job.attempts,
      outcome,
      ms: Math.round(performance.now() - startedAt),
    };
    const isOurs = failure !== undefined && !(failure instanceof AppError) && !this.stopping.signal.aborted;
    if (isOurs) settings.log.error({ ...line, err: failure }, 'job failed');
    else settings.log.info(line, 'job');
  }

  private async work(kind: JobKind): Promise<Outcome> {
    const { job, settings } = this;
    const result = await kind.handler({
      jobId: job.job_id,
      owner: jobOwnerOf(job),
      surveyId: job.survey_id,
      payload: kind.payload.parse(job.payload),
      signal: this.stopping.signal,
      progress: (fraction, message) => this.progress(fraction, message),
    });
    return (await settings.store.read.jobs.finishDone(job, result)) ? 'done' : 'lost';
  }

  private async settleFailure(error: unknown): Promise<Outcome> {
    const { job } = this;
    const { jobs } = this.settings.store.read;
    if (!this.hasLease) return 'lost';
    if (this.stopping.signal.aborted) return (await jobs.requeue(job)) ? 'requeued' : 'lost';
    if (!shouldRetry(error, job.attempts))
      return (await jobs.finishFailed(job, toJobError(error, job.request_id))) ? 'failed' : 'lost';
    const afterSeconds = retryDelaySeconds(job.attempts);
    const reason = retryReason(error, job.attempts, afterSeconds);
    return (await jobs.retry(job, { afterSeconds, reason })) ? 'waiting' : 'lost';
  }

  private progress(fraction: number, message?: string): void {
    this.stopping.signal.throwIfAborted();
    const progress = Math.max(this.latest.progress, Math.min(1, fraction));
    this.latest = { progress, message: message ?? this.latest.message };
  }

  /** Renews the lease before it expires, and writes new progress. */
  private async tick(): Promise<void> {
    const { store, leaseSeconds } = this.settings;
    const silentMs = performance.now() - this.renewedAt;
    if (!this.hasLease) return;
    if (silentMs > leaseSeconds * 1000) return this.onLeaseLost();
    const { latest } = this;
    const isNews = latest.progress !== this.reported.progress || latest.message !== this.reported.message;
    if (!isNews && silentMs < (leaseSeconds * 1000) / 3) return;
    const { jobs } = store.read;
    const askedAt = performance.now();
    this.reported = latest;
    try {
      const isRenewed = isNews
        ? await jobs.report({
            lease: this.job,
            leaseSeconds,
            progress: latest.progress,
            message: latest.message,
          })
        : await jobs.renew(this.job, leaseSeconds);
      if (isRenewed) this.renewedAt = askedAt;
      else this.onLeaseLost();
    } catch (error) {
      // The next tick retries; if renewing keeps failing, the lease expires.
      this.settings.log.warn({ job_id: this.job.job_id, err: error }, 'a job’s lease could not be renewed');
    }
  }

  private onLeaseLost(): void {
    this.hasLease = false;
    this.stopping.abort(new Error('The job is cancelled, or another process runs it'));
  }
}

function jobOwnerOf({ organization_id: organizationId, user_id: userId }: ClaimedJob): JobOwner | null {
  return organizationId === null || userId === null ? null : { organizationId, userId };
}

const LEASE_SECONDS = 30;
/** Polls as well as listening: a signal can be missed, a job may be due later, and leases expire silently. */
const POLL_INTERVAL_MS = 5_000;

interface WorkerSettings {
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
    const { concurrency, signals, pollIntervalMs = POLL_INTERVAL_MS } = this.settings;
    if (concurrency === 0 || this.timer !== null) return;
    this.stopListening = signals.onQueued(() => this.poll());
    this.timer = setInterval(() => this.poll(), pollIntervalMs);
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
    return this.settings.store.transaction(async ({ jobs }) => {
      const job = await jobs.claim({
        kinds: [...this.kinds.keys()],
        leaseId,
        leaseSeconds: this.leaseSeconds,
        maxAttempts: MAX_ATTEMPTS,
      });
      if (job !== null) await jobs.releaseFiles(job.job_id);
      return job;
    });
  }

  private run(job: ClaimedJob): void {
    const kind = this.kinds.get(job.kind);
    if (kind === undefined) throw new Error(`${job.kind} is not a kind of job`);
    const attempt = new Attempt(job, kind, {
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
