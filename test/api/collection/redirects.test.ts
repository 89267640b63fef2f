import { beforeAll, describe, expect, test } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { expireLinkReservations } from '../../support/expire-reservations.ts';
import { choice } from '../../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../../support/surveys.ts';
import { expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const author = useOrganization(app).admin;
const respondent = anonymous(app);
let survey: PublishedSurvey;

beforeAll(async () => {
  const screenOut = { when: { left: { code: 'Q1' }, operator: 'equals', right: '3' }, action: 'screen_out' };
  survey = await publishedSurvey(author, [
    [choice('Q1', { question_settings: { logic: { skip: [screenOut] } } })],
  ]);
});

const newLink = (body: object) => author.post(`/api/surveys/${survey.surveyId}/links`, body);
const REDIRECTS = {
  complete: 'https://panel.example/complete?id={{external_id}}',
  screen_out: 'https://panel.example/out/{{external_id}}',
  default: 'https://panel.example/other',
};

describe('a panel link', () => {
  test('redirects respondents with their id, by outcome', async () => {
    const link = await newLink({ link_type: 'panel', redirects: REDIRECTS, link_quota: 2 }).expect(201);
    expect(link.body.data.redirects).toEqual({ ...REDIRECTS, over_quota: null, quality: null });
    const token = link.body.data.link_token as string;
    const submit = (answer: string, externalId: string) =>
      respondent.post(`/api/public/s/${token}/responses`, {
        answers: { Q1: answer },
        external_id: externalId,
      });
    expect((await submit('1', 'a b&c').expect(201)).body.data.redirect_url).toBe(
      'https://panel.example/complete?id=a%20b%26c',
    );
    expect((await submit('3', 'ü/7').expect(201)).body.data.redirect_url).toBe(
      'https://panel.example/out/%C3%BC%2F7',
    );
    const late = await startResponse(respondent, token, { external_id: 'late' });
    await expireLinkReservations(app, token);
    await submit('1', 'last place').expect(201);
    expect((await late.complete({ Q1: '1' }).expect(200)).body.data).toMatchObject({
      response_status: 'screened_out',
      status_reason: 'over_quota',
      redirect_url: 'https://panel.example/other',
    });
    expect((await late.resume().expect(200)).body.data.redirect_url).toBe('https://panel.example/other');
  });

  test('returns the same URL to a retry, and none for a partial response', async () => {
    const link = await newLink({ link_type: 'panel', redirects: REDIRECTS }).expect(201);
    const response = await startResponse(respondent, link.body.data.link_token as string, {
      external_id: 'x',
    });
    const out = (await response.save({ Q1: '1' }, survey.pageIds[0]).expect(200)).body.data;
    expect(out).toMatchObject({ redirect_url: null, ended: true });
    const done = await response.complete().expect(200);
    expect(done.body.data.redirect_url).toBe('https://panel.example/complete?id=x');
    expect((await response.complete().expect(200)).body).toEqual(done.body);
  });
});

describe('an open link', () => {
  test("uses the survey's redirect_url", async () => {
    await author
      .put(`/api/surveys/${survey.surveyId}`, {
        survey_settings: { redirect_url: 'https://thanks.example/' },
      })
      .expect(200);
    const reply = await respondent
      .post(`/api/public/s/${survey.linkToken}/responses`, { answers: { Q1: '1' } })
      .expect(201);
    expect(reply.body.data.redirect_url).toBe('https://thanks.example/');
  });
});

describe('rejects unsafe redirect URLs', () => {
  test.each([
    'javascript:alert(1)',
    'data:text/html,<p>',
    '//panel.example',
    'https://{{external_id}}.example/',
    'ftp://x.example',
  ])('%s', async (address) =>
    expectInvalidField(newLink({ redirects: { complete: address } }), 'redirects.complete'),
  );

  test('rejects an unknown outcome', async () =>
    expectInvalidField(newLink({ redirects: { finished: 'https://panel.example' } }), 'redirects.finished'));
});
