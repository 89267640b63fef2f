import { afterEach } from 'vitest';
import pino from 'pino';
import { Notifications } from '../../src/db/notifications.ts';
import type { JobKind } from '../../src/jobs/job-kinds.ts';
import { JobWorker } from '../../src/jobs/worker.ts';
import { randomIds } from '../../src/lib/ids.ts';
import { JOBS_CHANNEL, JobSignals, type JobStatus, type NewJob } from '../../src/repositories/jobs.ts';
import { Store } from '../../src/repositories/store.ts';
import type { Actor } from './actors.ts';
import type { TestApp } from './app.ts';

/** Starts workers as a separate process would have them: they share only the database with the application under test. */
export function useWorkers(test: TestApp) {
  const started: JobWorker[] = [];
  afterEach(async () => {
    for (const worker of started.splice(0)) await worker.stop(100);
  });
  const store = () => new Store(test.database.db);
  return {
    store,
    /** Running from now on, until the test ends; looks often, for the tests' sake. */
    worker(
      kinds: readonly JobKind[],
      settings: { leaseSeconds?: number; concurrency?: number; logLine?: (line: string) => void } = {},
    ): JobWorker {
      const { leaseSeconds = 5, concurrency = 2, logLine } = settings;
      const worker = new JobWorker({
        store: store(),
        signals: new JobSignals(new Notifications(test.database.db, JOBS_CHANNEL)),
        log: logLine === undefined ? pino({ level: 'silent' }) : pino({ level: 'info' }, { write: logLine }),
        ids: randomIds,
        kinds,
        concurrency,
        leaseSeconds,
        pollIntervalMs: 50,
      });
      worker.start();
      started.push(worker);
      return worker;
    },
    enqueue: (owner: Actor, kind: string, payload: object = {}, more: Partial<NewJob> = {}) =>
      store().read.jobs.enqueue({
        organizationId: owner.organizationId,
        userId: owner.userId,
        surveyId: null,
        kind,
        payload,
        requestId: 'request-1',
        ...more,
      }),
    /** As it is in the database. */
    async stored(jobId: number): Promise<{ status: JobStatus; attempts: number; progress: number }> {
      const { rows } = await test.database.db.raw('SELECT * FROM jobs WHERE job_id = ?', [jobId]);
      return rows[0];
    },
    /** As if the time that it waits had passed. */
    async hurry(jobId: number): Promise<void> {
      await test.database.db.raw(`UPDATE jobs SET run_at = now() WHERE job_id = ?`, [jobId]);
    },
  };
}
