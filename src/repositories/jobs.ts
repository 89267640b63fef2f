import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import type { Notifications } from '../db/notifications.ts';
import { requireRow } from '../lib/require-value.ts';
import { countRows, type IdPage, selectIdPage } from './list-queries.ts';
import { qualifyColumns } from './tables/table.ts';
import type { JobError, JobFileTable, JobTable } from './tables/system.ts';

export const JOBS_CHANNEL = 'jobs';

/** Payloads of `pg_notify` on the channel. The job's id follows `changed` and `cancelled`. */
const signalText = { queued: 'queued', changed: 'changed ', cancelled: 'cancelled ' } as const;

/** Waits for the changes of one job. */
interface JobChangeSubscription {
  /** Resolves at the next change, or at once after a change since the last call; otherwise after `withinMs`, or when a signal aborts. */
  next(withinMs: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

const nothing = () => undefined as void;

export const JOB_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobStatus = JobTable['status'];

/** The only user who sees a job. */
export interface JobOwner {
  organizationId: number;
  userId: number;
}

export interface NewJob {
  /** null, as userId: the job belongs to the installation. */
  organizationId: number | null;
  userId: number | null;
  kind: string;
  /** null: the job concerns no survey. */
  surveyId: number | null;
  /** Absent: the job concerns no report. */
  reportId?: number;
  /** Input of the kind's handler, as JSON. */
  payload: object;
  /** The request that starts the job. */
  requestId: string;
}

const JOB_COLUMNS = [
  'job_id',
  'survey_id',
  'report_id',
  'kind',
  'status',
  'progress',
  'message',
  'result',
  'error',
  'created_at',
  'started_at',
  'finished_at',
] as const;
const FILE_COLUMNS = ['file_name', 'content_type', 'size_bytes'] as const;

/** The columns of the file are null if the job has stored no file. */
export type JobRow = Pick<JobTable, (typeof JOB_COLUMNS)[number]> & {
  [Column in (typeof FILE_COLUMNS)[number]]: JobFileTable[Column] | null;
};

const CLAIMED_COLUMNS = [
  'job_id',
  'organization_id',
  'user_id',
  'survey_id',
  'kind',
  'payload',
  'attempts',
  'request_id',
  'lease_id',
] as const;

/** One attempt at a job, under a lease. */
export type ClaimedJob = Pick<JobTable, (typeof CLAIMED_COLUMNS)[number]> & { lease_id: string };

type Lease = Pick<ClaimedJob, 'job_id' | 'lease_id'>;

const CHANGED = `pg_notify('${JOBS_CHANNEL}', '${signalText.changed}' || job_id)`;
const CANCELLED = `pg_notify('${JOBS_CHANNEL}', '${signalText.cancelled}' || job_id)`;
const QUEUED = `pg_notify('${JOBS_CHANNEL}', '${signalText.queued}')`;
const NO_LEASE = { lease_id: null, lease_until: null };

type JobChanges = Tables['jobs']['update'];

/** A file that a job is about to write. */
interface NewJobFile {
  jobId: number;
  storedName: string;
  fileName: string;
  contentType: string;
}

const STORED_FILE_COLUMNS = ['stored_name', 'file_name', 'content_type', 'size_bytes'] as const;

/** A file that is stored completely. */
export type JobFileRow = Pick<JobFileTable, (typeof STORED_FILE_COLUMNS)[number]> & { size_bytes: number };

/**
 * The queue of background jobs, and the files that jobs write for their owners: at most one each. Statements that change a job also
 * announce the change when their transaction commits.
 */
export class JobRepository {
  constructor(private readonly db: Database) {}

  /** Returns the id of the new job. */
  async enqueue(job: NewJob): Promise<number> {
    const insert = this.db('jobs')
      .insert({
        organization_id: job.organizationId,
        user_id: job.userId,
        survey_id: job.surveyId,
        report_id: job.reportId ?? null,
        kind: job.kind,
        payload: JSON.stringify(job.payload),
        request_id: job.requestId,
      })
      .returning('job_id');
    const row = requireRow(await this.updateAndSignal(insert, QUEUED), 'jobs');
    return row.job_id;
  }

  async find({ organizationId, userId }: JobOwner, jobId: number): Promise<JobRow | null> {
    const [row] = await this.joinFile(
      this.db('jobs').where({ organization_id: organizationId, user_id: userId }).where('jobs.job_id', jobId),
    );
    return row ?? null;
  }

  /** Newest first, one more than `limit` if there are more: jobs that concern surveys and reports in these workspaces, or neither. */
  async listByUser(owner: JobOwner, workspaceIds: readonly number[], page: IdPage): Promise<JobRow[]> {
    return selectIdPage(
      this.joinFile(this.queryVisibleTo(owner, workspaceIds)),
      { idColumn: 'jobs.job_id', order: 'newest_first' },
      page,
    );
  }

  async countOfUser(owner: JobOwner, workspaceIds: readonly number[]): Promise<number> {
    return countRows(this.queryVisibleTo(owner, workspaceIds));
  }

  async countUnfinished({ organizationId, userId }: JobOwner): Promise<number> {
    return countRows(
      this.db('jobs').where({ organization_id: organizationId, user_id: userId, finished_at: null }),
    );
  }

  /** Ends the lease of the worker that runs the job. Returns false if the job had finished. */
  async cancel(jobId: number): Promise<boolean> {
    const update = this.db('jobs')
      .where({ job_id: jobId, finished_at: null })
      .update({ status: 'cancelled', finished_at: this.db.fn.now(), ...NO_LEASE })
      .returning('job_id');
    return (await this.updateAndSignal(update, CANCELLED)).length > 0;
  }

  async remove(jobId: number): Promise<void> {
    await this.updateAndSignal(this.db('jobs').where('job_id', jobId).delete().returning('job_id'), CHANGED);
  }

  /**
   * Deletes jobs with their results, running ones too: their workers stop and discard what they write. Returns the names of the files to
   * remove; those that are still being written are removed by their workers.
   */
  async removeAll(jobIds: readonly number[]): Promise<string[]> {
    const key = { job_id: anyOf(this.db, jobIds) };
    const files = await this.db('job_files').where(key).whereNotNull('stored_at').pluck('stored_name');
    await this.db('campaigns').where(key).update({ job_id: null });
    await this.updateAndSignal(this.db('jobs').where(key).delete().returning('job_id'), CANCELLED, CHANGED);
    return files;
  }

  /**
   * Claims the next job of these kinds that has no lease, or an expired one, and fewer than `maxAttempts` attempts. Returns null if there
   * is none. Two workers never claim the same job.
   */
  async claim({
    kinds,
    leaseId,
    leaseSeconds,
    maxAttempts,
  }: {
    kinds: readonly string[];
    leaseId: string;
    leaseSeconds: number;
    maxAttempts: number;
  }): Promise<ClaimedJob | null> {
    const { db } = this;
    const next = db('jobs')
      .select('job_id')
      .whereNull('finished_at')
      .where('run_at', '<=', db.fn.now())
      .where((lease) => {
        void lease.whereNull('lease_until').orWhere('lease_until', '<', db.fn.now());
      })
      .where('attempts', '<', maxAttempts)
      .whereRaw('kind = ANY(?)', [[...kinds]])
      .orderBy(['run_at', 'job_id'])
      .limit(1)
      .forUpdate()
      .skipLocked();
    const update = db('jobs')
      .where('job_id', '=', next)
      .update({
        status: 'running',
        attempts: db.raw('attempts + 1'),
        progress: 0,
        message: null,
        lease_id: leaseId,
        lease_until: this.secondsFromNow(leaseSeconds),
        started_at: db.raw('coalesce(started_at, now())'),
      })
      .returning([...CLAIMED_COLUMNS]);
    const [job] = await this.updateAndSignal(update, CHANGED);
    return job ?? null;
  }

  /** Extends the lease. Returns false if the lease is lost: another worker holds it, or the job was cancelled. */
  async renew(lease: Lease, leaseSeconds: number): Promise<boolean> {
    const renewed = await this.queryLeased(lease).update({ lease_until: this.secondsFromNow(leaseSeconds) });
    return renewed > 0;
  }

  /** As `renew`, and stores the progress, from 0 to 1. */
  async report({
    lease,
    leaseSeconds,
    progress,
    message,
  }: {
    lease: Lease;
    leaseSeconds: number;
    progress: number;
    message: string | null;
  }): Promise<boolean> {
    return this.updateLeased(lease, { lease_until: this.secondsFromNow(leaseSeconds), progress, message });
  }

  /** Returns false if the lease is lost and nothing was written. */
  async finishDone(lease: Lease, result: object | null): Promise<boolean> {
    return this.finish(lease, {
      status: 'done',
      progress: 1,
      message: null,
      result: result === null ? null : JSON.stringify(result),
    });
  }

  /** Returns false if the lease is lost and nothing was written. */
  async finishFailed(lease: Lease, error: JobError): Promise<boolean> {
    return this.finish(lease, { status: 'failed', error: JSON.stringify(error) });
  }

  /** Returns the job to the queue after it failed, to run again after a delay. Returns false if the lease is lost. */
  async retry(
    lease: Lease,
    { afterSeconds, reason }: { afterSeconds: number; reason: string },
  ): Promise<boolean> {
    const changes = { run_at: this.secondsFromNow(afterSeconds), message: reason };
    return this.requeueWith(lease, changes);
  }

  /** Returns the job to the queue, since its process stops. The attempt does not count. Returns false if the lease is lost. */
  async requeue(lease: Lease): Promise<boolean> {
    return this.requeueWith(lease, { run_at: this.db.fn.now(), attempts: this.db.raw('attempts - 1') });
  }

  private requeueWith(lease: Lease, changes: JobChanges): Promise<boolean> {
    return this.updateLeased(lease, { status: 'queued', ...NO_LEASE, ...changes }, CHANGED, QUEUED);
  }

  /** Fails jobs whose lease expired in the last allowed attempt: each attempt ended with its process. */
  async failAbandoned(maxAttempts: number, error: JobError): Promise<void> {
    const update = this.db('jobs')
      .whereNull('finished_at')
      .where('lease_until', '<', this.db.fn.now())
      .where('attempts', '>=', maxAttempts)
      .update({
        status: 'failed',
        error: JSON.stringify(error),
        finished_at: this.db.fn.now(),
        ...NO_LEASE,
      })
      .returning('job_id');
    await this.updateAndSignal(update, CHANGED);
  }

  /** Deletes jobs that finished before this moment, which releases their files. Returns how many. */
  async purge(finishedBefore: Date): Promise<number> {
    return this.db('jobs').where('finished_at', '<', finishedBefore).delete();
  }

  async countByStatus(): Promise<(Pick<JobTable, 'kind' | 'status'> & { count: number })[]> {
    return this.db('jobs')
      .select('kind', 'status')
      .count<(Pick<JobTable, 'kind' | 'status'> & { count: number })[]>()
      .groupBy('kind', 'status');
  }

  private finish(lease: Lease, changes: JobChanges): Promise<boolean> {
    return this.updateLeased(lease, { ...changes, finished_at: this.db.fn.now(), ...NO_LEASE });
  }

  private async updateLeased(lease: Lease, changes: JobChanges, ...signals: string[]): Promise<boolean> {
    const update = this.queryLeased(lease).update(changes).returning('job_id');
    return (await this.updateAndSignal(update, ...(signals.length === 0 ? [CHANGED] : signals))).length > 0;
  }

  private queryLeased({ job_id, lease_id }: Lease) {
    return this.db('jobs').where({ job_id, lease_id });
  }

  /** Runs a statement that returns job ids, and sends the signals for each of them. */
  private updateAndSignal(change: Knex.QueryBuilder, ...signals: string[]): Promise<ClaimedJob[]> {
    return this.db
      .with('changed', change)
      .from('changed')
      .select<ClaimedJob[]>('*', ...signals.map((signal) => this.db.raw(signal)));
  }

  private queryVisibleTo({ organizationId, userId }: JobOwner, workspaceIds: readonly number[]) {
    const { db } = this;
    const survey = db('surveys')
      .where('survey_id', db.ref('jobs.survey_id'))
      .whereNot('survey_status', 0)
      .whereRaw('workspace_id = ANY(?::bigint[])', [[...workspaceIds]]);
    const report = db('reports')
      .where('report_id', db.ref('jobs.report_id'))
      .whereNull('deleted_at')
      .whereRaw('workspace_id = ANY(?::bigint[])', [[...workspaceIds]]);
    return db('jobs')
      .where({ organization_id: organizationId, user_id: userId })
      .where((job) => {
        void job.whereNull('survey_id').orWhereExists(survey);
      })
      .where((job) => {
        void job.whereNull('report_id').orWhereExists(report);
      });
  }

  private joinFile(jobs: Knex.QueryBuilder) {
    return jobs
      .leftJoin('job_files', (file) => {
        file.on('job_files.job_id', 'jobs.job_id').onNotNull('job_files.stored_at');
      })
      .select<JobRow[]>(...qualifyColumns('jobs', JOB_COLUMNS), ...qualifyColumns('job_files', FILE_COLUMNS));
  }

  private secondsFromNow(seconds: number): Knex.Raw<Date> {
    return this.db.raw(`now() + ? * interval '1 second'`, [seconds]);
  }

  /** Called before the first byte is stored, so that no stored file is without a row. */
  async createFile(file: NewJobFile): Promise<void> {
    await this.db('job_files').insert({
      job_id: file.jobId,
      stored_name: file.storedName,
      file_name: file.fileName,
      content_type: file.contentType,
    });
  }

  /** Marks the file as stored. Returns false if it was released in the meantime. */
  async markFileStored(storedName: string, sizeBytes: number): Promise<boolean> {
    const marked = await this.db('job_files')
      .where('stored_name', storedName)
      .whereNotNull('job_id')
      .update({ size_bytes: sizeBytes, stored_at: this.db.fn.now() });
    return marked > 0;
  }

  /** The file of a job; null: the job is not done, or has no file. */
  async findFile(jobId: number): Promise<JobFileRow | null> {
    const [row] = await this.db('job_files')
      .join('jobs', 'jobs.job_id', 'job_files.job_id')
      .select<JobFileRow[]>(...qualifyColumns('job_files', STORED_FILE_COLUMNS))
      .where('job_files.job_id', jobId)
      .whereNotNull('job_files.stored_at')
      .where('jobs.status', 'done');
    return row ?? null;
  }

  /** Releases the files of a job for removal. Returns the names of those that are stored. */
  async releaseFiles(jobId: number): Promise<string[]> {
    const rows = await this.db('job_files')
      .where('job_id', jobId)
      .update({ job_id: null })
      .returning(['stored_name', 'stored_at']);
    return rows.filter((row) => row.stored_at !== null).map((row) => row.stored_name);
  }

  /** Released files, up to `atMost`. Files not yet stored only if they were announced before `brokenBefore`: a worker may still write later ones. */
  async listReleasedFiles(brokenBefore: Date, atMost: number): Promise<string[]> {
    const rows = await this.db('job_files')
      .select('stored_name')
      .whereNull('job_id')
      .where((file) => {
        void file.whereNotNull('stored_at').orWhere('created_at', '<', brokenBefore);
      })
      .limit(atMost);
    return rows.map((row) => row.stored_name);
  }

  /** Deletes the row, after the bytes are deleted. */
  async removeFile(storedName: string): Promise<void> {
    await this.db('job_files').where('stored_name', storedName).delete();
  }
}

/** Signals of changes to jobs, from all processes. A signal may be lost, so callers also poll. */
export class JobSignals {
  private readonly closing = new AbortController();

  constructor(private readonly notifications: Notifications) {}

  /** Aborts when the process stops, which ends every wait for a job. */
  get closed(): AbortSignal {
    return this.closing.signal;
  }

  onQueued(listener: () => void): () => void {
    return this.notifications.listen((text) => {
      if (text === null || text === signalText.queued) listener();
    });
  }

  onCancelled(jobId: number, listener: () => void): () => void {
    return this.notifications.listen((text) => {
      if (text === `${signalText.cancelled}${jobId}`) listener();
    });
  }

  changesOf(jobId: number): JobChangeSubscription {
    let changed = false;
    let wake = nothing;
    const close = this.notifications.listen((text) => {
      const isOurs =
        text === null ||
        text === `${signalText.changed}${jobId}` ||
        text === `${signalText.cancelled}${jobId}`;
      if (!isOurs) return;
      changed = true;
      wake();
    });
    return {
      close,
      next: (withinMs, signal) =>
        new Promise<void>((resolve) => {
          const over = AbortSignal.any([signal, this.closed]);
          const done = () => {
            clearTimeout(timer);
            over.removeEventListener('abort', done);
            wake = nothing;
            changed = false;
            resolve();
          };
          const timer = setTimeout(done, changed || over.aborted ? 0 : withinMs);
          over.addEventListener('abort', done);
          wake = done;
        }),
    };
  }

  close(): void {
    this.closing.abort();
  }
}
