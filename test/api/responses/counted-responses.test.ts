import ExcelJS from 'exceljs';
import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, newDashboard, share } from '../../support/dashboards.ts';
import { exportResponses } from '../../support/file-transfer.ts';
import { choice, number, text } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { readSav } from '../../support/sav-reader.ts';
import { insertResponse } from '../../support/stored-responses.ts';
import { draftSurvey, type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;

const at = (survey: PublishedSurvey, path: string) => `/api/responses/${survey.surveyId}/${path}`;
const getData = async <T>(path: string): Promise<T> => (await author.get(path).expect(200)).body.data as T;

const newSurvey = () => publishedSurvey(author, [[choice('Q1'), choice('Q2'), number('Q3'), text('Q4')]]);
const createAnswers = (Q1: string, Q3: number) => ({ Q1, Q2: Q1, Q3, Q4: 'I love it' });

async function confirmFlag(survey: PublishedSurvey, responseId: number) {
  const response_ids = [responseId];
  await author.post(at(survey, 'bulk'), { action: 'flag', response_ids }).expect(200);
  await author.patch(at(survey, 'quality-flags'), { response_ids, review: 'confirmed' }).expect(200);
}

const BY_DEFAULT = {
  responses: 4,
  test_responses_included: 0,
  test_responses_excluded: 2,
  quality_included: 0,
  quality_excluded: 1,
};
const ALL = {
  responses: 7,
  test_responses_included: 2,
  test_responses_excluded: 0,
  quality_included: 1,
  quality_excluded: 0,
};
const EVERYTHING = { include_test: true, quality: 'include_all' };

describe('a published survey with real responses, test responses and a confirmed quality flag', () => {
  let survey: PublishedSurvey;
  let flagged: number;

  beforeAll(async () => {
    survey = await newSurvey();
    for (const [Q1, Q3] of [
      ['1', 10],
      ['1', 20],
      ['2', 30],
      ['2', 40],
    ] as const)
      await insertResponse(app, survey.surveyId, { answers: createAnswers(Q1, Q3) });
    flagged = await insertResponse(app, survey.surveyId, { answers: createAnswers('3', 1_000) });
    await insertResponse(app, survey.surveyId, { status: 'partial', answers: { Q1: '1' } });
    for (const Q3 of [5_000, 6_000])
      await insertResponse(app, survey.surveyId, { isTest: true, answers: createAnswers('3', Q3) });
    await confirmFlag(survey, flagged);
  });

  it.each(['distribution/Q3', 'distribution/Q3?filter=%7B%22Q2%22%3A%5B%221%22%2C%222%22%2C%223%22%5D%7D'])(
    'excludes both from %s by default and includes them on request',
    async (path) => {
      const withQuery = (query: string) => at(survey, `${path}${path.includes('?') ? '&' : '?'}${query}`);
      interface Figure {
        base: number;
        stats: { max: number };
        counted: object;
      }
      const byDefault = await getData<Figure>(at(survey, path));
      expect(byDefault).toMatchObject({ base: 4, stats: { max: 40 }, counted: BY_DEFAULT });
      expect(await getData<Figure>(withQuery('include_test=true&quality=include_all'))).toMatchObject({
        base: 7,
        stats: { max: 6_000 },
        counted: ALL,
      });
      expect((await getData<Figure>(withQuery('include_test=true'))).stats.max).toBe(6_000);
      expect((await getData<Figure>(withQuery('quality=include_all'))).stats.max).toBe(1_000);
      expect((await getData<Figure>(withQuery('include_test=false'))).base).toBe(4);
    },
  );

  it('reports the same counts for a question, a crosstab and the grid', async () => {
    const question = await getData<object>(at(survey, `question/${survey.questionIds.Q3}`));
    expect(question).toMatchObject({ counted: BY_DEFAULT, distributions: [{ base: 4 }] });
    const tables = (body: object) =>
      author.post(at(survey, 'crosstab'), { rows: ['Q1'], columns: ['Q2'], ...body }).expect(200);
    expect((await tables({})).body.data).toMatchObject({ responses: 4, counted: BY_DEFAULT });
    expect((await tables(EVERYTHING)).body.data).toMatchObject({ responses: 7, counted: ALL });
    const grid = await author.get(at(survey, 'grid')).expect(200);
    expect(grid.body.meta).toMatchObject({ total: 8, counted: { ...ALL, responses: 8 } });
    const real = await author
      .get(at(survey, 'grid?include_test=false&quality=exclude_confirmed'))
      .expect(200);
    expect(real.body.meta).toMatchObject({ total: 5, counted: { ...BY_DEFAULT, responses: 5 } });
  });

  it('reports the same number of real responses in stats, the survey and the survey list', async () => {
    const stats = await getData<object>(at(survey, 'stats'));
    expect(stats).toMatchObject({
      total: 6,
      complete: 5,
      partial: 1,
      screened_out: 0,
      test: 2,
      quality_confirmed: 1,
    });
    expect(await getData<object>(at(survey, 'stats?include_test=true'))).toMatchObject({ total: 8, test: 2 });
    expect(await getData<object>(at(survey, 'stats?quality=exclude_confirmed'))).toMatchObject({
      total: 5,
      counted: { quality_excluded: 1 },
    });
    expect(await getData<object>(`/api/surveys/${survey.surveyId}`)).toMatchObject({ response_count: 6 });
    const listed = await getData<{ survey_id: number; response_count: number }[]>('/api/surveys');
    expect(listed.find(({ survey_id: id }) => id === survey.surveyId)).toMatchObject({ response_count: 6 });
  });

  it('weights only counted responses', async () => {
    const targets = (...values: [string, number][]) => values.map(([value, target]) => ({ value, target }));
    const scheme = { dimensions: [{ column_code: 'Q1', targets: targets(['1', 25], ['2', 75]) }] };
    const preview = await author.post(at(survey, 'weighting/preview'), scheme).expect(200);
    expect(preview.body.data).toMatchObject({ unweighted_base: 4, counted: BY_DEFAULT });
    const created = await author
      .post(at(survey, 'weighting/create'), { ...scheme, column_code: 'W' })
      .expect(201);
    expect(created.body.data).toMatchObject({ unweighted_base: 4, counted: BY_DEFAULT });
    expect(await getData<object>(at(survey, 'weighting/W'))).toMatchObject({
      responses: 4,
      stale: false,
      request: { include_test: null, quality: 'exclude_confirmed' },
    });
    const widerScheme = {
      dimensions: [{ column_code: 'Q1', targets: targets(['1', 25], ['2', 50], ['3', 25]) }],
    };
    const all = await author
      .post(at(survey, 'weighting/preview'), { ...widerScheme, ...EVERYTHING })
      .expect(200);
    expect(all.body.data).toMatchObject({ unweighted_base: 7, counted: ALL });
  });

  it('computes transform parameters from counted responses only', async () => {
    const z = { column_code: 'Q3', dry_run: true };
    const reply = await author.post(at(survey, 'transform/z-scores'), z).expect(200);
    expect(reply.body.data).toMatchObject({ counted: BY_DEFAULT, columns: [{ parameters: { mean: 25 } }] });
  });

  it('exports only counted responses, and reports the counts in the header and the file', async () => {
    const header = (counted: object) =>
      Object.entries(counted)
        .map(([name, count]) => `${name}=${count}`)
        .join(', ');
    const notes = [
      'Responses: 4',
      'Test responses: 0 included, 2 excluded',
      'Confirmed quality flags: 0 included, 1 excluded',
    ];
    const csv = await exportResponses(author, survey.surveyId, { columns: ['Q3'] });
    expect(csv.headers['canvass-counted']).toBe(header(BY_DEFAULT));
    expect(csv.file.toString()).toBe('Q3\r\n10\r\n20\r\n30\r\n40\r\n');
    const allCsv = await exportResponses(author, survey.surveyId, { columns: ['Q3'], ...EVERYTHING });
    expect(allCsv.headers['canvass-counted']).toBe(header(ALL));
    expect(allCsv.file.toString().split('\r\n')).toHaveLength(7 + 2);
    const sav = await exportResponses(author, survey.surveyId, { columns: ['Q3'], format: 'spss' });
    expect(sav.headers['canvass-counted']).toBe(header(BY_DEFAULT));
    expect(readSav(sav.file).documents).toEqual(notes);
    const xlsx = await exportResponses(author, survey.surveyId, { columns: ['Q3'], format: 'xlsx' });
    const workbook = new ExcelJS.Workbook();
    await workbook.xlsx.load(Uint8Array.from(xlsx.file).buffer);
    const sheet = workbook.getWorksheet('Notes')!;
    expect([2, 3, 4].map((row) => sheet.getCell(row, 1).value)).toEqual(notes);
    const archive = await author.get(at(survey, 'files/archive')).expect(200);
    expect(archive.headers['canvass-counted']).toBe(header(BY_DEFAULT));
  });

  it('uses only counted responses for insights, sentiment and chat', async () => {
    const insights = await author.post(at(survey, 'ai/insights'), {}).expect(200);
    expect(insights.body.data).toMatchObject({ counted: BY_DEFAULT, tested: { responses: 4 } });
    const anomalies = await author.post(at(survey, 'ai/anomalies'), EVERYTHING).expect(200);
    expect(anomalies.body.data).toMatchObject({ counted: ALL, tested: { responses: 7 } });
    const sentiment = await author
      .post(at(survey, 'ai/sentiment'), { question_id: survey.questionIds.Q4 })
      .expect(200);
    expect(sentiment.body.data).toMatchObject({ counted: BY_DEFAULT, texts: { of: 4 } });
    const body = { message: 'What is the mean of Q3?', survey_id: survey.surveyId };
    const chat = await author.post('/api/ai/chat', body).expect(200);
    expect(chat.text).toContain('The mean of Q3');
    expect(chat.text).toContain('25');
    expect(chat.text).toContain('"test_responses_excluded":2');
  });

  it('includes responses with confirmed flags in a quality check', async () => {
    const body = { checks: ['speeder'], dry_run: true };
    const reply = await author.post(at(survey, 'quality-check'), body).expect(200);
    expect(reply.body.data).toMatchObject({
      checked: 5,
      counted: { responses: 5, test_responses_excluded: 2, quality_included: 1 },
    });
  });

  it('shows counted responses on a dashboard, and never test responses in public', async () => {
    const board = await newDashboard(author);
    const chart = { survey_id: survey.surveyId, dimension: 'Q1', options: { base: 'total' } };
    const inclusive = await addChart(author, board, 'bar', { ...chart, ...EVERYTHING });
    const plain = await addChart(author, board, 'bar', chart);
    const figures = async (body: object) =>
      (await author.post(`${board.at}/chart-data`, body).expect(200)).body.data as object;
    expect(await figures({ chart_id: plain })).toMatchObject({
      base: { unweighted: 4 },
      counted: BY_DEFAULT,
    });
    expect(await figures({ chart_id: plain })).toMatchObject({
      notes: [{ message: 'Not counted: 2 test responses and 1 response with a confirmed quality flag.' }],
    });
    expect(await figures({ chart_id: inclusive })).toMatchObject({
      base: { unweighted: 7 },
      counted: ALL,
      notes: [{ code: 'responses_counted', message: 'Counted: 2 test responses.' }],
    });
    const { surveyId: survey_id } = survey;
    const inlineChart = {
      survey_id,
      question_id: survey.questionIds.Q1,
      chart_type: 'bar',
      include_test: true,
    };
    expect(await figures(inlineChart)).toMatchObject({ base: { unweighted: 6 } });
    const kpi = { survey_id, chart_type: 'variable', dimension: 'Q3', variable: 'mean' };
    expect(await figures(kpi)).toMatchObject({ value: 25, counted: BY_DEFAULT });

    await share(author, board, { share_type: 'public' });
    const reply = await anonymous(app)
      .post(`/api/public/d/${organization.slug}/${board.slug}/chart-data-batch`, {
        charts: [{ chart_id: inclusive }, { chart_id: plain }],
      })
      .expect(200);
    for (const shown of reply.body.data as { counted?: object; base: { unweighted: number } }[]) {
      expect(shown).not.toHaveProperty('counted');
      expect(JSON.stringify(shown)).not.toContain('test response');
      expect(shown.base === null || shown.base.unweighted <= 5).toBe(true);
    }
  });

  it('says that charts count test responses only, until a respondent has answered', async () => {
    const tested = await publishedSurvey(author, [[number('Q1')]]);
    const board = await newDashboard(author);
    const chart = await addChart(author, board, 'variable', {
      survey_id: tested.surveyId,
      dimension: 'Q1',
      variable: 'mean',
    });
    const notes = async () =>
      (await author.post(`${board.at}/chart-data`, { chart_id: chart }).expect(200)).body.data
        .notes as object[];
    await insertResponse(app, tested.surveyId, { answers: { Q1: 3 }, isTest: true });
    expect(await notes()).toEqual([
      { code: 'responses_counted', message: 'Counted: 1 test response.' },
      {
        code: 'test_responses_only',
        message: 'These are test responses, not answers of respondents.',
      },
    ]);
    await insertResponse(app, tested.surveyId, { answers: { Q1: 4 } });
    expect(await notes()).toEqual([{ code: 'responses_counted', message: 'Not counted: 1 test response.' }]);
  });

  it('rejects invalid values of quality and include_test', async () => {
    await expectInvalidField(author.get(at(survey, 'distribution/Q3?quality=all')), 'quality');
    await expectInvalidField(author.post(at(survey, 'export'), { quality: true }), 'quality');
    await expectInvalidField(
      author.post(at(survey, 'crosstab'), { rows: ['Q1'], include_test: 'yes' }),
      'include_test',
    );
  });

  it('keeps responses without flags when a filter excludes confirmed ones', async () => {
    const ids = async (filter: string) => {
      const reply = await author
        .get(at(survey, `grid?columns=Q3&filter=${encodeURIComponent(filter)}`))
        .expect(200);
      return (reply.body.data.rows as { response_id: number }[]).map((row) => row.response_id);
    };
    const remainingIds = await ids('quality_status != 2');
    expect(remainingIds).toHaveLength(7);
    expect(remainingIds).not.toContain(flagged);
    expect(await ids('not (quality_status = 2)')).toEqual(remainingIds);
    const tree = { left: { code: 'quality_status' }, operator: 'not_equals', right: 'confirmed' };
    expect(await ids(JSON.stringify(tree))).toEqual(remainingIds);
    expect(await ids('quality_status = 2')).toEqual([flagged]);
  });
});

describe('test responses of a published survey', () => {
  it('are counted until the first real response arrives, and again after its deletion', async () => {
    const survey = await newSurvey();
    await author.post(at(survey, 'seed'), { count: 20, seed: 3 }).expect(201);
    const counted = async () =>
      (
        await getData<{ counted: { responses: number; test_responses_excluded: number } }>(
          at(survey, 'distribution/Q1'),
        )
      ).counted;
    const seeded = await counted();
    expect(seeded).toMatchObject({ test_responses_included: seeded.responses, test_responses_excluded: 0 });
    const responseId = await insertResponse(app, survey.surveyId, { answers: createAnswers('1', 1) });
    expect(await counted()).toMatchObject({ responses: 1, test_responses_excluded: seeded.responses });
    await author.post(at(survey, 'bulk'), { action: 'delete', response_ids: [responseId] }).expect(200);
    expect(await counted()).toEqual(seeded);
  });

  it('are counted in a draft until it is published, even next to real responses', async () => {
    const { surveyId } = await draftSurvey(author, [[number('Q3')]]);
    const base = async () =>
      (await getData<{ base: number }>(`/api/responses/${surveyId}/distribution/Q3`)).base;
    await insertResponse(app, surveyId, { answers: { Q3: 1 } });
    await insertResponse(app, surveyId, { isTest: true, answers: { Q3: 2 } });
    expect(await base()).toBe(2);
    await author.post(`/api/surveys/${surveyId}/publish`).expect(200);
    expect(await base()).toBe(1);
  });
});
