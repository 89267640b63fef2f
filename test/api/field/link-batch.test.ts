import { beforeAll, describe, expect, test } from 'vitest';
import { type Actor, anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp({ PUBLIC_URL: 'https://surveys.example' });
const organization = useOrganization(app);
const author = organization.admin;
const BATCH = '/api/surveys/links/batch';
let survey: PublishedSurvey;
let stranger: Actor;

beforeAll(async () => {
  survey = await publishedSurvey(author, [[choice('Q1')]]);
  stranger = (await newOrganization(app)).admin;
});

interface LinkBody {
  link_id: number;
  link_token: string;
  link_status: string;
  link_type: string;
  link_name: string;
  complete_count: number;
}

const batch = (body: object, who = author) => who.post(BATCH, { survey_id: survey.surveyId, ...body });
const create = async (body: object): Promise<LinkBody[]> =>
  (await batch({ action: 'create', ...body }).expect(201)).body.data.links;
const total = async (): Promise<number> =>
  (await author.get(`/api/surveys/${survey.surveyId}/links?limit=1`).expect(200)).body.meta.total;

describe('ten thousand unique links', () => {
  let links: LinkBody[];

  test('are created in one request with distinct tokens', async () => {
    const before = await total();
    const reply = await batch({ action: 'create', count: 10_000, link_type: 'unique' }).expect(201);
    expect(reply.body.data).toMatchObject({ action: 'create', count: 10_000 });
    links = reply.body.data.links;
    expect(new Set(links.map((link) => link.link_token)).size).toBe(10_000);
    expect(links.every((link) => /^[A-Za-z0-9]{20}$/.test(link.link_token))).toBe(true);
    expect(links[0]).toMatchObject({ link_type: 'unique', link_name: 'Unique link', link_status: 'active' });
    expect(await total()).toBe(before + 10_000);
  });

  test('are listed once each over the pages, with their counts', async () => {
    const link = links[4_711]!;
    await anonymous(app)
      .post(`/api/public/s/${link.link_token}/responses`, { answers: { Q1: '1' } })
      .expect(201);
    const listedLinks: LinkBody[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor === null ? '' : `&cursor=${cursor}`;
      const { body } = await author
        .get(`/api/surveys/${survey.surveyId}/links?link_type=unique${query}`)
        .expect(200);
      listedLinks.push(...body.data);
      cursor = body.meta.next_cursor;
    } while (cursor !== null);
    expect(listedLinks.map((link) => link.link_id)).toEqual(links.map((link) => link.link_id));
    expect(listedLinks.filter((link) => link.complete_count > 0)).toMatchObject([
      { link_id: link.link_id, link_status: 'full', complete_count: 1 },
    ]);
    const { body } = await author.get(`/api/surveys/links?link_status=full`).expect(200);
    expect(body.data.map((link: LinkBody) => link.link_id)).toEqual([link.link_id]);
  });

  test('are deleted in one request', async () => {
    const before = await total();
    const ids = links.map((link) => link.link_id);
    const reply = await batch({ action: 'delete', link_ids: ids }).expect(200);
    expect(reply.body.data).toEqual({ action: 'delete', count: 10_000 });
    expect(await total()).toBe(before - 10_000);
    await expectRefused(anonymous(app).get(`/api/public/s/${links[0]!.link_token}`), 410, 'link_deleted');
  });

  test('plus one are rejected', async () => {
    const before = await total();
    await expectInvalidField(batch({ action: 'create', count: 10_001, link_type: 'unique' }), 'count');
    await expectInvalidField(
      batch({ action: 'create', links: Array.from({ length: 10_001 }, () => ({})) }),
      'links',
    );
    await expectInvalidField(
      batch({ action: 'pause', link_ids: Array.from({ length: 10_001 }, (_, i) => i + 1) }),
      'link_ids',
    );
    expect(await total()).toBe(before);
  });
});

describe('a batch', () => {
  test('creates different links in the given order', async () => {
    const links = await create({
      links: [
        {
          link_type: 'panel',
          link_name: 'A panel',
          link_quota: 3,
          redirects: { complete: 'https://a.example/' },
        },
        { link_name: 'Open' },
        { link_type: 'unique', expires_at: '2099-01-01T00:00:00Z' },
      ],
    });
    expect(links).toMatchObject([
      {
        link_type: 'panel',
        link_name: 'A panel',
        link_quota: 3,
        redirects: { complete: 'https://a.example/' },
      },
      { link_type: 'open', link_name: 'Open', link_quota: null },
      { link_type: 'unique', link_name: 'Unique link', expires_at: '2099-01-01T00:00:00.000Z' },
    ]);
  });

  test('creates equal links, unique by default', async () => {
    const links = await create({ count: 2, link_name: 'Letter', expires_at: '2099-01-01' });
    expect(links).toMatchObject([
      { link_type: 'unique', link_name: 'Letter', expires_at: '2099-01-02T00:00:00.000Z' },
      { link_type: 'unique', link_name: 'Letter' },
    ]);
  });

  test('pauses and activates', async () => {
    const ids = (await create({ count: 3 })).map((link) => link.link_id);
    const statuses = async () =>
      (await author.get(`/api/surveys/${survey.surveyId}/links`).expect(200)).body.data
        .filter((link: LinkBody) => ids.includes(link.link_id))
        .map((link: LinkBody) => link.link_status);
    const paused = await batch({ action: 'pause', link_ids: [ids[0], ids[2], ids[0]] }).expect(200);
    expect(paused.body.data).toEqual({ action: 'pause', count: 2 });
    expect(await statuses()).toEqual(['paused', 'active', 'paused']);
    await batch({ action: 'activate', link_ids: ids }).expect(200);
    expect(await statuses()).toEqual(['active', 'active', 'active']);
  });

  test('is recorded as one audit entry of the survey', async () => {
    const ids = (await create({ count: 2 })).map((link) => link.link_id);
    await batch({ action: 'delete', link_ids: ids }).expect(200);
    const { body } = await author
      .get(`/api/audit?object_type=survey&object_id=${survey.surveyId}&limit=2`)
      .expect(200);
    expect(body.data).toMatchObject([
      { action: 'survey.links_deleted', details: { count: 2 } },
      { action: 'survey.links_created', details: { count: 2 } },
    ]);
  });

  test('changes nothing if a link is unknown, and names it', async () => {
    const [mine] = await create({ count: 1 });
    const other = await publishedSurvey(author, [[choice('Q1')]]);
    const otherSurvey = await publishedSurvey(stranger, [[choice('Q1')]]);
    for (const action of ['pause', 'activate', 'delete']) {
      for (const foreign of [other.linkId, otherSurvey.linkId, MISSING_ID]) {
        await expectInvalidField(batch({ action, link_ids: [mine!.link_id, foreign] }), 'link_ids[1]');
      }
    }
    const { body } = await author
      .get(`/api/surveys/${survey.surveyId}/links?search=${mine!.link_token}`)
      .expect(200);
    expect(body.data).toEqual([mine]);
  });

  test.each([
    ['action', { action: 'erase', link_ids: [1] }],
    ['action', {}],
    ['count', { action: 'create' }],
    ['count', { action: 'create', count: 0 }],
    ['count', { action: 'create', count: '5' }],
    ['count', { action: 'create', count: 1, links: [{}] }],
    ['links', { action: 'create', links: [] }],
    ['links[1].link_type', { action: 'create', links: [{}, { link_type: 'closed' }] }],
    [
      'links[0].redirects.complete',
      { action: 'create', links: [{ redirects: { complete: 'javascript:1' } }] },
    ],
    ['link_type', { action: 'create', links: [{}], link_type: 'open' }],
    ['link_name', { action: 'create', links: [{}], link_name: 'All' }],
    ['link_ids', { action: 'create', count: 1, link_ids: [1] }],
    ['link_ids', { action: 'pause' }],
    ['link_ids', { action: 'pause', link_ids: [] }],
    ['link_ids[0]', { action: 'pause', link_ids: [-1] }],
    ['count', { action: 'delete', link_ids: [1], count: 3 }],
    ['link_quota', { action: 'pause', link_ids: [1], link_quota: 3 }],
    ['survey', { action: 'create', count: 1, survey: 3 }],
  ])('is rejected for %s: %j', async (field, body) => {
    const before = await total();
    await expectInvalidField(batch(body), field);
    expect(await total()).toBe(before);
  });

  test('returns 404 for an invisible survey, and 403 for viewers', async () => {
    const before = await total();
    await expectRefused(batch({ action: 'create', count: 1 }, stranger), 404);
    await expectRefused(author.post(BATCH, { action: 'create', count: 1, survey_id: MISSING_ID }), 404);
    await expectInvalidField(author.post(BATCH, { action: 'create', count: 1 }), 'survey_id');
    const { body } = await author.post('/api/workspaces', { workspace_name: 'Other' }).expect(201);
    const elsewhere = `${BATCH}?workspace_id=${body.data.workspace_id}`;
    await expectRefused(
      author.post(elsewhere, { action: 'create', count: 1, survey_id: survey.surveyId }),
      404,
    );
    await batch({ action: 'create', count: 1, workspace_id: organization.workspaceId }).expect(201);
    expect(await total()).toBe(before + 1);
  });
});
