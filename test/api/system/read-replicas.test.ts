import type { Knex } from 'knex';
import supertest from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connect, type Database } from '../../../src/db/connect.ts';
import { migrate } from '../../../src/db/migrate.ts';
import type { SurveyScope } from '../../../src/domain/access/scopes.ts';
import { Store } from '../../../src/repositories/store.ts';
import { DatasetService } from '../../../src/services/datasets/datasets.ts';
import { ResponseReader } from '../../../src/services/datasets/response-reader.ts';
import { type Actor, newOrganization } from '../../support/actors.ts';
import { appOn, type TestApp } from '../../support/app.ts';
import { choice, number } from '../../support/questions.ts';
import { storeResponse } from '../../support/stored-responses.ts';
import { type DebianServer, POSTGRES, StreamingServers } from '../../support/streaming-replica.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const TOKEN = 'a-token-for-metrics-0123456789';
/** Of the reading of rows and columns, which says where it was done. */
const READS = / FROM \(SELECT response_id|json_agg\(chunk\)|unnest\(\S*::bigint\[\]\)/g;
const ROWS = 600;

let servers: StreamingServers;
let replica: DebianServer;
let db: Database;
let author: Actor;
let surveyId = 0;
let otherSurveyId = 0;
const open: TestApp[] = [];
const transactions: Knex.Transaction[] = [];
const logged: string[] = [];

/** A process that has just been started: it has read nothing yet. */
function process(urls = replica.url('canvass', 'canvass')): TestApp {
  const made = appOn(
    { url: servers.primary.url('canvass', 'canvass'), db },
    { DATABASE_REPLICA_URLS: urls, METRICS_TOKEN: TOKEN },
    { logLine: (line) => logged.push(line) },
  );
  open.push(made);
  return made;
}

const ask = (on: TestApp, path: string) => supertest(on.app).get(path).set('X-API-Key', author.apiKey!);

/** How many answered it. */
async function figure(on: TestApp, code = 'Q1'): Promise<number> {
  const reply = await ask(on, `/api/responses/${surveyId}/distribution/${code}`).expect(200);
  return (reply.body as { data: { base: number } }).data.base;
}

async function exported(on: TestApp): Promise<number> {
  const reply = await supertest(on.app)
    .post(`/api/responses/${surveyId}/export`)
    .set('X-API-Key', author.apiKey!)
    .send({ format: 'csv' })
    .expect(200);
  return reply.text.trimEnd().split('\n').length - 1;
}

const counts = (on: TestApp) => on.container.replicas!.counts;
const readsOf = (server: DebianServer): number => server.log.match(READS)?.length ?? 0;
const warnings = () => logged.filter((line) => line.includes('replica is unavailable'));
const readAgain = () => logged.filter((line) => line.includes('replica is available again'));
const add = (on: TestApp) => storeResponse(on, surveyId, { answers: { Q1: '1', Q2: 7 } });

/** It has written a response, and neither committed it nor taken it back. */
async function openTransaction() {
  const transaction = await db.transaction();
  transactions.push(transaction);
  await transaction.raw(
    `INSERT INTO responses (survey_id, response_token, response_status, survey_version, answers)
     VALUES (?, md5(random()::text), 'complete', 1, '{"Q1": "1", "Q2": 1}')`,
    [surveyId],
  );
  return transaction;
}

/** What cancels everything on the replica that looks at an older moment: rows that it still sees are tidied up. */
async function conflict(): Promise<void> {
  await db.raw(`UPDATE responses SET language = 'fr' WHERE survey_id = ?`, [otherSurveyId]);
  await servers.primary.ask('VACUUM responses', 'canvass');
  const [{ lsn }] = (await servers.primary.ask<{ lsn: string }>(
    'SELECT pg_current_wal_lsn()::text AS lsn',
  )) as [{ lsn: string }];
  await expect
    .poll(
      async () =>
        (await replica.ask<{ there: boolean }>(`SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS there`))[0]!
          .there,
      { interval: 10, timeout: 5_000 },
    )
    .toBe(true);
}

describe.skipIf(POSTGRES.isSkipped)(`read replicas${POSTGRES.why}`, () => {
  beforeAll(async () => {
    servers = await StreamingServers.start();
    db = connect(servers.primary.url('canvass', 'canvass'), 8);
    await migrate(db);
    replica = await servers.replica('replica');
    const one = process();
    author = (await newOrganization(one)).admin;
    for (const survey_name of ['Read', 'Other']) {
      const made = await publishedSurvey(author, { survey_name, pages: [[choice('Q1'), number('Q2')]] });
      const rows = Array.from({ length: ROWS }, (_, index) => ({ answers: { Q1: '1', Q2: index } }));
      await author.post(`/api/responses/${made.surveyId}/rows`, { rows }).expect(201);
      [surveyId, otherSurveyId] = [surveyId === 0 ? made.surveyId : surveyId, made.surveyId];
    }
  });
  afterAll(async () => {
    await db?.destroy();
    await servers?.stop();
  });
  afterEach(async () => {
    for (const one of open.splice(0)) await one.container.replicas!.close();
    // One that a failed test left open would be waited for.
    for (const one of transactions.splice(0)) if (!one.isCompleted()) await one.rollback();
    logged.splice(0);
  });

  it('answer first figures and files, and nothing else', async () => {
    const on = process();
    const before = readsOf(replica);
    expect(await figure(on)).toBe(ROWS);
    const afterFigure = readsOf(replica);
    expect(afterFigure).toBeGreaterThan(before);
    expect(await exported(on)).toBe(ROWS);
    expect(readsOf(replica)).toBeGreaterThan(afterFigure);
    // Two statements that begin a dataset and load a column; one view of a file.
    expect(counts(on)).toMatchObject({ fromReplica: 3, fromPrimary: 0 });
    expect(await figure(on)).toBe(ROWS);
    expect(counts(on)).toMatchObject({ fromReplica: 3, fromPrimary: 0 });
    expect(replica.log).not.toMatch(/api_keys|user_sessions|INSERT|UPDATE|DELETE/);
  });

  it('have every response that was acknowledged before', async () => {
    const begun = await figure(process());
    for (let round = 1; round <= 10; round += 1) {
      const on = process();
      await add(on);
      expect(await figure(on)).toBe(begun + round);
      expect(counts(on)).toMatchObject({ fromReplica: 2, fromPrimary: 0 });
    }
  });

  it('are waited for, and a read that would have to wait too long goes to the primary', async () => {
    const on = process();
    const begun = await figure(on);
    await replica.ask('SELECT pg_wal_replay_pause()');
    await add(on);
    const waiting = figure(on, 'Q2');
    setTimeout(() => void replica.ask('SELECT pg_wal_replay_resume()'), 200);
    expect(await waiting).toBe(begun + 1);
    expect(counts(on)).toMatchObject({ fromReplica: 3, fromPrimary: 0, waits: 1 });
    expect(counts(on).waitedSeconds).toBeGreaterThan(0.1);

    const other = process();
    await replica.ask('SELECT pg_wal_replay_pause()');
    await add(other);
    const asked = performance.now();
    expect(await figure(other)).toBe(begun + 2);
    expect(performance.now() - asked).toBeLessThan(3_000);
    // The second read of the figure knew, and did not wait.
    expect(counts(other)).toMatchObject({ fromReplica: 0, fromPrimary: 2, waits: 1, causes: { behind: 2 } });
    expect(warnings()).toHaveLength(1);
    expect(warnings()[0]).toMatch(
      /"replica":"127\.0\.0\.1:\d+\/canvass","trouble":"it is \d+ bytes of the log behind"/,
    );
    await replica.ask('SELECT pg_wal_replay_resume()');
    other.container.replicas!.startHealthChecks();
    await expect.poll(() => readAgain().length, { timeout: 8_000 }).toBe(1);
    await storeResponse(other, otherSurveyId);
    await ask(other, `/api/responses/${otherSurveyId}/distribution/Q1`).expect(200);
    expect(counts(other)).toMatchObject({ fromReplica: 2 });
  });

  // On a replica PostgreSQL's own snapshot would count the open transaction as seen, and its response would never come.
  it('do not lose what a transaction wrote that was open when they were read', async () => {
    for (const kept of [false, true]) {
      const on = process();
      const begun = kept ? await figure(on, 'Q1') : await figure(process());
      const late = await openTransaction();
      // A younger transaction that has ended: the open one is not the last that the replica knows of.
      await add(on);
      expect(await figure(on, 'Q2')).toBe(begun + 1);
      expect(counts(on)).toMatchObject({ fromPrimary: 0 });
      await late.commit();
      expect(await figure(on, 'Q2')).toBe(begun + 2);
      expect(await figure(on, 'Q1')).toBe(begun + 2);
    }
  });

  // The record stays in the primary's memory until the next commit.
  it('are not waited for in vain while a transaction is open and nobody commits', async () => {
    const on = process();
    const begun = await figure(on);
    const late = await openTransaction();
    expect(await figure(on, 'Q2')).toBe(begun);
    expect(counts(on)).toMatchObject({ fromReplica: 3, fromPrimary: 0 });
    await late.rollback();
  });

  it('that give up in the middle are taken over from by the primary', async () => {
    const on = process();
    const store = new Store(db, on.container.replicas);
    let times = 0;
    const seen = await store.readOnlySnapshot(async ({ responseData }) => {
      times += 1;
      await responseData.survey(surveyId);
      if (times === 1) await conflict();
      return responseData.survey(surveyId);
    });
    expect([times, seen?.survey_name]).toEqual([2, 'Read']);
    expect(counts(on)).toMatchObject({ fromReplica: 0, fromPrimary: 1, causes: { broken_off: 1 } });
  });

  it('that give up in the middle of a file are taken over from where they stopped, if nothing changed since', async () => {
    const on = process();
    const store = new Store(db, on.container.replicas);
    const responses = new ResponseReader(store, new DatasetService(store, 1e9));
    const read = async (meanwhile: () => Promise<unknown>) => {
      const { chunks, total } = await responses.readRows({ surveyId } as SurveyScope, {
        columns: () => [],
        status: ['complete'],
        filter: undefined,
        includeTest: false,
        sort: null,
        afterId: null,
        limit: null,
      });
      const ids: number[] = [];
      for await (const { rows } of chunks) {
        if (ids.length === 0) await meanwhile();
        ids.push(...rows.map(({ responseId }) => responseId));
      }
      return { ids, total };
    };
    const { ids, total } = await read(conflict);
    expect(new Set(ids).size).toBe(total);
    expect(ids).toHaveLength(total);
    expect(counts(on).causes.broken_off).toBe(1);

    await expect(
      read(async () => {
        await db.raw(`UPDATE responses SET language = 'de' WHERE response_id = ?`, [ids.at(-1)!]);
        await conflict();
      }),
    ).rejects.toMatchObject({ code: 'try_again' });
  });

  it('that are another server, or no replica at all, are not read', async () => {
    const stranger = await servers.stranger('stranger');
    const on = process(
      [servers.primary.url('canvass', 'canvass'), stranger.url('postgres', 'postgres')].join(),
    );
    expect(await figure(on)).toBeGreaterThan(ROWS);
    expect(counts(on)).toMatchObject({ fromReplica: 0, fromPrimary: 2 });
    expect(
      warnings()
        .map((line) => /"trouble":"([^"]*)/.exec(line)?.[1])
        .sort(),
    ).toEqual(['it follows another server or database', 'it is no standby server']);
  });

  it('that end are done without, told of once, and read from when they are back', async () => {
    const on = process();
    on.container.replicas!.startHealthChecks();
    const begun = await figure(on);
    await replica.kill();
    await add(on);
    expect(await figure(on, 'Q2')).toBe(begun + 1);
    expect(await exported(on)).toBe(begun + 1);
    const health = await supertest(on.app).get('/api/health').expect(200);
    expect(health.body).toMatchObject({ data: { status: 'ok', replicas: { configured: 1, usable: 0 } } });
    expect(warnings()).toHaveLength(1);
    expect(counts(on)).toMatchObject({ fromReplica: 2, fromPrimary: 2, causes: { away: 2 } });

    await replica.run();
    await expect.poll(() => readAgain().length, { timeout: 8_000 }).toBe(1);
    expect(await exported(on)).toBe(begun + 1);
    const metrics = await supertest(on.app)
      .get('/metrics')
      .set('Authorization', `Bearer ${TOKEN}`)
      .expect(200);
    expect(metrics.text).toContain('database_heavy_reads_total{target="replica"} 3');
    expect(metrics.text).toContain('database_heavy_reads_total{target="primary"} 2');
    expect(metrics.text).toContain('database_replicas_passed_over_total{cause="away"} 2');
    expect(metrics.text).toMatch(/database_replica_usable\{replica="127.0.0.1:\d+\/canvass"\} 1/);
    expect(metrics.text).toMatch(/database_replica_lag_bytes\{replica="127.0.0.1:\d+\/canvass"\} \d/);
  });
});
