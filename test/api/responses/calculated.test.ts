import { beforeAll, describe, expect, test } from 'vitest';
import { anonymous, newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses, withFile } from '../../support/file-transfer.ts';
import { number } from '../../support/questions.ts';
import { readSav } from '../../support/sav-reader.ts';
import { readStoredResponses } from '../../support/stored-responses.ts';
import { draftSurvey, type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
let organization: Organization;
let survey: PublishedSurvey;

const calculated = (question_code: string, question_settings: object) => ({
  question_type: 'calculated',
  question_code,
  question_text: `Your ${question_code}`,
  question_settings,
});

const PAGES = [
  [number('CUPS'), number('PRICE', { question_settings: { decimals: 2 } })],
  [
    calculated('TOTAL', { expression: 'CUPS * PRICE', decimals: 2, suffix: '€' }),
    calculated('MANY', { expression: 'CUPS > 3', result: 'boolean', yes_label: 'Many', hidden: true }),
    calculated('SOURCE', { expression: "coalesce(`hidden.source`, 'none')", result: 'text', hidden: true }),
  ],
  [
    {
      question_type: 'text',
      question_code: 'WHY',
      question_text: 'Why {{TOTAL}}?',
      question_settings: {
        logic: {
          display: { left: { type: 'question', code: 'TOTAL' }, operator: 'gte', right: 10 },
          skip: [],
        },
      },
    },
  ],
];

beforeAll(async () => {
  organization = await newOrganization(app);
  survey = await publishedSurvey(organization.admin, PAGES);
});

const submit = (token: string, answers: object, extra: object = {}) =>
  anonymous(app).post(`/api/public/s/${token}/responses`, { status: 'complete', answers, ...extra });

const lastAnswers = async (surveyId: number) => (await readStoredResponses(app, surveyId)).at(-1)!.answers;

describe('a calculated value of a response', () => {
  test('is computed by the server, whatever the client sends', async () => {
    await submit(
      survey.linkToken,
      { CUPS: 4, PRICE: 2.5, TOTAL: 1, MANY: '0', WHY: 'Taste' },
      { hidden: { source: 'mail' } },
    ).expect(201);
    expect(await lastAnswers(survey.surveyId)).toEqual({
      CUPS: 4,
      PRICE: 2.5,
      TOTAL: 10,
      MANY: '1',
      SOURCE: 'mail',
      WHY: 'Taste',
    });
    await submit(survey.linkToken, { CUPS: 1, PRICE: null, TOTAL: 500, WHY: 'Taste' }).expect(201);
    expect(await lastAnswers(survey.surveyId)).toEqual({
      CUPS: 1,
      PRICE: null,
      TOTAL: null,
      MANY: '0',
      SOURCE: 'none',
    });
  });

  test('is computed again with each page that is saved', async () => {
    const other = await publishedSurvey(organization.admin, PAGES);
    const at = `/api/public/s/${other.linkToken}/responses`;
    const started = await anonymous(app).post(at, { status: 'partial', answers: {} }).expect(201);
    const token = started.body.data.response_token;
    const save = (page: number, answers: object) =>
      anonymous(app).patch(`${at}/${token}`, { page_id: other.pageIds[page], answers }).expect(200);
    await save(0, { CUPS: 5, PRICE: 3 });
    expect(await lastAnswers(other.surveyId)).toMatchObject({ TOTAL: 15, MANY: '1' });
    await save(0, { CUPS: 2, PRICE: 3 });
    await save(1, { TOTAL: 99 });
    expect(await lastAnswers(other.surveyId)).toMatchObject({ TOTAL: 6, MANY: '0' });
    await anonymous(app)
      .post(`${at}/${token}/complete`, { answers: { TOTAL: 99 } })
      .expect(200);
    expect(await lastAnswers(other.surveyId)).toEqual({
      CUPS: 2,
      PRICE: 3,
      TOTAL: 6,
      MANY: '0',
      SOURCE: 'none',
    });
  });

  test('is a column of figures, filters and files', async () => {
    const { admin } = organization;
    const at = (path: string) => `/api/responses/${survey.surveyId}/${path}`;
    const { body: figure } = await admin.get(at('distribution/TOTAL')).expect(200);
    expect(figure.data).toMatchObject({ base: 1, stats: { mean: 10 } });
    const { body: many } = await admin.get(at('distribution/MANY')).expect(200);
    expect(
      many.data.categories.map(({ label, count }: { label: string; count: number }) => [label, count]),
    ).toEqual([
      ['No', 1],
      ['Many', 1],
    ]);
    const filter = { left: { type: 'question', code: 'TOTAL' }, operator: 'gt', right: 5 };
    const rows = await admin.get(at(`grid?filter=${encodeURIComponent(JSON.stringify(filter))}`)).expect(200);
    expect(rows.body.data.rows).toHaveLength(1);
    const columns = ['CUPS', 'TOTAL', 'MANY'];
    const fileOf = async (format: string) =>
      (await exportResponses(admin, survey.surveyId, { format, columns })).file;
    expect((await fileOf('csv')).toString()).toMatch(/CUPS,TOTAL,MANY\s+4,10,(Many|1)\s+1,,(No|0)/);
    const sav = readSav(await fileOf('spss'));
    expect(sav.rows).toEqual([
      [4, 10, 1],
      [1, null, 0],
    ]);
  });

  test('can be edited, and does not follow edits of other answers', async () => {
    const other = await publishedSurvey(organization.admin, PAGES);
    await submit(other.linkToken, { CUPS: 4, PRICE: 2.5 }).expect(201);
    const [row] = await readStoredResponses(app, other.surveyId);
    const at = `/api/responses/${other.surveyId}/rows/${row!.response_id}`;
    await organization.admin.patch(at, { values: { CUPS: 8 } }).expect(200);
    expect(await lastAnswers(other.surveyId)).toMatchObject({ CUPS: 8, TOTAL: 10 });
    await organization.admin.patch(at, { values: { TOTAL: 20, MANY: '0' } }).expect(200);
    expect(await lastAnswers(other.surveyId)).toMatchObject({ TOTAL: 20, MANY: '0' });
    await organization.admin.patch(at, { values: { TOTAL: 'many' } }).expect(400);
  });

  test('is computed for new rows and for imported responses without its column', async () => {
    const other = await publishedSurvey(organization.admin, PAGES);
    const added = await organization.admin
      .post(`/api/responses/${other.surveyId}/rows`, {
        rows: [{ status: 'partial', answers: { CUPS: 2, PRICE: 2 } }],
      })
      .expect(201);
    expect(added.body.data).toMatchObject({ created: 1 });
    expect(await lastAnswers(other.surveyId)).toMatchObject({ TOTAL: 4 });
    const load = (csv: string) =>
      withFile(organization.admin.post(`/api/responses/${other.surveyId}/import`), csv, {}, 'cups.csv');
    await load('CUPS,PRICE\n3,2\n');
    expect(await lastAnswers(other.surveyId)).toMatchObject({ TOTAL: 6, MANY: '0' });
    await load('CUPS,PRICE,TOTAL\n3,2,7\n');
    expect(await lastAnswers(other.surveyId)).toMatchObject({ TOTAL: 7 });
  });

  test('is computed for test responses', async () => {
    const other = await publishedSurvey(organization.admin, PAGES);
    await organization.admin
      .post(`/api/responses/${other.surveyId}/seed`, { count: 30, seed: 7 })
      .expect(201);
    const complete = (await readStoredResponses(app, other.surveyId)).filter(
      ({ answers }) => typeof answers.CUPS === 'number' && typeof answers.PRICE === 'number',
    );
    expect(complete.length).toBeGreaterThan(5);
    for (const { answers } of complete)
      if ('TOTAL' in answers)
        expect(answers.TOTAL).toBeCloseTo((answers.CUPS as number) * (answers.PRICE as number), 6);
  });
});

describe('the expression', () => {
  test('is checked with its syntax when it is saved, and with the survey before publishing', async () => {
    const draft = await draftSurvey(organization.admin, [
      [calculated('A', { expression: 'B + 1' }), number('B')],
      [calculated('C', { expression: 'B + NOPE' }), calculated('D', {})],
    ]);
    const at = `/api/surveys/${draft.surveyId}`;
    const refused = await organization.admin
      .put(`${at}/questions/${draft.questionIds.C}`, { question_settings: { expression: 'B + (1' } })
      .expect(400);
    expect(refused.body.details).toEqual([
      { field: 'question_settings.expression', message: 'this parenthesis is not closed (at character 5)' },
    ]);
    const check = await organization.admin.get(`${at}/publish-check`).expect(200);
    expect(
      check.body.data.problems.map(({ code, question_code }: Record<string, string>) => [
        code,
        question_code,
      ]),
    ).toEqual([
      ['forward_reference', 'A'],
      ['invalid_expression', 'C'],
      ['invalid_expression', 'D'],
    ]);
  });
});
