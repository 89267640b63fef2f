import { beforeAll, describe, expect, test } from 'vitest';
import { type Actor, anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { choice } from '../../support/questions.ts';
import { INVALID_IDS, MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { readStoredResponses } from '../../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp({ PUBLIC_URL: 'https://surveys.example' });
const author = useOrganization(app).admin;
const respondent = anonymous(app);
const ANSWERS = { Q1: '1' };
let survey: PublishedSurvey;
let stranger: Actor;

beforeAll(async () => {
  survey = await publishedSurvey(author, [[choice('Q1')]]);
  stranger = (await newOrganization(app)).admin;
});

interface LinkBody {
  link_id: number;
  link_token: string;
  [field: string]: unknown;
}

const links = () => `/api/surveys/${survey.surveyId}/links`;
const at = (link: LinkBody) => `${links()}/${link.link_id}`;

async function linkOf(body: object = {}): Promise<LinkBody> {
  return (await author.post(links(), body).expect(201)).body.data;
}
async function shown(link: LinkBody): Promise<LinkBody> {
  const { body } = await author.get(`${links()}?search=${link.link_token}`).expect(200);
  expect(body.meta.total).toBe(1);
  return body.data[0];
}
const change = async (link: LinkBody, body: object): Promise<LinkBody> =>
  (await author.put(at(link), body).expect(200)).body.data;
const submit = (link: LinkBody) =>
  respondent.post(`/api/public/s/${link.link_token}/responses`, { answers: ANSWERS });

describe('a link', () => {
  test('changes only the given fields', async () => {
    const link = await linkOf({
      link_name: 'Before',
      link_quota: 5,
      expires_at: '2099-01-01T00:00:00Z',
      redirects: { complete: 'https://a.example/', default: 'https://b.example/' },
    });
    const changed = await change(link, { link_name: 'After', redirects: { complete: 'https://c.example/' } });
    expect(changed).toEqual({
      ...link,
      link_name: 'After',
      redirects: { ...(link.redirects as object), complete: 'https://c.example/' },
    });
    expect(await shown(link)).toEqual(changed);
    expect(await change(link, { link_quota: null, expires_at: null, redirects: null })).toMatchObject({
      link_name: 'After',
      link_quota: null,
      expires_at: null,
      redirects: { complete: null, default: null },
    });
    expect(await change(link, { expires_at: '2099-01-01' })).toMatchObject({
      expires_at: '2099-01-02T00:00:00.000Z',
    });
    const { body } = await author.get(`/api/audit?object_type=link&object_id=${link.link_id}`).expect(200);
    expect(
      body.data.map((entry: { action: string; details: unknown }) => [entry.action, entry.details]),
    ).toEqual([
      ['link.updated', { fields: ['expiresAt'] }],
      ['link.updated', { fields: ['quota', 'expiresAt', 'redirects'] }],
      ['link.updated', { fields: ['name', 'redirects'] }],
      ['link.created', null],
    ]);
  });

  test.each([
    ['open', {}],
    ['unique', {}],
    ['panel', { link_quota: 3, redirects: { over_quota: 'https://a.example/{{external_id}}' } }],
    ['open', { expires_at: '2020-01-01T00:00:00Z' }],
  ])('of type %s accepts its own reply: %j', async (link_type, body) => {
    const link = await linkOf({ link_type, ...body });
    expect(await change(link, link)).toEqual(link);
  });

  test('can be paused and resumed; while paused, no response starts but started ones continue', async () => {
    const link = await linkOf();
    const started = await startResponse(respondent, link.link_token);
    expect((await change(link, { link_status: 'paused' })).link_status).toBe('paused');
    expect((await submit(link).expect(409)).body.code).toBe('link_paused');
    await started.complete(ANSWERS).expect(200);
    // What it shows for another reason says nothing about that.
    await author.put(at(link), { link_quota: 1 }).expect(200);
    expect((await shown(link)).link_status).toBe('full');
    await change(link, { link_status: 'full' });
    expect((await change(link, { link_quota: null })).link_status).toBe('paused');
    expect((await change(link, { link_status: 'active' })).link_status).toBe('active');
    await submit(link).expect(201);
  });

  test('shows the same status (active, full, closed, expired) that respondents get', async () => {
    const own = await publishedSurvey(author, [[choice('Q1')]]);
    const make = async (body: object): Promise<LinkBody> =>
      (await author.post(`/api/surveys/${own.surveyId}/links`, body).expect(201)).body.data;
    const unique = await make({ link_type: 'unique' });
    expect(unique.link_status).toBe('active');
    await submit(unique).expect(201);
    expect((await submit(unique).expect(409)).body.code).toBe('quota_full');
    const expired = await make({ expires_at: '2020-01-01T00:00:00Z' });
    expect((await submit(expired).expect(410)).body.code).toBe('link_expired');
    const statuses = async () =>
      (await author.get(`/api/surveys/${own.surveyId}/links`).expect(200)).body.data.map(
        (link: LinkBody) => link.link_status,
      );
    expect(await statuses()).toEqual(['active', 'full', 'expired']);
    await author.put(`/api/surveys/${own.surveyId}`, { survey_status: 3 }).expect(200);
    expect(await statuses()).toEqual(['closed', 'closed', 'expired']);
  });

  test('cannot change its type', async () => {
    const link = await linkOf({ link_type: 'unique' });
    await expectInvalidField(author.put(at(link), { link_type: 'open' }), 'link_type');
    expect(await shown(link)).toEqual(link);
  });

  test.each([
    ['link_name', ' '],
    ['link_name', null],
    ['link_quota', 0],
    ['link_quota', '5'],
    ['link_status', 'stopped'],
    ['expires_at', 'tomorrow'],
    ['expires_at', '2030-01-01T00:00:00'],
    ['expires_at', '2030-02-30'],
    ['wave_id', 1],
    ['wave_id', '1'],
    ['deleted_at', null],
  ])('rejects %s %j unchanged', async (field, value) => {
    const link = await linkOf();
    await expectInvalidField(author.put(at(link), { link_name: 'Other', [field]: value }), field);
    expect(await shown(link)).toEqual(link);
  });

  test('returns 404 for another survey, another organization or no caller', async () => {
    const link = await linkOf();
    const other = await publishedSurvey(author, [[choice('Q1')]]);
    const elsewhere = `/api/surveys/${other.surveyId}/links/${link.link_id}`;
    for (const method of ['put', 'delete'] as const) {
      await expectRefused(author[method](elsewhere, {}), 404);
      await expectRefused(stranger[method](at(link), {}), 404);
      await expectRefused(author[method](`${links()}/${MISSING_ID}`, {}), 404);
      for (const id of INVALID_IDS) await expectRefused(author[method](`${links()}/${id}`, {}), 400);
    }
    expect(await shown(link)).toEqual(link);
  });
});

describe('a quota that is set while responses are in progress', () => {
  test('counts them: they hold reservations, and no other response starts', async () => {
    const link = await linkOf();
    const startedResponses = [
      await startResponse(respondent, link.link_token),
      await startResponse(respondent, link.link_token),
    ];
    await change(link, { link_quota: 2 });
    expect((await submit(link).expect(409)).body.code).toBe('quota_full');
    for (const response of startedResponses) {
      expect((await response.complete(ANSWERS).expect(200)).body.data.response_status).toBe('complete');
    }
  });

  test('below the complete count makes the link full, and ends the others over quota', async () => {
    const link = await linkOf({ link_quota: 5 });
    await submit(link).expect(201);
    const late = await startResponse(respondent, link.link_token);
    expect((await change(link, { link_quota: 1 })).link_status).toBe('full');
    expect((await late.complete(ANSWERS).expect(200)).body.data.status_reason).toBe('over_quota');
    await change(link, { link_quota: 2 });
    await submit(link).expect(201);
  });
});

describe('counts', () => {
  test('stay correct when responses are deleted and restored, and a full link accepts others meanwhile', async () => {
    const link = await linkOf({ link_quota: 2 });
    const { response_id } = (await submit(link).expect(201)).body.data;
    await submit(link).expect(201);
    expect(await shown(link)).toMatchObject({ response_count: 2, complete_count: 2, link_status: 'full' });
    const responses = `/api/responses/${survey.surveyId}`;
    await author.post(`${responses}/bulk`, { action: 'delete', response_ids: [response_id] }).expect(200);
    expect(await shown(link)).toMatchObject({ response_count: 1, complete_count: 1, link_status: 'active' });
    await submit(link).expect(201);
    const changes = await author.get(`${responses}/changes`).expect(200);
    await author.post(`${responses}/changes/${changes.body.data[0].change_id}/undo`, {}).expect(200);
    expect(await shown(link)).toMatchObject({ response_count: 3, complete_count: 3, link_status: 'full' });
    await submit(link).expect(409);
  });
});

describe('a deleted link', () => {
  test('is removed from lists and for respondents, while its responses stay', async () => {
    const link = await linkOf();
    await submit(link).expect(201);
    await author.delete(at(link)).expect(204);
    expect((await author.get(`${links()}?search=${link.link_token}`).expect(200)).body.data).toEqual([]);
    await expectRefused(author.delete(at(link)), 404);
    await expectRefused(author.put(at(link), { link_name: 'Back' }), 404);
    await expectRefused(author.get(`${at(link)}/qr`), 404);
    expect((await submit(link).expect(410)).body.code).toBe('link_deleted');
    expect((await respondent.get(`/api/public/s/${link.link_token}`).expect(410)).body.code).toBe(
      'link_deleted',
    );
    const kept = (await readStoredResponses(app, survey.surveyId)).filter(
      (response) => response.link_id === link.link_id,
    );
    expect(kept).toMatchObject([{ response_status: 'complete', deleted_at: null }]);
  });

  test('lets started responses finish within an hour', async () => {
    const link = await linkOf({ link_quota: 3 });
    const [soon, late] = [
      await startResponse(respondent, link.link_token),
      await startResponse(respondent, link.link_token),
    ];
    await author.delete(at(link)).expect(204);
    await soon.save(ANSWERS).expect(200);
    expect((await soon.complete().expect(200)).body.data.response_status).toBe('complete');
    const afterAnHour = { now: () => new Date(Date.now() + 61 * 60_000) };
    const later = anonymous(appOn(app.database, {}, { clock: afterAnHour }));
    await expectRefused(later.post(`${late.address}/complete`, { answers: ANSWERS }), 410, 'link_deleted');
  });
});
