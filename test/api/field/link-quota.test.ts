import { beforeAll, describe, expect, test } from 'vitest';
import { anonymous, type Actor, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { expireLinkReservations } from '../../support/expire-reservations.ts';
import { choice } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;
const respondent = anonymous(app);
const ANSWERS = { Q1: '1' };
let survey: PublishedSurvey;
let laterMs = 0;
let later: Actor;
/** A process that does not know which networks hold places in the other one. */
let elsewhere: Actor;

beforeAll(async () => {
  const screenOut = { when: { left: { code: 'Q1' }, operator: 'equals', right: '3' }, action: 'screen_out' };
  survey = await publishedSurvey(author, [
    [choice('Q1', { question_settings: { logic: { skip: [screenOut] } } })],
    [choice('Q2')],
  ]);
  elsewhere = anonymous(appOn(app.database));
  later = anonymous(appOn(app.database, {}, { clock: { now: () => new Date(Date.now() + laterMs) } }));
});

interface LinkBody {
  link_id: number;
  link_token: string;
}

async function linkOf(body: object): Promise<LinkBody> {
  const created = await author.post(`/api/surveys/${survey.surveyId}/links`, body).expect(201);
  return created.body.data;
}

const submit = (link: LinkBody, who = respondent) =>
  who.post(`/api/public/s/${link.link_token}/responses`, { answers: ANSWERS });
const start = (link: LinkBody, who = respondent) =>
  who.post(`/api/public/s/${link.link_token}/responses`, { answers: {}, status: 'partial' });

async function countsOf(link: LinkBody) {
  const { body } = await author.get(`/api/surveys/${survey.surveyId}/links`).expect(200);
  const { complete_count, response_count, link_status } = body.data.find(
    (one: LinkBody) => one.link_id === link.link_id,
  );
  return { complete_count, response_count, link_status };
}

describe('a partial response', () => {
  test('holds a reservation: no response can start while all places are taken', async () => {
    const link = await linkOf({ link_quota: 2 });
    await submit(link).expect(201);
    const response = await startResponse(respondent, link.link_token);
    expect((await submit(link).expect(409)).body.code).toBe('quota_full');
    expect((await start(link).expect(409)).body.code).toBe('quota_full');
    // A partial response may be abandoned, so the link is not full permanently.
    expect(await countsOf(link)).toMatchObject({ complete_count: 1, link_status: 'active' });
    expect((await response.complete(ANSWERS).expect(200)).body.data.response_status).toBe('complete');
    expect(await countsOf(link)).toMatchObject({ complete_count: 2, link_status: 'full' });
  });

  test('holds it for exactly 15 minutes after its last activity', async () => {
    const link = await linkOf({ link_quota: 1 });
    laterMs = 0;
    const response = await startResponse(later, link.link_token);
    laterMs = 14 * 60_000;
    await response.save(ANSWERS).expect(200);
    laterMs = 28 * 60_000;
    expect((await submit(link, later).expect(409)).body.code).toBe('quota_full');
    laterMs = 30 * 60_000;
    await submit(link, later).expect(201);
  });

  test('regains an expired place that is still free', async () => {
    const link = await linkOf({ link_quota: 1 });
    const response = await startResponse(respondent, link.link_token);
    await expireLinkReservations(app, link.link_token);
    await response.save(ANSWERS).expect(200);
    await submit(link).expect(409);
    expect((await response.complete().expect(200)).body.data.response_status).toBe('complete');
  });

  test('releases its place when it is screened out or deleted', async () => {
    const link = await linkOf({ link_quota: 1 });
    const out = await startResponse(respondent, link.link_token);
    await submit(link).expect(409);
    await out.save({ Q1: '3' }, survey.pageIds[0]).expect(200);
    const { responseId } = await startResponse(respondent, link.link_token);
    await submit(link).expect(409);
    await author
      .post(`/api/responses/${survey.surveyId}/bulk`, { action: 'delete', response_ids: [responseId] })
      .expect(200);
    await submit(link).expect(201);
  });

  test('gets 409 while others hold the last places, and can retry', async () => {
    const link = await linkOf({ link_quota: 1 });
    const late = await startResponse(respondent, link.link_token);
    await late.save(ANSWERS).expect(200);
    await expireLinkReservations(app, link.link_token);
    await start(link, elsewhere).expect(201);
    expect((await late.save({ Q2: '1' }).expect(409)).body.code).toBe('quota_full');
    expect((await late.complete().expect(409)).body.code).toBe('quota_full');
    expect((await late.resume().expect(200)).body.data).toMatchObject({
      response_status: 'partial',
      answers: ANSWERS,
    });
    await expireLinkReservations(app, link.link_token);
    expect((await late.complete().expect(200)).body.data.response_status).toBe('complete');
  });

  test('ends over quota with its answers when the quota is complete', async () => {
    const redirects = { over_quota: 'https://panel.example/full' };
    const link = await linkOf({ link_quota: 1, redirects });
    const late = await startResponse(respondent, link.link_token, { answers: ANSWERS });
    await expireLinkReservations(app, link.link_token);
    await submit(link).expect(201);
    const over = {
      response_status: 'screened_out',
      status_reason: 'over_quota',
      redirect_url: 'https://panel.example/full',
    };
    expect((await late.save({ Q2: '1' }, survey.pageIds[1]).expect(200)).body.data).toMatchObject({
      ...over,
      ended: true,
    });
    expect((await late.complete().expect(200)).body.data).toMatchObject(over);
    expect(await countsOf(link)).toMatchObject({ complete_count: 1, response_count: 2 });
  });

  test('on a second device does not block the first one on a unique link', async () => {
    const link = await linkOf({ link_type: 'unique' });
    await startResponse(respondent, link.link_token);
    const second = await startResponse(respondent, link.link_token);
    expect((await second.complete(ANSWERS).expect(200)).body.data.response_status).toBe('complete');
    expect((await start(link).expect(409)).body.code).toBe('quota_full');
  });
});

test('runs no reservation statement on a link without a quota', async () => {
  const link = await linkOf({});
  const response = await startResponse(respondent, link.link_token);
  const statements: string[] = [];
  const listen = ({ sql }: { sql: string }) => statements.push(sql);
  app.database.db.on('query', listen);
  await response.save(ANSWERS).expect(200);
  await response.complete().expect(200);
  await submit(link).expect(201);
  app.database.db.removeListener('query', listen);
  expect(statements.some((sql) => sql.includes('UPDATE responses'))).toBe(true);
  expect(statements.filter((sql) => /link_reservations|links.*FOR UPDATE/s.test(sql))).toEqual([]);
});

describe('a network', () => {
  const from = (who: Actor, link: LinkBody, network: string) =>
    start(link, who).set('X-Forwarded-For', network);
  const reservations = async (link: LinkBody) =>
    Number(
      (await app.database.db('link_reservations').where({ link_id: link.link_id }).count().first())!.count,
    );

  test.each([
    [100, 10],
    [300, 30],
    [5, 3],
  ])(
    'of 100 started responses holds of %i places only %i, and others are still welcome',
    async (quota, places) => {
      const proxied = anonymous(appOn(app.database, { TRUST_PROXY: '1' }));
      const link = await linkOf({ link_quota: quota });
      const first: string[] = [];
      for (let count = 0; count < 100; count += 1) {
        // The addresses of one IPv6 customer, and one of IPv4 in two forms.
        const reply = await from(
          proxied,
          link,
          count % 2 === 0 ? '203.0.113.5' : '::ffff:203.0.113.5',
        ).expect(201);
        first.push(reply.body.data.response_token);
      }
      expect(await reservations(link)).toBe(places);
      // Nor by going on: saving does not take further places.
      for (const token of first.slice(0, 40))
        await proxied
          .patch(`/api/public/s/${link.link_token}/responses/${token}`, { answers: ANSWERS })
          .expect(200);
      expect(await reservations(link)).toBe(places);
      await from(proxied, link, '198.51.100.9').expect(201);
      expect(await reservations(link)).toBe(places + 1);
      // A response without a place is complete while there is room.
      const last = `/api/public/s/${link.link_token}/responses/${first.at(-1)}`;
      expect(
        (await proxied.post(`${last}/complete`, { answers: ANSWERS }).expect(200)).body.data.response_status,
      ).toBe(quota > places + 1 ? 'complete' : 'screened_out');
    },
  );

  test('has its places back when its responses end', async () => {
    const proxied = anonymous(appOn(app.database, { TRUST_PROXY: '1' }));
    const link = await linkOf({ link_quota: 100 });
    for (let count = 0; count < 15; count += 1) {
      const { body } = await from(proxied, link, '203.0.113.6').expect(201);
      const address = `/api/public/s/${link.link_token}/responses/${body.data.response_token}`;
      await proxied.post(`${address}/complete`, { answers: ANSWERS }).expect(200);
    }
    await from(proxied, link, '203.0.113.6').expect(201);
    expect(await reservations(link)).toBe(1);
  });
});
