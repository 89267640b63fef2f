import { beforeAll, describe, expect, test } from 'vitest';
import { anonymous, newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses } from '../../support/file-transfer.ts';
import { choice } from '../../support/questions.ts';
import { readStoredResponses } from '../../support/stored-responses.ts';
import { draftSurvey, type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
let organization: Organization;
let survey: PublishedSurvey;

const COLUMNS = [
  {
    column_code: 'use',
    column_label: 'How often?',
    column_type: 'single_choice',
    column_required: true,
    options: [
      { option_label: 'Daily', option_value: 1 },
      { option_label: 'Weekly', option_value: 2 },
      { option_label: 'Never', option_value: 3 },
    ],
  },
  {
    column_code: 'where',
    column_label: 'Where?',
    column_type: 'multiple_choice',
    options: ['Home', 'Work'],
  },
  {
    column_code: 'spend',
    column_label: 'Spent',
    column_type: 'number',
    column_settings: { min: 0, max: 500, prefix: '€' },
  },
  {
    column_code: 'like',
    column_label: 'Liking',
    column_type: 'scale',
    column_settings: { min: 1, max: 5, max_label: 'A lot' },
  },
  { column_code: 'why', column_label: 'Why?', column_type: 'text' },
  { column_code: 'brand', column_label: 'Brand', column_type: 'dropdown', options: ['A', 'B'] },
];

const table = (question_code: string, settings: object = {}, extra: object = {}) => ({
  question_type: 'side_by_side',
  question_code,
  question_text: 'How do you use these drinks?',
  question_settings: {
    rows: [
      { row_code: 'r1', row_label: 'Coffee' },
      { row_code: 'r2', row_label: 'Tea' },
    ],
    columns: COLUMNS,
    ...settings,
  },
  ...extra,
});

const ANSWERS = [
  {
    Q1_use_r1: '1',
    Q1_use_r2: '2',
    Q1_where_r1: ['Home', 'Work'],
    Q1_where_r2: [],
    Q1_spend_r1: 12,
    Q1_spend_r2: 3,
    Q1_like_r1: 5,
    Q1_why_r1: 'Taste',
    Q1_brand_r2: 'B',
    Q2: '1',
  },
  { Q1_use_r1: '2', Q1_use_r2: '2', Q1_spend_r1: 8, Q2: '2' },
  { Q1_use_r1: '3', Q1_use_r2: '3', Q1_spend_r1: 0 },
];

beforeAll(async () => {
  organization = await newOrganization(app);
  survey = await publishedSurvey(organization.admin, [
    [table('Q1')],
    [
      choice('Q2', {
        question_settings: {
          logic: {
            display: { left: { code: 'Q1_use_r1' }, operator: 'in', right: ['1', '2'] },
          },
        },
      }),
    ],
  ]);
  for (const answers of ANSWERS)
    await anonymous(app)
      .post(`/api/public/s/${survey.linkToken}/responses`, { status: 'complete', answers })
      .expect(201);
});

const at = (path: string) => `/api/responses/${survey.surveyId}/${path}`;
const getData = async (path: string) => (await organization.admin.get(at(path)).expect(200)).body.data;
const listQuestions = async (surveyId: number) =>
  (await organization.admin.get(`/api/surveys/${surveyId}/questions`).expect(200)).body.data;

describe('a side-by-side table', () => {
  test('gives its parts free numbers, also when the highest ones are taken', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [
      [
        table('Q1', {
          rows: [
            { row_code: 'a', row_label: 'A', row_number: 511 },
            { row_code: 'b', row_label: 'B' },
            { row_code: 'c', row_label: 'C', row_number: 1 },
          ],
          columns: [
            { column_code: 'x', column_label: 'X', column_type: 'number', column_number: 2_047 },
            { column_code: 'y', column_label: 'Y', column_type: 'number' },
          ],
        }),
      ],
    ]);
    const { body } = await organization.admin.get(`/api/surveys/${surveyId}/questions`).expect(200);
    const { rows, columns } = body.data[0].question_settings;
    expect(rows.map((row: { row_number: number }) => row.row_number)).toEqual([511, 2, 1]);
    expect(columns.map((column: { column_number: number }) => column.column_number)).toEqual([2_047, 1]);
  });

  test('is stored with codes of its options, and numbers of its rows and columns', async () => {
    const [stored] = await listQuestions(survey.surveyId);
    const { rows, columns } = stored.question_settings;
    expect(rows).toEqual([
      { row_code: 'r1', row_label: 'Coffee', row_number: 1 },
      { row_code: 'r2', row_label: 'Tea', row_number: 2 },
    ]);
    expect(columns[1]).toMatchObject({
      column_code: 'where',
      column_number: 2,
      column_required: false,
      options: [
        { option_code: 1, option_label: 'Home' },
        { option_code: 2, option_label: 'Work' },
      ],
    });
    expect(columns[3].column_settings).toMatchObject({ min: 1, max: 5, step: 1, max_label: 'A lot' });
  });

  test.each([
    [{ columns: [] }, 'question_settings.columns'],
    [{ columns: [{ ...COLUMNS[0], column_type: 'matrix' }] }, 'question_settings.columns[0].column_type'],
    [{ columns: [{ ...COLUMNS[0], options: [] }] }, 'question_settings.columns[0].options'],
    [{ columns: [COLUMNS[0], COLUMNS[0]] }, 'question_settings.columns[1].column_code'],
    [
      { columns: [{ ...COLUMNS[2], column_settings: { min: 9, max: 1 } }] },
      'question_settings.columns[0].column_settings.min',
    ],
    [
      { columns: [{ ...COLUMNS[3], column_settings: { min: 1, max: 6, step: 2 } }] },
      'question_settings.columns[0].column_settings.step',
    ],
    [
      {
        columns: [
          {
            ...COLUMNS[0],
            options: [
              { option_label: 'A', option_code: 1 },
              { option_label: 'B', option_code: 1 },
            ],
          },
        ],
      },
      'question_settings.columns[0].options[1].option_code',
    ],
    [{ rows: [] }, 'question_settings.rows'],
  ])('is refused with the name of the field: %j', async (settings, field) => {
    const { surveyId, pageIds } = await draftSurvey(organization.admin);
    const { body } = await organization.admin
      .post(`/api/surveys/${surveyId}/questions`, { ...table('Q1', settings), page_id: pageIds[0] })
      .expect(400);
    expect(body.details.map((one: { field: string }) => one.field)).toContain(field);
  });

  test('is written out for respondents, cell by cell', async () => {
    const { body } = await anonymous(app).get(`/api/public/s/${survey.linkToken}`).expect(200);
    const questions = body.data.pages[0].questions;
    expect(questions).toHaveLength(1 + 6 * 2);
    expect(questions[1]).toMatchObject({
      question_code: 'Q1_use_r1',
      question_type: 'single_choice',
      question_text: 'How do you use these drinks? – How often? – Coffee',
      question_required: true,
      question_cell: { table_id: questions[0].question_id, column_code: 'use', row_code: 'r1' },
    });
  });
});

describe('answers to a side-by-side table', () => {
  test('are those of its cells', async () => {
    const stored = await readStoredResponses(app, survey.surveyId);
    expect(stored[0]!.answers).toMatchObject(ANSWERS[0]!);
    expect(stored[2]!.answers).not.toHaveProperty('Q2');
  });

  test.each([
    [{ Q1_use_r1: '9', Q1_use_r2: '1' }, 'answers.Q1_use_r1'],
    [{ Q1_use_r1: '1', Q1_use_r2: '1', Q1_spend_r1: 501 }, 'answers.Q1_spend_r1'],
    [{ Q1_use_r1: '1', Q1_use_r2: '1', Q1_like_r2: 7 }, 'answers.Q1_like_r2'],
    [{ Q1_use_r1: '1' }, 'answers.Q1_use_r2'],
    [{ Q1: { r1: '1' }, Q1_use_r1: '1', Q1_use_r2: '1' }, 'answers.Q1'],
  ])('are refused: %j', async (answers, field) => {
    const { body } = await anonymous(app)
      .post(`/api/public/s/${survey.linkToken}/responses`, { status: 'complete', answers })
      .expect(400);
    expect(body.details.map((one: { field: string }) => one.field)).toContain(field);
  });

  test('can be partial, and test responses have them', async () => {
    await anonymous(app)
      .post(`/api/public/s/${survey.linkToken}/responses`, {
        status: 'partial',
        answers: { Q1_spend_r2: 4 },
      })
      .expect(201);
    const other = await publishedSurvey(organization.admin, [[table('Q1')]]);
    await organization.admin.post(`/api/responses/${other.surveyId}/seed`, { count: 5, seed: 3 }).expect(201);
    const stored = await readStoredResponses(app, other.surveyId);
    expect(stored.filter(({ answers }) => answers.Q1_use_r1 !== undefined)).toHaveLength(5);
  });
});

describe('figures of a side-by-side table', () => {
  test('are those of each cell, and of each column as a whole', async () => {
    const cell = await getData('distribution/Q1_use_r1');
    expect(cell).toMatchObject({ label: 'How do you use these drinks? – How often? – Coffee', base: 3 });
    expect(cell.categories.map(({ count }: { count: number }) => count)).toEqual([1, 1, 1]);
    const spend = await getData('distribution/Q1_spend_r1');
    // R: x <- c(12, 8, 0); c(mean(x), sd(x))
    expect(spend.stats.mean).toBeCloseTo(6.666667, 6);
    expect(spend.stats.sd).toBeCloseTo(6.110101, 6);
    const column = await getData('distribution/Q1_use');
    expect(column).toMatchObject({
      column_code: 'Q1_use',
      label: 'How do you use these drinks? – How often?',
      type: 'matrix',
    });
    expect(
      column.rows.map((row: { row_code: string; categories: { count: number }[] }) => [
        row.row_code,
        row.categories.map(({ count }) => count),
      ]),
    ).toEqual([
      ['r1', [1, 1, 1]],
      ['r2', [0, 2, 1]],
    ]);
  });

  test('are those of a question, for all cells or for a column', async () => {
    const [{ question_id: id }] = await listQuestions(survey.surveyId);
    const all = await getData(`question/${id}`);
    expect(all).toMatchObject({ question_code: 'Q1', question_type: 'side_by_side', whole: null });
    expect(all.columns).toHaveLength(12);
    const spent = await getData(`question/${id}?table_column=spend`);
    expect(spent.whole.rows.map((row: { base: number }) => row.base)).toEqual([3, 1]);
    const refused = await organization.admin.get(at(`question/${id}?table_column=x`)).expect(400);
    expect(refused.body.details[0].field).toBe('table_column');
  });

  test('are filtered and crossed by cells', async () => {
    const { body } = await organization.admin
      .post(at('crosstab'), { rows: ['Q1_use_r2'], columns: ['Q1_use_r1'] })
      .expect(200);
    expect(JSON.stringify(body.data)).toContain('Q1_use_r1');
    const column = await organization.admin.post(at('crosstab'), { rows: ['Q1_use'] }).expect(200);
    expect(
      column.body.data.tables.map(({ row }: { row: { column_codes: string[] } }) => row.column_codes[0]),
    ).toEqual(['Q1_use_r1', 'Q1_use_r2']);
    const filter = encodeURIComponent(
      JSON.stringify({ left: { code: 'Q1_use_r1' }, operator: 'equals', right: '1' }),
    );
    expect(await getData(`distribution/Q1_spend_r1?filter=${filter}`)).toMatchObject({ base: 1 });
  });
});

describe('files of a side-by-side table', () => {
  test('have a column for each cell', async () => {
    const { file } = await exportResponses(organization.admin, survey.surveyId, { format: 'csv' });
    const csv = file.toString();
    const [head = '', first = ''] = csv.split('\r\n');
    const names = head.split(',');
    const cells = new Map(first.split(',').map((cell, index) => [names[index], cell]));
    expect(names.filter((name) => name.startsWith('Q1'))).toEqual([
      'Q1_use_r1',
      'Q1_use_r2',
      'Q1_where_r1_1',
      'Q1_where_r1_2',
      'Q1_where_r2_1',
      'Q1_where_r2_2',
      'Q1_spend_r1',
      'Q1_spend_r2',
      'Q1_like_r1',
      'Q1_like_r2',
      'Q1_why_r1',
      'Q1_why_r2',
      'Q1_brand_r1',
      'Q1_brand_r2',
    ]);
    expect([cells.get('Q1_where_r1_2'), cells.get('Q1_where_r2_1'), cells.get('Q1_spend_r1')]).toEqual([
      '1',
      '0',
      '12',
    ]);
  });
});

describe('a published side-by-side table', () => {
  const change = async (question_settings: object, status: number) => {
    const [{ question_id: id }] = await listQuestions(survey.surveyId);
    return organization.admin
      .put(`/api/surveys/${survey.surveyId}/questions/${id}`, { question_settings })
      .expect(status);
  };

  test.each([
    [{ columns: COLUMNS.slice(1) }, 'question_settings.columns'],
    [
      { columns: [{ ...COLUMNS[1], column_code: 'use' }, ...COLUMNS.slice(1)] },
      'question_settings.columns[0].column_type',
    ],
    [{ rows: [{ row_code: 'r1', row_label: 'Coffee' }] }, 'question_settings.rows'],
    [
      {
        columns: COLUMNS.map((column) =>
          column.column_code === 'like' ? { ...column, column_settings: { min: 1, max: 4 } } : column,
        ),
      },
      'question_settings.columns[3].column_settings.max',
    ],
  ])('keeps what has answers: %#', async (settings, field) => {
    const { body } = await change(settings, 409);
    expect(body.code).toBe('fixed_by_data');
    expect(body.details.map((one: { field: string }) => one.field)).toContain(field);
  });

  test('retires options that are left out, and keeps their codes and the ids of cells in another order', async () => {
    const idsOf = async () => {
      const { body } = await anonymous(app).get(`/api/public/s/${survey.linkToken}`).expect(200);
      return new Map(
        body.data.pages[0].questions.map((one: { question_code: string; question_id: number }) => [
          one.question_code,
          one.question_id,
        ]),
      );
    };
    const before = await idsOf();
    const [use, ...others] = COLUMNS;
    await change({ columns: [...others, { ...use, options: use!.options!.slice(0, 2) }] }, 200);
    await organization.admin.post(`/api/surveys/${survey.surveyId}/publish`).expect(200);
    const [stored] = await listQuestions(survey.surveyId);
    expect(stored.question_settings.columns.at(-1)).toMatchObject({
      column_number: 1,
      options: [{ option_code: 1 }, { option_code: 2 }, { option_code: 3, retired: true }],
    });
    expect(await idsOf()).toEqual(before);
    expect((await getData('distribution/Q1_use_r1')).categories).toHaveLength(3);
  });

  test('is exported, imported and copied with its columns', async () => {
    const file = (await organization.admin.get(`/api/surveys/${survey.surveyId}/export`).expect(200)).body
      .data;
    const imported = (await organization.admin.post('/api/surveys/import', file).expect(201)).body.data;
    const [[before], [after]] = [
      await listQuestions(survey.surveyId),
      await listQuestions(imported.survey_id),
    ];
    const codes = (one: typeof before) =>
      one.question_settings.columns.map((column: { column_code: string }) => column.column_code);
    expect(codes(after)).toEqual(codes(before));
  });
});

test('a table in a loop cannot be published, and one problem of a column is reported once', async () => {
  const { body } = await organization.admin
    .post('/api/surveys', {
      survey_name: 'Loop',
      pages: [{ page_title: 'One', questions: [table('Q1')] }],
    })
    .expect(201);
  const surveyId = body.data.survey_id;
  const block = (
    await organization.admin
      .post(`/api/surveys/${surveyId}/blocks`, {
        block_code: 'L',
        page_ids: [body.data.pages[0].page_id],
        block_loop: { over: 'listed', items: [{ item_code: 'a', item_label: 'A' }] },
      })
      .expect(201)
  ).body.data;
  expect(block.block_code).toBe('L');
  const refused = await organization.admin.post(`/api/surveys/${surveyId}/publish`).expect(409);
  expect(refused.body.details).toContainEqual({
    field: 'pages[0].questions[0]',
    message: 'Q1 is a table, which cannot be in a loop',
  });
});
