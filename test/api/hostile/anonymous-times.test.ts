import { describe, expect, test } from 'vitest';
import yauzl from 'yauzl';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { asBytes } from '../../support/file-transfer.ts';
import { choice, fileQuestion } from '../../support/questions.ts';
import { startResponse } from '../../support/start-response.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
/** Its days begin on the day before in UTC. */
const ZONE = 'Pacific/Auckland';
const DAY_MS = 24 * 60 * 60 * 1000;

const surveyOf = (settings: object): Promise<PublishedSurvey> =>
  publishedSurvey(organization.admin, {
    settings: { timezone: ZONE, consent_text: 'I agree.', ...settings },
    pages: [[choice('Q1')], [fileQuestion('F', { allowed_extensions: ['txt'] })]],
  });

/** A response of several pages, with consent, a file and times of pages. */
async function answer({ linkToken, pageIds }: PublishedSurvey & { pageIds?: number[] }, end = true) {
  const response = await startResponse(anonymous(app), linkToken, { consent: true });
  await response.save({ Q1: '1' }, pageIds?.[0]).expect(200);
  const file = await response.upload('F', Buffer.from('A text'), 'a.txt').expect(201);
  const answers = { Q1: '1', F: [file.body.data.file_id] };
  await (end ? response.complete(answers) : response.save(answers)).expect(200);
  return response;
}

/** The moments that the tables store with a response, and whether each is the start of a day in the zone of the survey. */
async function listMoments(responseId: number): Promise<{ column: string; isDay: boolean }[]> {
  const { db } = app.database;
  const { rows: columns } = await db.raw<{ rows: { table_name: string; column_name: string }[] }>(
    `SELECT c.table_name, c.column_name FROM information_schema.columns c
     JOIN information_schema.columns id ON id.table_schema = c.table_schema AND id.table_name = c.table_name AND id.column_name = 'response_id'
     WHERE c.table_schema = 'public' AND c.data_type LIKE 'timestamp%' ORDER BY 1, 2`,
  );
  const found: { column: string; isDay: boolean }[] = [];
  for (const { table_name: table, column_name: column } of columns) {
    const { rows } = await db.raw<{ rows: { is_day: boolean }[] }>(
      `SELECT ?? = date_trunc('day', ??, ?) AS is_day FROM ?? WHERE response_id = ? AND ?? IS NOT NULL`,
      [column, column, ZONE, table, responseId, column],
    );
    found.push(...rows.map((row) => ({ column: `${table}.${column}`, isDay: row.is_day })));
  }
  return found;
}

const EVERY_MOMENT = [
  'response_files.created_at',
  'response_files.stored_at',
  'responses.completed_at',
  'responses.consented_at',
  'responses.started_at',
  'responses.updated_at',
];

/** What the database stores of the duration, in seconds. */
const durationOf = async (responseId: number) =>
  (await app.database.db('responses').first('duration_seconds').where({ response_id: responseId }))!
    .duration_seconds;

describe('the tables store of an ended response to an anonymous survey', () => {
  test('no time more exact than the day', async () => {
    const { responseId } = await answer(await surveyOf({ anonymous: true }));
    expect(await listMoments(responseId)).toEqual(EVERY_MOMENT.map((column) => ({ column, isDay: true })));
    const { rows } = await app.database.db.raw<{ rows: { sum: number }[] }>(
      `SELECT sum(quarter_1 + quarter_2 + quarter_3 + quarter_4)::integer AS sum FROM hourly_completes
       JOIN responses USING (survey_id) WHERE response_id = ? AND hour = floor(extract(epoch FROM completed_at) / 3600)`,
      [responseId],
    );
    expect(rows).toEqual([{ sum: 1 }]);
  });

  test('no exact time either if it was sent in one request, or written by a member', async () => {
    const { surveyId, linkToken } = await surveyOf({ anonymous: true });
    const { body } = await anonymous(app)
      .post(`/api/public/s/${linkToken}/responses`, { answers: { Q1: '1' }, consent: true })
      .expect(201);
    const rows = [
      { answers: { Q1: '2' }, started_at: '2026-01-02T10:00:00Z', completed_at: '2026-01-02T10:05:30Z' },
    ];
    const added = await organization.admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
    for (const id of [body.data.response_id, added.body.data.response_ids[0]])
      expect((await listMoments(id)).filter(({ isDay }) => !isDay)).toEqual([]);
    expect(await durationOf(added.body.data.response_ids[0])).toBe(330);
  });

  test('no exact time after members ended and edited it', async () => {
    const survey = await surveyOf({ anonymous: true });
    const { responseId } = await answer(survey, false);
    const at = `/api/responses/${survey.surveyId}`;
    await organization.admin
      .post(`${at}/bulk`, { action: 'set_status', status: 'complete', response_ids: [responseId] })
      .expect(200);
    await organization.admin.patch(`${at}/rows/${responseId}`, { values: { Q1: '2' } }).expect(200);
    expect((await listMoments(responseId)).filter(({ isDay }) => !isDay)).toEqual([]);
  });
});

/** The seconds of the time of each file in the archive of a survey's files, without the manifest. */
async function listFileSeconds(surveyId: number): Promise<number[]> {
  const reply = await asBytes(
    organization.admin.get(`/api/responses/${surveyId}/files/archive?status=partial`),
  ).expect(200);
  const zip = await yauzl.fromBufferPromise(reply.body as Buffer);
  const seconds: number[] = [];
  for await (const entry of zip.eachEntry())
    if (entry.fileName !== 'manifest.csv') seconds.push((entry.getLastModDate().getTime() / 1000) % 3600);
  return seconds;
}

describe('a response in progress', () => {
  test('shows the day of its files only', async () => {
    const survey = await surveyOf({ anonymous: true });
    await answer(survey, false);
    expect(await listFileSeconds(survey.surveyId)).toEqual([0]);
  });

  test('has exact times until its end, so that its duration is measured', async () => {
    const survey = await surveyOf({ anonymous: true });
    const response = await answer(survey, false);
    expect((await listMoments(response.responseId)).map(({ isDay }) => isDay)).not.toContain(true);
    await app.database.db.raw(
      `UPDATE responses SET started_at = started_at - interval '90 seconds' WHERE response_id = ?`,
      [response.responseId],
    );
    await response.complete().expect(200);
    const seconds = await durationOf(response.responseId);
    expect(seconds).toBeGreaterThanOrEqual(90);
    expect(seconds).toBeLessThan(300);
  });

  test('has none a day after it was saved, and then no duration', async () => {
    const survey = await surveyOf({ anonymous: true, response_limit: 10 });
    const response = await answer(survey, false);
    const later = appOn(app.database, {}, { clock: { now: () => new Date(Date.now() + DAY_MS + 60_000) } });
    await app.container.services.collection.roundAbandonedTimes();
    const columns = (await listMoments(response.responseId)).map(({ column }) => column);
    expect(columns).toContain('link_reservations.reserved_until');
    expect((await listMoments(response.responseId)).map(({ isDay }) => isDay)).not.toContain(true);
    const reserved_until = new Date(Date.now() - 60_000);
    await app.database.db('link_reservations').update({ reserved_until });
    const ofArm = { survey_id: survey.surveyId, block_id: 1, response_token: response.token };
    await app.database.db('arm_reservations').insert({ ...ofArm, arm_code: 'A', reserved_until });
    await later.container.services.collection.roundAbandonedTimes();
    expect((await listMoments(response.responseId)).filter(({ isDay }) => !isDay)).toEqual([]);
    expect(await app.database.db('arm_reservations').where(ofArm)).toEqual([]);
    const [{ day }] = (
      await app.database.db.raw<{ rows: [{ day: string }] }>(
        'SELECT (now() AT TIME ZONE ?)::date::text AS day',
        [ZONE],
      )
    ).rows;
    expect((await response.resume().expect(200)).body.data.started_at).toBe(day);
    await response.complete().expect(200);
    expect(await durationOf(response.responseId)).toBeNull();
    expect((await listMoments(response.responseId)).filter(({ isDay }) => !isDay)).toEqual([]);
  });
});

test('a survey that becomes anonymous stores no exact times from before', async () => {
  const survey = await surveyOf({});
  const ended = await answer(survey);
  const partial = await answer(survey, false);
  const at = `/api/responses/${survey.surveyId}`;
  await organization.admin
    .post(`${at}/bulk`, { action: 'set_status', status: 'partial', response_ids: [ended.responseId] })
    .expect(200);
  expect((await listMoments(ended.responseId)).map(({ isDay }) => isDay)).not.toContain(true);
  await organization.admin
    .put(`/api/surveys/${survey.surveyId}`, { survey_settings: { anonymous: true } })
    .expect(200);
  for (const { responseId } of [ended, partial])
    expect((await listMoments(responseId)).filter(({ isDay }) => !isDay)).toEqual([]);
  const { rows } = await app.database.db.raw<{ rows: { is_day: boolean }[] }>(
    `SELECT iso_timestamp(before ->> 'completedAt') = date_trunc('day', iso_timestamp(before ->> 'completedAt'), ?) AS is_day
     FROM data_change_rows WHERE response_id = ?`,
    [ZONE, ended.responseId],
  );
  expect(rows).toEqual([{ is_day: true }]);
});

test('the tables store exact times of other surveys', async () => {
  const { responseId } = await answer(await surveyOf({}));
  expect(await listMoments(responseId)).toEqual(EVERY_MOMENT.map((column) => ({ column, isDay: false })));
});
