import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anonymous, type Actor, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { beginResponse } from '../../support/begin-response.ts';
import { choice, text } from '../../support/questions.ts';
import {
  both,
  cell,
  EVERYBODY,
  quotaCounts,
  loseQuotaPlaces,
  quota,
  setQuotas,
  answersAre,
} from '../../support/quotas.ts';
import { storedResponse } from '../../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { type Wave, waveOf } from '../../support/waves.ts';

const app = useApp();
const author = useOrganization(app).admin;
let clockOffsetMs = 0;
let respondent: Actor;
let survey: PublishedSurvey;
let wave: Wave;

beforeAll(async () => {
  respondent = anonymous(
    appOn(app.database, {}, { clock: { now: () => new Date(Date.now() + clockOffsetMs) } }),
  );
  const screenOut = { when: { left: { code: 'Age' }, operator: 'equals', right: '3' }, action: 'screen_out' };
  survey = await publishedSurvey(author, [
    [choice('Gender')],
    [choice('Age', { question_settings: { logic: { skip: [screenOut] } } })],
    [text('Why')],
  ]);
});

beforeEach(async () => {
  clockOffsetMs = 0;
  await app.database.db.raw(`UPDATE waves SET wave_end_date = now() WHERE survey_id = ?`, [survey.surveyId]);
  wave = await waveOf(author, survey.surveyId, {});
});

const submit = (answers: object, body: object = {}) =>
  respondent.post(`/api/public/s/${survey.linkToken}/responses`, { answers, ...body });
const start = (body: object = {}) => beginResponse(respondent, survey.linkToken, body);
const pageId = (index: number) => survey.pageIds[index]!;
const OVER = { response_status: 'screened_out', status_reason: 'over_quota' };
const readCounts = () => quotaCounts(author, wave);

describe('a response submitted in one call', () => {
  test('counts in its cell, and is stored as over quota beyond a hard quota', async () => {
    await setQuotas(
      author,
      wave,
      quota('Gender', [cell('Women', answersAre('Gender', 1), 2), cell('Men', answersAre('Gender', 2), 1)]),
    );
    const first = await submit({ Gender: '1' }).expect(201);
    expect(first.body.data).toMatchObject({ response_status: 'complete', status_reason: null });
    await submit({ Gender: '2' }).expect(201);
    expect((await submit({ Gender: '2' }).expect(201)).body.data).toMatchObject(OVER);
    // It matches no cell, so the quota does not apply.
    expect((await submit({ Gender: '3' }).expect(201)).body.data.response_status).toBe('complete');
    expect(await readCounts()).toEqual({ Women: '1', Men: '1!1' });
    const progress = await author.get('/api/surveys/waves/progress').expect(200);
    const reported = progress.body.data.find((one: Wave) => one.wave_id === wave.wave_id);
    expect(reported).toMatchObject({ completed: 3, target: 3, screened_out: 1 });
  });

  test('with a repeated submission_id counts once', async () => {
    await setQuotas(author, wave, quota('All', [cell('All', EVERYBODY, 2)]));
    const submission = { submission_id: `once-${wave.wave_id}` };
    const replies = await Promise.all(Array.from({ length: 5 }, () => submit({ Gender: '1' }, submission)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect((await submit({ Gender: '1' }).expect(201)).body.data.response_status).toBe('complete');
    expect(await readCounts()).toEqual({ All: '2' });
  });

  test('needs a free cell in every hard quota, and counts in none if one is full', async () => {
    await setQuotas(
      author,
      wave,
      quota('Gender', [cell('Women', answersAre('Gender', 1), 5)]),
      quota('Age', [cell('Young', answersAre('Age', 1), 1)]),
      quota('Seen', [cell('All', EVERYBODY)], 'counter'),
    );
    await submit({ Gender: '1', Age: '1' }).expect(201);
    expect((await submit({ Gender: '1', Age: '1' }).expect(201)).body.data).toMatchObject(OVER);
    expect(await readCounts()).toEqual({ Women: '1', Young: '1!1', All: '1' });
  });

  test('counts in the least filled of its cells', async () => {
    await setQuotas(
      author,
      wave,
      quota('Any', [cell('Small', EVERYBODY, 2), cell('Large', answersAre('Gender', 1), 4)]),
    );
    for (let time = 0; time < 6; time += 1) await submit({ Gender: '1' }).expect(201);
    expect(await readCounts()).toEqual({ Small: '2', Large: '4' });
    await submit({ Gender: '1' }).expect(201);
    expect(await readCounts()).toEqual({ Small: '2!1', Large: '4' });
  });

  test('counts in no quota if a skip screens it out', async () => {
    await setQuotas(author, wave, quota('All', [cell('All', EVERYBODY, 1)]));
    expect((await submit({ Age: '3' }).expect(201)).body.data.status_reason).toBe('screen_out');
    expect(await readCounts()).toEqual({ All: '0' });
  });

  test('exceeds soft quotas, which report by how much, and counts in counters', async () => {
    await setQuotas(
      author,
      wave,
      quota('Soft', [cell('Women', answersAre('Gender', 1), 1)], 'soft'),
      quota('Count', [cell('Young', answersAre('Age', 1))], 'counter'),
    );
    for (let time = 0; time < 3; time += 1) {
      expect((await submit({ Gender: '1', Age: '1' }).expect(201)).body.data.response_status).toBe(
        'complete',
      );
    }
    expect(await readCounts()).toEqual({ Women: '3!2', Young: '3' });
  });

  test('matches hidden values of the link', async () => {
    const condition = { left: { type: 'hidden', code: 'source' }, operator: 'equals', right: 'mail' };
    await setQuotas(author, wave, quota('Source', [cell('Mail', condition, 1)]));
    await submit({}, { hidden: { source: 'mail' } }).expect(201);
    expect((await submit({}, { hidden: { source: 'mail' } }).expect(201)).body.data).toMatchObject(OVER);
    expect((await submit({}, { hidden: { source: 'web' } }).expect(201)).body.data.response_status).toBe(
      'complete',
    );
  });

  test('is never counted or refused as a preview', async () => {
    await setQuotas(author, wave, quota('All', [cell('All', EVERYBODY, 1)]));
    await submit({}).expect(201);
    const preview = await author.post(`/api/surveys/${survey.surveyId}/preview`).expect(201);
    const token = String(preview.body.data.preview_url ?? preview.body.data.url)
      .split('/')
      .at(-1);
    const reply = await respondent.post(`/api/public/s/${token}/responses`, { answers: {} }).expect(201);
    expect(reply.body.data.response_status).toBe('complete');
    expect(await readCounts()).toEqual({ All: '1' });
  });
});

describe('a response page by page', () => {
  const setInterlockedQuotas = () =>
    setQuotas(
      author,
      wave,
      quota('Interlocked', [
        cell('Young women', both(answersAre('Gender', 1), answersAre('Age', 1)), 1),
        cell('Old women', both(answersAre('Gender', 1), answersAre('Age', 2)), 1),
      ]),
    );

  test('reserves its cell with the deciding page, and completes there', async () => {
    await setInterlockedQuotas();
    const response = await start();
    await response.save({ Gender: '1' }, pageId(0)).expect(200);
    expect(await readCounts()).toEqual({ 'Young women': '0', 'Old women': '0' });
    await response.save({ Age: '1' }, pageId(1)).expect(200);
    expect(await readCounts()).toEqual({ 'Young women': '0+1', 'Old women': '0' });
    expect((await submit({ Gender: '1', Age: '1' }).expect(201)).body.data).toMatchObject(OVER);
    expect((await response.complete().expect(200)).body.data.response_status).toBe('complete');
    expect(await readCounts()).toEqual({ 'Young women': '1!1', 'Old women': '0' });
  });

  test('ends with the deciding page, keeping its answers and the redirect to its panel', async () => {
    await setInterlockedQuotas();
    const redirects = { over_quota: 'https://panel.example/full?m={{external_id}}' };
    const created = await author
      .post(`/api/surveys/${survey.surveyId}/links`, { link_type: 'panel', redirects })
      .expect(201);
    await submit({ Gender: '1', Age: '1' }).expect(201);
    const late = await beginResponse(respondent, created.body.data.link_token, { external_id: 'm1' });
    await late.save({ Gender: '1' }, pageId(0)).expect(200);
    const outcome = { ...OVER, redirect_url: 'https://panel.example/full?m=m1' };
    expect((await late.save({ Age: '1' }, pageId(1)).expect(200)).body.data).toMatchObject({
      ...outcome,
      ended: true,
    });
    // Repeats the request, as after a lost reply.
    expect((await late.save({ Age: '1' }, pageId(1)).expect(200)).body.data).toMatchObject(outcome);
    expect((await late.complete().expect(200)).body.data).toMatchObject(outcome);
    expect((await storedResponse(app, late.responseId)).answers).toEqual({ Gender: '1', Age: '1' });
    expect(await readCounts()).toEqual({ 'Young women': '1!1', 'Old women': '0' });
  });

  test('releases its reservation when its answer changes, and reserves another cell', async () => {
    await setInterlockedQuotas();
    const response = await start();
    await response.save({ Gender: '1' }, pageId(0)).expect(200);
    await response.save({ Age: '1' }, pageId(1)).expect(200);
    await response.save({ Age: '2' }, pageId(1)).expect(200);
    expect(await readCounts()).toEqual({ 'Young women': '0', 'Old women': '0+1' });
    await response.save({ Gender: '2' }, pageId(0)).expect(200);
    expect(await readCounts()).toEqual({ 'Young women': '0', 'Old women': '0' });
    await response.save({ Gender: '1' }, pageId(0)).expect(200);
    expect(await readCounts()).toEqual({ 'Young women': '0', 'Old women': '0+1' });
    // The last answer counts, including an answer sent with the completion.
    await response.complete({ Age: '1' }).expect(200);
    expect(await readCounts()).toEqual({ 'Young women': '1', 'Old women': '0' });
  });

  test('releases its reservation when it is screened out or deleted', async () => {
    await setQuotas(author, wave, quota('Gender', [cell('Women', answersAre('Gender', 1), 1)]));
    const screenedOut = await start();
    await screenedOut.save({ Gender: '1' }, pageId(0)).expect(200);
    await screenedOut.save({ Age: '3' }, pageId(1)).expect(200);
    expect(await readCounts()).toEqual({ Women: '0' });
    const deleted = await start();
    await deleted.save({ Gender: '1' }, pageId(0)).expect(200);
    expect(await readCounts()).toEqual({ Women: '0+1' });
    await author
      .post(`/api/responses/${survey.surveyId}/bulk`, {
        action: 'delete',
        response_ids: [deleted.responseId],
      })
      .expect(200);
    expect(await readCounts()).toEqual({ Women: '0' });
  });

  test('keeps its reservation for exactly 15 minutes after its last request', async () => {
    await setQuotas(author, wave, quota('Gender', [cell('Women', answersAre('Gender', 1), 1)]));
    const response = await start();
    await response.save({ Gender: '1' }, pageId(0)).expect(200);
    clockOffsetMs = 14 * 60_000;
    await response.save({ Why: 'half' }).expect(200);
    clockOffsetMs = 28 * 60_000;
    expect((await submit({ Gender: '1' }).expect(201)).body.data).toMatchObject(OVER);
    clockOffsetMs = 30 * 60_000;
    expect((await submit({ Gender: '1' }).expect(201)).body.data.response_status).toBe('complete');
    expect((await response.save({ Age: '1' }, pageId(1)).expect(200)).body.data).toMatchObject({
      ...OVER,
      ended: true,
    });
  });

  test('renews an expired reservation if the cell is still free', async () => {
    await setQuotas(author, wave, quota('Gender', [cell('Women', answersAre('Gender', 1), 1)]));
    const response = await start();
    await response.save({ Gender: '1' }, pageId(0)).expect(200);
    await loseQuotaPlaces(app, wave);
    expect((await response.complete().expect(200)).body.data.response_status).toBe('complete');
    expect(await readCounts()).toEqual({ Women: '1' });
  });

  test('uses the quotas of the wave in which it started, even if another is open', async () => {
    await setQuotas(author, wave, quota('All', [cell('Then', EVERYBODY, 1)]));
    const response = await start();
    const next = await waveOf(author, survey.surveyId, {});
    await setQuotas(author, next, quota('All', [cell('Now', EVERYBODY, 1)]));
    await submit({ Gender: '1' }).expect(201);
    await response.complete({ Gender: '1' }).expect(200);
    expect(await readCounts()).toEqual({ Then: '1' });
    expect(await quotaCounts(author, next)).toEqual({ Now: '1' });
  });

  test('is evaluated by the quotas in force when it ends', async () => {
    const [first, second] = [await start(), await start()];
    await setQuotas(author, wave, quota('All', [cell('All', EVERYBODY, 5)]));
    for (const response of [first, second]) await response.save({ Gender: '1' }, pageId(0)).expect(200);
    await setQuotas(author, wave, quota('All', [cell('All', EVERYBODY, 1)]));
    expect(await readCounts()).toEqual({ All: '0+2' });
    expect((await first.complete().expect(200)).body.data.response_status).toBe('complete');
    expect((await second.complete().expect(200)).body.data).toMatchObject(OVER);
    expect(await readCounts()).toEqual({ All: '1!1' });
  });
});

test('executes no quota statement in a wave without quotas', async () => {
  const response = await start();
  const statements: string[] = [];
  const listen = ({ sql }: { sql: string }) => statements.push(sql);
  app.database.db.on('query', listen);
  await response.save({ Gender: '1' }, pageId(0)).expect(200);
  await response.complete().expect(200);
  await submit({ Gender: '1' }).expect(201);
  app.database.db.removeListener('query', listen);
  expect(statements.some((sql) => sql.includes('UPDATE responses'))).toBe(true);
  expect(statements.filter((sql) => /quota_holds|FROM quota|FROM waves.*FOR /s.test(sql))).toEqual([]);
});
