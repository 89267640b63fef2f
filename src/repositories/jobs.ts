import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import { JOBS_CHANNEL, signalText } from './job-signals.ts';

export const JOB_STATUSES = ['queued', 'running', 'done', 'failed', 'cancelled'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/** Whose job it is: nobody else sees it. */
export interface JobOwner {
  organizationId: number;
  userId: number;
}

export interface NewJob {
  /** null, as userId: the installation's own. */
  organizationId: number | null;
  userId: number | null;
  kind: string;
  /** The survey that it is about, if any. */
  surveyId: number | null;
  /** The report that it is about, if any. */
  reportId?: number;
  /** What the kind's handler needs, as JSON. */
  payload: object;
  /** The request that asks for it. */
  requestId: string;
}

/** Why a job failed, in the words and codes of an error reply. */
export interface JobError {
  message: string;
  code: string;
  details: { field: string; message: string }[];
}

export interface JobRow {
  job_id: number;
  survey_id: number | null;
  report_id: number | null;
  kind: string;
  status: JobStatus;
  /** 0 to 1. */
  progress: number;
  message: string | null;
  result: Record<string, unknown> | null;
  error: JobError | null;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
  /** Of the file it made; null where there is none. */
  file_name: string | null;
  content_type: string | null;
  size_bytes: number | null;
}

/** One attempt at a job, held under a lease. */
export interface ClaimedJob {
  job_id: number;
  /** null, as user_id: the installation's own. */
  organization_id: number | null;
  user_id: number | null;
  survey_id: number | null;
  kind: string;
  payload: unknown;
  attempts: number;
  request_id: string | null;
  lease_id: string;
}

type Lease = Pick<ClaimedJob, 'job_id' | 'lease_id'>;

const JOB = `j.job_id, j.survey_id, j.report_id, j.kind, j.status, j.progress, j.message, j.result, j.error, j.created_at, j.started_at,
  j.finished_at, f.file_name, f.content_type, f.size_bytes`;
const WITH_FILE = `jobs j LEFT JOIN job_files f ON f.job_id = j.job_id AND f.stored_at IS NOT NULL`;

const CHANGED = `pg_notify('${JOBS_CHANNEL}', '${signalText.changed}' || job_id)`;
const CANCELLED = `pg_notify('${JOBS_CHANNEL}', '${signalText.cancelled}' || job_id)`;
const QUEUED = `pg_notify('${JOBS_CHANNEL}', '${signalText.queued}')`;
const NO_LEASE = 'lease_id = NULL, lease_until = NULL';
const SECONDS = `* interval '1 second'`;

/** Binds organization, user and, twice, workspaces. */
const OF_USER = `j.organization_id = ? AND j.user_id = ? AND (j.survey_id IS NULL OR EXISTS (
  SELECT 1 FROM surveys s WHERE s.survey_id = j.survey_id AND s.survey_status <> 0 AND s.workspace_id = ANY(?::bigint[])))
  AND (j.report_id IS NULL OR EXISTS (
  SELECT 1 FROM reports r WHERE r.report_id = j.report_id AND r.deleted_at IS NULL AND r.workspace_id = ANY(?::bigint[])))`;

/** The queue of what runs in the background. What changes it also announces it, when its transaction commits. */
export class JobRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async enqueue(job: NewJob): Promise<number> {
    const row = await rowOf<{ job_id: number }>(
      this.db,
      `WITH made AS (
         INSERT INTO jobs (organization_id, user_id, survey_id, report_id, kind, payload, request_id) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING job_id)
       SELECT job_id, ${QUEUED} FROM made`,
      [
        job.organizationId,
        job.userId,
        job.surveyId,
        job.reportId ?? null,
        job.kind,
        JSON.stringify(job.payload),
        job.requestId,
      ],
    );
    return row!.job_id;
  }

  one(owner: JobOwner, jobId: number): Promise<JobRow | null> {
    return rowOf(
      this.db,
      `SELECT ${JOB} FROM ${WITH_FILE} WHERE j.organization_id = ? AND j.user_id = ? AND j.job_id = ?`,
      [owner.organizationId, owner.userId, jobId],
    );
  }

  /** Latest first, those started before `beforeId`: about what lies in these workspaces, or about nothing. */
  ofUser(
    owner: JobOwner,
    workspaceIds: readonly number[],
    beforeId: number | null,
    limit: number,
  ): Promise<JobRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${JOB} FROM ${WITH_FILE} WHERE ${OF_USER} AND (?::bigint IS NULL OR j.job_id < ?)
       ORDER BY j.job_id DESC LIMIT ?`,
      [owner.organizationId, owner.userId, workspaceIds, workspaceIds, beforeId, beforeId, limit],
    );
  }

  async countOfUser(owner: JobOwner, workspaceIds: readonly number[]): Promise<number> {
    const row = await rowOf<{ count: number }>(this.db, `SELECT count(*) FROM jobs j WHERE ${OF_USER}`, [
      owner.organizationId,
      owner.userId,
      workspaceIds,
      workspaceIds,
    ]);
    return row!.count;
  }

  async countUnfinished(owner: JobOwner): Promise<number> {
    const row = await rowOf<{ count: number }>(
      this.db,
      `SELECT count(*) FROM jobs WHERE organization_id = ? AND user_id = ? AND finished_at IS NULL`,
      [owner.organizationId, owner.userId],
    );
    return row!.count;
  }

  /** False: it had already finished. Whoever runs it has lost its lease with this. */
  async cancel(jobId: number): Promise<boolean> {
    const cancelled = await rowsOf(
      this.db,
      `WITH ended AS (
         UPDATE jobs SET status = 'cancelled', finished_at = now(), ${NO_LEASE} WHERE job_id = ? AND finished_at IS NULL RETURNING job_id)
       SELECT ${CANCELLED} FROM ended`,
      [jobId],
    );
    return cancelled.length > 0;
  }

  async remove(jobId: number): Promise<void> {
    await rowsOf(
      this.db,
      `WITH gone AS (DELETE FROM jobs WHERE job_id = ? RETURNING job_id) SELECT ${CHANGED} FROM gone`,
      [jobId],
    );
  }

  /**
   * The next job of these kinds that nobody runs, or whose runner let its lease run out; not one that was begun as often as is
   * allowed. No two callers get the same.
   */
  claim(
    kinds: readonly string[],
    leaseId: string,
    leaseSeconds: number,
    maxAttempts: number,
  ): Promise<ClaimedJob | null> {
    return rowOf(
      this.db,
      `WITH claimed AS (
         UPDATE jobs SET status = 'running', attempts = attempts + 1, progress = 0, message = NULL, lease_id = ?,
           lease_until = now() + ? ${SECONDS}, started_at = coalesce(started_at, now())
         WHERE job_id = (
           SELECT job_id FROM jobs
           WHERE finished_at IS NULL AND run_at <= now() AND (lease_until IS NULL OR lease_until < now())
             AND attempts < ? AND kind = ANY(?)
           ORDER BY run_at, job_id LIMIT 1 FOR UPDATE SKIP LOCKED)
         RETURNING *)
       SELECT job_id, organization_id, user_id, survey_id, kind, payload, attempts, request_id, lease_id, ${CHANGED} FROM claimed`,
      [leaseId, leaseSeconds, maxAttempts, kinds],
    );
  }

  /** Keeps the lease. False: it is another's by now, or the job was cancelled. */
  async renew(lease: Lease, leaseSeconds: number): Promise<boolean> {
    const kept = await countOf(
      this.db,
      `UPDATE jobs SET lease_until = now() + ? ${SECONDS} WHERE job_id = ? AND lease_id = ?`,
      [leaseSeconds, lease.job_id, lease.lease_id],
    );
    return kept > 0;
  }

  /** The same, and says how far it is. */
  async report(
    lease: Lease,
    leaseSeconds: number,
    progress: number,
    message: string | null,
  ): Promise<boolean> {
    const kept = await rowsOf(
      this.db,
      `WITH told AS (
         UPDATE jobs SET lease_until = now() + ? ${SECONDS}, progress = ?, message = ? WHERE job_id = ? AND lease_id = ? RETURNING job_id)
       SELECT ${CHANGED} FROM told`,
      [leaseSeconds, progress, message, lease.job_id, lease.lease_id],
    );
    return kept.length > 0;
  }

  /** False: the lease was lost, so nothing was written. */
  async finishDone(lease: Lease, result: object | null): Promise<boolean> {
    const json = result === null ? null : JSON.stringify(result);
    return this.finish(lease, `status = 'done', progress = 1, message = NULL, result = ?`, json);
  }

  async finishFailed(lease: Lease, error: JobError): Promise<boolean> {
    return this.finish(lease, `status = 'failed', error = ?`, JSON.stringify(error));
  }

  /** Back on the queue, to be run again after a while; `uncounted`: this attempt was not the job's fault. */
  async putBack(lease: Lease, afterSeconds: number, uncounted: boolean): Promise<boolean> {
    const put = await rowsOf(
      this.db,
      `WITH waiting AS (
         UPDATE jobs SET status = 'queued', ${NO_LEASE}, run_at = now() + ? ${SECONDS}, attempts = attempts - ?
         WHERE job_id = ? AND lease_id = ? RETURNING job_id)
       SELECT ${CHANGED}, ${QUEUED} FROM waiting`,
      [afterSeconds, uncounted ? 1 : 0, lease.job_id, lease.lease_id],
    );
    return put.length > 0;
  }

  /** What took its runner with it time after time is not tried again. */
  async failAbandoned(maxAttempts: number, error: JobError): Promise<void> {
    await rowsOf(
      this.db,
      `WITH failed AS (
         UPDATE jobs SET status = 'failed', error = ?, finished_at = now(), ${NO_LEASE}
         WHERE finished_at IS NULL AND lease_until < now() AND attempts >= ? RETURNING job_id)
       SELECT ${CHANGED} FROM failed`,
      [JSON.stringify(error), maxAttempts],
    );
  }

  /** Removes what finished before; its files belong to nobody then. */
  purge(finishedBefore: Date): Promise<number> {
    return countOf(this.db, `DELETE FROM jobs WHERE finished_at < ?`, [finishedBefore]);
  }

  counts(): Promise<{ kind: string; status: JobStatus; count: number }[]> {
    return rowsOf(this.db, `SELECT kind, status, count(*) FROM jobs GROUP BY kind, status`);
  }

  /** `set`: words of ours with one value. */
  private async finish(lease: Lease, set: string, value: string | null): Promise<boolean> {
    const finished = await rowsOf(
      this.db,
      `WITH ended AS (
         UPDATE jobs SET ${set}, finished_at = now(), ${NO_LEASE} WHERE job_id = ? AND lease_id = ? RETURNING job_id)
       SELECT ${CHANGED} FROM ended`,
      [value, lease.job_id, lease.lease_id],
    );
    return finished.length > 0;
  }
}
