import { beforeAll, expect, test } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
const PATH = '/api/surveys/respondents';

const PEOPLE = [
  { email: 'berta@example.org', name: 'Berta', external_id: 'P-2', attributes: { age: 42, segment: 'A' } },
  { email: 'Ada@example.org', name: 'Ada', external_id: 'P-1', attributes: { age: '42', segment: 'b:c' } },
  { email: 'cem@example.com', name: 'Cem 100%_', attributes: { age: 43, vip: true } },
  { external_id: 'p_9', attributes: {}, opted_out: true },
  { email: 'dora@example.com', name: 'ada Dora', attributes: { segment: 'A' }, opted_out: true },
];

beforeAll(async () => {
  for (const respondent of PEOPLE) await author.post(PATH, respondent).expect(201);
});

interface Listed {
  respondent_id: number;
  email: string | null;
  name: string | null;
  external_id: string | null;
}

const shown = (respondent: Listed) => respondent.name ?? respondent.external_id;
const listed = async (query: string) => {
  const { body } = await author.get(`${PATH}?${query}`).expect(200);
  return body as { data: Listed[]; meta: { total: number; limit: number; next_cursor: string | null } };
};

test('lists respondents newest first with all fields and the total', async () => {
  const { data, meta } = await listed('');
  expect(data.map(shown)).toEqual(['ada Dora', 'p_9', 'Cem 100%_', 'Ada', 'Berta']);
  expect(meta).toEqual({ limit: 1000, next_cursor: null, total: 5 });
});

test.each([
  ['search=ADA', ['Ada', 'ada Dora']],
  ['search=example.com', ['Cem 100%_', 'ada Dora']],
  ['search=P-', ['Ada', 'Berta']],
  ['search=%25_', ['Cem 100%_']],
  ['search=nobody', []],
  ['opted_out=true', ['ada Dora', 'p_9']],
  ['opted_out=false&search=ada', ['Ada']],
  ['attribute=age:42', ['Ada', 'Berta']],
  ['attribute=vip:true', ['Cem 100%_']],
  ['attribute=segment:b:c', ['Ada']],
  ['attribute=segment:A&opted_out=false', ['Berta']],
  ['attribute=constructor:x', []],
  [`attribute=segment:A'%20OR%201=1--`, []],
])('filters by %s and counts the matches', async (query, names) => {
  const { data, meta } = await listed(query);
  expect(data.map((respondent) => shown(respondent)!).sort()).toEqual(names);
  expect(meta.total).toBe(names.length);
  const { body } = await author.get(`${PATH}/count?${query}`).expect(200);
  expect(body.data).toEqual({ count: names.length });
});

test.each(['respondent_id', 'email', 'name', 'external_id', 'created_at', 'last_invited_at'])(
  'pages sorted by %s return everyone once, in either direction',
  async (field) => {
    for (const sort of [field, `-${field}`]) {
      const allIds = (await listed(`sort=${sort}`)).data.map((respondent) => respondent.respondent_id);
      const paged: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { data, meta } = await listed(`sort=${sort}&limit=2${next}`);
        paged.push(...data.map((respondent) => respondent.respondent_id));
        cursor = meta.next_cursor;
      }
      expect(paged).toEqual(allIds);
      expect(new Set(allIds).size).toBe(5);
    }
    const [up, down] = [await listed(`sort=${field}`), await listed(`sort=-${field}`)];
    expect(up.data.map((respondent) => respondent.respondent_id)).toEqual(
      down.data.map((respondent) => respondent.respondent_id).reverse(),
    );
  },
);

test('sorts names ignoring case', async () => {
  const { data } = await listed('sort=name&attribute=segment:A');
  expect(data.map(shown)).toEqual(['ada Dora', 'Berta']);
});

test('excludes erased respondents from lists and counts', async () => {
  const created = await author.post(PATH, { email: 'gone@example.org', attributes: { gone: 1 } }).expect(201);
  await author.delete(`${PATH}/${created.body.data.respondent_id}`).expect(204);
  for (const query of ['search=gone', 'attribute=gone:1']) expect((await listed(query)).meta.total).toBe(0);
  expect((await listed('')).meta.total).toBe(5);
});

test('rejects unknown parameters', async () => {
  await expectInvalidField(author.get(`${PATH}?sort=attributes`), 'sort');
  await expectInvalidField(author.get(`${PATH}?attribute=age`), 'attribute');
  await expectInvalidField(author.get(`${PATH}?attribute=:42`), 'attribute');
  await expectInvalidField(author.get(`${PATH}?opted_out=1`), 'opted_out');
  await expectInvalidField(author.get(`${PATH}?cursor=abc`), 'cursor');
  await expectInvalidField(author.get(`${PATH}?cursor=abc&page=2`), 'page');
  const { meta } = await listed('sort=name&limit=1');
  await expectInvalidField(author.get(`${PATH}?sort=email&cursor=${meta.next_cursor}`), 'cursor');
  await expectRefused(author.get(`${PATH}?attribute=a:1&attribute=b:2`), 400);
});
