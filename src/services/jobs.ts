import { createHash } from 'node:crypto';
import type { Caller, Origin } from '../domain/access/caller.ts';
import { AppError, notFound } from '../lib/errors.ts';
import type { Ids } from '../lib/ids.ts';
import { type FileStorage, splitIntoParts } from '../providers/files/file-storage.ts';
import type { JobFileRow, JobOwner, JobRow, JobSignals, NewJob } from '../repositories/jobs.ts';
import type { IdPage } from '../repositories/list-queries.ts';
import type { Store } from '../repositories/store.ts';
import type { AccessService } from './access.ts';

/** The store writes each chunk separately, and a text may come line by line. */
const PART_BYTES = 256 * 1024;

export interface GeneratedFile {
  fileName: string;
  contentType: string;
  chunks: AsyncIterable<string | Buffer>;
}

/** Stores the files of jobs, with a row that is written before their first byte and updated after their last. */
export class JobFiles {
  constructor(
    private readonly store: Store,
    private readonly storage: FileStorage,
    private readonly ids: Ids,
  ) {}

  /** Stores a job's file while it is generated. Deletes it if the signal fires or generating fails. */
  async write(jobId: number, file: GeneratedFile, signal: AbortSignal): Promise<void> {
    const storedName = this.ids.uuid();
    await this.store.read.jobs.createFile({ jobId, storedName, ...file });
    let sizeBytes = 0;
    const measured = async function* () {
      for await (const part of splitIntoParts(toBuffers(file.chunks), PART_BYTES)) {
        signal.throwIfAborted();
        sizeBytes += part.length;
        yield part;
      }
      signal.throwIfAborted();
    };
    try {
      await this.storage.put(storedName, measured());
      if (await this.store.read.jobs.markFileStored(storedName, sizeBytes)) return;
    } catch (error) {
      await this.remove(storedName).catch(() => undefined);
      throw error;
    }
    await this.remove(storedName);
  }

  /** Returns the file of a finished job; null if there is none. */
  async open(jobId: number): Promise<{ file: JobFileRow; chunks: AsyncIterable<Buffer> } | null> {
    const file = await this.store.read.jobs.findFile(jobId);
    const chunks = file === null ? null : await this.storage.get(file.stored_name);
    return file === null || chunks === null ? null : { file, chunks };
  }

  async remove(storedName: string): Promise<void> {
    await this.storage.remove(storedName);
    await this.store.read.jobs.removeFile(storedName);
  }
}

async function* toBuffers(chunks: AsyncIterable<string | Buffer>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}

/** Proof that the job belongs to the caller. */
interface JobScope extends JobOwner {
  jobId: number;
  origin: Origin;
}

/** Keeps one user from filling the shared queue. */
const MAX_UNFINISHED = 20;
const RETRY_AFTER_SECONDS = 10;
/** Polls too, since a signal can be missed. */
const POLL_INTERVAL_MS = 10_000;

/** Background jobs, for the users who started them. */
export class JobService {
  constructor(
    private readonly store: Store,
    private readonly signals: JobSignals,
    private readonly files: JobFiles,
    private readonly access: AccessService,
  ) {}

  /**
   * Enqueues a job and returns its id. Throws 429 for a user with too many unfinished jobs, however many requests arrive at once. Jobs that must commit with other data are enqueued through the repositories of
   * that transaction.
   */
  async start(job: NewJob & JobOwner): Promise<number> {
    const { organizationId, userId } = job;
    return this.store.transaction(async ({ jobs, users }) => {
      await users.lockLimit('jobs', userId);
      if ((await jobs.countUnfinished({ organizationId, userId })) >= MAX_UNFINISHED) {
        const message = `You have ${MAX_UNFINISHED} unfinished jobs; wait for one of them, or cancel it`;
        const headers = { 'Retry-After': String(RETRY_AFTER_SECONDS) };
        throw new AppError('too_many_requests', 'too_many_jobs', message, [], headers);
      }
      return jobs.enqueue(job);
    });
  }

  /** Throws 404 unless the caller started the job and can still see its survey or report. */
  async loadScope(caller: Caller, jobId: number): Promise<JobScope> {
    const owner = { organizationId: caller.organizationId, userId: caller.userId };
    const job = await this.store.read.jobs.find(owner, jobId);
    if (job === null) throw notFound('job');
    await this.requireVisible(caller, job);
    return { ...owner, jobId, origin: caller.origin };
  }

  async get(scope: JobScope): Promise<JobRow> {
    const job = await this.store.read.jobs.find(scope, scope.jobId);
    if (job === null) throw notFound('job');
    return job;
  }

  /** Returns the caller's jobs, latest first, without those about objects that they can no longer see. */
  async list(caller: Caller, page: IdPage): Promise<{ found: JobRow[]; total: number }> {
    const visible = await this.access.listVisibleWorkspaces(caller);
    const workspaceIds = visible.map(({ scope }) => scope.workspaceId);
    return this.store.snapshot(async ({ jobs }) => {
      const found = await jobs.listByUser(caller, workspaceIds, page);
      return { found, total: await jobs.countOfUser(caller, workspaceIds) };
    });
  }

  /** Whether `seenId` is the final state of the job. */
  async isFinishedState(scope: JobScope, seenId: string): Promise<boolean> {
    const job = await this.get(scope);
    return job.finished_at !== null && stateId(job) === seenId;
  }

  /**
   * Yields the job now and after each change, until it finishes, is deleted, or the signal fires. Each state has an
   * id, equal in all processes; `seenId`: the last state that a reconnecting client received. Intermediate states may
   * be skipped.
   */
  async *watch(
    scope: JobScope,
    signal: AbortSignal,
    seenId: string | null,
  ): AsyncGenerator<{ id: string; job: JobRow }> {
    const changes = this.signals.changesOf(scope.jobId);
    try {
      let seen = seenId;
      while (!signal.aborted && !this.signals.closed.aborted) {
        const job = await this.store.read.jobs.find(scope, scope.jobId);
        if (job === null) return;
        const id = stateId(job);
        if (id !== seen) yield { id, job };
        seen = id;
        if (job.finished_at !== null) return;
        await changes.next(POLL_INTERVAL_MS, signal);
      }
    } finally {
      changes.close();
    }
  }

  /** Cancels an unfinished job; deletes a finished one with its files. */
  async cancelOrRemove(scope: JobScope): Promise<void> {
    const released = await this.store.transaction(async ({ jobs }) => {
      const cancelled = await jobs.cancel(scope.jobId);
      const names = await jobs.releaseFiles(scope.jobId);
      if (!cancelled) await jobs.remove(scope.jobId);
      return names;
    });
    for (const name of released) await this.files.remove(name);
  }

  /** Opens the job's file. Recorded in the audit log. */
  async openFile(scope: JobScope): Promise<{ file: JobFileRow; chunks: AsyncIterable<Buffer> }> {
    const opened = await this.files.open(scope.jobId);
    const job = await this.store.read.jobs.find(scope, scope.jobId);
    if (opened === null || job === null) throw notFound('file');
    await this.store.read.audit.record({
      by: scope,
      action: 'job.file_downloaded',
      objectType: 'job',
      objectId: scope.jobId,
      details: {
        kind: job.kind,
        survey_id: job.survey_id,
        report_id: job.report_id,
        file_name: opened.file.file_name,
        size_bytes: opened.file.size_bytes,
      },
    });
    return opened;
  }

  private async requireVisible(caller: Caller, { survey_id, report_id }: JobRow): Promise<void> {
    try {
      if (survey_id !== null) await this.access.survey({ caller, surveyId: survey_id, need: 'view' });
      if (report_id !== null) await this.access.report({ caller, reportId: report_id, need: 'view' });
    } catch (error) {
      throw error instanceof AppError && error.kind === 'not_found' ? notFound('job') : error;
    }
  }

  countByStatus(): Promise<{ kind: string; status: string; count: number }[]> {
    return this.store.read.jobs.countByStatus();
  }
}

const stateId = (job: JobRow): string =>
  createHash('sha256').update(JSON.stringify(job)).digest('hex').slice(0, 16);
