import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { type Actor, anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, type MadeDashboard, newDashboard, share } from '../../support/dashboards.ts';
import { choice, number, text } from '../../support/questions.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { storeResponse } from '../../support/stored-responses.ts';
import { type MadeSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const home = useOrganization(app);
const { admin } = home;
let nobody: Actor;
let survey: MadeSurvey;
let another: MadeSurvey;
let board: MadeDashboard;
let bar: number;
let path: string;

const pathOf = ({ slug }: MadeDashboard) => `/api/public/d/${home.slug}/${slug}`;
const answer = (answers: object, isTest = false) =>
  storeResponse(app, survey.surveyId, { answers: { ...answers }, isTest });

beforeAll(() => {
  nobody = anonymous(app);
});

beforeEach(async () => {
  const questions = [choice('Q1'), choice('Q2'), number('Q3'), text('Q4')];
  survey = await publishedSurvey(admin, [questions]);
  another = await publishedSurvey(admin, [questions]);
  for (const Q1 of ['1', '1', '2']) await answer({ Q1, Q2: '1', Q3: 4, Q4: 'said' });
  await answer({ Q1: '3' }, true);
  board = await newDashboard(admin, { dashboard_settings: { min_base: 1 } });
  const survey_id = survey.surveyId;
  bar = await addChart(admin, board, 'bar', { survey_id, dimension: 'Q1', filter: { Q2: ['1'] } });
  await addChart(admin, board, 'filter', { survey_id, filterElement: { column_code: 'Q1', multiple: true } });
  await addChart(admin, board, 'text', { text: '# Hello' });
  await share(admin, board, { share_type: 'public' });
  path = pathOf(board);
});

const counts = (reply: { body: { data: { series: { counts: number[] }[] } } }) =>
  reply.body.data.series[0]!.counts;

describe('a public dashboard', () => {
  it('is shown to nobody in particular, with what is needed to draw it', async () => {
    const { body } = await nobody.get(path).expect(200);
    expect(body.data).toEqual({
      dashboard_name: expect.any(String),
      dashboard_description: null,
      dashboard_slug: board.slug,
      organization_name: `Organization ${home.slug}`,
      organization_slug: home.slug,
      dashboard_settings: { theme: 'auto', color: null, min_base: 1 },
      pages: [{ page_id: board.pageId, page_title: 'One', chart_ids: expect.any(Array) }],
      charts: expect.any(Array),
      updated_at: expect.any(String),
      as_of: expect.any(String),
    });
    expect(body.data.charts).toHaveLength(3);
    expect(body.data.charts[0]).toEqual({
      chart_id: bar,
      page_id: board.pageId,
      chart_type: 'bar',
      chart_title: 'A bar',
      chart_config: {
        survey_id: survey.surveyId,
        dimension: { column_code: 'Q1', question_id: survey.questionIds.Q1 },
        aggregation: { function: 'count' },
        options: { sort: 'original', show_rest: true, show_values: true, bins: 'auto' },
      },
      position: null,
      survey_deleted: false,
    });
  });

  it('comes with its figures where these are wanted, through its filters; test responses are not in them', async () => {
    const all = (await nobody.get(`${path}?figures=true`).expect(200)).body.data;
    expect(all.figures[0].series[0].counts).toEqual([2, 1, 0]);
    expect(all.figures[1].options.map((option: { value: string }) => option.value)).toEqual(['1', '2', '3']);
    expect(all.figures[2]).toEqual({ chart_type: 'text', text: '# Hello' });
    const filters = encodeURIComponent('{"Q1":["2"]}');
    const some = (await nobody.get(`${path}?figures=true&filters=${filters}`).expect(200)).body.data;
    expect(some.figures[0].series[0].counts).toEqual([0, 1, 0]);
    expect(some.figures[0].filters_applied).toMatchObject([{ column_code: 'Q1', values: ['2'] }]);
    await expectInvalidField(nobody.get(`${path}?filters=nonsense`), 'filters');
    await expectInvalidField(
      nobody.get(`${path}?filters=${encodeURIComponent('{"Q2":["1"]}')}`),
      'filters.Q2',
    );
  });

  it('gives figures of an element by its id or by what it shows, one or many', async () => {
    const ask = (body: object) => nobody.post(`${path}/chart-data`, body);
    expect(counts(await ask({ chart_id: bar }).expect(200))).toEqual([2, 1, 0]);
    const shown = { survey_id: survey.surveyId, question_id: survey.questionIds.Q1, chart_type: 'bar' };
    expect(counts(await ask({ ...shown, filters: { Q1: ['1'] } }).expect(200))).toEqual([2, 0, 0]);
    const charts = [{ chart_id: bar }, { chart_id: MISSING_ID }, { chart_id: bar, filters: { Q1: [] } }];
    const batch = await nobody.post(`${path}/chart-data-batch`, { charts, filters: { q1: '2' } }).expect(200);
    expect(batch.body.data).toMatchObject([
      { series: [{ counts: [0, 1, 0] }] },
      { error: { code: 'not_found' } },
      { series: [{ counts: expect.any(Array) }] },
    ]);
  });

  it('has no filter by what was written, nor by numbers or moments: it would find one person’s answers', async () => {
    for (const column_code of ['Q4', 'Q3', 'completed_at']) {
      const chart_config = { survey_id: survey.surveyId, filterElement: { column_code } };
      const chart = { page_id: board.pageId, chart_type: 'filter', chart_config };
      const { details } = await expectRefused(admin.post(`${board.at}/charts`, chart), 422);
      expect(details).toMatchObject([{ field: 'chart_config.filterElement' }]);
    }
    // One that was made when this was allowed.
    const filterElement = { column_code: 'Q4', multiple: false };
    await app.database
      .db('dashboard_charts')
      .where({ dashboard_id: board.id, chart_type: 'filter' })
      .update({ chart_config: JSON.stringify({ survey_id: survey.surveyId, filterElement }) });
    const guess = { chart_id: bar, filters: { Q4: 'said' } };
    await expectInvalidField(nobody.post(`${path}/chart-data`, guess), 'filters.Q4');
  });

  it('takes several values only of a filter that offers to choose several', async () => {
    const filterElement = { column_code: 'Q2', multiple: false };
    await addChart(admin, board, 'filter', { survey_id: survey.surveyId, filterElement });
    const ask = (filters: object) => nobody.post(`${path}/chart-data`, { chart_id: bar, filters });
    await ask({ Q1: ['1', '2'], Q2: ['1', '1'] }).expect(200);
    await expectInvalidField(ask({ Q1: ['1', '2'], Q2: ['1', '2'] }), 'filters.Q2');
    const asMember = { chart_id: bar, filters: { Q2: ['1', '2'] } };
    await admin.post(`${board.at}/chart-data`, asMember).expect(200);
  });

  it('is at no address with characters that none has', async () => {
    for (const slug of ['%00', 'a%00b', `${board.slug}%2F`, board.slug.toUpperCase()]) {
      const { status } = await nobody.get(`/d/${home.slug}/${slug}`);
      expect([slug, status]).toEqual([slug, 404]);
    }
    expect((await nobody.get(`/d/%00/${board.slug}`)).status).toBe(404);
  });

  it('gives nothing that is not on it', async () => {
    const ask = (body: object) => nobody.post(`${path}/chart-data`, body);
    const { surveyId, questionIds } = survey;
    const shown = { survey_id: surveyId, question_id: questionIds.Q1, chart_type: 'bar' };
    await expectRefused(
      ask({ ...shown, survey_id: another.surveyId, question_id: another.questionIds.Q1 }),
      404,
    );
    await expectRefused(ask({ ...shown, survey_id: another.surveyId }), 404);
    await expectRefused(ask({ ...shown, question_id: questionIds.Q2 }), 404);
    await expectRefused(ask({ ...shown, question_id: questionIds.Q4, chart_type: 'table' }), 404);
    await expectRefused(ask({ ...shown, chart_type: 'pie' }), 404);
    for (const code of ['Q2', 'Q4', 'response_id', '__proto__x', 'constructor', 'conditions']) {
      await expectInvalidField(ask({ chart_id: bar, filters: { [code]: ['1'] } }), `filters.${code}`);
      await expectInvalidField(
        nobody.post(`${path}/chart-data-batch`, { charts: [{ chart_id: bar }], filters: { [code]: ['1'] } }),
        `filters.${code}`,
      );
    }
    for (const field of ['dimension', 'aggregation', 'filter', 'weight_column', 'series'])
      await expectInvalidField(ask({ chart_id: bar, [field]: 'Q2' }), field);
    const elsewhere = await newDashboard(admin);
    const chart_id = await addChart(admin, elsewhere, 'bar', { survey_id: surveyId, dimension: 'Q2' });
    await expectRefused(ask({ chart_id }), 404, 'not_found');
    await expectRefused(nobody.get(pathOf(elsewhere)), 404, 'not_found');
  });

  it('is found under the organization’s slug and its own, and gone with the next request when it is taken away', async () => {
    const other = await newOrganization(app);
    await expectRefused(nobody.get(`/api/public/d/${other.slug}/${board.slug}`), 404, 'not_found');
    await expectRefused(nobody.get(`${path}-2`), 404, 'not_found');
    await nobody.get(path).expect(200);
    const shares = await admin.get(`${board.at}/shares`).expect(200);
    await admin.delete(`${board.at}/shares/${shares.body.data[0].share_id}`).expect(204);
    await expectRefused(nobody.get(path), 404, 'not_found');
    await expectRefused(nobody.post(`${path}/chart-data`, { chart_id: bar }), 404, 'not_found');
    await share(admin, board, { share_type: 'public' });
    await nobody.get(path).expect(200);
    await admin.delete(board.at).expect(204);
    await expectRefused(nobody.get(path), 404, 'not_found');
  });

  it('says which element has lost its survey, and shows the others', async () => {
    await admin.delete(`/api/surveys/${survey.surveyId}`).expect(204);
    const { data } = (await nobody.get(`${path}?figures=true`).expect(200)).body;
    expect(data.charts[0].survey_deleted).toBe(true);
    expect(data.figures[0]).toMatchObject({ error: { code: 'survey_deleted' } });
    expect(data.figures[2].text).toBe('# Hello');
    await expectRefused(nobody.post(`${path}/chart-data`, { chart_id: bar }), 410, 'survey_deleted');
  });
});

describe('a public view that was seen before', () => {
  const tagOf = async (query = '') => {
    const reply = await nobody.get(`${path}${query}`).expect(200);
    expect(reply.headers['cache-control']).toBe('public, no-cache');
    return reply.headers.etag!;
  };
  const again = (etag: string, query = '') => nobody.get(`${path}${query}`).set('If-None-Match', etag);

  it('is not sent again as long as nothing has changed', async () => {
    const etag = await tagOf('?figures=true');
    const reply = await again(etag, '?figures=true').expect(304);
    expect([reply.text, reply.headers.etag]).toEqual(['', etag]);
    await again(`"x", W/${etag}`, '?figures=true').expect(304);
    await again('"x"', '?figures=true').expect(200);
    expect(await tagOf()).not.toBe(etag);
    expect(await tagOf(`?figures=true&filters=${encodeURIComponent('{"Q1":["1"]}')}`)).not.toBe(etag);
  });

  const changes: [string, () => Promise<unknown>][] = [
    ['another response', () => answer({ Q1: '2', Q2: '1' })],
    [
      'an edited one',
      () =>
        app.database.db.raw(`UPDATE responses SET answers = answers || '{"Q1": "3"}' WHERE survey_id = ?`, [
          survey.surveyId,
        ]),
    ],
    ['an element’s title', () => admin.put(`${board.at}/charts/${bar}`, { chart_title: 'New' }).expect(200)],
    ['the dashboard’s name', () => admin.put(board.at, { dashboard_name: 'New' }).expect(200)],
    [
      'a setting of the survey',
      () =>
        admin.put(`/api/surveys/${survey.surveyId}`, { survey_settings: { confidential: true } }).expect(200),
    ],
  ];
  test.each(changes)('is sent anew after %s', async (_what, change) => {
    const etag = await tagOf('?figures=true');
    const before = (await nobody.get(`${path}?figures=true`)).text;
    await change();
    const reply = await again(etag, '?figures=true').expect(200);
    expect(reply.text).not.toBe(before);
    await again(reply.headers.etag!, '?figures=true').expect(304);
  });

  it('is another one when a transaction that began before has come to its end', async () => {
    const late = await app.database.db.transaction();
    await late.raw(`UPDATE responses SET answers = answers || '{"Q1": "3"}' WHERE survey_id = ?`, [
      survey.surveyId,
    ]);
    await answer({ Q1: '2', Q2: '1' });
    const etag = await tagOf('?figures=true');
    await late.commit();
    const reply = await again(etag, '?figures=true').expect(200);
    expect(reply.body.data.figures[0].series[0].counts).toEqual([0, 1, 3]);
  });
});

it('small groups of a confidential survey are shown to members alone', async () => {
  await admin
    .put(`/api/surveys/${survey.surveyId}`, { survey_settings: { confidential: true, min_base: 5 } })
    .expect(200);
  for (let n = 0; n < 30; n += 1) await answer({ Q1: '1', Q2: '1' });
  const ask = async (by: Actor, at: string) =>
    (await by.post(`${at}/chart-data`, { chart_id: bar }).expect(200)).body.data;
  expect((await ask(admin, board.at)).series[0].counts).toEqual([32, 1, 0]);
  const seen = await ask(nobody, path);
  expect(seen.suppressed).toBe(true);
  expect(seen.series[0].counts[1]).toBeNull();
  expect(seen.series[0].values[1]).toBeNull();
  const filtered = await nobody
    .post(`${path}/chart-data`, { chart_id: bar, filters: { Q1: ['2'] } })
    .expect(200);
  expect(filtered.body.data).toMatchObject({ suppressed: true, base: null, series: [] });
});

it('a thousand who look at once cost little more than one', async () => {
  const queries: string[] = [];
  const listen = ({ sql }: { sql: string }) => queries.push(sql);
  app.database.db.on('query', listen);
  const replies = await Promise.all(Array.from({ length: 200 }, () => nobody.get(`${path}?figures=true`)));
  app.database.db.off('query', listen);
  // Where the last answer was written beside transactions that still run, the same data are looked at again when these end.
  const shown = replies.map(({ text: body }) => body.replace(/"as_of":"[^"]*"/, ''));
  expect(new Set(shown).size).toBe(1);
  expect(replies[0]!.status).toBe(200);
  expect(queries.filter((sql) => sql.includes('dashboard_pages')).length).toBeLessThan(5);
  expect(queries.length).toBeLessThan(replies.length);
});
