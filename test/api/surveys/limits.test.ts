import { describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { draftSurvey } from '../../support/surveys.ts';

const test = useApp();
const admin = useOrganization(test).admin;

const at = (surveyId: number) => `/api/surveys/${surveyId}`;
const labels = (count: number) => Array.from({ length: count }, (_, index) => `Option ${index + 1}`);

describe('a survey at its limits', () => {
  it('has 2,000 questions on 500 pages and no more, and can still be changed', async () => {
    const pages = Array.from({ length: 500 }, () => ({
      questions: Array.from({ length: 4 }, () => ({
        question_type: 'single_choice',
        question_text: 'Yes or no?',
        options: ['Yes', 'No'],
      })),
    }));
    const imported = await admin.post('/api/surveys/import', { survey_name: 'Huge', pages }).expect(201);
    const surveyId = imported.body.data.survey_id as number;
    const { body } = await admin.get(`${at(surveyId)}/questions`).expect(200);
    expect(body.data).toHaveLength(2_000);
    expect(body.meta).toEqual({ limit: 2_000, next_cursor: null, total: 2_000 });
    const [first] = body.data as [{ question_id: number; page_id: number }];
    const question = { page_id: first.page_id, question_type: 'text', question_text: 'One more?' };
    await expectRefused(admin.post(`${at(surveyId)}/questions`, question), 409, 'too_many_questions');
    await expectRefused(admin.post(`${at(surveyId)}/pages`), 409, 'too_many_pages');

    const order = body.data
      .map((question: { question_id: number }) => question.question_id)
      .reverse() as number[];
    await admin.put(`${at(surveyId)}/questions/reorder`, { question_ids: order }).expect(200);
    await admin.post(`${at(surveyId)}/publish`).expect(200);
    await admin.post(`${at(surveyId)}/duplicate`).expect(201);

    const tooMany = {
      survey_name: 'Larger',
      pages: [...pages.slice(1), { questions: Array(5).fill(pages[0]!.questions[0]) }],
    };
    await expectInvalidField(admin.post('/api/surveys/import', tooMany), 'survey.pages');
  });

  it('has 1,000 options in a question and no more', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin);
    const question = { page_id: pageIds[0], question_type: 'dropdown', question_text: 'Which?' };
    const created = await admin
      .post(`${at(surveyId)}/questions`, { ...question, options: labels(1_000) })
      .expect(201);
    expect(created.body.data.options).toHaveLength(1_000);
    await expectInvalidField(
      admin.post(`${at(surveyId)}/questions`, { ...question, options: labels(1_001) }),
      'options',
    );
    const url = `${at(surveyId)}/questions/${created.body.data.question_id}`;
    await expectInvalidField(admin.put(url, { options: labels(1_001) }), 'options');
  });

  it('has settings and logic of a size that fits into memory', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin, [[{ question_type: 'text' }]]);
    const text = 'x'.repeat(10_000);
    const languages = Array.from({ length: 11 }, (_, index) => `en-X${index + 10}`);
    const translations = Object.fromEntries(languages.map((tag) => [tag, { question_text: text }]));
    const { body } = await admin.get(`${at(surveyId)}/questions`).expect(200);
    const url = `${at(surveyId)}/questions/${body.data[0].question_id}`;
    await expectInvalidField(admin.put(url, { question_settings: { translations } }), 'question_settings');
    const conditions = Array.from({ length: 150 }, () => ({
      left: { code: 'Q1' },
      operator: 'equals',
      right: 'x'.repeat(1_000),
    }));
    await expectInvalidField(
      admin.put(`${at(surveyId)}/pages/${pageIds[0]}`, {
        page_logic: { display: { connector: 'or', conditions } },
      }),
      'page_logic',
    );
  });

  it('rejects logic that is nested too deeply', async () => {
    const { surveyId, pageIds } = await draftSurvey(admin);
    const nested = (depth: number) =>
      `{"page_logic":{"display":${'{"conditions":['.repeat(depth)}${']}'.repeat(depth)}}}`;
    const put = (text: string) =>
      admin
        .put(`${at(surveyId)}/pages/${pageIds[0]}`)
        .set('Content-Type', 'application/json')
        .send(text);
    await expectRefused(put(nested(5_000)), 400);
    await expectRefused(put(nested(40)), 400);
    await put(nested(25)).expect(200);
  });
});
