import { beforeAll, describe, expect, test } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { choice, text } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { expectRefused } from '../../support/refusals.ts';

const app = useApp();
const author = useOrganization(app).admin;
const respondent = anonymous(app);
let survey: PublishedSurvey;

beforeAll(async () => {
  survey = await publishedSurvey(author, {
    settings: { hidden_values: ['source'] },
    pages: [[choice('Q1')], [text('Q2')]],
  });
});

describe('a resumed response', () => {
  test('returns its answers and the next page', async () => {
    const response = await startResponse(respondent, survey.linkToken, {
      submission_id: 'left',
      language: 'de',
      hidden: { source: 'mail' },
    });
    await response.save({ Q1: '2' }, survey.pageIds[0]).expect(200);
    await response.save({ Q2: 'half' }).expect(200);
    const { survey: requested, ...resumed } = (await response.resume().expect(200)).body.data;
    expect(resumed).toEqual({
      response_id: response.responseId,
      submission_id: 'left',
      response_status: 'partial',
      status_reason: null,
      redirect_url: null,
      answers: { Q1: '2', Q2: 'half' },
      previous_answers: {},
      last_page_id: survey.pageIds[0],
      next_page_id: survey.pageIds[1],
      ended: false,
      survey_closed: false,
      language: 'de',
      hidden: { source: 'mail' },
      survey_version: 1,
      started_at: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(requested).toMatchObject({ survey_name: 'A survey', survey_version: 1 });
    expect((await response.resume()).headers['cache-control']).toContain('no-store');
  });

  test('says with each saved page whether the survey has closed', async () => {
    const closing = await publishedSurvey(author, { pages: [[choice('Q1')], [text('Q2')]] });
    const response = await startResponse(respondent, closing.linkToken);
    const isClosed = async () =>
      (await response.save({ Q1: '1' }, closing.pageIds[0]).expect(200)).body.data.survey_closed as boolean;
    expect(await isClosed()).toBe(false);
    await author.put(`/api/surveys/${closing.surveyId}`, { survey_status: 3 }).expect(200);
    expect(await isClosed()).toBe(true);
    expect((await response.resume().expect(200)).body.data.survey_closed).toBe(true);
    await author.put(`/api/surveys/${closing.surveyId}`, { survey_status: 2 }).expect(200);
    expect(await isClosed()).toBe(false);
  });

  test('starts at the first page if nothing was submitted', async () => {
    const response = await startResponse(respondent, survey.linkToken);
    expect((await response.resume().expect(200)).body.data).toMatchObject({
      next_page_id: survey.pageIds[0],
      last_page_id: null,
      answers: {},
    });
  });

  test('keeps the version in which it started', async () => {
    const changing = await publishedSurvey(author, {
      survey_name: 'Changing',
      pages: [[choice('Q1')], [text('Q2')]],
    });
    const response = await startResponse(respondent, changing.linkToken, { answers: { Q1: '1' } });
    await author
      .put(`/api/surveys/${changing.surveyId}/questions/${changing.questionIds.Q2}`, {
        question_text: 'Rewritten',
      })
      .expect(200);
    await author.post(`/api/surveys/${changing.surveyId}/publish`).expect(200);
    const { survey: requested, survey_version: version } = (await response.resume().expect(200)).body.data;
    expect(version).toBe(1);
    expect(requested.pages[1].questions[0].question_text).toBe('Why Q2?');
    await response.save({ Q2: 'still' }, changing.pageIds[1]).expect(200);
  });

  test('returns its outcome after it ended', async () => {
    const response = await startResponse(respondent, survey.linkToken);
    await response.complete({ Q1: '1' }).expect(200);
    expect((await response.resume().expect(200)).body.data).toMatchObject({
      response_status: 'complete',
      ended: true,
      next_page_id: null,
    });
  });

  test('returns 404 for a wrong token, another link and another survey', async () => {
    const response = await startResponse(respondent, survey.linkToken);
    const other = await publishedSurvey(author, { survey_name: 'Another', pages: [[choice('Q1')]] });
    const link = await author.post(`/api/surveys/${survey.surveyId}/links`, {}).expect(201);
    for (const token of [other.linkToken, link.body.data.link_token as string, 'NoSuchLink1234567890'])
      await expectRefused(
        respondent.get(`/api/public/s/${token}/responses/${response.token}`),
        404,
        'not_found',
      );
    await expectRefused(
      respondent.get(`/api/public/s/${survey.linkToken}/responses/${'x'.repeat(32)}`),
      404,
      'not_found',
    );
  });
});
