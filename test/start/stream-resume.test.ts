import { rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Store } from '../../src/repositories/store.ts';
import { type Actor, newOrganization } from '../support/actors.ts';
import { appOn, TEST_SECRET, type TestApp } from '../support/app.ts';
import { builtProgramArgs } from '../support/built-program.ts';
import { createChatSurvey } from '../support/chat-survey.ts';
import { useDatabase } from '../support/database.ts';
import { EventClient } from '../support/event-stream.ts';
import { startFakeLanguageServer } from '../support/fake-language-server.ts';
import {
  printedValue,
  type ServerProcess,
  START_TIMEOUT_MS,
  startServer,
} from '../support/server-process.ts';

const DATA_DIR = path.join(os.tmpdir(), `canvass-streams-${process.pid}`);
const ANSWER =
  'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen';
const STOPS_WITHIN_MS = 10_000;

const database = useDatabase();
const model = await startFakeLanguageServer();

/** A process of the product that leaves jobs to others. */
interface Api {
  url: string;
  process: ServerProcess;
}
const running: ServerProcess[] = [];

async function api(): Promise<Api> {
  const server = startServer(
    {
      DATABASE_URL: database.url,
      DATA_DIR,
      JWT_SECRET: TEST_SECRET,
      PORT: '0',
      SEED_DEMO: 'false',
      ADMIN_PASSWORD: 'a password of the test',
      JOB_CONCURRENCY: '0',
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: 'sk-a-key-that-only-tests-have',
    },
    builtProgramArgs('main'),
  );
  running.push(server);
  expect(await server.started(), server.logged()).toBeNull();
  return { url: printedValue(server.printed(), 'Canvass listens on'), process: server };
}

/** Asked to stop, it ends what it streams. */
async function stop({ process: server }: Api): Promise<void> {
  const startedAt = performance.now();
  server.process.kill('SIGTERM');
  expect(await server.ended(), server.logged()).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(STOPS_WITHIN_MS);
}

async function kill({ process: server }: Api): Promise<void> {
  server.process.kill('SIGKILL');
  await server.ended();
}

const soon = <T>(read: () => T) => expect.poll(read, { timeout: 15_000, interval: 20 });

let app: TestApp;
let ada: Actor;
let surveyId = 0;
let apis: Api[];
beforeAll(async () => {
  apis = await Promise.all([api(), api(), api()]);
  app = appOn(database);
  ada = (await newOrganization(app)).admin;
  ({ surveyId } = await createChatSurvey(app, ada));
}, 2 * START_TIMEOUT_MS);
afterAll(async () => {
  for (const server of running) {
    server.process.kill('SIGKILL');
    await server.ended();
  }
  await model.close();
  rmSync(DATA_DIR, { recursive: true, force: true });
});

// One after the other: the first process is stopped, the second killed, the third lives. A chat and a job are followed through all three.
describe('a stream whose process ends', () => {
  const jobs = new EventClient();
  const chat = new EventClient();
  const numbers = () => chat.events.map(({ id }) => Number(id.split('-')[1]));
  const answerText = () =>
    chat.events.map(({ event, data }) => (event === 'delta' ? data.text : '')).join('');
  const question = () => ({ message: 'Sat by Gender', survey_id: surveyId });
  const key = () => ({ apiKey: ada.apiKey! });
  const follow = (at: Api) => chat.follow(`${at.url}/api/ai/chat`, { ...key(), body: question() });

  it('continues in another process without repeated or lost events', async () => {
    const [first, second, third] = apis as [Api, Api, Api];
    const { read } = new Store(database.db);
    const owner = { organizationId: ada.organizationId, userId: ada.userId };
    const jobId = await read.jobs.enqueue({
      ...owner,
      kind: 'steps',
      surveyId: null,
      payload: {},
      requestId: 'streams',
    });
    const watch = (at: Api) => jobs.follow(`${at.url}/api/jobs/${jobId}/events`, key());
    const job = (await read.jobs.claim({
      kinds: ['steps'],
      leaseId: crypto.randomUUID(),
      leaseSeconds: 600,
      maxAttempts: 3,
    }))!;
    const reach = (progress: number) =>
      read.jobs.report({ lease: job, leaseSeconds: 600, progress, message: null });
    const progresses = () => jobs.events.map(({ data }) => data.progress);
    // What was said is not said again.
    model.reply(({ body }) => {
      const before = body.messages.findLast(({ role }) => role === 'assistant')?.content;
      return { content: ANSWER.slice(typeof before === 'string' ? before.length : 0), delayPerChunkMs: 60 };
    });

    let watching = await watch(first);
    let answering = await follow(first);
    await soon(progresses).toEqual([0]);
    await reach(0.25);
    await soon(progresses).toEqual([0, 0.25]);
    await soon(() => numbers().length).toBeGreaterThan(2);
    await stop(first);
    expect([await watching.over, await answering.over]).toEqual(['ended', 'ended']);
    expect([jobs.retryMs, chat.retryMs]).toEqual([1_000, 1_000]);
    const receivedCount = numbers().length;
    expect(chat.events.map(({ event }) => event)).not.toContain('done');

    await reach(0.5);
    [watching, answering] = [await watch(second), await follow(second)];
    await soon(progresses).toEqual([0, 0.25, 0.5]);
    await soon(() => numbers().length).toBeGreaterThan(receivedCount + 1);
    await kill(second);
    expect([await watching.over, await answering.over]).toEqual(['broken', 'broken']);
    expect(chat.events.map(({ event }) => event)).not.toContain('done');

    [watching, answering] = [await watch(third), await follow(third)];
    // As if the minute had passed in which a process that is only slow may still come back.
    await database.db.raw(
      `UPDATE credit_reservations SET lease_until = now() - interval '1 second' WHERE reservation_state = 'open'`,
    );
    await read.jobs.finishDone(job, null);
    expect([await watching.over, await answering.over]).toEqual(['ended', 'ended']);
    expect(progresses()).toEqual([0, 0.25, 0.5, 1]);
    expect(jobs.events.at(-1)!.data).toMatchObject({ job_id: jobId, status: 'done' });
    expect(new Set(jobs.events.map(({ id }) => id)).size).toBe(4);
    expect(numbers()).toEqual(numbers().map((_, index) => index + 1));
    expect(chat.events.map(({ event }) => event).filter((event) => event !== 'delta')).toEqual([
      'start',
      'done',
    ]);
    expect(answerText()).toBe(ANSWER);
  });

  it('is not restarted if it was complete', async () => {
    const last = jobs.events.at(-1)!.data;
    const secondStream = await jobs.follow(`${apis[2]!.url}/api/jobs/${String(last.job_id)}/events`, key());
    expect(await secondStream.over).toBe(204);
    expect(jobs.events).toHaveLength(4);
    expect(await (await follow(apis[2]!)).over).toBe('ended');
    expect(answerText()).toBe(ANSWER);
  });
});
