import type { Knex } from 'knex';
import type { Tables } from 'knex/types/tables.js';
import type { Database } from '../db/connect.ts';
import { JOBS_CHANNEL, signalText } from './job-signals.ts';
import { qualifyColumns } from './tables/columns.ts';
import type { JobError, JobFileTable, JobTable } from './tables/system.ts';

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

/** The queue of background jobs. Statements that change a job also announce the change when their transaction commits. */
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
    const [row] = await this.updateAndSignal(insert, QUEUED);
    return row!.job_id;
  }

  async one({ organizationId, userId }: JobOwner, jobId: number): Promise<JobRow | null> {
    const [row] = await this.withFile(
      this.db('jobs').where({ organization_id: organizationId, user_id: userId }).where('jobs.job_id', jobId),
    );
    return row ?? null;
  }

  /** Newest first, with ids below `beforeId`: jobs that concern surveys and reports in these workspaces, or neither. */
  async ofUser(
    owner: JobOwner,
    workspaceIds: readonly number[],
    beforeId: number | null,
    limit: number,
  ): Promise<JobRow[]> {
    const jobs = this.withFile(this.visibleTo(owner, workspaceIds))
      .orderBy('jobs.job_id', 'desc')
      .limit(limit);
    return beforeId === null ? jobs : jobs.where('jobs.job_id', '<', beforeId);
  }

  async countOfUser(owner: JobOwner, workspaceIds: readonly number[]): Promise<number> {
    const [row] = await this.visibleTo(owner, workspaceIds).count<{ count: number }[]>();
    return row!.count;
  }

  async countUnfinished({ organizationId, userId }: JobOwner): Promise<number> {
    const [row] = await this.db('jobs')
      .where({ organization_id: organizationId, user_id: userId, finished_at: null })
      .count<{ count: number }[]>();
    return row!.count;
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
   * Claims the next job of these kinds that has no lease, or an expired one, and fewer than `maxAttempts` attempts. Returns null if there
   * is none. Two workers never claim the same job.
   */
  async claim(
    kinds: readonly string[],
    leaseId: string,
    leaseSeconds: number,
    maxAttempts: number,
  ): Promise<ClaimedJob | null> {
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
    const renewed = await this.leased(lease).update({ lease_until: this.secondsFromNow(leaseSeconds) });
    return renewed > 0;
  }

  /** As `renew`, and stores the progress, from 0 to 1. */
  async report(
    lease: Lease,
    leaseSeconds: number,
    progress: number,
    message: string | null,
  ): Promise<boolean> {
    return this.change(lease, { lease_until: this.secondsFromNow(leaseSeconds), progress, message });
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

  /**
   * Returns the job to the queue, to run again after a delay. `uncounted`: the attempt does not count, since the job did not cause its
   * end. Returns false if the lease is lost.
   */
  async requeue(lease: Lease, afterSeconds: number, isUncounted: boolean): Promise<boolean> {
    const changes: JobChanges = {
      status: 'queued',
      ...NO_LEASE,
      run_at: this.secondsFromNow(afterSeconds),
      attempts: this.db.raw('attempts - ?', [isUncounted ? 1 : 0]),
    };
    return this.change(lease, changes, CHANGED, QUEUED);
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

  async counts(): Promise<(Pick<JobTable, 'kind' | 'status'> & { count: number })[]> {
    return this.db('jobs')
      .select('kind', 'status')
      .count<(Pick<JobTable, 'kind' | 'status'> & { count: number })[]>()
      .groupBy('kind', 'status');
  }

  private finish(lease: Lease, changes: JobChanges): Promise<boolean> {
    return this.change(lease, { ...changes, finished_at: this.db.fn.now(), ...NO_LEASE });
  }

  private async change(lease: Lease, changes: JobChanges, ...signals: string[]): Promise<boolean> {
    const update = this.leased(lease).update(changes).returning('job_id');
    return (await this.updateAndSignal(update, ...(signals.length === 0 ? [CHANGED] : signals))).length > 0;
  }

  private leased({ job_id, lease_id }: Lease) {
    return this.db('jobs').where({ job_id, lease_id });
  }

  /** Runs a statement that returns job ids, and sends the signals for each of them. */
  private updateAndSignal(change: Knex.QueryBuilder, ...signals: string[]): Promise<ClaimedJob[]> {
    return this.db
      .with('changed', change)
      .from('changed')
      .select<ClaimedJob[]>('*', ...signals.map((signal) => this.db.raw(signal)));
  }

  private visibleTo({ organizationId, userId }: JobOwner, workspaceIds: readonly number[]) {
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

  private withFile(jobs: Knex.QueryBuilder) {
    return jobs
      .leftJoin('job_files', (file) => {
        file.on('job_files.job_id', 'jobs.job_id').onNotNull('job_files.stored_at');
      })
      .select<JobRow[]>(...qualifyColumns('jobs', JOB_COLUMNS), ...qualifyColumns('job_files', FILE_COLUMNS));
  }

  private secondsFromNow(seconds: number): Knex.Raw<Date> {
    return this.db.raw(`now() + ? * interval '1 second'`, [seconds]);
  }
}

type JobChanges = Tables['jobs']['update'];
