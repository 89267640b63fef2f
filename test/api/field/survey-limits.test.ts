import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, anonymous, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { startResponse } from '../../support/start-response.ts';
import { draftSurvey, type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const { admin } = useOrganization(app);
const respondent = anonymous(app);
const ANSWERS = { Q1: '1' };
const HOUR_MS = 3_600_000;
let laterMs = 0;
let later: Actor;
let processes: Actor[];

beforeAll(() => {
  later = anonymous(appOn(app.database, {}, { clock: { now: () => new Date(Date.now() + laterMs) } }));
  processes = [respondent, anonymous(appOn(app.database))];
});

const set = (surveyId: number, survey_settings: object) =>
  admin.put(`/api/surveys/${surveyId}`, { survey_settings });
const limited = async (survey_settings: object): Promise<PublishedSurvey> => {
  const survey = await publishedSurvey(admin, [[choice('Q1')]]);
  await set(survey.surveyId, survey_settings).expect(200);
  return survey;
};
const submit = (token: string, who = respondent) =>
  who.post(`/api/public/s/${token}/responses`, { answers: ANSWERS });
const stateOf = async (surveyId: number) => {
  const { collection_status, complete_count, closes_at, response_limit } = (
    await admin.get(`/api/surveys/${surveyId}`).expect(200)
  ).body.data;
  return { collection_status, complete_count, closes_at, response_limit };
};
const linksOf = async (surveyId: number) =>
  (await admin.get(`/api/surveys/${surveyId}/links`).expect(200)).body.data as {
    link_id: number;
    link_status: string;
  }[];
const addLink = async (surveyId: number, body: object) =>
  (await admin.post(`/api/surveys/${surveyId}/links`, body).expect(201)).body.data as { link_token: string };
const expireReservations = (surveyId: number) =>
  app.database.db.raw(
    `UPDATE link_reservations SET reserved_until = now() - interval '1 second' WHERE survey_id = ?`,
    [surveyId],
  );

describe('response_limit', () => {
  it('counts complete responses over all links, and closes the survey', async () => {
    const { surveyId, linkToken } = await limited({ response_limit: 2 });
    const other = await addLink(surveyId, { link_name: 'Other' });
    await submit(linkToken).expect(201);
    expect(await stateOf(surveyId)).toMatchObject({ collection_status: 'open', response_limit: 2 });
    await submit(other.link_token).expect(201);
    for (const token of [linkToken, other.link_token]) {
      expect((await submit(token).expect(409)).body.code).toBe('quota_full');
      const page = await respondent.get(`/s/${token}`).expect(200);
      expect(page.text).toContain('This survey is closed');
    }
    expect(await stateOf(surveyId)).toMatchObject({ collection_status: 'full', complete_count: 2 });
    expect((await linksOf(surveyId)).map(({ link_status: status }) => status)).toEqual(['full', 'full']);
    const found = await admin.get(`/api/surveys/links?survey_id=${surveyId}&link_status=full`).expect(200);
    expect(found.body.data).toHaveLength(2);
    await set(surveyId, { response_limit: 3 }).expect(200);
    await submit(linkToken).expect(201);
    await set(surveyId, { response_limit: null }).expect(200);
    await submit(linkToken).expect(201);
  });

  it('holds a place for a started response, also one that started before the limit was set', async () => {
    const { surveyId, linkToken } = await publishedSurvey(admin, [[choice('Q1')]]);
    const early = await startResponse(respondent, linkToken);
    await set(surveyId, { response_limit: 2 }).expect(200);
    const started = await startResponse(respondent, linkToken);
    await submit(linkToken).expect(409);
    for (const response of [early, started]) {
      await response.save(ANSWERS).expect(200);
      expect((await response.complete(ANSWERS).expect(200)).body.data.response_status).toBe('complete');
    }
    expect(await stateOf(surveyId)).toMatchObject({ complete_count: 2 });
  });

  it('is never exceeded and is filled by fifty respondents of two processes and three kinds of links', async () => {
    const { surveyId, linkToken } = await limited({ response_limit: 10 });
    const quota = await addLink(surveyId, { link_quota: 6 });
    const tokens = [linkToken, quota.link_token];
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const who = processes[index % 2]!;
        const token = tokens[index % 3 === 0 ? 1 : 0]!;
        if (index % 5 < 2) return submit(token, who);
        const body = { answers: {}, status: 'partial' };
        const started = await who.post(`/api/public/s/${token}/responses`, body);
        if (started.status !== 201) return;
        const address = `/api/public/s/${token}/responses/${started.body.data.response_token}`;
        if (index % 2 === 0) await who.patch(address, { answers: ANSWERS }).expect(200);
        if (index % 5 === 4) return;
        expect([200, 409]).toContain((await who.post(`${address}/complete`, { answers: ANSWERS })).status);
      }),
    );
    const { complete_count: first } = await stateOf(surveyId);
    expect(first).toBeLessThanOrEqual(10);
    await expireReservations(surveyId);
    await Promise.all(Array.from({ length: 20 }, (_, index) => submit(linkToken, processes[index % 2])));
    expect(await stateOf(surveyId)).toMatchObject({ complete_count: 10, collection_status: 'full' });
  });

  it('shares the rest with those whose places expired, on a link with its own quota', async () => {
    const { surveyId } = await limited({ response_limit: 4 });
    const { link_token: token } = await addLink(surveyId, { link_quota: 5 });
    const started = await Promise.all(
      Array.from({ length: 4 }, (_, index) => startResponse(processes[index % 2]!, token)),
    );
    await expireReservations(surveyId);
    const [returned] = await Promise.all([
      Promise.all(
        started.map(async (response) => {
          await response.save(ANSWERS);
          return response.complete(ANSWERS);
        }),
      ),
      Promise.all(Array.from({ length: 10 }, (_, index) => submit(token, processes[index % 2]))),
    ]);
    expect(await stateOf(surveyId)).toMatchObject({ complete_count: 4 });
    const ends = returned.map(({ body }) => body.data?.response_status ?? body.code);
    expect(
      ends.every((end) => ['complete', 'screened_out', 'quota_full', 'response_ended'].includes(end)),
    ).toBe(true);
  });

  it('counts responses of unique links and of integrations, and refuses none of the latter', async () => {
    const { surveyId } = await limited({ response_limit: 2 });
    const unique = await addLink(surveyId, { link_type: 'unique' });
    await submit(unique.link_token).expect(201);
    const rows = [{ answers: ANSWERS }, { answers: ANSWERS }];
    await admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
    expect(await stateOf(surveyId)).toMatchObject({ complete_count: 3, collection_status: 'full' });
    const another = await addLink(surveyId, { link_type: 'unique' });
    await submit(another.link_token).expect(409);
  });

  it('ignores screened-out, test and deleted responses', async () => {
    const { surveyId, linkToken } = await limited({ response_limit: 1 });
    const { body } = await submit(linkToken).expect(201);
    await submit(linkToken).expect(409);
    const bulk = { action: 'delete', response_ids: [body.data.response_id] };
    await admin.post(`/api/responses/${surveyId}/bulk`, bulk).expect(200);
    await submit(linkToken).expect(201);
  });
});

describe('closes_at', () => {
  it('closes the survey for new respondents; started ones have an hour', async () => {
    laterMs = 0;
    const closesAt = new Date(Date.now() + HOUR_MS).toISOString();
    const { surveyId, linkToken } = await limited({ closes_at: closesAt });
    await submit(linkToken, later).expect(201);
    const [first, second] = [await startResponse(later, linkToken), await startResponse(later, linkToken)];
    laterMs = 1.5 * HOUR_MS;
    expect((await submit(linkToken, later).expect(409)).body.code).toBe('survey_closed');
    const page = await later.get(`/s/${linkToken}`).expect(200);
    expect(page.text).toContain('This survey is closed');
    await first.complete(ANSWERS).expect(200);
    laterMs = 2.1 * HOUR_MS;
    expect((await second.complete(ANSWERS).expect(409)).body.code).toBe('survey_closed');
    expect(await stateOf(surveyId)).toMatchObject({ collection_status: 'open', closes_at: closesAt });
  });

  it('shows as closed in the survey and its links, and reopens when it is moved', async () => {
    const { surveyId, linkToken } = await limited({ closes_at: '2020-01-01T00:00:00+01:00' });
    expect(await stateOf(surveyId)).toMatchObject({
      collection_status: 'closed',
      closes_at: '2019-12-31T23:00:00.000Z',
    });
    expect(await linksOf(surveyId)).toMatchObject([{ link_status: 'closed' }]);
    for (const [status, count] of [
      ['closed', 1],
      ['active', 0],
    ] as const) {
      const found = await admin
        .get(`/api/surveys/links?survey_id=${surveyId}&link_status=${status}`)
        .expect(200);
      expect(found.body.data).toHaveLength(count);
    }
    await set(surveyId, { closes_at: null }).expect(200);
    await submit(linkToken).expect(201);
  });

  it('takes a date as the end of that day in the time zone of the survey', async () => {
    const { surveyId } = await draftSurvey(admin, {
      pages: [[choice('Q1')]],
      settings: { timezone: 'America/New_York' },
    });
    await set(surveyId, { closes_at: '2027-07-01' }).expect(200);
    expect(await stateOf(surveyId)).toMatchObject({ closes_at: '2027-07-02T04:00:00.000Z' });
    await set(surveyId, { closes_at: '2027-07-01T18:30' }).expect(200);
    expect(await stateOf(surveyId)).toMatchObject({ closes_at: '2027-07-01T22:30:00.000Z' });
    await set(surveyId, { closes_at: '2027-07-01', timezone: 'Asia/Tokyo' }).expect(200);
    expect(await stateOf(surveyId)).toMatchObject({ closes_at: '2027-07-01T15:00:00.000Z' });
  });

  it('is not copied to duplicates and files', async () => {
    const { surveyId } = await limited({ closes_at: '2020-01-01', response_limit: 5 });
    const copy = await admin.post(`/api/surveys/${surveyId}/duplicate`).expect(201);
    expect(copy.body.data).toMatchObject({ closes_at: null, response_limit: null });
    const file = await admin.get(`/api/surveys/${surveyId}/export`).expect(200);
    expect(JSON.stringify(file.body)).not.toMatch(/closes_at|response_limit/);
  });

  it('can be set when a survey is created or imported', async () => {
    const survey_settings = { closes_at: '2030-05-05', response_limit: 9 };
    const created = await admin.post('/api/surveys', { survey_name: 'New', survey_settings }).expect(201);
    const expected = { closes_at: '2030-05-06T00:00:00.000Z', response_limit: 9 };
    expect(created.body.data).toMatchObject({ ...expected, survey_settings: expected });
    const imported = await draftSurvey(admin, { pages: [[choice('Q1')]], settings: survey_settings });
    expect(await stateOf(imported.surveyId)).toMatchObject(expected);
  });
});

describe('invalid limits', () => {
  it.each([
    ['closes_at', 'tomorrow'],
    ['closes_at', '2027-02-30'],
    ['closes_at', '2027-01-01T25:00'],
    ['closes_at', '0000-01-01'],
    ['closes_at', '9'.repeat(500)],
    ['closes_at', 5],
    ['response_limit', 0],
    ['response_limit', -1],
    ['response_limit', 1.5],
    ['response_limit', 1e12],
    ['response_limit', '5'],
    ['response_limit', true],
  ])('refuses %s %j', async (field, value) => {
    const { surveyId } = await draftSurvey(admin, [[choice('Q1')]]);
    const { body } = await set(surveyId, { [field]: value }).expect(400);
    expect(body.details[0].field).toBe(`survey_settings.${field}`);
  });
});
