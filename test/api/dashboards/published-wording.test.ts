import { beforeEach, describe, expect, it } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { addChart, type TestDashboard, newDashboard, share } from '../../support/dashboards.ts';
import { addQuestion, publish, type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const organization = useOrganization(app);
const { admin } = organization;
const option = (option_label: string, index: number) => ({ option_label, option_value: String(index + 1) });
const drink = (question_text: string, labels: string[]) => ({
  question_type: 'single_choice',
  question_code: 'drink',
  question_text,
  options: labels.map(option),
});

describe('a public dashboard of a survey whose draft was changed', () => {
  let survey: PublishedSurvey;
  let board: TestDashboard;
  let unpublishedChart: number;

  beforeEach(async () => {
    survey = await publishedSurvey(admin, [
      [
        drink('Tea or coffee?', ['Tea', 'Coffee']),
        { question_type: 'number', question_code: 'cups', question_text: 'How many cups?' },
      ],
    ]);
    const survey_id = survey.surveyId;
    const rows = Array.from({ length: 24 }, (_, n) => ({
      answers: { drink: String(1 + (n % 2)), cups: n % 5 },
    }));
    await admin.post(`/api/responses/${survey_id}/rows`, { rows }).expect(201);
    board = await newDashboard(admin);
    const mean = { function: 'mean', column_code: 'cups' };
    await addChart(admin, board, 'bar', { survey_id, dimension: 'drink' });
    await addChart(admin, board, 'bar', { survey_id, dimension: 'cups', series: 'drink' });
    await addChart(admin, board, 'bar', { survey_id, dimension: 'drink', aggregation: mean });
    await addChart(admin, board, 'filter', { survey_id, filterElement: { column_code: 'drink' } });
    await share(admin, board, { share_type: 'public' });

    const at = `/api/surveys/${survey_id}/questions`;
    await admin
      .put(`${at}/${survey.questionIds.drink!}`, drink('Chai or coffee??', ['Chai', 'Coffee', 'Water']))
      .expect(200);
    await admin.put(`${at}/${survey.questionIds.cups!}`, { question_text: 'Cups a day??' }).expect(200);
    await addQuestion(admin, survey_id, survey.pageIds[0]!, {
      ...drink('Brand new?', ['One']),
      question_code: 'fresh',
    });
    unpublishedChart = await addChart(admin, board, 'bar', { survey_id, dimension: 'fresh' });
  });

  const path = () => `/api/public/d/${organization.slug}/${board.slug}`;
  const figures = async () =>
    (await anonymous(app).get(`${path()}?figures=true`).expect(200)).body.data.figures;
  const labels = (list: { label: string }[]) => list.map(({ label }) => label);

  it('shows published labels and hides unpublished options and questions', async () => {
    const [bars, split, means, filter, unpublished] = await figures();
    expect(bars.dimension.label).toBe('Tea or coffee?');
    expect(labels(bars.categories)).toEqual(['Tea', 'Coffee']);
    expect(bars.series[0].counts).toEqual([12, 12]);
    expect(split.series.map(({ name }: { name: string }) => name)).toEqual(['Tea', 'Coffee']);
    expect(split.dimension.label).toBe('How many cups?');
    expect(means.aggregation.label).toBe('Mean: How many cups?');
    expect(means.series[0].name).toBe('Mean: How many cups?');
    expect(labels(filter.options)).toEqual(['Tea', 'Coffee']);
    expect(unpublished).toMatchObject({ error: { code: 'not_published' } });
    const page = (await anonymous(app).get(`/d/${organization.slug}/${board.slug}`).expect(200)).text;
    for (const words of ['Chai', 'Water', 'Brand new', 'Cups a day']) expect(page).not.toContain(words);
  });

  it('uses published labels for rows, answers, ranks and filters', async () => {
    const ranking = (labels: string[]) => ({
      ...drink('Rank them', labels),
      question_type: 'ranking',
      question_code: 'r',
    });
    const matrix = (rows: Record<string, string>, labels: string[]) => ({
      ...drink('Agree?', labels),
      question_type: 'matrix',
      question_code: 'm',
      question_settings: {
        rows: Object.entries(rows).map(([row_code, row_label]) => ({ row_code, row_label })),
      },
    });
    const wholeSurvey = await publishedSurvey(admin, [
      [ranking(['A', 'B']), matrix({ '1': 'Taste', x: 'Price' }, ['No', 'Yes'])],
    ]);
    const survey_id = wholeSurvey.surveyId;
    const rows = Array.from({ length: 20 }, () => ({ answers: { r: ['1', '2'], m: { '1': '1', x: '2' } } }));
    await admin.post(`/api/responses/${survey_id}/rows`, { rows }).expect(201);
    const wholeBoard = await newDashboard(admin);
    for (const dimension of ['m', 'r'])
      await addChart(admin, wholeBoard, 'stacked-bar', { survey_id, dimension });
    const filterElement = { column_code: 'm_x', label: 'My own words' };
    await addChart(admin, wholeBoard, 'filter', { survey_id, filterElement });
    await share(admin, wholeBoard, { share_type: 'public' });
    const at = `/api/surveys/${survey_id}/questions`;
    await admin.put(`${at}/${wholeSurvey.questionIds.r!}`, ranking(['AA', 'BB'])).expect(200);
    const edited = matrix({ '1': 'TT', x: 'PP', y: 'New' }, ['NN', 'YY']);
    await admin.put(`${at}/${wholeSurvey.questionIds.m!}`, edited).expect(200);

    const reply = await anonymous(app)
      .get(`/api/public/d/${organization.slug}/${wholeBoard.slug}?figures=true`)
      .expect(200);
    const [ofMatrix, ofRanking, filter] = reply.body.data.figures;
    expect(labels(ofMatrix.categories)).toEqual(['Taste', 'Price']);
    expect(ofMatrix.series.map(({ name }: { name: string }) => name)).toEqual(['No', 'Yes']);
    expect(ofMatrix.series_by.label).toBe('Answer');
    expect(labels(ofRanking.categories)).toEqual(['A', 'B']);
    expect(ofRanking.series[0].name).toBe('Rank 1');
    expect(filter.dimension.label).toBe('My own words');
    expect(labels(filter.options)).toEqual(['No', 'Yes']);
  });

  it('shows draft labels to members', async () => {
    const reply = await admin.post(`${board.at}/chart-data`, { chart_id: unpublishedChart }).expect(200);
    expect(reply.body.data.dimension.label).toBe('Brand new?');
  });

  it('shows new labels as soon as they are published', async () => {
    const before = await anonymous(app).get(`${path()}?figures=true`).expect(200);
    await publish(admin, survey.surveyId);
    const after = await anonymous(app)
      .get(`${path()}?figures=true`)
      .set('If-None-Match', before.headers.etag!)
      .expect(200);
    const [bars, , , , unpublished] = after.body.data.figures;
    expect(bars.dimension.label).toBe('Chai or coffee??');
    expect(labels(bars.categories)).toEqual(['Chai', 'Coffee', 'Water']);
    expect(bars.data_version).not.toBe(before.body.data.figures[0].data_version);
    expect(unpublished.dimension.label).toBe('Brand new?');
  });
});
