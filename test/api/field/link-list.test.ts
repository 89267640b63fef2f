import { beforeAll, describe, expect, test } from 'vitest';
import { newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice } from '../../support/questions.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { draftSurvey, type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp({ PUBLIC_URL: 'https://surveys.example' });
const organization = useOrganization(app);
const author = organization.admin;
const LIST = '/api/surveys/links';
let first: PublishedSurvey;
let second: PublishedSurvey;

interface Listed {
  link_id: number;
  survey_id: number;
  link_name: string;
  link_status: string;
}

const read = async (query = ''): Promise<Listed[]> =>
  (await author.get(`${LIST}?${query}`).expect(200)).body.data;
const names = async (query: string) => (await read(query)).map((link) => link.link_name);

beforeAll(async () => {
  first = await publishedSurvey(author, [[choice('Q1')]]);
  second = await publishedSurvey(author, [[choice('Q1')]]);
  const make = async (surveyId: number, body: object): Promise<number> =>
    (await author.post(`/api/surveys/${surveyId}/links`, body).expect(201)).body.data.link_id;
  const full = await make(first.surveyId, { link_name: 'Full panel', link_type: 'panel', link_quota: 1 });
  const used = await make(first.surveyId, { link_name: 'Used', link_type: 'unique' });
  const over = await make(second.surveyId, { link_name: 'Over', expires_at: '2020-01-01T00:00:00Z' });
  const halted = await make(second.surveyId, { link_name: 'Halted 100%', link_quota: 9 });
  await author.put(`/api/surveys/${second.surveyId}/links/${halted}`, { link_status: 'paused' }).expect(200);
  const draft = await draftSurvey(author);
  await make(draft.surveyId, { link_name: 'Of a draft' });
  for (const [surveyId, linkId] of [
    [first.surveyId, full],
    [first.surveyId, used],
    [second.surveyId, over],
    [second.surveyId, halted],
  ] as const) {
    await insertResponse(app, surveyId, { linkId });
  }
});

describe('the links of a workspace', () => {
  test('lists those of all its surveys, newest first, as each survey shows them', async () => {
    const all = await read();
    expect(all.map((link) => link.link_name)).toEqual([
      'Of a draft',
      'Halted 100%',
      'Over',
      'Used',
      'Full panel',
      'Public link',
      'Public link',
    ]);
    for (const { surveyId } of [first, second]) {
      const { body } = await author.get(`/api/surveys/${surveyId}/links`).expect(200);
      const listed = all.filter((link) => link.survey_id === surveyId);
      expect([...listed].reverse()).toEqual(body.data);
      expect(await read(`survey_id=${surveyId}`)).toEqual(listed);
    }
  });

  test('filters by type, status and search', async () => {
    expect(await names('link_type=panel')).toEqual(['Full panel']);
    expect(await names('search=FULL')).toEqual(['Full panel']);
    expect(await names('search=100%25')).toEqual(['Halted 100%']);
    expect(await names('search=%25')).toEqual(['Halted 100%']);
    expect(await names(`search=${first.linkToken}`)).toEqual(['Public link']);
    expect(await names(`survey_id=${first.surveyId}&link_type=unique&link_status=full`)).toEqual(['Used']);
    expect(await names(`survey_id=${first.surveyId}&link_status=paused`)).toEqual([]);
  });

  test.each(['active', 'paused', 'full', 'closed', 'expired'])(
    'filtered by %s are those that show it',
    async (status) => {
      const all = await read();
      const expected = all.filter((link) => link.link_status === status);
      expect(expected).not.toEqual([]);
      const { body } = await author.get(`${LIST}?link_status=${status}`).expect(200);
      expect(body.data).toEqual(expected);
      expect(body.meta.total).toBe(expected.length);
    },
  );

  test('returns pages that new links do not shift', async () => {
    const all = await read();
    const one = await author.get(`${LIST}?limit=3`).expect(200);
    expect(one.body.data).toEqual(all.slice(0, 3));
    expect(one.body.meta).toMatchObject({ limit: 3, total: all.length });
    const more = await author
      .post(`/api/surveys/${first.surveyId}/links`, { link_name: 'Meanwhile' })
      .expect(201);
    const rest = await author.get(`${LIST}?limit=100&cursor=${one.body.meta.next_cursor}`).expect(200);
    expect(rest.body.data).toEqual(all.slice(3));
    expect(rest.body.meta.next_cursor).toBeNull();
    await author.delete(`/api/surveys/${first.surveyId}/links/${more.body.data.link_id}`).expect(204);
    const second = await author.get(`${LIST}?limit=2&page=2`).expect(200);
    expect(second.body.data).toEqual(all.slice(2, 4));
  });

  test('excludes those of other workspaces and deleted surveys', async () => {
    const { body } = await author.post('/api/workspaces', { workspace_name: 'Empty' }).expect(201);
    expect(await read(`workspace_id=${body.data.workspace_id}`)).toEqual([]);
    const deletedSurvey = await publishedSurvey(author, [[choice('Q1')]]);
    expect(await read(`survey_id=${deletedSurvey.surveyId}`)).toHaveLength(1);
    await author.delete(`/api/surveys/${deletedSurvey.surveyId}`).expect(204);
    expect(await read(`survey_id=${deletedSurvey.surveyId}`)).toEqual([]);
    const otherAdmin = (await newOrganization(app)).admin;
    expect((await otherAdmin.get(`${LIST}?survey_id=${first.surveyId}`).expect(200)).body.data).toEqual([]);
    await expectRefused(otherAdmin.get(`${LIST}?workspace_id=${organization.workspaceId}`), 404);
  });

  test.each([
    ['link_type', 'link_type=closed'],
    ['link_status', 'link_status=stopped'],
    ['survey_id', 'survey_id=0x1'],
    ['search', 'search='],
    ['limit', 'limit=1001'],
    ['cursor', 'cursor=nonsense'],
    ['page', 'page=1&cursor=MQ'],
    ['name', 'name=x'],
  ])('are rejected with an invalid %s: %s', (field, query) =>
    expectInvalidField(author.get(`${LIST}?${query}`), field),
  );
});
