import { beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { type Actor, anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, type TestDashboard, newDashboard, share } from '../../support/dashboards.ts';
import { choice, number, text } from '../../support/questions.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { type TestSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
let visitor: Actor;
let survey: TestSurvey;
let otherSurvey: TestSurvey;
let board: TestDashboard;
let bar: number;
let path: string;

const pathOf = ({ slug }: TestDashboard) => `/api/public/d/${organization.slug}/${slug}`;
const addResponse = (answers: object, isTest = false) =>
  insertResponse(app, survey.surveyId, { answers: { ...answers }, isTest });

beforeAll(() => {
  visitor = anonymous(app);
});

beforeEach(async () => {
  const questions = [choice('Q1'), choice('Q2'), number('Q3'), text('Q4')];
  survey = await publishedSurvey(admin, [questions]);
  otherSurvey = await publishedSurvey(admin, [questions]);
  for (const Q1 of ['1', '1', '2']) await addResponse({ Q1, Q2: '1', Q3: 4, Q4: 'Good service' });
  await addResponse({ Q1: '3' }, true);
  board = await newDashboard(admin, { dashboard_settings: { min_base: 1 } });
  const survey_id = survey.surveyId;
  bar = await addChart(admin, board, 'bar', { survey_id, dimension: 'Q1', filter: { Q2: ['1'] } });
  await addChart(admin, board, 'filter', { survey_id, filterElement: { column_code: 'Q1', multiple: true } });
  await addChart(admin, board, 'text', { text: '# Hello' });
  await share(admin, board, { share_type: 'public' });
  path = pathOf(board);
});

const countsOf = (reply: { body: { data: { series: { counts: number[] }[] } } }) =>
  reply.body.data.series[0]!.counts;

describe('a public dashboard', () => {
  it('is readable without signing in, with only the fields that the page needs', async () => {
    const { body } = await visitor.get(path).expect(200);
    expect(body.data).toEqual({
      dashboard_name: expect.any(String),
      dashboard_description: null,
      dashboard_slug: board.slug,
      organization_name: `Organization ${organization.slug}`,
      organization_slug: organization.slug,
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

  it('includes figures on request, applies its filters and excludes test responses', async () => {
    const all = (await visitor.get(`${path}?figures=true`).expect(200)).body.data;
    expect(all.figures[0].series[0].counts).toEqual([2, 1, 0]);
    expect(all.figures[1].options.map((option: { value: string }) => option.value)).toEqual(['1', '2', '3']);
    expect(all.figures[2]).toEqual({ chart_type: 'text', text: '# Hello' });
    const filters = encodeURIComponent('{"Q1":["2"]}');
    const filtered = (await visitor.get(`${path}?figures=true&filters=${filters}`).expect(200)).body.data;
    expect(filtered.figures[0].series[0].counts).toEqual([0, 1, 0]);
    expect(filtered.figures[0].filters_applied).toMatchObject([{ column_code: 'Q1', values: ['2'] }]);
    await expectInvalidField(visitor.get(`${path}?filters=nonsense`), 'filters');
    await expectInvalidField(
      visitor.get(`${path}?filters=${encodeURIComponent('{"Q2":["1"]}')}`),
      'filters.Q2',
    );
  });

  it('returns figures of an element by id or by configuration, alone or in a batch', async () => {
    const getChartData = (body: object) => visitor.post(`${path}/chart-data`, body);
    expect(countsOf(await getChartData({ chart_id: bar }).expect(200))).toEqual([2, 1, 0]);
    const bodies = { survey_id: survey.surveyId, question_id: survey.questionIds.Q1, chart_type: 'bar' };
    expect(countsOf(await getChartData({ ...bodies, filters: { Q1: ['1'] } }).expect(200))).toEqual([
      2, 0, 0,
    ]);
    const charts = [{ chart_id: bar }, { chart_id: MISSING_ID }, { chart_id: bar, filters: { Q1: [] } }];
    const batch = await visitor
      .post(`${path}/chart-data-batch`, { charts, filters: { q1: '2' } })
      .expect(200);
    expect(batch.body.data).toMatchObject([
      { series: [{ counts: [0, 1, 0] }] },
      { error: { code: 'not_found' } },
      { series: [{ counts: expect.any(Array) }] },
    ]);
  });

  it('cannot be filtered by text, number or time, which could identify one respondent', async () => {
    for (const column_code of ['Q4', 'Q3', 'completed_at']) {
      const chart_config = { survey_id: survey.surveyId, filterElement: { column_code } };
      const chart = { page_id: board.pageId, chart_type: 'filter', chart_config };
      const { details } = await expectRefused(admin.post(`${board.at}/charts`, chart), 422);
      expect(details).toMatchObject([{ field: 'chart_config.filterElement' }]);
    }
    // A filter stored before such columns were refused.
    const filterElement = { column_code: 'Q4', multiple: false };
    await app.database
      .db('dashboard_charts')
      .where({ dashboard_id: board.id, chart_type: 'filter' })
      .update({ chart_config: JSON.stringify({ survey_id: survey.surveyId, filterElement }) });
    const guess = { chart_id: bar, filters: { Q4: 'Good service' } };
    await expectInvalidField(visitor.post(`${path}/chart-data`, guess), 'filters.Q4');
  });

  it('accepts several values only for a filter with `multiple`', async () => {
    const filterElement = { column_code: 'Q2', multiple: false };
    await addChart(admin, board, 'filter', { survey_id: survey.surveyId, filterElement });
    const getChartData = (filters: object) => visitor.post(`${path}/chart-data`, { chart_id: bar, filters });
    await getChartData({ Q1: ['1', '2'], Q2: ['1', '1'] }).expect(200);
    await expectInvalidField(getChartData({ Q1: ['1', '2'], Q2: ['1', '2'] }), 'filters.Q2');
    const asMember = { chart_id: bar, filters: { Q2: ['1', '2'] } };
    await admin.post(`${board.at}/chart-data`, asMember).expect(200);
  });

  it('returns 404 for slugs with characters that no slug contains', async () => {
    for (const slug of ['%00', 'a%00b', `${board.slug}%2F`, board.slug.toUpperCase()]) {
      const { status } = await visitor.get(`/d/${organization.slug}/${slug}`);
      expect([slug, status]).toEqual([slug, 404]);
    }
    expect((await visitor.get(`/d/%00/${board.slug}`)).status).toBe(404);
  });

  it('returns only figures that are on it', async () => {
    const getChartData = (body: object) => visitor.post(`${path}/chart-data`, body);
    const { surveyId, questionIds } = survey;
    const bodies = { survey_id: surveyId, question_id: questionIds.Q1, chart_type: 'bar' };
    await expectRefused(
      getChartData({ ...bodies, survey_id: otherSurvey.surveyId, question_id: otherSurvey.questionIds.Q1 }),
      404,
    );
    await expectRefused(getChartData({ ...bodies, survey_id: otherSurvey.surveyId }), 404);
    await expectRefused(getChartData({ ...bodies, question_id: questionIds.Q2 }), 404);
    await expectRefused(getChartData({ ...bodies, question_id: questionIds.Q4, chart_type: 'table' }), 404);
    await expectRefused(getChartData({ ...bodies, chart_type: 'pie' }), 404);
    for (const code of ['Q2', 'Q4', 'response_id', '__proto__x', 'constructor', 'conditions']) {
      await expectInvalidField(
        getChartData({ chart_id: bar, filters: { [code]: ['1'] } }),
        `filters.${code}`,
      );
      await expectInvalidField(
        visitor.post(`${path}/chart-data-batch`, { charts: [{ chart_id: bar }], filters: { [code]: ['1'] } }),
        `filters.${code}`,
      );
    }
    for (const field of ['dimension', 'aggregation', 'filter', 'weight_column', 'series'])
      await expectInvalidField(getChartData({ chart_id: bar, [field]: 'Q2' }), field);
    const elsewhere = await newDashboard(admin);
    const chart_id = await addChart(admin, elsewhere, 'bar', { survey_id: surveyId, dimension: 'Q2' });
    await expectRefused(getChartData({ chart_id }), 404, 'not_found');
    await expectRefused(visitor.get(pathOf(elsewhere)), 404, 'not_found');
  });

  it('is served only under both slugs, and returns 404 as soon as its share or the dashboard is deleted', async () => {
    const other = await newOrganization(app);
    await expectRefused(visitor.get(`/api/public/d/${other.slug}/${board.slug}`), 404, 'not_found');
    await expectRefused(visitor.get(`${path}-2`), 404, 'not_found');
    await visitor.get(path).expect(200);
    const shares = await admin.get(`${board.at}/shares`).expect(200);
    await admin.delete(`${board.at}/shares/${shares.body.data[0].share_id}`).expect(204);
    await expectRefused(visitor.get(path), 404, 'not_found');
    await expectRefused(visitor.post(`${path}/chart-data`, { chart_id: bar }), 404, 'not_found');
    await share(admin, board, { share_type: 'public' });
    await visitor.get(path).expect(200);
    await admin.delete(board.at).expect(204);
    await expectRefused(visitor.get(path), 404, 'not_found');
  });

  it('reports the elements whose survey was deleted and shows the others', async () => {
    await admin.delete(`/api/surveys/${survey.surveyId}`).expect(204);
    const { data } = (await visitor.get(`${path}?figures=true`).expect(200)).body;
    expect(data.charts[0].survey_deleted).toBe(true);
    expect(data.figures[0]).toMatchObject({ error: { code: 'survey_deleted' } });
    expect(data.figures[2].text).toBe('# Hello');
    await expectRefused(visitor.post(`${path}/chart-data`, { chart_id: bar }), 410, 'survey_deleted');
  });
});

describe('a conditional request for a public dashboard', () => {
  const getEtag = async (query = '') => {
    const reply = await visitor.get(`${path}${query}`).expect(200);
    expect(reply.headers['cache-control']).toBe('public, no-cache');
    return reply.headers.etag!;
  };
  const getIfChanged = (etag: string, query = '') =>
    visitor.get(`${path}${query}`).set('If-None-Match', etag);

  /** Versions also change when a transaction ends that was running while responses were written, in any database of the server. */
  const waitForEarlierTransactions = () =>
    expect
      .poll(
        async () => {
          const { rows } = await app.database.db.raw<{ rows: { settled: boolean }[] }>(
            'SELECT bool_and(changed_xid < pg_snapshot_xmin(pg_current_snapshot())) AS settled FROM responses',
          );
          return rows[0]!.settled;
        },
        { timeout: 20_000 },
      )
      .toBe(true);

  it('returns 304 while nothing has changed', async () => {
    await waitForEarlierTransactions();
    const etag = await getEtag('?figures=true');
    const reply = await getIfChanged(etag, '?figures=true').expect(304);
    expect([reply.text, reply.headers.etag]).toEqual(['', etag]);
    await getIfChanged(`"x", W/${etag.replace(/^W\//, '')}`, '?figures=true').expect(304);
    await getIfChanged('"x"', '?figures=true').expect(200);
    expect(await getEtag()).not.toBe(etag);
    expect(await getEtag(`?figures=true&filters=${encodeURIComponent('{"Q1":["1"]}')}`)).not.toBe(etag);
  });

  const changes: [string, () => Promise<unknown>][] = [
    ['a new response', () => addResponse({ Q1: '2', Q2: '1' })],
    [
      'an edited response',
      () =>
        app.database.db.raw(`UPDATE responses SET answers = answers || '{"Q1": "3"}' WHERE survey_id = ?`, [
          survey.surveyId,
        ]),
    ],
    ['a new element title', () => admin.put(`${board.at}/charts/${bar}`, { chart_title: 'New' }).expect(200)],
    ['a new dashboard name', () => admin.put(board.at, { dashboard_name: 'New' }).expect(200)],
    [
      'a changed survey setting',
      () =>
        admin.put(`/api/surveys/${survey.surveyId}`, { survey_settings: { confidential: true } }).expect(200),
    ],
  ];
  test.each(changes)('returns 200 after %s', async (_what, change) => {
    const etag = await getEtag('?figures=true');
    const before = (await visitor.get(`${path}?figures=true`)).text;
    await change();
    const reply = await getIfChanged(etag, '?figures=true').expect(200);
    expect(reply.text).not.toBe(before);
    await waitForEarlierTransactions();
    await getIfChanged(await getEtag('?figures=true'), '?figures=true').expect(304);
  });

  it('returns 200 after an older transaction commits', async () => {
    const olderTransaction = await app.database.db.transaction();
    await olderTransaction.raw(
      `UPDATE responses SET answers = answers || '{"Q1": "3"}' WHERE survey_id = ?`,
      [survey.surveyId],
    );
    await addResponse({ Q1: '2', Q2: '1' });
    const etag = await getEtag('?figures=true');
    await olderTransaction.commit();
    const reply = await getIfChanged(etag, '?figures=true').expect(200);
    expect(reply.body.data.figures[0].series[0].counts).toEqual([0, 1, 3]);
  });
});

it('shows small groups of a confidential survey to members only', async () => {
  await admin
    .put(`/api/surveys/${survey.surveyId}`, { survey_settings: { confidential: true, min_base: 5 } })
    .expect(200);
  for (let n = 0; n < 30; n += 1) await addResponse({ Q1: '1', Q2: '1' });
  const getChartData = async (by: Actor, at: string) =>
    (await by.post(`${at}/chart-data`, { chart_id: bar }).expect(200)).body.data;
  expect((await getChartData(admin, board.at)).series[0].counts).toEqual([32, 1, 0]);
  const listed = await getChartData(visitor, path);
  expect(listed.suppressed).toBe(true);
  expect(listed.series[0].counts[1]).toBeNull();
  expect(listed.series[0].values[1]).toBeNull();
  const filtered = await visitor
    .post(`${path}/chart-data`, { chart_id: bar, filters: { Q1: ['2'] } })
    .expect(200);
  expect(filtered.body.data).toMatchObject({ suppressed: true, base: null, series: [] });
});

it('serves 200 concurrent requests with few queries', async () => {
  const queries: string[] = [];
  const recordQuery = ({ sql }: { sql: string }) => queries.push(sql);
  app.database.db.on('query', recordQuery);
  const replies = await Promise.all(Array.from({ length: 200 }, () => visitor.get(`${path}?figures=true`)));
  app.database.db.off('query', recordQuery);
  // `as_of` may differ: while other transactions run, the same data are checked again after they end.
  const bodies = replies.map(({ text: body }) => body.replace(/"as_of":"[^"]*"/, ''));
  expect(new Set(bodies).size).toBe(1);
  expect(replies[0]!.status).toBe(200);
  expect(queries.filter((sql) => sql.includes('dashboard_pages')).length).toBeLessThan(5);
  // Requests that arrive together share their queries; how many do depends on the machine. The first request alone has more than twenty.
  expect(queries.length).toBeLessThan(2 * replies.length);
});
