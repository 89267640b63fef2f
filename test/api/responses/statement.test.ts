import { beforeAll, describe, expect, it } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { exportResponses } from '../../support/file-transfer.ts';
import { choice } from '../../support/questions.ts';
import { expectInvalidField } from '../../support/refusals.ts';
import { draftSurvey, publishedSurvey, type PublishedSurvey } from '../../support/surveys.ts';

const test = useApp();
const organization = useOrganization(test);
const STATEMENT = {
  question_type: 'statement',
  question_code: 'S1',
  question_text: 'Now we show you a concept.',
  question_settings: { min_seconds: 5 },
};
let survey: PublishedSurvey;
beforeAll(async () => {
  survey = await publishedSurvey(organization.admin, [[STATEMENT, choice('Q1')]]);
});

describe('a statement', () => {
  it('is shown to respondents, who answer the other questions', async () => {
    const respondent = anonymous(test);
    const path = `/api/public/s/${survey.linkToken}`;
    const shown = await respondent.get(path).expect(200);
    expect(shown.body.data.pages[0].questions[0]).toMatchObject({
      question_type: 'statement',
      question_required: false,
      question_settings: { min_seconds: 5 },
    });
    await respondent.post(`${path}/responses`, { answers: { Q1: '1' } }).expect(201);
    await expectInvalidField(
      respondent.post(`${path}/responses`, { answers: { Q1: '1', S1: 'read' } }),
      'answers.S1',
    );
  });

  it('has no column in the grid, files and figures', async () => {
    const { admin } = organization;
    const grid = await admin.get(`/api/responses/${survey.surveyId}/grid`).expect(200);
    const codes = (grid.body.data.columns as { column_code: string }[]).map(({ column_code: code }) => code);
    expect(codes).toContain('Q1');
    expect(codes).not.toContain('S1');
    const csv = await exportResponses(admin, survey.surveyId, { format: 'csv' });
    expect(csv.file.toString().split('\n')[0]).toMatch(/Q1/);
    expect(csv.file.toString()).not.toContain('S1');
    await admin.post(`/api/responses/${survey.surveyId}/seed`, { count: 50, seed: 1 }).expect(201);
  });

  it('cannot be required, nor named by conditions', async () => {
    const { admin } = organization;
    const { surveyId, pageIds } = await draftSurvey(admin, [[STATEMENT]]);
    const path = `/api/surveys/${surveyId}/questions`;
    await expectInvalidField(
      admin.post(path, { ...STATEMENT, page_id: pageIds[0], question_code: 'S2', question_required: true }),
      'question_required',
    );
    await admin
      .post(path, {
        ...choice('Q1'),
        page_id: pageIds[0],
        question_settings: { logic: { display: { S1: ['1'] } } },
      })
      .expect(201);
    const check = await admin.get(`/api/surveys/${surveyId}/publish-check`).expect(200);
    expect(check.body.data.problems).toEqual([
      expect.objectContaining({
        code: 'dangling_reference',
        message: expect.stringContaining('S1 is a statement, which has no answer'),
      }),
    ]);
  });

  it('is not required any more when a required question becomes one', async () => {
    const { admin } = organization;
    const { surveyId, questionIds } = await draftSurvey(admin, [
      [{ question_type: 'text', question_code: 'T1', question_text: 'Why?', question_required: true }],
    ]);
    const changed = await admin
      .put(`/api/surveys/${surveyId}/questions/${questionIds.T1}`, { question_type: 'statement' })
      .expect(200);
    expect(changed.body.data).toMatchObject({ question_type: 'statement', question_required: false });
  });
});
