import { describe, expect, test } from 'vitest';
import { type Actor, anonymous, newOrganization, signIn, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { choice, text } from '../../support/questions.ts';
import { readStoredResponse } from '../../support/stored-responses.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { expectRefused } from '../../support/refusals.ts';

const app = useApp();
const author = useOrganization(app).admin;
const respondent = anonymous(app);

const PAGES = [[choice('Q1', { question_required: true })], [text('Q2')]];

async function previewOf(surveyId: number): Promise<string> {
  const reply = await author.post(`/api/surveys/${surveyId}/preview`).expect(201);
  return reply.body.data.preview_token as string;
}

describe('a preview', () => {
  test('can be completed for a survey that was never published', async () => {
    const created = await author.post('/api/surveys', { survey_name: 'Draft' }).expect(201);
    const surveyId = created.body.data.survey_id as number;
    const page = await author.post(`/api/surveys/${surveyId}/pages`, {}).expect(201);
    const request = {
      page_id: page.body.data.page_id as number,
      question_type: 'number',
      question_text: 'How many?',
    };
    const question = await author.post(`/api/surveys/${surveyId}/questions`, request).expect(201);
    const token = await previewOf(surveyId);
    const reply = await respondent.get(`/api/public/s/${token}`).expect(200);
    expect(reply.body.data).toMatchObject({ survey_name: 'Draft', is_preview: true, survey_version: 0 });
    const response = await startResponse(respondent, token);
    await response.save({ Q1: 3 }, request.page_id).expect(200);
    await response.complete().expect(200);
    expect(await readStoredResponse(app, response.responseId)).toMatchObject({
      response_status: 'complete',
      is_test: true,
      is_preview: true,
      link_id: null,
      answers: { Q1: 3 },
    });
    // Once there are data a code is fixed; these are none.
    const questionPath = `/api/surveys/${surveyId}/questions/${question.body.data.question_id as number}`;
    await author.put(questionPath, { question_code: 'Renamed' }).expect(200);
  });

  test('returns its URL and expiry', async () => {
    const { surveyId } = await publishedSurvey(author, PAGES);
    const before = Date.now();
    const { data } = (await author.post(`/api/surveys/${surveyId}/preview`).expect(201)).body;
    expect(data.preview_url).toMatch(new RegExp(`^http://.*/s/preview/${data.preview_token}$`));
    const hours = (Date.parse(data.expires_at as string) - before) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThan(24.1);
  });

  test('always shows the current draft', async () => {
    const { surveyId, questionIds, linkToken } = await publishedSurvey(author, PAGES);
    const token = await previewOf(surveyId);
    const response = await startResponse(respondent, token, { answers: { Q1: '1', Q2: 'old' } });
    await author
      .put(`/api/surveys/${surveyId}/questions/${questionIds.Q1}`, { question_text: 'Anew?' })
      .expect(200);
    await author.delete(`/api/surveys/${surveyId}/questions/${questionIds.Q2}`).expect(204);
    const textOf = async (address: string) =>
      (await respondent.get(`/api/public/s/${address}`).expect(200)).body.data.pages[0].questions[0]
        .question_text as string;
    expect(await textOf(token)).toBe('Anew?');
    expect(await textOf(linkToken)).toBe('Which for Q1?');
    expect((await response.resume().expect(200)).body.data.answers).toEqual({ Q1: '1' });
    await response.complete().expect(200);
    expect((await readStoredResponse(app, response.responseId)).answers).toEqual({ Q1: '1' });
  });

  test('is excluded from figures, the grid, files and counts', async () => {
    const { surveyId, linkToken } = await publishedSurvey(author, PAGES);
    const token = await previewOf(surveyId);
    const figures = async (by: Actor) => {
      const paths = [
        `/api/responses/${surveyId}/stats`,
        `/api/responses/${surveyId}/stats?include_test=true`,
        `/api/responses/${surveyId}/distribution/Q1?status=all&include_test=true`,
        `/api/responses/${surveyId}/grid?include_test=true`,
      ];
      const bodies = [];
      for (const path of paths) bodies.push((await by.get(path).expect(200)).body.data as unknown);
      const file = await by
        .post(`/api/responses/${surveyId}/export`, { format: 'csv', include_test: true })
        .expect(200);
      const links = (await by.get(`/api/surveys/${surveyId}/links`).expect(200)).body.data;
      return [...bodies, file.text, links[0].response_count, links[0].complete_count];
    };
    const before = await figures(author);
    await respondent.post(`/api/public/s/${token}/responses`, { answers: { Q1: '1' } }).expect(201);
    const response = await startResponse(respondent, token);
    await response.complete({ Q1: '2' }).expect(200);
    // First from the updated cache, then from the database.
    expect(await figures(author)).toEqual(before);
    const elsewhere = await signIn(appOn(app.database), author);
    expect(await figures(elsewhere)).toEqual(before);
    await respondent.post(`/api/public/s/${linkToken}/responses`, { answers: { Q1: '1' } }).expect(201);
    const { data } = (await author.get(`/api/responses/${surveyId}/stats`).expect(200)).body;
    expect(JSON.stringify(data)).not.toBe(JSON.stringify(before[0]));
  });

  test('cannot access responses of a link, nor a link those of a preview', async () => {
    const { surveyId, linkToken } = await publishedSurvey(author, PAGES);
    const token = await previewOf(surveyId);
    const previewed = await startResponse(respondent, token, { submission_id: 'same' });
    const collected = await startResponse(respondent, linkToken, { submission_id: 'other' });
    await expectRefused(respondent.get(`/api/public/s/${linkToken}/responses/${previewed.token}`), 404);
    await expectRefused(respondent.get(`/api/public/s/${token}/responses/${collected.token}`), 404);
    await author
      .post(`/api/responses/${surveyId}/rows`, { rows: [{ submission_id: 'brought', answers: { Q1: '1' } }] })
      .expect(201);
    const again = { status: 'partial', answers: {}, submission_id: 'brought' };
    await expectRefused(
      respondent.post(`/api/public/s/${token}/responses`, again),
      409,
      'submission_id_taken',
    );
  });

  test('is created by editors and opened only with a valid signature', async () => {
    const { surveyId } = await publishedSurvey(author, PAGES);
    const other = await publishedSurvey(author, PAGES);
    const otherAdmin = (await newOrganization(app)).admin;
    await expectRefused(otherAdmin.post(`/api/surveys/${surveyId}/preview`), 404);
    const token = await previewOf(surveyId);
    for (const forged of [
      token.replace(`preview-${surveyId}-`, `preview-${other.surveyId}-`),
      token.replace(
        /-(\d+)-([^-].*)$/,
        (_, until: string, signature: string) => `-${Number(until) + 1}-${signature}`,
      ),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      `preview-${surveyId}-9999999999-${'A'.repeat(22)}`,
    ]) {
      expect(forged).not.toBe(token);
      await expectRefused(respondent.get(`/api/public/s/${forged}`), 404, 'not_found');
    }
  });

  test('expires after a day, and with its survey', async () => {
    const { surveyId } = await publishedSurvey(author, PAGES);
    const token = await previewOf(surveyId);
    const tomorrow = appOn(app.database, {}, { clock: { now: () => new Date(Date.now() + 86_401_000) } });
    await expectRefused(anonymous(tomorrow).get(`/api/public/s/${token}`), 410, 'link_expired');
    await author.delete(`/api/surveys/${surveyId}`).expect(204);
    await expectRefused(respondent.get(`/api/public/s/${token}`), 404, 'not_found');
  });
});
