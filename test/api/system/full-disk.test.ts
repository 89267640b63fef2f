import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import supertest from 'supertest';
import { appOn, type TestApp } from '../../support/app.ts';
import { newOrganization } from '../../support/actors.ts';
import { useDatabase } from '../../support/database.ts';
import { choice } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

/** Inserts into these tables fail with the error that PostgreSQL raises for a full disk. */
const FULL_TABLES = ['surveys', 'responses'];

const database = useDatabase();
const lines: { level: string; msg: string; error?: { code?: string } }[] = [];
let app: TestApp;
let admin: Awaited<ReturnType<typeof newOrganization>>['admin'];
let survey: PublishedSurvey;

beforeAll(async () => {
  app = appOn(database, {}, { logLine: (line) => lines.push(JSON.parse(line) as never) });
  admin = (await newOrganization(app)).admin;
  survey = await publishedSurvey(admin, [[choice('Q1')]]);
  await database.db.raw(`CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100';
    END $$`);
  for (const table of FULL_TABLES)
    await database.db.raw(
      `CREATE TRIGGER disk_full BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION disk_full()`,
    );
});
afterAll(() => database.db.raw('DROP FUNCTION IF EXISTS disk_full CASCADE'));

const getHealth = () => supertest(app.app).get('/api/health');

describe('while the disk is full', () => {
  test('writes return 503 storage_full, and reads work', async () => {
    await getHealth().expect(200, { success: 1, data: { status: 'ok' } });
    const refused = await admin.post('/api/surveys', { survey_name: 'No space' }).expect(503);
    expect(refused.body).toMatchObject({ error: 1, code: 'storage_full' });
    expect(refused.headers['retry-after']).toBe('30');
    const submitted = await supertest(app.app)
      .post(`/api/public/s/${survey.linkToken}/responses`)
      .send({ answers: {} })
      .expect(503);
    expect(submitted.body).toMatchObject({ code: 'storage_full' });
    await admin.get(`/api/surveys/${survey.surveyId}`).expect(200);
  });

  test('health is degraded until space is available again', async () => {
    await admin.post('/api/surveys', { survey_name: 'No space' }).expect(503);
    await getHealth().expect(200, { success: 1, data: { status: 'degraded', reason: 'storage_full' } });
    await database.db.raw('DROP FUNCTION disk_full CASCADE');
    await expect
      .poll(async () => (await getHealth()).body as object, { timeout: 10_000, interval: 200 })
      .toEqual({ success: 1, data: { status: 'ok' } });
    await admin.post('/api/surveys', { survey_name: 'Space' }).expect(201);
  });

  test('rejected requests are not logged as errors', () => {
    const errors = lines.filter(({ level, msg }) => Number(level) >= 50 && msg === 'request failed');
    expect(errors).toEqual([]);
  });
});
