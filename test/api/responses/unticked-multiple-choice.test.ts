import { beforeEach, describe, expect, test } from 'vitest';
import { useApp } from '../../support/app.ts';
import { type Actor, newOrganization } from '../../support/actors.ts';
import { startResponse } from '../../support/start-response.ts';
import { exportResponses, withFile } from '../../support/file-transfer.ts';
import { choice, multiple, text } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { readSav } from '../../support/sav-reader.ts';
import { readStoredResponse } from '../../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
let author: Actor;
let survey: PublishedSurvey;
let ids: number[];
const at = (path: string) => `/api/responses/${survey.surveyId}/${path}`;
const getAnswers = async (id: number) => (await readStoredResponse(app, id)).answers;

const MATRIX = {
  question_type: 'matrix',
  question_code: 'Q3',
  question_settings: {
    matrix_type: 'multiple',
    rows: [
      { row_code: 'r1', row_label: 'Weekday' },
      { row_code: 'r2', row_label: 'Weekend' },
    ],
  },
  options: ['1', '2'].map((option_value) => ({ option_label: `Way ${option_value}`, option_value })),
};
/** All forms of answers to Q2 and Q3: ticked, none ticked, skipped and not shown. */
const ANSWERS = [
  { Q1: '1', Q2: ['1'], Q3: { r1: ['1'], r2: ['2'] } },
  { Q1: '1', Q2: [], Q3: { r1: [], r2: ['1', '2'] } },
  { Q1: '2', Q2: [], Q3: { r1: [], r2: [] } },
  { Q1: '2', Q2: ['1', '2'], Q3: { r1: ['2'] } },
  { Q1: '2', Q2: null, Q3: null },
  { Q1: '3' },
];

beforeEach(async () => {
  author ??= (await newOrganization(app)).admin;
  survey = await publishedSurvey(author, [
    [choice('Q1')],
    {
      page_logic: {
        display: { left: { type: 'question', code: 'Q1' }, operator: 'not_equals', right: '3' },
      },
      questions: [multiple('Q2'), MATRIX],
    },
  ]);
  const rows = ANSWERS.map((answers) => ({ answers }));
  const reply = await author.post(at('rows'), { rows }).expect(201);
  ids = reply.body.data.response_ids as number[];
});

describe('a multiple choice without ticked options', () => {
  test('is stored as an empty list, unlike a skipped or hidden question', async () => {
    const stored = await Promise.all(ids.map(getAnswers));
    expect(stored).toEqual(ANSWERS);
  });

  test('has 0 in all its columns and an empty set in the grid', async () => {
    const reply = await author.get(`${at('grid')}?columns=Q2_1,Q2_2,Q2_3,Q2,Q3_r1_1,Q3_r1`).expect(200);
    const rows = reply.body.data.rows as { values: Record<string, unknown> }[];
    expect(rows.map(({ values }) => Object.values(values))).toEqual([
      [1, 0, 0, ['1'], 1, ['1']],
      [0, 0, 0, [], 0, []],
      [0, 0, 0, [], 0, []],
      [1, 1, 0, ['1', '2'], 0, ['2']],
      [null, null, null, null, null, null],
      [null, null, null, null, null, null],
    ]);
  });

  test('is in the base of its options, of the set and of its rows', async () => {
    const figure = async (code: string, query = '') =>
      (await author.get(`${at(`distribution/${code}`)}${query}`).expect(200)).body.data;
    expect(await figure('Q2_1')).toMatchObject({
      base: 4,
      missing: { skipped: 1, not_shown: 1 },
      categories: [
        { count: 2, percent: 50 },
        { count: 2, percent: 50 },
      ],
      stats: { mean: 0.5 },
    });
    expect(await figure('Q2')).toMatchObject({
      base: 4,
      categories: [
        { count: 2, percent: 50 },
        { count: 1, percent: 25 },
        { count: 0, percent: 0 },
      ],
    });
    expect((await figure('Q2', '?base=shown')).base).toBe(5);
    expect((await figure('Q3_r1')).base).toBe(4);
    expect((await figure('Q3_r2')).base).toBe(3);
  });

  test('is in the base of a crosstab, of its means and of its tests', async () => {
    const reply = await author
      .post(at('crosstab'), { rows: ['Q2', 'Q2_1'], columns: ['Q1'], min_base: 0, statistics: 'all' })
      .expect(200);
    const [set, option] = reply.body.data.tables;
    expect(set.base.unweighted).toBe(4);
    expect(set.columns.map((column: { base: { unweighted: number } }) => column.base.unweighted)).toEqual([
      2, 2, 0,
    ]);
    expect(set.rows[0].cells).toMatchObject([{ count: 1 }, { count: 1 }, { count: 0 }]);
    expect(option.mean.total).toMatchObject({ count: 4, mean: 0.5 });
  });

  test('is included in a weighting dimension', async () => {
    const targets = [
      { value: '0', target: 75 },
      { value: '1', target: 25 },
    ];
    const scheme = { dimensions: [{ column_code: 'Q2_1', targets }], filter: { Q1: ['1', '2'] } };
    const reply = await author
      .post(at('weighting/create'), { ...scheme, missing: 'exclude', dry_run: true })
      .expect(200);
    expect(reply.body.data).toMatchObject({ converged: true, unweighted_base: 4 });
    expect(reply.body.data.dimensions[0].categories[0]).toMatchObject({ unweighted: 50, weighted: 75 });
  });

  test('is found by filters as an answer', async () => {
    const total = async (operator: string, right?: string[]) => {
      const left = { type: 'question', code: 'Q2' };
      const filter = { left, operator, ...(right === undefined ? {} : { right }) };
      const query = `?filter=${encodeURIComponent(JSON.stringify(filter))}`;
      return (await author.get(`${at('grid')}${query}`).expect(200)).body.data.rows.length;
    };
    expect(await total('answered')).toBe(4);
    expect(await total('not_answered')).toBe(2);
    expect(await total('includes_none', ['1', '2', '3'])).toBe(2);
  });

  test('results from unticking the last option and is undone by restoring the original', async () => {
    const [first] = ids;
    const edit = (values: object, more: object = {}) =>
      author.patch(at(`rows/${first}`), { values, ...more }).expect(200);
    const preview = await edit({ Q2_1: 0 }, { dry_run: true });
    expect(preview.body.data.values).toMatchObject({ Q2_1: 0, Q2_2: 0, Q2_3: 0 });
    expect((await getAnswers(first!)).Q2).toEqual(['1']);
    await edit({ Q2_1: 0, Q3_r1_1: 0 });
    expect(await getAnswers(first!)).toMatchObject({ Q2: [], Q3: { r1: [], r2: ['2'] } });
    await author.post(at('restore-originals'), { response_ids: [first] }).expect(200);
    expect(await getAnswers(first!)).toEqual(ANSWERS[0]);
    await edit({ Q2: [], Q3_r2: [] });
    expect(await getAnswers(first!)).toMatchObject({ Q2: [], Q3: { r1: ['1'], r2: [] } });
    await edit({ Q2: null, Q3_r2: null });
    expect(await getAnswers(first!)).toMatchObject({ Q2: null, Q3: { r1: ['1'] } });
    await author.post(at('restore-originals'), { column_codes: ['Q2_1'] }).expect(200);
    expect((await getAnswers(first!)).Q2).toEqual(['1']);
  });

  test('results from replacing the last option by cell or in the set', async () => {
    const replace = (column_code: string, body: object) =>
      author.post(at('find-replace'), { column_code, ...body }).expect(200);
    await replace('Q2', { find: '1', replace: '' });
    expect((await getAnswers(ids[0]!)).Q2).toEqual([]);
    expect((await getAnswers(ids[3]!)).Q2).toEqual(['2']);
    await replace('Q2_2', { find: '1', replace: '0' });
    expect((await getAnswers(ids[3]!)).Q2).toEqual([]);
    expect((await getAnswers(ids[4]!)).Q2).toBeNull();
  });

  test.each([
    ['csv', 'columns'],
    ['csv', 'set'],
    ['xlsx', 'columns'],
    ['xlsx', 'set'],
    ['spss', 'columns'],
  ])('keeps its meaning when exported as %s with multiple=%s and imported', async (format, form) => {
    const { status, file } = await exportResponses(author, survey.surveyId, { format, multiple: form });
    expect(status).toBe(200);
    const [extension] = { csv: ['csv'], xlsx: ['xlsx'], spss: ['sav'] }[format]!;
    await author.post(at('bulk'), { action: 'delete', response_ids: ids }).expect(200);
    await withFile(
      author.post(at('import')),
      file,
      { on_existing: 'update' },
      `responses.${extension}`,
    ).expect(201);
    expect(await Promise.all(ids.map(getAnswers))).toEqual(ANSWERS);
  });

  test('is written as 0 in SPSS, where no answer is system-missing', async () => {
    const { file } = await exportResponses(author, survey.surveyId, {
      format: 'spss',
      columns: ['Q2_1', 'Q2_2'],
    });
    expect(readSav(file).rows).toEqual([
      [1, 0],
      [0, 0],
      [0, 0],
      [1, 1],
      [null, null],
      [null, null],
    ]);
  });
});

describe('a respondent without ticked options', () => {
  test('can submit an empty list page by page, and skip with null', async () => {
    const { pageIds, linkToken } = survey;
    for (const answer of [[], null]) {
      const response = await startResponse(author, linkToken);
      await response.save({ Q1: '1' }, pageIds[0]).expect(200);
      await response.save({ Q2: answer, Q3: null }, pageIds[1]).expect(200);
      await response.complete().expect(200);
      expect(await getAnswers(response.responseId)).toEqual({ Q1: '1', Q2: answer, Q3: null });
    }
  });

  test('is rejected if an answer is required, and counts as skipped with a minimum of one selection', async () => {
    const requiredSurvey = await publishedSurvey(author, [
      [
        multiple('Q1', { question_required: true }),
        multiple('Q2', { question_settings: { min_selections: 1 } }),
        text('Q3', {
          question_required: true,
          question_settings: {
            logic: { display: { left: { type: 'question', code: 'Q2' }, operator: 'answered' } },
          },
        }),
      ],
    ]);
    const submit = (answers: object) =>
      author.post(`/api/public/s/${requiredSurvey.linkToken}/responses`, { answers });
    await expectInvalidField(submit({ Q1: [], Q2: [] }), 'answers.Q1');
    const reply = await submit({ Q1: ['1'], Q2: [] }).expect(201);
    expect(await getAnswers(reply.body.data.response_id)).toEqual({ Q1: ['1'], Q2: null });
  });
});
