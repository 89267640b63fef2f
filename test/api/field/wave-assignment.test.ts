import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Actor, anonymous, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { readStoredResponse } from '../../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { daysFromNow, type Wave, createWave } from '../../support/waves.ts';

const app = useApp({ PUBLIC_URL: 'https://surveys.example' });
const author = useOrganization(app).admin;
const MINUTE_MS = 60_000;
/** What the respondent's clock is before the author's. */
let laterMs = 0;
let respondent: Actor;
let survey: PublishedSurvey;

beforeAll(() => {
  respondent = anonymous(appOn(app.database, {}, { clock: { now: () => new Date(Date.now() + laterMs) } }));
});

beforeEach(async () => {
  laterMs = 0;
  survey = await publishedSurvey(author);
});

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString();
const submit = (token = survey.linkToken) =>
  respondent.post(`/api/public/s/${token}/responses`, { answers: { Q1: '1' } });
const open = (token = survey.linkToken) => respondent.get(`/api/public/s/${token}`);
const wave = (body: object): Promise<Wave> => createWave(author, survey.surveyId, body);
const linkOf = async (body: object): Promise<{ link_id: number; link_token: string; link_status: string }> =>
  (await author.post(`/api/surveys/${survey.surveyId}/links`, body).expect(201)).body.data;
const statusOf = async (linkId: number): Promise<string> => {
  const { body } = await author.get(`/api/surveys/${survey.surveyId}/links`).expect(200);
  return body.data.find((link: { link_id: number }) => link.link_id === linkId).link_status;
};
async function waveOfResponse(reply: { body: { data: { response_id: number } } }): Promise<number | null> {
  return (await readStoredResponse(app, reply.body.data.response_id)).wave_id as number | null;
}

describe('a response', () => {
  test('of a survey without waves belongs to none', async () => {
    expect(await waveOfResponse(await submit().expect(201))).toBe(null);
  });

  test('belongs to the wave that is open when it starts, the latest of several', async () => {
    await wave({ wave_start_date: null });
    await wave({ wave_start_date: daysFromNow(-3), wave_end_date: daysFromNow(-2) });
    const latest = await wave({ wave_start_date: daysFromNow(-1), wave_end_date: daysFromNow(1) });
    await wave({ wave_start_date: daysFromNow(-2) });
    await wave({ wave_start_date: daysFromNow(1) });
    expect(await waveOfResponse(await submit().expect(201))).toBe(latest.wave_id);
  });

  test('belongs to the wave of its link, even if others are open', async () => {
    const older = await wave({ wave_start_date: daysFromNow(-3) });
    await wave({ wave_start_date: daysFromNow(-1) });
    const link = await linkOf({ wave_id: older.wave_id });
    expect(link).toMatchObject({ wave_id: older.wave_id, link_status: 'active' });
    expect(await waveOfResponse(await submit(link.link_token).expect(201))).toBe(older.wave_id);
  });

  test('keeps its wave when the next one starts meanwhile', async () => {
    const first = await wave({ wave_end_date: inMinutes(10) });
    const second = await wave({ wave_start_date: inMinutes(10) });
    const started = await startResponse(respondent, survey.linkToken);
    laterMs = 11 * MINUTE_MS;
    expect(await waveOfResponse(await submit().expect(201))).toBe(second.wave_id);
    const ended = await started.complete({ Q1: '2' }).expect(200);
    expect(ended.body.data.response_status).toBe('complete');
    expect(await waveOfResponse(ended)).toBe(first.wave_id);
  });

  test('belongs to no wave if it is a preview or comes from an integration', async () => {
    await wave({});
    const preview = await author.post(`/api/surveys/${survey.surveyId}/preview`, {}).expect(201);
    const tried = await submit(preview.body.data.preview_token as string).expect(201);
    expect(await waveOfResponse(tried)).toBe(null);
    const rows = { rows: [{ answers: { Q1: '1' } }] };
    const added = await author.post(`/api/responses/${survey.surveyId}/rows`, rows).expect(201);
    const [responseId] = added.body.data.response_ids as number[];
    expect(await waveOfResponse({ body: { data: { response_id: responseId! } } })).toBe(null);
  });
});

describe('no response starts', () => {
  test('before the first wave opens; the error names the opening time', async () => {
    const { wave_start_date: start } = await wave({ wave_start_date: '2031-03-01T09:30:00+01:00' });
    expect(start).toBe('2031-03-01T08:30:00.000Z');
    await wave({ wave_start_date: '2032-01-01' });
    const refusal = await expectRefused(submit(), 409, 'wave_not_open');
    expect(refusal.message).toContain('1 March 2031');
    expect(refusal.message).toContain('08:30 (UTC)');
    await expectRefused(open(), 409, 'wave_not_open');
    expect(await statusOf(survey.linkId)).toBe('closed');
  });

  test('after the last wave has ended', async () => {
    await wave({ wave_end_date: inMinutes(5) });
    await submit().expect(201);
    laterMs = 5 * MINUTE_MS;
    await expectRefused(submit(), 409, 'wave_ended');
    await expectRefused(open(), 409, 'wave_ended');
  });

  test('through a link of an ended wave, even if another one is open', async () => {
    const past = await wave({ wave_end_date: daysFromNow(-1) });
    const future = await wave({ wave_start_date: daysFromNow(1) });
    await wave({ wave_start_date: daysFromNow(-1) });
    const toPast = await linkOf({ wave_id: past.wave_id });
    const toFuture = await linkOf({ wave_id: future.wave_id });
    expect([toPast.link_status, toFuture.link_status]).toEqual(['closed', 'closed']);
    await expectRefused(submit(toPast.link_token), 409, 'wave_ended');
    await expectRefused(submit(toFuture.link_token), 409, 'wave_not_open');
    await submit().expect(201);
    expect(await statusOf(survey.linkId)).toBe('active');
    const closed = await author
      .get(`/api/surveys/links?link_status=closed&survey_id=${survey.surveyId}`)
      .expect(200);
    expect(closed.body.data.map((link: { link_id: number }) => link.link_id).sort()).toEqual(
      [toPast.link_id, toFuture.link_id].sort(),
    );
  });

  test('until new dates reopen the wave; a deleted wave has no effect', async () => {
    const only = await wave({ wave_end_date: daysFromNow(-1) });
    await expectRefused(submit(), 409, 'wave_ended');
    await author.put(`/api/surveys/waves/${only.wave_id}`, { wave_end_date: daysFromNow(1) }).expect(200);
    expect(await waveOfResponse(await submit().expect(201))).toBe(only.wave_id);
    const other = await publishedSurvey(author);
    const deletedWave = await createWave(author, other.surveyId, { wave_start_date: daysFromNow(1) });
    await expectRefused(submit(other.linkToken), 409, 'wave_not_open');
    await author.delete(`/api/surveys/waves/${deletedWave.wave_id}`).expect(204);
    await submit(other.linkToken).expect(201);
  });
});

describe('a response in progress when a wave ends', () => {
  test('can be continued and completed within an hour', async () => {
    await wave({ wave_end_date: inMinutes(5) });
    const started = await startResponse(respondent, survey.linkToken);
    const open = await started.save({ Q1: '1' }, survey.pageIds[0]).expect(200);
    expect(open.body.data).toMatchObject({ survey_closed: false });
    laterMs = 64 * MINUTE_MS;
    const ended = await started.save({ Q1: '1' }, survey.pageIds[0]).expect(200);
    expect(ended.body.data).toMatchObject({ survey_closed: true });
    const resumed = await started.resume().expect(200);
    expect(resumed.body.data).toMatchObject({ survey_closed: true });
    await started.complete().expect(200);
  });

  test('is rejected afterwards, even while the next wave is open, and stays unchanged', async () => {
    await wave({ wave_end_date: inMinutes(5) });
    const started = await startResponse(respondent, survey.linkToken, { answers: { Q1: '1' } });
    const before = await readStoredResponse(app, started.responseId);
    await wave({ wave_start_date: inMinutes(5) });
    laterMs = 66 * MINUTE_MS;
    await submit().expect(201);
    await expectRefused(started.save({ Q1: '2' }), 409, 'wave_ended');
    await expectRefused(started.resume(), 409, 'wave_ended');
    await expectRefused(started.complete(), 409, 'wave_ended');
    expect(await readStoredResponse(app, started.responseId)).toEqual(before);
  });

  test('repeats its outcome at any time if it was complete', async () => {
    await wave({ wave_end_date: inMinutes(5) });
    const started = await startResponse(respondent, survey.linkToken);
    await started.complete({ Q1: '1' }).expect(200);
    laterMs = 120 * MINUTE_MS;
    expect((await started.complete({}).expect(200)).body.data.response_status).toBe('complete');
  });
});

describe('the page of a survey', () => {
  const page = async (token: string, status: number) =>
    (await respondent.get(`/s/${token}`).expect(status)).text;
  const state = (html: string) =>
    JSON.parse(/<script[^>]*id="state"[^>]*>(.*?)<\/script>/s.exec(html)![1]!) as Record<string, unknown>;

  test('shows the opening time but no questions before it opens', async () => {
    await wave({ wave_start_date: '2031-03-01' });
    expect(state(await page(survey.linkToken, 409))).toMatchObject({
      kind: 'unavailable',
      reason: 'wave_not_open',
      opensAt: '2031-03-01T00:00:00.000Z',
      messages: { en: { wave_not_open: 'This survey is not open yet' } },
    });
  });

  test('lets only started responses continue after the wave ended', async () => {
    await wave({ wave_end_date: inMinutes(5) });
    await wave({ wave_start_date: daysFromNow(1) });
    laterMs = 10 * MINUTE_MS;
    expect(state(await page(survey.linkToken, 200))).toMatchObject({
      kind: 'survey',
      newResponsesBlockedBy: 'wave_ended',
    });
    // An hour later no response is in progress, so the next wave applies.
    laterMs = 70 * MINUTE_MS;
    expect(state(await page(survey.linkToken, 409))).toMatchObject({ reason: 'wave_not_open' });
  });
});

describe('the wave of a link', () => {
  test('can be set, changed and removed', async () => {
    const first = await wave({ wave_start_date: daysFromNow(-2) });
    const second = await wave({ wave_start_date: daysFromNow(1) });
    const link = await linkOf({ wave_id: first.wave_id });
    const at = `/api/surveys/${survey.surveyId}/links/${link.link_id}`;
    const changed = await author.put(at, { wave_id: second.wave_id }).expect(200);
    expect(changed.body.data).toMatchObject({ wave_id: second.wave_id, link_status: 'closed' });
    const reply = await author.put(at, { link_name: 'Named' }).expect(200);
    expect(reply.body.data.wave_id).toBe(second.wave_id);
    const freed = await author.put(at, { ...reply.body.data, wave_id: null }).expect(200);
    expect(freed.body.data).toMatchObject({ wave_id: null, link_status: 'active' });
  });

  test('must be of the same survey, else the field is named and nothing is created', async () => {
    const other = await publishedSurvey(author);
    const { wave_id: strange } = await createWave(author, other.surveyId);
    const { wave_id: own } = await wave({});
    const links = `/api/surveys/${survey.surveyId}/links`;
    const before = (await author.get(links).expect(200)).body;
    await expectInvalidField(author.post(links, { wave_id: strange }), 'wave_id');
    await expectInvalidField(author.put(`${links}/${survey.linkId}`, { wave_id: strange }), 'wave_id');
    for (const bad of ['1', 1.5, -1, 1e17])
      await expectInvalidField(author.post(links, { wave_id: bad }), 'wave_id');
    const batch = (body: object) =>
      author.post('/api/surveys/links/batch', { action: 'create', survey_id: survey.surveyId, ...body });
    await expectInvalidField(batch({ count: 3, wave_id: strange }), 'wave_id');
    await expectInvalidField(
      batch({ links: [{ wave_id: own }, {}, { wave_id: strange }] }),
      'links[2].wave_id',
    );
    expect((await author.get(links).expect(200)).body).toEqual(before);
    const created = await batch({ count: 2, wave_id: own }).expect(201);
    expect(created.body.data.links.map((wave: { wave_id: number }) => wave.wave_id)).toEqual([own, own]);
  });
});

describe('the counts of a wave', () => {
  const counts = async ({ wave_id }: Wave) => {
    const { rows } = await app.database.db.raw(
      `SELECT coalesce(sum(partial), 0)::int AS partial, coalesce(sum(complete), 0)::int AS complete,
         coalesce(sum(screened_out), 0)::int AS screened_out FROM wave_counts WHERE survey_id = ? AND wave_id = ?`,
      [survey.surveyId, wave_id],
    );
    return rows[0];
  };
  const completed = async ({ wave_id }: Wave): Promise<number> =>
    (await author.get(`/api/surveys/waves/${wave_id}`).expect(200)).body.data.completed;

  test('follow the start, end, deletion and restoration of responses', async () => {
    const one = await wave({});
    const started = await startResponse(respondent, survey.linkToken);
    expect(await counts(one)).toEqual({ partial: 1, complete: 0, screened_out: 0 });
    await started.complete({ Q1: '1' }).expect(200);
    await submit().expect(201);
    expect(await counts(one)).toEqual({ partial: 0, complete: 2, screened_out: 0 });
    expect(await completed(one)).toBe(2);
    const removal = await author
      .post(`/api/responses/${survey.surveyId}/bulk`, {
        action: 'delete',
        response_ids: [started.responseId],
      })
      .expect(200);
    expect(await completed(one)).toBe(1);
    await author
      .post(`/api/responses/${survey.surveyId}/changes/${removal.body.data.change_id}/undo`, {})
      .expect(200);
    expect(await completed(one)).toBe(2);
  });

  test('exclude previews, seeded responses and those of other waves', async () => {
    const one = await wave({ wave_end_date: inMinutes(5) });
    await submit().expect(201);
    await author.post(`/api/responses/${survey.surveyId}/seed`, { count: 5 }).expect(201);
    const other = await wave({ wave_start_date: inMinutes(5) });
    laterMs = 6 * MINUTE_MS;
    await submit().expect(201);
    expect([await completed(one), await completed(other)]).toEqual([1, 1]);
  });

  test('prevent deletion of the wave, even if all its responses are deleted', async () => {
    const one = await wave({});
    const { body } = await submit().expect(201);
    await author
      .post(`/api/responses/${survey.surveyId}/bulk`, {
        action: 'delete',
        response_ids: [body.data.response_id],
      })
      .expect(200);
    expect(await completed(one)).toBe(0);
    await expectRefused(author.delete(`/api/surveys/waves/${one.wave_id}`), 409, 'wave_has_responses');
  });
});
