import { beforeAll, describe, expect, test } from 'vitest';
import { anonymous, newOrganization, type Organization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, number, text } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { readStoredResponses } from '../../support/stored-responses.ts';
import { addQuestion, draftSurvey, type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';

const app = useApp();
let organization: Organization;
let survey: PublishedSurvey;

const DONT_KNOW = { no_answer: 'dont_know' };
const REFUSED = { no_answer: 'refused' };
const no_answers = [
  { reason: 'dont_know', code: 97 },
  { reason: 'refused', code: 98, label: 'Prefer not to say' },
];
const withReasons = (settings: object = {}) => ({ question_settings: { no_answers, ...settings } });

const ANSWERS = [
  { age: 34, why: 'Price', job: '1' },
  { age: DONT_KNOW, why: REFUSED, job: DONT_KNOW },
  { age: REFUSED, job: '2' },
];

const submit = (answers: object) =>
  anonymous(app).post(`/api/public/s/${survey.linkToken}/responses`, { status: 'complete', answers });

beforeAll(async () => {
  organization = await newOrganization(app);
  survey = await publishedSurvey(organization.admin, [
    [
      number('age', { question_required: true, ...withReasons({ min: 16, max: 90 }) }),
      text('why', {
        question_settings: {
          no_answers,
          logic: {
            display: { left: { code: 'age' }, operator: 'gave_reason', right: ['dont_know', 'refused'] },
          },
        },
      }),
      choice('job', withReasons()),
    ],
  ]);
  for (const answers of ANSWERS) await submit(answers).expect(201);
});

const at = (path: string) => `/api/responses/${survey.surveyId}/${path}`;
const getData = async (path: string) => (await organization.admin.get(at(path)).expect(200)).body.data;

describe('a reason instead of an answer', () => {
  test('satisfies a required question, and logic that asks for it', async () => {
    const stored = await readStoredResponses(app, survey.surveyId);
    expect(stored.map(({ answers }) => answers)).toEqual([
      { age: 34, job: '1' },
      { age: DONT_KNOW, why: REFUSED, job: DONT_KNOW },
      { age: REFUSED, why: null, job: '2' },
    ]);
    await submit({ job: '1' }).expect(400);
  });

  test.each([
    [{ age: { no_answer: 'not_applicable' } }, 'answers.age.no_answer', 'is not a reason that age offers'],
    [{ age: { no_answer: 'refused', value: 3 } }, 'answers.age', 'value'],
    [{ age: 97 }, 'answers.age', 'must be between 16 and 90'],
  ])('is refused: %j', async (answers, field, message) => {
    const { body } = await submit(answers).expect(400);
    const problem = body.details.find((each: { field: string }) => each.field === field);
    expect(problem?.message).toContain(message);
  });

  test('is counted by reason and left out of figures', async () => {
    const { base, missing, stats } = await getData('distribution/age');
    expect(base).toBe(1);
    expect(missing.no_answer).toEqual({ dont_know: 1, refused: 1, not_applicable: 0 });
    expect(stats.mean).toBe(34);
    const found = await getData(
      `grid?${new URLSearchParams({
        filter: JSON.stringify({ left: { code: 'age' }, operator: 'gave_reason', right: ['refused'] }),
      })}`,
    );
    expect(found.rows).toMatchObject([{ values: { age: null }, no_answers: { age: 'refused' } }]);
    const age = found.columns.find((column: { column_code: string }) => column.column_code === 'age');
    expect(age.no_answers).toEqual([
      { reason: 'dont_know', code: 97, label: 'Don’t know' },
      { reason: 'refused', code: 98, label: 'Prefer not to say' },
    ]);
  });

  test('is given and taken back by an edit, which can be undone', async () => {
    const rows = await readStoredResponses(app, survey.surveyId);
    const path = at(`rows/${rows[0]!.response_id}`);
    const edit = (values: object) => organization.admin.patch(path, { values });
    const stored = async () => (await readStoredResponses(app, survey.surveyId))[0]!.answers;
    await edit({ age: REFUSED }).expect(200);
    expect(await stored()).toEqual({ age: REFUSED, job: '1' });
    await edit({ age: 35 }).expect(200);
    expect(await stored()).toEqual({ age: 35, job: '1' });
    const { body } = await edit({ age: { no_answer: 'not_applicable' } }).expect(400);
    expect(body.details[0].field).toBe('values.age');
    await organization.admin
      .post(at('restore-originals'), { response_ids: [rows[0]!.response_id] })
      .expect(200);
    expect(await stored()).toEqual({ age: 34, job: '1' });
  });
});

describe('the code of a reason', () => {
  test('cannot be an answer of the question', async () => {
    const { surveyId, pageIds } = await draftSurvey(organization.admin, [[]]);
    const add = (question_settings: object) =>
      organization.admin.post(`/api/surveys/${surveyId}/questions`, {
        page_id: pageIds[0],
        question_type: 'slider',
        question_text: 'How warm is it?',
        question_settings,
      });
    const { details } = await expectRefused(add({ no_answers }), 400);
    expect(details).toMatchObject([
      { field: 'question_settings.no_answers[0].code' },
      { field: 'question_settings.no_answers[1].code' },
    ]);
    await add({ no_answers, max: 40 }).expect(201);
  });

  test('is reported before publishing where a respondent can enter it', async () => {
    const { surveyId, pageIds } = await draftSurvey(organization.admin, [[]]);
    await addQuestion(organization.admin, surveyId, pageIds[0]!, {
      question_type: 'number',
      ...withReasons(),
    });
    const { body } = await organization.admin.get(`/api/surveys/${surveyId}/publish-check`).expect(200);
    const warnings = body.data.warnings as { code: string; field: string }[];
    expect(warnings.map(({ code, field }) => [code, field])).toEqual([
      ['ambiguous_code', 'pages[0].questions[0].question_settings.no_answers[0].code'],
      ['ambiguous_code', 'pages[0].questions[0].question_settings.no_answers[1].code'],
    ]);
  });
});
