import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anonymous, type Actor, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { choice, text } from '../../support/questions.ts';
import {
  both,
  cell,
  ALL_RESPONDENTS,
  quotaCounts,
  expireQuotaReservations,
  quota,
  setQuotas,
  answersAre,
} from '../../support/quotas.ts';
import { readStoredResponse } from '../../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { type Wave, createWave } from '../../support/waves.ts';

const app = useApp();
const author = useOrganization(app).admin;
let laterMs = 0;
let respondent: Actor;
let survey: PublishedSurvey;
let wave: Wave;

beforeAll(async () => {
  respondent = anonymous(appOn(app.database, {}, { clock: { now: () => new Date(Date.now() + laterMs) } }));
  const screenOut = { when: { left: { code: 'Age' }, operator: 'equals', right: '3' }, action: 'screen_out' };
  survey = await publishedSurvey(author, [
    [choice('Gender')],
    [choice('Age', { question_settings: { logic: { skip: [screenOut] } } })],
    [text('Why')],
  ]);
});

beforeEach(async () => {
  laterMs = 0;
  await app.database.db.raw(`UPDATE waves SET wave_end_date = now() WHERE survey_id = ?`, [survey.surveyId]);
  wave = await createWave(author, survey.surveyId, {});
});

const submit = (answers: object, body: object = {}) =>
  respondent.post(`/api/public/s/${survey.linkToken}/responses`, { answers, ...body });
const start = (body: object = {}) => startResponse(respondent, survey.linkToken, body);
const page = (index: number) => survey.pageIds[index]!;
const OVER = { response_status: 'screened_out', status_reason: 'over_quota' };
const count = () => quotaCounts(author, wave);

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
    // It fits no cell: that quota is no concern of it.
    expect((await submit({ Gender: '3' }).expect(201)).body.data.response_status).toBe('complete');
    expect(await count()).toEqual({ Women: '1', Men: '1!1' });
    const progress = await author.get('/api/surveys/waves/progress').expect(200);
    const reply = progress.body.data.find((one: Wave) => one.wave_id === wave.wave_id);
    expect(reply).toMatchObject({ completed: 3, target: 3, screened_out: 1 });
  });

  test('with a repeated submission_id takes no second place', async () => {
    await setQuotas(author, wave, quota('All', [cell('Everybody', ALL_RESPONDENTS, 2)]));
    const submission = { submission_id: `once-${wave.wave_id}` };
    const replies = await Promise.all(Array.from({ length: 5 }, () => submit({ Gender: '1' }, submission)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
    expect((await submit({ Gender: '1' }).expect(201)).body.data.response_status).toBe('complete');
    expect(await count()).toEqual({ Everybody: '2' });
  });

  test('needs a place in every hard quota, and counts in none if one is full', async () => {
    await setQuotas(
      author,
      wave,
      quota('Gender', [cell('Women', answersAre('Gender', 1), 5)]),
      quota('Age', [cell('Young', answersAre('Age', 1), 1)]),
      quota('Seen', [cell('All', ALL_RESPONDENTS)], 'counter'),
    );
    await submit({ Gender: '1', Age: '1' }).expect(201);
    expect((await submit({ Gender: '1', Age: '1' }).expect(201)).body.data).toMatchObject(OVER);
    expect(await count()).toEqual({ Women: '1', Young: '1!1', All: '1' });
  });

  test('counts in the least filled of its cells', async () => {
    await setQuotas(
      author,
      wave,
      quota('Any', [cell('Small', ALL_RESPONDENTS, 2), cell('Large', answersAre('Gender', 1), 4)]),
    );
    for (let time = 0; time < 6; time += 1) await submit({ Gender: '1' }).expect(201);
    expect(await count()).toEqual({ Small: '2', Large: '4' });
    await submit({ Gender: '1' }).expect(201);
    expect(await count()).toEqual({ Small: '2!1', Large: '4' });
  });

  test('counts in no quota if a skip screens it out', async () => {
    await setQuotas(author, wave, quota('All', [cell('Everybody', ALL_RESPONDENTS, 1)]));
    expect((await submit({ Age: '3' }).expect(201)).body.data.status_reason).toBe('screen_out');
    expect(await count()).toEqual({ Everybody: '0' });
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
    expect(await count()).toEqual({ Women: '3!2', Young: '3' });
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

  test('is never counted or rejected as a preview', async () => {
    await setQuotas(author, wave, quota('All', [cell('Everybody', ALL_RESPONDENTS, 1)]));
    await submit({}).expect(201);
    const preview = await author.post(`/api/surveys/${survey.surveyId}/preview`).expect(201);
    const token = String(preview.body.data.preview_url ?? preview.body.data.url)
      .split('/')
      .at(-1);
    const tried = await respondent.post(`/api/public/s/${token}/responses`, { answers: {} }).expect(201);
    expect(tried.body.data.response_status).toBe('complete');
    expect(await count()).toEqual({ Everybody: '1' });
  });
});

describe('a response page by page', () => {
  const interlocked = () =>
    setQuotas(
      author,
      wave,
      quota('Interlocked', [
        cell('Young women', both(answersAre('Gender', 1), answersAre('Age', 1)), 1),
        cell('Old women', both(answersAre('Gender', 1), answersAre('Age', 2)), 1),
      ]),
    );

  test('reserves its place with the deciding page, and completes there', async () => {
    await interlocked();
    const response = await start();
    await response.save({ Gender: '1' }, page(0)).expect(200);
    expect(await count()).toEqual({ 'Young women': '0', 'Old women': '0' });
    await response.save({ Age: '1' }, page(1)).expect(200);
    expect(await count()).toEqual({ 'Young women': '0+1', 'Old women': '0' });
    expect((await submit({ Gender: '1', Age: '1' }).expect(201)).body.data).toMatchObject(OVER);
    expect((await response.complete().expect(200)).body.data.response_status).toBe('complete');
    expect(await count()).toEqual({ 'Young women': '1!1', 'Old women': '0' });
  });

  test('ends with the deciding page, keeping its answers and the redirect to its panel', async () => {
    await interlocked();
    const redirects = { over_quota: 'https://panel.example/full?m={{external_id}}' };
    const created = await author
      .post(`/api/surveys/${survey.surveyId}/links`, { link_type: 'panel', redirects })
      .expect(201);
    await submit({ Gender: '1', Age: '1' }).expect(201);
    const late = await startResponse(respondent, created.body.data.link_token, { external_id: 'm1' });
    await late.save({ Gender: '1' }, page(0)).expect(200);
    const ended = { ...OVER, redirect_url: 'https://panel.example/full?m=m1' };
    expect((await late.save({ Age: '1' }, page(1)).expect(200)).body.data).toMatchObject({
      ...ended,
      ended: true,
    });
    // Asked again, for the reply was lost.
    expect((await late.save({ Age: '1' }, page(1)).expect(200)).body.data).toMatchObject(ended);
    expect((await late.complete().expect(200)).body.data).toMatchObject(ended);
    expect((await readStoredResponse(app, late.responseId)).answers).toEqual({ Gender: '1', Age: '1' });
    expect(await count()).toEqual({ 'Young women': '1!1', 'Old women': '0' });
  });

  test('releases its place when its answer changes, and reserves another', async () => {
    await interlocked();
    const response = await start();
    await response.save({ Gender: '1' }, page(0)).expect(200);
    await response.save({ Age: '1' }, page(1)).expect(200);
    await response.save({ Age: '2' }, page(1)).expect(200);
    expect(await count()).toEqual({ 'Young women': '0', 'Old women': '0+1' });
    await response.save({ Gender: '2' }, page(0)).expect(200);
    expect(await count()).toEqual({ 'Young women': '0', 'Old women': '0' });
    await response.save({ Gender: '1' }, page(0)).expect(200);
    expect(await count()).toEqual({ 'Young women': '0', 'Old women': '0+1' });
    // The last word counts, with the call that ends it too.
    await response.complete({ Age: '1' }).expect(200);
    expect(await count()).toEqual({ 'Young women': '1', 'Old women': '0' });
  });

  test('releases its place when it is screened out or deleted', async () => {
    await setQuotas(author, wave, quota('Gender', [cell('Women', answersAre('Gender', 1), 1)]));
    const out = await start();
    await out.save({ Gender: '1' }, page(0)).expect(200);
    await out.save({ Age: '3' }, page(1)).expect(200);
    expect(await count()).toEqual({ Women: '0' });
    const expired = await start();
    await expired.save({ Gender: '1' }, page(0)).expect(200);
    expect(await count()).toEqual({ Women: '0+1' });
    await author
      .post(`/api/responses/${survey.surveyId}/bulk`, {
        action: 'delete',
        response_ids: [expired.responseId],
      })
      .expect(200);
    expect(await count()).toEqual({ Women: '0' });
  });

  test('keeps its place for exactly 15 minutes after its last call', async () => {
    await setQuotas(author, wave, quota('Gender', [cell('Women', answersAre('Gender', 1), 1)]));
    const response = await start();
    await response.save({ Gender: '1' }, page(0)).expect(200);
    laterMs = 14 * 60_000;
    await response.save({ Why: 'half' }).expect(200);
    laterMs = 28 * 60_000;
    expect((await submit({ Gender: '1' }).expect(201)).body.data).toMatchObject(OVER);
    laterMs = 30 * 60_000;
    expect((await submit({ Gender: '1' }).expect(201)).body.data.response_status).toBe('complete');
    expect((await response.save({ Age: '1' }, page(1)).expect(200)).body.data).toMatchObject({
      ...OVER,
      ended: true,
    });
  });

  test('regains an expired place that is still free', async () => {
    await setQuotas(author, wave, quota('Gender', [cell('Women', answersAre('Gender', 1), 1)]));
    const response = await start();
    await response.save({ Gender: '1' }, page(0)).expect(200);
    await expireQuotaReservations(app, wave);
    expect((await response.complete().expect(200)).body.data.response_status).toBe('complete');
    expect(await count()).toEqual({ Women: '1' });
  });

  test('uses the quotas of the wave in which it started, even if another is open', async () => {
    await setQuotas(author, wave, quota('All', [cell('Then', ALL_RESPONDENTS, 1)]));
    const response = await start();
    const next = await createWave(author, survey.surveyId, {});
    await setQuotas(author, next, quota('All', [cell('Now', ALL_RESPONDENTS, 1)]));
    await submit({ Gender: '1' }).expect(201);
    await response.complete({ Gender: '1' }).expect(200);
    expect(await count()).toEqual({ Then: '1' });
    expect(await quotaCounts(author, next)).toEqual({ Now: '1' });
  });

  test('is evaluated by the quotas in force when it ends', async () => {
    const [first, second] = [await start(), await start()];
    await setQuotas(author, wave, quota('All', [cell('Everybody', ALL_RESPONDENTS, 5)]));
    for (const response of [first, second]) await response.save({ Gender: '1' }, page(0)).expect(200);
    await setQuotas(author, wave, quota('All', [cell('Everybody', ALL_RESPONDENTS, 1)]));
    expect(await count()).toEqual({ Everybody: '0+2' });
    expect((await first.complete().expect(200)).body.data.response_status).toBe('complete');
    expect((await second.complete().expect(200)).body.data).toMatchObject(OVER);
    expect(await count()).toEqual({ Everybody: '1!1' });
  });
});

test('runs no quota statement in a wave without quotas', async () => {
  const response = await start();
  const statements: string[] = [];
  const listen = ({ sql }: { sql: string }) => statements.push(sql);
  app.database.db.on('query', listen);
  await response.save({ Gender: '1' }, page(0)).expect(200);
  await response.complete().expect(200);
  await submit({ Gender: '1' }).expect(201);
  app.database.db.removeListener('query', listen);
  expect(statements.some((sql) => sql.includes('UPDATE responses'))).toBe(true);
  expect(statements.filter((sql) => /quota_reservations|FROM quota|FROM waves.*FOR /s.test(sql))).toEqual([]);
});
