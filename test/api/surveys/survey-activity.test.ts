import { expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { draftSurvey, publishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const { admin } = useOrganization(test);

/** With offsets of 30 and 45 minutes, and zones whose clocks change at or around midnight. */
const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Eucla',
  'Pacific/Chatham',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'America/Havana',
  'Africa/Cairo',
  'Asia/Beirut',
  'America/Nuuk',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];
/** Around the changes of clocks, and at the limits of days. */
const NOWS = [
  '2026-03-09T03:59:59.999Z',
  '2026-03-30T12:00:00Z',
  '2026-04-06T00:00:00Z',
  '2026-04-25T22:14:59Z',
  '2026-10-25T21:00:00Z',
  '2026-11-02T18:15:00Z',
];

/** Counts the responses of the last 14 days, the days of the zone, as the list did before it had counters. */
async function countResponses(surveyId: number, zone: string, now: string): Promise<Record<string, number>> {
  const { rows } = await test.database.db.raw<{ rows: { day: string; n: number }[] }>(
    `SELECT day::text AS day, (SELECT count(*) FROM responses WHERE survey_id = ? AND response_status = 'complete' AND deleted_at IS NULL
       AND NOT is_test AND (completed_at AT TIME ZONE ?)::date = day) AS n
     FROM (SELECT (?::timestamptz AT TIME ZONE ?)::date - 13 + n AS day FROM generate_series(0, 13) AS n) AS days ORDER BY 1`,
    [surveyId, zone, now, zone],
  );
  return Object.fromEntries(rows.map(({ day, n }) => [day, Number(n)]));
}

async function listed(surveyIds: readonly number[], now: string): Promise<Record<string, number>[]> {
  const { services } = appOn(test.database, {}, { clock: { now: () => new Date(now) } }).container;
  const rows = await test.database.db('surveys').select('survey_id', 'survey_settings');
  const activity = await services.surveys.listActivity(rows);
  return surveyIds.map((surveyId) =>
    Object.fromEntries(activity.get(surveyId)!.map((day) => [day.day, day.complete_count])),
  );
}

it(
  'equals counting responses in every zone, whatever was written and changed',
  { timeout: 60_000 },
  async () => {
    const { db } = test.database;
    const surveyIds: number[] = [];
    for (const timezone of ZONES)
      surveyIds.push(
        (await draftSurvey(admin, { pages: [[choice('Q1')]], settings: { timezone } })).surveyId,
      );
    for (const [index, surveyId] of surveyIds.entries())
      for (const now of NOWS)
        await db.transaction(async (trx) => {
          await trx.raw(`SELECT setseed(${(index + 1) / 100 + NOWS.indexOf(now) / 10})`);
          // Within 16 days of `now`, some at whole quarters of an hour.
          const time = `?::timestamptz + CASE WHEN random() < 0.3 THEN floor(random() * 3000 - 1500) * interval '15 minutes'
          ELSE (random() * 32 - 16) * interval '1 day' END`;
          await trx.raw(
            `INSERT INTO responses (survey_id, response_token, response_status, survey_version, link_id, is_test, deleted_at, completed_at)
           SELECT ?, gen_random_uuid(), (ARRAY['complete', 'complete', 'partial', 'screened_out'])[1 + n % 4], 1, nullif(n % 3, 0),
             n % 11 = 0, CASE WHEN n % 13 = 0 THEN now() END, CASE WHEN n % 17 > 0 THEN ${time} END FROM generate_series(1, 400) AS n`,
            [surveyId, now],
          );
          const where = (divisor: number) => `WHERE survey_id = ${surveyId} AND response_id % ${divisor} = 0`;
          await trx.raw(
            `UPDATE responses SET response_status = 'complete', completed_at = ${time} ${where(5)}`,
            [now],
          );
          await trx.raw(`UPDATE responses SET response_status = 'partial', completed_at = NULL ${where(7)}`);
          await trx.raw(
            `UPDATE responses SET completed_at = completed_at + interval '7 hours 20 minutes' ${where(6)}`,
          );
          await trx.raw(
            `UPDATE responses SET deleted_at = CASE WHEN deleted_at IS NULL THEN now() END ${where(8)}`,
          );
          await trx.raw(`UPDATE responses SET is_test = NOT is_test, link_id = 5 ${where(9)}`);
          await trx.raw(`DELETE FROM responses ${where(10)}`);
        });
    for (const now of NOWS) {
      const found = await listed(surveyIds, now);
      for (const [index, surveyId] of surveyIds.entries()) {
        const counted = await countResponses(surveyId, ZONES[index]!, now);
        expect(Object.values(counted).filter((n) => n > 0).length).toBeGreaterThan(6);
        expect(found[index], `${ZONES[index]} at ${now}`).toEqual(counted);
      }
    }
  },
);

it('follows imports with past dates, edits of the status, deletions and undo, and the zone of the survey', async () => {
  const { surveyId } = await publishedSurvey(admin, [[choice('Q1')]]);
  const at = (path: string) => `/api/responses/${surveyId}/${path}`;
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const expectCounted = async (zone = 'UTC') => {
    const now = new Date().toISOString();
    const [found] = await listed([surveyId], now);
    const counted = await countResponses(surveyId, zone, now);
    expect(found).toEqual(counted);
    return Object.values(counted).reduce((sum, n) => sum + n, 0);
  };
  const { body } = await admin
    .post(at('rows'), {
      rows: Array.from({ length: 12 }, (_, index) => ({
        submission_id: `s${index}`,
        answers: { Q1: '1' },
        // Eight lie in the 14 days at any time of the day: none is between 13 and 14 days old.
        started_at: day(index * 1.8 + 0.01),
        completed_at: day(index * 1.8),
      })),
    })
    .expect(201);
  expect(body.data).toBeDefined();
  expect(await expectCounted()).toBe(8);
  const { rows } = (await admin.get(at('grid?limit=20')).expect(200)).body.data as {
    rows: { response_id: number }[];
  };
  const ids = rows.map(({ response_id: id }) => id).sort((a, b) => a - b);
  const edited = await admin
    .post(at('bulk'), { action: 'set_status', response_ids: ids.slice(0, 3), status: 'partial' })
    .expect(200);
  expect(await expectCounted()).toBe(5);
  const deleted = await admin
    .post(at('bulk'), { action: 'delete', response_ids: ids.slice(2, 6) })
    .expect(200);
  expect(await expectCounted()).toBe(2);
  for (const change of [deleted, edited])
    await admin.post(at(`changes/${change.body.data.change_id}/undo`)).expect(200);
  expect(await expectCounted()).toBe(8);
  await admin
    .put(`/api/surveys/${surveyId}`, { survey_settings: { timezone: 'Asia/Kathmandu' } })
    .expect(200);
  await expectCounted('Asia/Kathmandu');
});
