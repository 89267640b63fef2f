import { readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectDatabase, type Database } from '../../../src/db/connect.ts';
import { connectSupervisor } from '../../../src/db/embedded/cluster.ts';
import { type EmbeddedServer, startEmbedded } from '../../../src/db/embedded/embedded-server.ts';
import { migrateDatabase } from '../../../src/db/migrate.ts';
import { type Actor, anonymous, newOrganization } from '../../support/actors.ts';
import { appOn } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { startResponse } from '../../support/start-response.ts';
import { publishedSurvey, type PublishedSurvey } from '../../support/surveys.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const SUBMISSIONS = 50;
/** A connection plans a prepared statement for the values of its first five executions, and once without values. */
const PLANS_PER_CONNECTION = 6;
const CONNECTIONS = 2;

const { folder, remove } = temporaryFolder('planned');
let server: EmbeddedServer;
let db: Database;
let supervisor: pg.Client;
let respondent: Actor;
let survey: PublishedSurvey;

// A separate server, because PostgreSQL loads pg_stat_statements only when it starts.
beforeAll(async () => {
  server = await startEmbedded({
    dataDir: folder,
    durable: false,
    settings: {
      autovacuum: 'off',
      shared_preload_libraries: 'pg_stat_statements',
      'pg_stat_statements.track_planning': 'on',
    },
  });
  const migrating = connectDatabase(server.url, CONNECTIONS + 1);
  await migrateDatabase(migrating);
  await migrating.destroy();
  db = connectDatabase(server.url, CONNECTIONS);
  const { password } = JSON.parse(readFileSync(path.join(folder, 'postgres.json'), 'utf8')) as {
    password: string;
  };
  supervisor = await connectSupervisor(Number(new URL(server.url).port), password);
  await supervisor.query('CREATE EXTENSION pg_stat_statements');
  const app = appOn({ url: server.url, db });
  const { admin } = await newOrganization(app);
  survey = await publishedSurvey(admin, [[choice('Q1')], [choice('Q2')]]);
  respondent = anonymous(app);
});

afterAll(async () => {
  await supervisor.end();
  await db.destroy();
  await server.stop();
  remove();
});

/** The statements that every submission executes, with the number of executions and plans. */
async function readStatements(): Promise<{ query: string; calls: number; plans: number }[]> {
  const { rows } = await supervisor.query<{ query: string; calls: string; plans: string }>(
    `SELECT query, calls, plans FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid
     WHERE datname = $1 AND calls >= $2 ORDER BY query`,
    [new URL(server.url).pathname.slice(1), SUBMISSIONS],
  );
  return rows.map(({ query, calls, plans }) => ({ query, calls: Number(calls), plans: Number(plans) }));
}

test.each<{ what: string; statement: string; submit: () => Promise<unknown> }>([
  {
    what: 'submitted in one request',
    statement: 'INSERT INTO responses',
    submit: () =>
      respondent
        .post(`/api/public/s/${survey.linkToken}/responses`, { answers: { Q1: '1', Q2: '2' } })
        .expect(201),
  },
  {
    what: 'started, saved page by page and completed',
    statement: 'UPDATE responses',
    async submit() {
      const response = await startResponse(respondent, survey.linkToken);
      await respondent
        .patch(response.address, { answers: { Q1: '1' }, page_id: survey.pageIds[0], page_seconds: 3 })
        .expect(200);
      await response.save({ Q2: '2' }, survey.pageIds[1]).expect(200);
      await response.complete().expect(200);
    },
  },
])('plans no statement for each response that is $what', async ({ statement, submit }) => {
  await supervisor.query('SELECT pg_stat_statements_reset()');
  for (let count = 0; count < SUBMISSIONS; count += 1) await submit();
  const statements = await readStatements();
  expect(statements.map(({ query }) => query)).toContainEqual(expect.stringContaining(statement));
  expect(statements.filter(({ plans }) => plans > CONNECTIONS * PLANS_PER_CONNECTION)).toEqual([]);
});
