import type { Knex } from 'knex';
import supertest from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { connectDatabase, type Database } from '../../src/db/connect.ts';
import { migrateDatabase } from '../../src/db/migrate.ts';
import type { SurveyScope } from '../../src/domain/access/scopes.ts';
import { Store } from '../../src/repositories/store.ts';
import { DatasetService } from '../../src/services/datasets/datasets.ts';
import { ResponseReader } from '../../src/services/datasets/response-reader.ts';
import { type Actor, newOrganization } from '../support/actors.ts';
import { appOn, type TestApp } from '../support/app.ts';
import { choice, number } from '../support/questions.ts';
import { insertResponse } from '../support/stored-responses.ts';
import type { DebianServer } from '../support/debian-server.ts';
import { POSTGRES, StreamingServers } from '../support/streaming-replica.ts';
import { publishedSurvey } from '../support/surveys.ts';

const TOKEN = 'a-token-for-metrics-0123456789';
/** Matches the statements in a server log that read rows and columns of responses. */
const READS = / FROM \(SELECT response_id|json_agg\(chunk\)|unnest\(\S*::bigint\[\]\)/g;
const ROWS = 600;

let servers: StreamingServers;
let replica: DebianServer;
let db: Database;
let author: Actor;
let surveyId = 0;
let otherSurveyId = 0;
const openApps: TestApp[] = [];
const transactions: Knex.Transaction[] = [];
const logged: string[] = [];

/** Starts an application with empty caches. */
function startApp(urls = replica.url('canvass', 'canvass')): TestApp {
  const created = appOn(
    { url: servers.primary.url('canvass', 'canvass'), db },
    { DATABASE_REPLICA_URLS: urls, METRICS_TOKEN: TOKEN },
    { logLine: (line) => logged.push(line) },
  );
  openApps.push(created);
  return created;
}

const getAsAuthor = (app: TestApp, path: string) =>
  supertest(app.app).get(path).set('X-API-Key', author.apiKey!);

/** Returns the number of responses that answered the question. */
async function getBase(app: TestApp, code = 'Q1'): Promise<number> {
  const reply = await getAsAuthor(app, `/api/responses/${surveyId}/distribution/${code}`).expect(200);
  return (reply.body as { data: { base: number } }).data.base;
}

async function countExported(app: TestApp): Promise<number> {
  const reply = await supertest(app.app)
    .post(`/api/responses/${surveyId}/export`)
    .set('X-API-Key', author.apiKey!)
    .send({ format: 'csv' })
    .expect(200);
  return reply.text.trimEnd().split('\n').length - 1;
}

const readCounts = (app: TestApp) => app.container.replicas!.counts;
const countReads = (server: DebianServer): number => server.log.match(READS)?.length ?? 0;
const listWarnings = () => logged.filter((line) => line.includes('replica is unavailable'));
const listRecoveries = () => logged.filter((line) => line.includes('replica is available again'));
const addResponse = (app: TestApp) => insertResponse(app, surveyId, { answers: { Q1: '1', Q2: 7 } });

/** Opens a transaction with an uncommitted response. */
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

/** Cancels queries with older snapshots on the replica: VACUUM removes rows that they can still see. */
async function causeConflict(): Promise<void> {
  await db.raw(`UPDATE responses SET language = 'fr' WHERE survey_id = ?`, [otherSurveyId]);
  await servers.primary.query('VACUUM responses', 'canvass');
  const [{ lsn }] = (await servers.primary.query<{ lsn: string }>(
    'SELECT pg_current_wal_lsn()::text AS lsn',
  )) as [{ lsn: string }];
  await expect
    .poll(
      async () =>
        (await replica.query<{ there: boolean }>(`SELECT pg_last_wal_replay_lsn() >= '${lsn}' AS there`))[0]!
          .there,
      { interval: 10, timeout: 5_000 },
    )
    .toBe(true);
}

describe.skipIf(POSTGRES.isSkipped)(`read replicas${POSTGRES.skipNote}`, () => {
  beforeAll(async () => {
    servers = await StreamingServers.start();
    db = connectDatabase(servers.primary.url('canvass', 'canvass'), 8);
    await migrateDatabase(db);
    replica = await servers.replica('replica');
    const firstApp = startApp();
    author = (await newOrganization(firstApp)).admin;
    for (const survey_name of ['Read', 'Other']) {
      const created = await publishedSurvey(author, { survey_name, pages: [[choice('Q1'), number('Q2')]] });
      const rows = Array.from({ length: ROWS }, (_, index) => ({ answers: { Q1: '1', Q2: index } }));
      await author.post(`/api/responses/${created.surveyId}/rows`, { rows }).expect(201);
      [surveyId, otherSurveyId] = [surveyId === 0 ? created.surveyId : surveyId, created.surveyId];
    }
  });
  afterAll(async () => {
    await db?.destroy();
    await servers?.stop();
  });
  afterEach(async () => {
    for (const app of openApps.splice(0)) await app.container.replicas!.close();
    // A transaction left open by a failed test would block later tests.
    for (const transaction of transactions.splice(0))
      if (!transaction.isCompleted()) await transaction.rollback();
    logged.splice(0);
  });

  it('serve first reads of figures and exports, and nothing else', async () => {
    const app = startApp();
    const before = countReads(replica);
    expect(await getBase(app)).toBe(ROWS);
    const afterFigure = countReads(replica);
    expect(afterFigure).toBeGreaterThan(before);
    expect(await countExported(app)).toBe(ROWS);
    expect(countReads(replica)).toBeGreaterThan(afterFigure);
    // Two statements load the dataset and a column; one reads the export.
    expect(readCounts(app)).toMatchObject({ fromReplica: 3, fromPrimary: 0 });
    expect(await getBase(app)).toBe(ROWS);
    expect(readCounts(app)).toMatchObject({ fromReplica: 3, fromPrimary: 0 });
    expect(replica.log).not.toMatch(/api_keys|user_sessions|INSERT|UPDATE|DELETE/);
  });

  it('return every response acknowledged before', async () => {
    const initialBase = await getBase(startApp());
    for (let round = 1; round <= 10; round += 1) {
      const app = startApp();
      await addResponse(app);
      expect(await getBase(app)).toBe(initialBase + round);
      expect(readCounts(app)).toMatchObject({ fromReplica: 2, fromPrimary: 0 });
    }
  });

  it('are waited for while they lag, up to a limit; then the primary is read', async () => {
    const app = startApp();
    const initialBase = await getBase(app);
    await replica.query('SELECT pg_wal_replay_pause()');
    await addResponse(app);
    const waiting = getBase(app, 'Q2');
    setTimeout(() => void replica.query('SELECT pg_wal_replay_resume()'), 200);
    expect(await waiting).toBe(initialBase + 1);
    expect(readCounts(app)).toMatchObject({ fromReplica: 3, fromPrimary: 0, waits: 1 });
    expect(readCounts(app).waitedSeconds).toBeGreaterThan(0.1);

    const other = startApp();
    await replica.query('SELECT pg_wal_replay_pause()');
    await addResponse(other);
    const requestedAt = performance.now();
    expect(await getBase(other)).toBe(initialBase + 2);
    expect(performance.now() - requestedAt).toBeLessThan(3_000);
    // The second read of the figure does not wait: the replica is already marked as behind.
    expect(readCounts(other)).toMatchObject({
      fromReplica: 0,
      fromPrimary: 2,
      waits: 1,
      causes: { behind: 2 },
    });
    expect(listWarnings()).toHaveLength(1);
    expect(listWarnings()[0]).toMatch(
      /"replica":"127\.0\.0\.1:\d+\/canvass","problem":"it is \d+ bytes of the log behind"/,
    );
    await replica.query('SELECT pg_wal_replay_resume()');
    other.container.replicas!.startHealthChecks();
    await expect.poll(() => listRecoveries().length, { timeout: 8_000 }).toBe(1);
    await insertResponse(other, otherSurveyId);
    await getAsAuthor(other, `/api/responses/${otherSurveyId}/distribution/Q1`).expect(200);
    expect(readCounts(other)).toMatchObject({ fromReplica: 2 });
  });

  // A snapshot of the replica would treat the open transaction as visible, and its response would never be read.
  it('do not lose responses of a transaction that was open during a read', async () => {
    for (const isCached of [false, true]) {
      const app = startApp();
      const initialBase = isCached ? await getBase(app, 'Q1') : await getBase(startApp());
      const transaction = await openTransaction();
      // A later, committed transaction, so that the open one is not the latest on the replica.
      await addResponse(app);
      expect(await getBase(app, 'Q2')).toBe(initialBase + 1);
      expect(readCounts(app)).toMatchObject({ fromPrimary: 0 });
      await transaction.commit();
      expect(await getBase(app, 'Q2')).toBe(initialBase + 2);
      expect(await getBase(app, 'Q1')).toBe(initialBase + 2);
    }
  });

  // The WAL record stays in the memory of the primary until the next commit.
  it('are not waited for while a transaction is open and none commits', async () => {
    const app = startApp();
    const initialBase = await getBase(app);
    const transaction = await openTransaction();
    expect(await getBase(app, 'Q2')).toBe(initialBase);
    expect(readCounts(app)).toMatchObject({ fromReplica: 3, fromPrimary: 0 });
    await transaction.rollback();
  });

  it('that cancel a snapshot are replaced by the primary', async () => {
    const app = startApp();
    const store = new Store(db, app.container.replicas);
    let attempts = 0;
    const survey = await store.readOnlySnapshot(async ({ responseData }) => {
      attempts += 1;
      await responseData.findExportedSurvey(surveyId);
      if (attempts === 1) await causeConflict();
      return responseData.findExportedSurvey(surveyId);
    });
    expect([attempts, survey?.survey_name]).toEqual([2, 'Read']);
    expect(readCounts(app)).toMatchObject({ fromReplica: 0, fromPrimary: 1, causes: { interrupted: 1 } });
  });

  it('that cancel an export are replaced by the primary at the same row, if no data changed', async () => {
    const app = startApp();
    const store = new Store(db, app.container.replicas);
    const responses = new ResponseReader(store, new DatasetService(store, 1e9));
    const readIds = async (afterFirstChunk: () => Promise<unknown>) => {
      const { chunks, total } = await responses.readRows({ surveyId } as SurveyScope, {
        columns: () => [],
        status: ['complete'],
        filter: undefined,
        includeTest: false,
        sort: null,
        start: null,
        limit: null,
      });
      const ids: number[] = [];
      for await (const { rows } of chunks) {
        if (ids.length === 0) await afterFirstChunk();
        ids.push(...rows.map(({ responseId }) => responseId));
      }
      return { ids, total };
    };
    const { ids, total } = await readIds(causeConflict);
    expect(new Set(ids).size).toBe(total);
    expect(ids).toHaveLength(total);
    expect(readCounts(app).causes.interrupted).toBe(1);

    await expect(
      readIds(async () => {
        await db.raw(`UPDATE responses SET language = 'de' WHERE response_id = ?`, [ids.at(-1)!]);
        await causeConflict();
      }),
    ).rejects.toMatchObject({ code: 'try_again' });
  });

  it('that follow another server or are not standby servers are not used', async () => {
    const unrelatedServer = await servers.unrelatedStandby('stranger');
    const app = startApp(
      [servers.primary.url('canvass', 'canvass'), unrelatedServer.url('postgres', 'postgres')].join(),
    );
    expect(await getBase(app)).toBeGreaterThan(ROWS);
    expect(readCounts(app)).toMatchObject({ fromReplica: 0, fromPrimary: 2 });
    expect(
      listWarnings()
        .map((line) => /"problem":"([^"]*)/.exec(line)?.[1])
        .sort(),
    ).toEqual(['it follows another server or database', 'it is not a standby server']);
  });

  it('that stop are skipped, reported once, and used again after a restart', async () => {
    const app = startApp();
    app.container.replicas!.startHealthChecks();
    const initialBase = await getBase(app);
    await replica.kill();
    await addResponse(app);
    expect(await getBase(app, 'Q2')).toBe(initialBase + 1);
    expect(await countExported(app)).toBe(initialBase + 1);
    const health = await supertest(app.app).get('/api/health').expect(200);
    expect(health.body).toMatchObject({ data: { status: 'ok', replicas: { configured: 1, usable: 0 } } });
    expect(listWarnings()).toHaveLength(1);
    expect(readCounts(app)).toMatchObject({ fromReplica: 2, fromPrimary: 2, causes: { unreachable: 2 } });

    await replica.run();
    await expect.poll(() => listRecoveries().length, { timeout: 8_000 }).toBe(1);
    expect(await countExported(app)).toBe(initialBase + 1);
    const metrics = await supertest(app.app)
      .get('/metrics')
      .set('Authorization', `Bearer ${TOKEN}`)
      .expect(200);
    expect(metrics.text).toContain('database_heavy_reads_total{target="replica"} 3');
    expect(metrics.text).toContain('database_heavy_reads_total{target="primary"} 2');
    expect(metrics.text).toContain('database_replica_fallbacks_total{cause="unreachable"} 2');
    expect(metrics.text).toMatch(/database_replica_usable\{replica="127.0.0.1:\d+\/canvass"\} 1/);
    expect(metrics.text).toMatch(/database_replica_lag_bytes\{replica="127.0.0.1:\d+\/canvass"\} \d/);
  });
});
