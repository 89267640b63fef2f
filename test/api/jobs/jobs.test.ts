import { once } from 'node:events';
import { createServer, get as httpGet, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import supertest from 'supertest';
import { defineJob } from '../../../src/jobs/job-kinds.ts';
import { JobFiles } from '../../../src/services/jobs.ts';
import { DiskStorage } from '../../../src/providers/files/disk-storage.ts';
import { randomIds } from '../../../src/lib/ids.ts';
import { JobSweep } from '../../../src/services/system/sweeps.ts';
import { type Actor, anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { useWorkers } from '../../support/jobs.ts';
import { INVALID_IDS, MISSING_ID, expectRefused } from '../../support/refusals.ts';

const test = useApp({ PUBLIC_URL: 'https://canvass.example' });
const queue = useWorkers(test);
const organization = useOrganization(test);
let ada: Actor;
beforeAll(async () => {
  ada = await organization.addUser('member');
});

/** Other tests keep the machine busy. */
const soon = <T>(poll: () => T) => expect.poll(poll, { timeout: 15_000 });
const job = async (jobId: number, by = ada) => (await by.get(`/api/jobs/${jobId}`).expect(200)).body.data;
const quick = defineJob({ kind: 'quick', payload: z.unknown(), handler: () => Promise.resolve({ n: 1 }) });
async function createFinishedJob(by = ada): Promise<number> {
  const jobId = await queue.enqueue(by, 'quick');
  queue.worker([quick]);
  await soon(async () => (await job(jobId, by)).status).toBe('done');
  return jobId;
}

describe('a job', () => {
  it('shows its type, progress and result', async () => {
    const jobId = await queue.enqueue(ada, 'quick');
    expect(await job(jobId)).toEqual({
      job_id: jobId,
      kind: 'quick',
      survey_id: null,
      report_id: null,
      status: 'queued',
      progress: 0,
      message: null,
      result: null,
      error: null,
      status_url: `https://canvass.example/api/jobs/${jobId}`,
      created_at: expect.any(String),
      started_at: null,
      finished_at: null,
    });
    queue.worker([quick]);
    await soon(() => job(jobId)).toMatchObject({
      status: 'done',
      progress: 1,
      result: { n: 1 },
      finished_at: expect.any(String),
    });
  });

  it('is visible only to its owner, not even to admins', async () => {
    const jobId = await queue.enqueue(ada, 'theirs');
    const otherAdmin = (await newOrganization(test)).admin;
    const others = [organization.admin, await organization.addUser('member'), otherAdmin];
    for (const other of others) {
      await expectRefused(other.get(`/api/jobs/${jobId}`), 404, 'not_found');
      await expectRefused(other.get(`/api/jobs/${jobId}/events`), 404, 'not_found');
      await expectRefused(other.get(`/api/jobs/${jobId}/file`), 404, 'not_found');
      await expectRefused(other.delete(`/api/jobs/${jobId}`), 404, 'not_found');
      expect((await other.get('/api/jobs').expect(200)).body.data).toEqual([]);
    }
    expect(await job(jobId)).toMatchObject({ status: 'queued' });
    await expectRefused(anonymous(test).get(`/api/jobs/${jobId}`), 401);
    await expectRefused((await organization.addUser('client')).get('/api/jobs'), 403);
    for (const id of INVALID_IDS) expect([400, 404]).toContain((await ada.get(`/api/jobs/${id}`)).status);
    await expectRefused(ada.get(`/api/jobs/${MISSING_ID}`), 404);
  });

  it('is listed in pages, latest first', async () => {
    const bob = await organization.addUser('member');
    const ids: number[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift(await queue.enqueue(bob, 'listed'));
    const seen: number[] = [];
    for (let cursor = ''; ;) {
      const { body } = await bob.get(`/api/jobs?limit=2${cursor}`).expect(200);
      expect(body.meta).toMatchObject({ limit: 2, total: 5 });
      seen.push(...body.data.map((each: { job_id: number }) => each.job_id));
      if (body.meta.next_cursor === null) break;
      cursor = `&cursor=${body.meta.next_cursor}`;
    }
    expect(seen).toEqual(ids);
    await expectRefused(bob.get('/api/jobs?cursor=nonsense'), 400);
    const cursorOfNoJob = Buffer.from('0').toString('base64url');
    await expectRefused(bob.get(`/api/jobs?cursor=${cursorOfNoJob}`), 400);
    await expectRefused(bob.get('/api/jobs?limit=0'), 400);
  });

  it('that has finished can be deleted with its result', async () => {
    const jobId = await createFinishedJob();
    await ada.delete(`/api/jobs/${jobId}`).expect(204);
    await expectRefused(ada.get(`/api/jobs/${jobId}`), 404);
    await expectRefused(ada.delete(`/api/jobs/${jobId}`), 404);
  });

  it('is limited to twenty unfinished ones per user', async () => {
    const busy = await organization.addUser('member');
    const jobs = test.container.services.jobs;
    const one = {
      organizationId: busy.organizationId,
      userId: busy.userId,
      surveyId: null,
      kind: 'many',
      payload: {},
      requestId: 'r',
    };
    for (let n = 0; n < 20; n += 1) await jobs.start(one);
    await expect(jobs.start(one)).rejects.toMatchObject({ code: 'too_many_jobs' });
    await expect(jobs.start({ ...one, userId: ada.userId })).resolves.toBeGreaterThan(0);
  });

  it('is refused beyond 20 unfinished ones also if 60 start at once', async () => {
    const { jobs } = test.container.services;
    const user = await organization.addUser('member');
    const one = {
      organizationId: user.organizationId,
      userId: user.userId,
      surveyId: null,
      kind: 'many',
      payload: {},
      requestId: 'r',
    };
    const started = await Promise.allSettled(Array.from({ length: 60 }, () => jobs.start(one)));
    const refused = started.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
    expect(refused).toHaveLength(40);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'too_many_jobs' });
    const rows = await test.database.db('jobs').where({ user_id: user.userId });
    expect(rows).toHaveLength(20);
  });

  it('is counted by type and status in the metrics', async () => {
    const token = 'a-token-for-the-figures';
    await queue.enqueue(ada, 'counted');
    const { app } = appOn(test.database, { METRICS_TOKEN: token });
    const figures = await supertest(app).get('/metrics').set('Authorization', `Bearer ${token}`).expect(200);
    expect(figures.text).toContain('jobs{kind="counted",status="queued"} 1');
  });
});

describe('the events of a job', () => {
  /** As many connections as listen for signals in this database. */
  const listening = async () => {
    const { rows } = await test.database.db.raw(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    return rows[0].n as number;
  };
  const eventsOf = (text: string) =>
    text
      .split('\n\n')
      .filter((block) => !block.startsWith(':') && block !== '')
      .map((block) => JSON.parse(/^id: \w{16}\ndata: (.*)$/.exec(block)![1]!));
  const server = createServer((request, response) => test.app(request, response));
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, resolve)));
  afterAll(() => server.closeAllConnections());
  const open = (jobId: number, at = server) =>
    new Promise<IncomingMessage>((resolve) => {
      const { port } = at.address() as AddressInfo;
      const headers = { 'X-API-Key': ada.apiKey! };
      httpGet({ port, path: `/api/jobs/${jobId}/events`, headers }, resolve);
    });

  it('contain the job at each change, and end with it', async () => {
    const steps = defineJob({
      kind: 'steps',
      payload: z.unknown(),
      async handler({ progress }) {
        progress(0.5, 'Half');
        await soon(() => eventsOf(text).at(-1)?.progress).toBe(0.5);
        return null;
      },
    });
    const jobId = await queue.enqueue(ada, 'steps');
    const reply = await open(jobId);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
    });
    let text = '';
    reply.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await soon(() => eventsOf(text).length).toBe(1);
    queue.worker([steps]);
    await once(reply, 'end');
    const listed = eventsOf(text);
    expect(listed[0]).toMatchObject({ job_id: jobId, status: 'queued' });
    expect(listed).toContainEqual(
      expect.objectContaining({ status: 'running', progress: 0.5, message: 'Half' }),
    );
    expect(listed.at(-1)).toEqual(await job(jobId));
    expect(listed.at(-1).status).toBe('done');
  });

  it('of a finished job contain one event', async () => {
    const jobId = await createFinishedJob();
    const reply = await ada.get(`/api/jobs/${jobId}/events`).expect(200);
    expect(eventsOf(reply.text)).toEqual([await job(jobId)]);
  });

  it('release their resources when the client disconnects', async () => {
    await soon(listening).toBe(0);
    const jobId = await queue.enqueue(ada, 'nobody-runs');
    const reply = await open(jobId);
    await new Promise((resolve) => reply.once('data', resolve));
    await soon(listening).toBe(1);
    reply.destroy();
    await soon(listening).toBe(0);
  });

  it('end when the process stops', async () => {
    const jobId = await queue.enqueue(ada, 'nobody-runs');
    const other = appOn(test.database);
    const stopping = createServer((request, response) => other.app(request, response));
    await new Promise<void>((resolve) => stopping.listen(0, resolve));
    const reply = await open(jobId, stopping);
    let text = '';
    reply.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await soon(() => eventsOf(text)).toHaveLength(1);
    other.container.jobSignals.close();
    await once(reply, 'end');
    expect(eventsOf(text)).toHaveLength(1);
    stopping.close();
  });

  it('continue when the listening connection breaks', async () => {
    await soon(listening).toBe(0);
    const jobId = await queue.enqueue(ada, 'quick');
    const reply = await open(jobId);
    let text = '';
    reply.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await soon(listening).toBe(1);
    await test.database.db.raw(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`,
    );
    queue.worker([quick]);
    await soon(() => eventsOf(text).at(-1)?.status).toBe('done');
  });
});

describe('the file of a job', () => {
  const files = () =>
    new JobFiles(
      queue.store(),
      new DiskStorage(`${test.container.config.dataDir}/files`, test.container.freeSpace.files),
      randomIds,
    );
  async function* text(...parts: string[]) {
    for (const part of parts) yield await Promise.resolve(part);
  }
  const writes = (chunks: () => AsyncIterable<string>) =>
    defineJob({
      kind: 'writes',
      payload: z.unknown(),
      async handler({ jobId, signal }) {
        const file = { fileName: 'Ergebnis.csv', contentType: 'text/csv; charset=utf-8', chunks: chunks() };
        await files().write(jobId, file, signal);
        return { more: true };
      },
    });
  const filesOf = async () => (await test.database.db.raw('SELECT * FROM job_files')).rows;
  async function written(): Promise<number> {
    const jobId = await queue.enqueue(ada, 'writes');
    queue.worker([writes(() => text('a,b\r\n', '1,ü\r\n'))]);
    await soon(async () => (await job(jobId)).status).toBe('done');
    return jobId;
  }

  it('is downloaded from its URL as an attachment', async () => {
    const jobId = await written();
    const { result } = await job(jobId);
    expect(result).toEqual({
      more: true,
      download_url: `https://canvass.example/api/jobs/${jobId}/file`,
      file_name: 'Ergebnis.csv',
      content_type: 'text/csv; charset=utf-8',
      size_bytes: 11,
    });
    const reply = await ada.get(new URL(result.download_url).pathname).expect(200);
    expect(reply.text).toBe('a,b\r\n1,ü\r\n');
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-length': '11',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    expect(reply.headers['content-disposition']).toMatch(/^attachment; filename="Ergebnis.csv"/);
    await ada.delete(`/api/jobs/${jobId}`).expect(204);
    await expectRefused(ada.get(`/api/jobs/${jobId}/file`), 404);
    expect(await filesOf()).toEqual([]);
  });

  it('is unavailable until complete, and deleted if generating fails', async () => {
    const jobId = await queue.enqueue(ada, 'writes');
    const breaking = async function* () {
      yield await Promise.resolve('a');
      throw new Error('gone');
    };
    queue.worker([writes(breaking)]);
    await soon(() => queue.stored(jobId)).toMatchObject({ status: 'queued', attempts: 1 });
    await expectRefused(ada.get(`/api/jobs/${jobId}/file`), 404);
    expect(await filesOf()).toEqual([]);
    await ada.delete(`/api/jobs/${jobId}`).expect(204);
  });

  it('of a cancelled job is deleted while it is being written', async () => {
    let hasStarted = false;
    const endless = async function* () {
      for (;;) {
        await sleep(5);
        hasStarted = true;
        yield 'x'.repeat(100_000);
      }
    };
    const jobId = await queue.enqueue(ada, 'writes');
    queue.worker([writes(endless)]);
    await soon(() => hasStarted).toBe(true);
    await ada.delete(`/api/jobs/${jobId}`).expect(204);
    await soon(filesOf).toEqual([]);
    expect(await job(jobId)).toMatchObject({ status: 'cancelled', result: null });
  });

  it('is deleted with its job a day after it finished', async () => {
    const jobId = await written();
    const at = (hours: number) => ({ now: () => new Date(Date.now() + hours * 3_600_000) });
    await new JobSweep(queue.store(), files(), at(23)).run();
    await job(jobId);
    await new JobSweep(queue.store(), files(), at(25)).run();
    await expectRefused(ada.get(`/api/jobs/${jobId}`), 404);
    expect(await filesOf()).toEqual([]);
  });
});
