import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineJob, type JobRun } from '../../../src/jobs/job-kinds.ts';
import { unavailable, unprocessable } from '../../../src/lib/errors.ts';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { useWorkers } from '../../support/jobs.ts';

const test = useApp();
const queue = useWorkers(test);
const ada = useOrganization(test).admin;

const job = (kind: string, handler: (run: JobRun<{ n?: number | undefined }>) => Promise<unknown>) =>
  defineJob({
    kind,
    payload: z.strictObject({ n: z.int().optional() }),
    handler: async (run) => ({ value: await handler(run) }),
  });
const statusOf = async (jobId: number) => (await queue.stored(jobId)).status;
/** Other tests keep the machine busy. */
const soon = <T>(poll: () => T) => expect.poll(poll, { timeout: 15_000 });
const untilStopped = (signal: AbortSignal) =>
  new Promise<void>((_resolve, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason as Error)),
  );
const get = async (jobId: number) => (await ada.get(`/api/jobs/${jobId}`).expect(200)).body.data;

describe('the queue', () => {
  it('gives every job to one worker only', async () => {
    const runs: number[] = [];
    const once = job('once', async ({ payload }) => {
      runs.push(payload.n!);
      await sleep(5);
    });
    const ids: number[] = [];
    for (let n = 0; n < 40; n += 1) ids.push(await queue.enqueue(ada, 'once', { n }));
    queue.worker([once]);
    queue.worker([once]);
    await soon(() => statusOf(ids.at(-1)!)).toBe('done');
    await soon(async () => (await Promise.all(ids.map(statusOf))).every((s) => s === 'done')).toBe(true);
    expect([...runs].sort((x, y) => x - y)).toEqual(Array.from({ length: 40 }, (_, n) => n));
  });

  it('respects the concurrency of a worker', async () => {
    const startTimes: number[] = [];
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const ids: number[] = [];
    for (let n = 0; n < 3; n += 1) ids.push(await queue.enqueue(ada, 'gate', { n }));
    const gate = job('gate', async ({ payload }) => {
      startTimes.push(payload.n!);
      await released;
    });
    queue.worker([gate], { concurrency: 2 });
    await soon(() => startTimes).toEqual([0, 1]);
    await sleep(150);
    expect(await Promise.all(ids.map(statusOf))).toEqual(['running', 'running', 'queued']);
    release();
    await soon(async () => Promise.all(ids.map(statusOf))).toEqual(['done', 'done', 'done']);
  });

  it('contains a job only after its transaction commits', async () => {
    let jobId = 0;
    const asking = queue.store().transaction(async ({ jobs }) => {
      jobId = await jobs.enqueue({
        organizationId: ada.organizationId,
        userId: ada.userId,
        surveyId: null,
        kind: 'never',
        payload: {},
        requestId: 'r',
      });
      throw new Error('thought better of it');
    });
    await expect(asking).rejects.toThrow('thought better');
    expect(await queue.stored(jobId)).toBeUndefined();
  });

  it('skips job types that this process does not support', async () => {
    const unknown = await queue.enqueue(ada, 'of-tomorrow');
    const known = await queue.enqueue(ada, 'of-today');
    queue.worker([job('of-today', () => Promise.resolve(7))]);
    await soon(() => statusOf(known)).toBe('done');
    expect(await statusOf(unknown)).toBe('queued');
    expect(await get(known)).toMatchObject({ progress: 1, result: { value: 7 }, error: null });
  });
});

describe('a lease', () => {
  // A process renews it at its tick, every half second: as short as leaves a busy machine time for that.
  const LEASE_SECONDS = 1.2;

  it('is renewed while its process lives: a long job runs once', async () => {
    let runs = 0;
    const long = job('long', async () => {
      runs += 1;
      await sleep(LEASE_SECONDS * 1_200);
    });
    const jobId = await queue.enqueue(ada, 'long');
    queue.worker([long], { leaseSeconds: LEASE_SECONDS });
    queue.worker([long], { leaseSeconds: LEASE_SECONDS });
    await soon(() => statusOf(jobId)).toBe('done');
    expect(runs).toBe(1);
  });

  it('of a dead process expires, another process takes over, and the first can write nothing', async () => {
    const jobId = await queue.enqueue(ada, 'orphan');
    const dead = await queue.store().read.jobs.claim({
      kinds: ['orphan'],
      leaseId: '00000000-0000-4000-8000-000000000001',
      leaseSeconds: 0.3,
      maxAttempts: 3,
    });
    expect(dead).toMatchObject({ job_id: jobId, attempts: 1 });
    queue.worker([job('orphan', () => Promise.resolve('second'))]);
    await soon(() => statusOf(jobId)).toBe('done');
    const { jobs } = queue.store().read;
    expect(await jobs.finishDone(dead!, { value: 'first' })).toBe(false);
    expect(await jobs.renew(dead!, 60)).toBe(false);
    expect(await get(jobId)).toMatchObject({ result: { value: 'second' } });
    expect(await queue.stored(jobId)).toMatchObject({ attempts: 2 });
  });

  it('expires at most three times: a job that crashes its process fails', async () => {
    const jobId = await queue.enqueue(ada, 'killer');
    for (const n of [1, 2, 3]) {
      const lease = `00000000-0000-4000-8000-00000000000${n}`;
      await soon(() =>
        queue
          .store()
          .read.jobs.claim({ kinds: ['killer'], leaseId: lease, leaseSeconds: 0.05, maxAttempts: 3 }),
      ).not.toBeNull();
    }
    let runs = 0;
    queue.worker([job('killer', () => Promise.resolve((runs += 1)))]);
    await soon(() => statusOf(jobId)).toBe('failed');
    expect((await get(jobId)).error).toMatchObject({ code: 'job_abandoned' });
    expect(runs).toBe(0);
  });
});

describe('a worker that stops', () => {
  it('requeues its jobs for the next worker', async () => {
    let startedAt = 0;
    const waits = job('waits', async ({ signal }) => {
      startedAt += 1;
      await untilStopped(signal);
    });
    const jobId = await queue.enqueue(ada, 'waits');
    const first = queue.worker([waits]);
    await soon(() => startedAt).toBe(1);
    await first.stop(1_000);
    expect(await queue.stored(jobId)).toMatchObject({ status: 'queued', attempts: 0 });
    queue.worker([job('waits', () => Promise.resolve('then'))]);
    await soon(() => statusOf(jobId)).toBe('done');
  });

  it('does not wait for a handler that ignores its signal', async () => {
    let hasStarted = false;
    let wakeUp = (): void => undefined;
    const deaf = job('deaf', () => {
      hasStarted = true;
      return new Promise<void>((resolve) => (wakeUp = resolve));
    });
    const jobId = await queue.enqueue(ada, 'deaf');
    const lines: string[] = [];
    const first = queue.worker([deaf], { logLine: (line) => lines.push(line) });
    await soon(() => hasStarted).toBe(true);
    await first.stop(20);
    expect(await queue.stored(jobId)).toMatchObject({ status: 'queued', attempts: 0 });
    wakeUp();
    await soon(() => lines.join()).toContain('"outcome":"lost"');
    expect(await queue.stored(jobId)).toMatchObject({ status: 'queued', attempts: 0 });
  });
});

describe('a handler that fails', () => {
  it('with a client error fails immediately and shows it', async () => {
    const jobId = await queue.enqueue(ada, 'refuses');
    const details = [{ field: 'x', message: 'is odd' }];
    queue.worker([job('refuses', () => Promise.reject(unprocessable('odd', 'x: is odd', details)))]);
    await soon(() => statusOf(jobId)).toBe('failed');
    const reply = await get(jobId);
    expect(reply.error).toEqual({ message: 'x: is odd', code: 'odd', details });
    expect(reply.result).toBeNull();
  });

  it('with an internal error is tried three times, and reveals only the request_id', async () => {
    const lines: string[] = [];
    let runs = 0;
    const buggy = job('buggy', () => {
      runs += 1;
      return Promise.reject(new TypeError('a secret'));
    });
    const jobId = await queue.enqueue(ada, 'buggy');
    queue.worker([buggy], { logLine: (line) => lines.push(line) });
    for (const attempt of [1, 2]) {
      await soon(() => queue.stored(jobId)).toMatchObject({ status: 'queued', attempts: attempt });
      expect((await get(jobId)).message).toBe(
        `Attempt ${attempt} of 3 failed: something went wrong on our side. The next one starts in ${2 * 4 ** (attempt - 1)} seconds`,
      );
      await queue.hurry(jobId);
    }
    await soon(() => statusOf(jobId)).toBe('failed');
    expect(runs).toBe(3);
    const { error } = await get(jobId);
    expect(error).toMatchObject({ code: 'internal_error', details: [] });
    expect(error.message).toContain('request-1');
    expect(JSON.stringify(error)).not.toContain('secret');
    const logged = lines.map((line) => JSON.parse(line)).filter((line) => line.job_id === jobId);
    expect(logged.map((line) => [line.request_id, line.attempt, line.outcome])).toEqual([
      ['request-1', 1, 'waiting'],
      ['request-1', 2, 'waiting'],
      ['request-1', 3, 'failed'],
    ]);
  });

  it('with a transient error is retried, and may succeed', async () => {
    let runs = 0;
    const jobId = await queue.enqueue(ada, 'away');
    queue.worker([
      job('away', () => {
        runs += 1;
        return runs === 1 ? Promise.reject(unavailable('away', 5)) : Promise.resolve('back');
      }),
    ]);
    await soon(() => queue.stored(jobId)).toMatchObject({ status: 'queued', attempts: 1 });
    expect((await get(jobId)).message).toBe('Attempt 1 of 3 failed: away. The next one starts in 2 seconds');
    await queue.hurry(jobId);
    await soon(() => statusOf(jobId)).toBe('done');
    expect((await get(jobId)).message).toBeNull();
  });

  it('with an invalid payload fails with a message', async () => {
    const jobId = await queue.enqueue(ada, 'strict', { other: 1 });
    queue.worker([job('strict', () => Promise.resolve(1))]);
    await soon(() => queue.stored(jobId)).toMatchObject({ status: 'queued', attempts: 1 });
  });
});

describe('cancelling', () => {
  it('stops a running job immediately, and discards its later writes', async () => {
    const received: string[] = [];
    const slow = job('slow', async (run) => {
      run.progress(0.25, 'A quarter');
      await untilStopped(run.signal).catch(() => received.push('stopped'));
      expect(() => run.progress(0.5)).toThrow();
      return 'too late';
    });
    const jobId = await queue.enqueue(ada, 'slow');
    queue.worker([slow]);
    await soon(() => get(jobId)).toMatchObject({ status: 'running', progress: 0.25, message: 'A quarter' });
    await ada.delete(`/api/jobs/${jobId}`).expect(204);
    await soon(() => received).toEqual(['stopped']);
    expect(await get(jobId)).toMatchObject({ status: 'cancelled', result: null, error: null });
    await sleep(50);
    expect(await statusOf(jobId)).toBe('cancelled');
  });

  it('prevents a queued job from running', async () => {
    let runs = 0;
    const jobId = await queue.enqueue(ada, 'waiting');
    await ada.delete(`/api/jobs/${jobId}`).expect(204);
    queue.worker([job('waiting', () => Promise.resolve((runs += 1)))]);
    // The next one in the queue is taken, so the worker has looked.
    const next = await queue.enqueue(ada, 'waiting');
    await soon(() => statusOf(next)).toBe('done');
    expect(runs).toBe(1);
    expect(await statusOf(jobId)).toBe('cancelled');
  });
});
