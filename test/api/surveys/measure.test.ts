import { expect, test } from 'vitest';
import { writeSav } from '../../../src/exporters/sav/sav-file.ts';
import { type SavCell, type SavFile, SavReport } from '../../../src/exporters/sav/sav-layout.ts';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses, withFile } from '../../support/file-transfer.ts';
import { choice } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { readSav } from '../../support/sav-reader.ts';
import { newDashboard } from '../../support/dashboards.ts';
import { draftSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
const author = useOrganization(app).admin;

/** As the file has them. */
const [ORDINAL, SCALE] = [2, 3];
const VOTE = ['Abstain', 'No', 'Undecided', 'Yes'];
const question = (question_code: string, measure?: string) =>
  choice(question_code, {
    options: VOTE.map((option_label, index) => ({ option_label, option_value: String(index + 1) })),
    ...(measure === undefined ? {} : { question_settings: { measure } }),
  });
const grid = (question_code: string, question_settings: object = {}) => ({
  ...question(question_code),
  question_type: 'matrix',
  question_settings: { rows: [{ row_code: 'r1', row_label: 'Row' }], ...question_settings },
});

interface ReadQuestion {
  question_code: string;
  question_settings: { measure?: string };
}
async function measuresOf(surveyId: number): Promise<Record<string, string | undefined>> {
  const { body } = await author.get(`/api/surveys/${surveyId}`).expect(200);
  const pages = body.data.pages as { questions: ReadQuestion[] }[];
  return Object.fromEntries(
    pages.flatMap(({ questions }) =>
      questions.map((question) => [question.question_code, question.question_settings.measure]),
    ),
  );
}

test('is nominal by default, ordinal for a matrix, and kept by exports, imports, duplicates and publishing', async () => {
  const questions = [
    question('vote'),
    question('rating', 'ordinal'),
    { ...question('size', 'scale'), question_type: 'dropdown' },
    grid('agree'),
    grid('brands', { measure: 'nominal' }),
  ];
  const { surveyId } = await publishedSurvey(author, [questions]);
  const measures = {
    vote: 'nominal',
    rating: 'ordinal',
    size: 'scale',
    agree: 'ordinal',
    brands: 'nominal',
  };
  expect(await measuresOf(surveyId)).toEqual(measures);
  const document = (await author.get(`/api/surveys/${surveyId}/export`).expect(200)).body as object;
  const imported = await author.post('/api/surveys/import', document).expect(201);
  expect(await measuresOf(imported.body.data.survey_id)).toEqual(measures);
  const copy = await author.post(`/api/surveys/${surveyId}/duplicate`).expect(201);
  expect(await measuresOf(copy.body.data.survey_id)).toEqual(measures);
  const columns = (await author.get(`/api/responses/${surveyId}/grid`).expect(200)).body.data.columns as {
    column_code: string;
    measure: string;
  }[];
  const ofColumns = Object.fromEntries(columns.map(({ column_code, measure }) => [column_code, measure]));
  expect(ofColumns).toMatchObject({
    vote: 'nominal',
    rating: 'ordinal',
    size: 'scale',
    agree_r1: 'ordinal',
    brands_r1: 'nominal',
  });
});

test('is kept when a choice becomes a dropdown', async () => {
  const { surveyId, questionIds } = await draftSurvey(author, [[question('rating', 'ordinal')]]);
  await author
    .put(`/api/surveys/${surveyId}/questions/${questionIds['rating']!}`, { question_type: 'dropdown' })
    .expect(200);
  expect(await measuresOf(surveyId)).toEqual({ rating: 'ordinal' });
});

test('is rejected if it is unknown, and for questions other than single choice', async () => {
  const { surveyId, pageIds } = await draftSurvey(author);
  const add = (body: object) =>
    author.post(`/api/surveys/${surveyId}/questions`, { page_id: pageIds[0], ...body });
  const wrong = await expectRefused(add(question('vote', 'interval')), 400, 'validation_failed');
  expect(wrong.details).toMatchObject([{ field: 'question_settings.measure' }]);
  expect(wrong.message).toMatch(/nominal.*ordinal.*scale/);
  await expectRefused(
    add({ ...question('many', 'ordinal'), question_type: 'multiple_choice' }),
    400,
    'validation_failed',
  );
});

test('of a choice can change after data exist: figures are rejected or available from then on', async () => {
  const { surveyId, questionIds } = await publishedSurvey(author, [[question('vote'), question('sex')]]);
  const rows = [1, 2, 3, 4, 4].map((vote, index) => ({
    answers: { vote: String(vote), sex: String(1 + (index % 2)) },
  }));
  await author.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
  const board = await newDashboard(author);
  const statsOf = async () => {
    const reply = await author.get(`/api/responses/${surveyId}/distribution/vote`).expect(200);
    return reply.body.data as { measure: string; stats: object | null };
  };
  const chart = (aggregation: object) =>
    author.post(`${board.at}/chart-data`, {
      survey_id: surveyId,
      chart_type: 'bar',
      dimension: 'sex',
      aggregation,
    });
  const variable = (metric: string) =>
    author.post(`${board.at}/chart-data`, {
      survey_id: surveyId,
      chart_type: 'variable',
      dimension: 'vote',
      variable: { metric },
    });
  const crosstab = async () =>
    (
      await author
        .post(`/api/responses/${surveyId}/crosstab`, { rows: ['vote'], columns: ['sex'], statistics: 'all' })
        .expect(200)
    ).body.data.tables[0] as { mean: { total: { mean: number } } | null };
  const why =
    'vote is nominal: its codes have no order, so they have no mean and no quantiles; ' +
    `set question_settings.measure of question ${questionIds['vote']!} to ordinal or scale`;

  expect(await statsOf()).toMatchObject({ measure: 'nominal', stats: null });
  expect((await crosstab()).mean).toBeNull();
  for (const name of ['mean', 'sum', 'median', 'min', 'max', 'top_box', 'nps']) {
    const reply = await expectRefused(chart({ function: name, column_code: 'vote' }), 422, 'no_number');
    expect(reply.details).toEqual([{ field: 'aggregation.column_code', message: why }]);
  }
  for (const metric of ['mean', 'sum'])
    expect((await expectRefused(variable(metric), 422, 'no_number')).details).toEqual([
      { field: 'dimension', message: why },
    ]);
  await variable('count').expect(200);
  // An expression may do with the codes what it wants.
  await author
    .post(`/api/responses/${surveyId}/computed-columns`, { column_code: 'twice', expression: 'vote * 2' })
    .expect(201);

  const change = (measure: string) =>
    author.put(`/api/surveys/${surveyId}/questions/${questionIds['vote']!}`, {
      question_settings: { measure },
    });
  await change('ordinal').expect(200);
  // R: x <- c(1, 2, 3, 4, 4); mean(x); sd(x); quantile(x, c(.25, .5, .75))
  expect(await statsOf()).toMatchObject({
    measure: 'ordinal',
    stats: { mean: 2.8, sd: expect.closeTo(1.3038404810405297, 12), median: 3, p25: 2, p75: 4 },
  });
  expect((await crosstab()).mean!.total.mean).toBeCloseTo(2.8, 12);
  await chart({ function: 'median', column_code: 'vote' }).expect(200);
  expect((await variable('mean').expect(200)).body.data.value).toBeCloseTo(2.8, 12);

  // A column that was made meanwhile keeps its values.
  await author.post(`/api/responses/${surveyId}/transform/z-scores`, { column_code: 'vote' }).expect(201);
  await change('nominal').expect(200);
  expect(await statsOf()).toMatchObject({ measure: 'nominal', stats: null });
  const scores = await author.get(`/api/responses/${surveyId}/distribution/vote_z`).expect(200);
  expect(scores.body.data.base).toBe(5);
});

test('of a recode equals that of its source by default', async () => {
  const { surveyId } = await publishedSurvey(author, [[question('vote')]]);
  await author
    .post(`/api/responses/${surveyId}/rows`, {
      rows: [1, 2, 4].map((vote) => ({ answers: { vote: String(vote) } })),
    })
    .expect(201);
  const recode = (target_column_code: string, more: object = {}) =>
    author.post(`/api/responses/${surveyId}/transform/recode`, {
      column_code: 'vote',
      target_column_code,
      mapping: { '1': 0, '2': -1, '4': 1 },
      ...more,
    });
  const plain = await recode('plain').expect(201);
  expect(plain.body.data.columns[0]).toMatchObject({ measure: 'nominal', preview: { stats: null } });
  const ordered = await recode('ordered', { measure: 'ordinal' }).expect(201);
  expect(ordered.body.data.columns[0]).toMatchObject({
    measure: 'ordinal',
    definition: { measure: 'ordinal' },
    preview: { stats: { mean: 0 } },
  });
  const reply = await expectRefused(
    author.post(`/api/responses/${surveyId}/transform/z-scores`, { column_code: 'plain' }),
    422,
    'wrong_column_type',
  );
  expect(reply.message).toContain('recode it again with measure ordinal or scale');
  const changed = await author
    .patch(`/api/responses/${surveyId}/derived-columns/plain`, { measure: 'scale' })
    .expect(200);
  expect(changed.body.data.column).toMatchObject({ measure: 'scale', definition: { measure: 'scale' } });
  await expectRefused(
    author.post(`/api/responses/${surveyId}/transform/recode`, {
      column_code: 'vote',
      mapping: { '1': '2' },
      overwrite: true,
      measure: 'ordinal',
    }),
    400,
    'validation_failed',
  );
});

test('of an imported variable is that of the file, and is exported as set by the author', async () => {
  const labels: [number, string][] = VOTE.map((label, index) => [index + 1, label]);
  const variable = (name: string, measure: 'nominal' | 'ordinal' | 'scale') =>
    ({ name, label: name, measure, type: 'number', valueLabels: labels }) as const;
  const file: SavFile = {
    variables: [variable('vote', 'nominal'), variable('rating', 'ordinal'), variable('size', 'scale')],
    fileLabel: 'Measures',
    createdAt: new Date('2026-03-07T08:09:10Z'),
    caseCount: null,
    weight: null,
    responseSets: [],
  };
  const parts: Buffer[] = [];
  async function* cases(): AsyncIterable<SavCell[][]> {
    yield await Promise.resolve([1, 2, 3, 4].map((code) => [code, code, code]));
  }
  for await (const part of writeSav(file, cases(), new SavReport())) parts.push(part);
  const reply = await withFile(
    author.post('/api/surveys/import-data'),
    Buffer.concat(parts),
    {},
    'study.sav',
  ).expect(201);
  const surveyId = reply.body.data.survey_id as number;
  expect(await measuresOf(surveyId)).toEqual({ vote: 'nominal', rating: 'ordinal', size: 'scale' });

  const { body } = await author.get(`/api/surveys/${surveyId}`).expect(200);
  const [vote] = body.data.pages[0].questions as { question_id: number }[];
  await author
    .put(`/api/surveys/${surveyId}/questions/${vote!.question_id}`, {
      question_settings: { measure: 'ordinal' },
    })
    .expect(200);
  const saved = await exportResponses(author, surveyId, {
    format: 'spss',
    columns: ['vote', 'rating', 'size'],
  });
  const sav = readSav(saved.file);
  expect(sav.variables.map(({ name, measure }) => [name, measure])).toEqual([
    ['vote', ORDINAL],
    ['rating', ORDINAL],
    ['size', SCALE],
  ]);
});
