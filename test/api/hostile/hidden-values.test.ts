import { describe, expect, it } from 'vitest';
import { anonymous, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { choice, text } from '../../support/questions.ts';
import { cell, quota, setQuotas } from '../../support/quotas.ts';
import { startResponse } from '../../support/start-response.ts';
import { publishedSurvey } from '../../support/surveys.ts';
import { createWave } from '../../support/waves.ts';

const app = useApp();
const author = useOrganization(app).admin;
const respondent = anonymous(app);

const isPanel = { left: { type: 'hidden', code: 'source' }, operator: 'equals', right: 'panel' };
/** As many and as long as the request schema allows. */
const MANY = Object.fromEntries(
  Array.from({ length: 49 }, (_, index) => [`filler${index}`, 'x'.repeat(500)]),
);

async function storedHidden(surveyId: number): Promise<unknown[]> {
  const rows = await app.database.db('responses').where({ survey_id: surveyId }).orderBy('response_id');
  return rows.map((row: { hidden: unknown }) => row.hidden);
}

describe('hidden values that a survey neither uses nor declares', () => {
  it('are not stored, for complete and partial responses', async () => {
    const survey = await publishedSurvey(author, [[text('Q1')]]);
    const path = `/api/public/s/${survey.linkToken}/responses`;
    await respondent.post(path, { answers: { Q1: 'a' }, hidden: { ...MANY, source: 'mail' } }).expect(201);
    const response = await startResponse(respondent, survey.linkToken, { hidden: MANY });
    await response.save({ Q1: 'b' }).expect(200);
    expect(await storedHidden(survey.surveyId)).toEqual([null, null]);
    expect((await response.resume().expect(200)).body.data.hidden).toEqual({});
  });

  it('are dropped beside those of logic, texts, translations and the declaration', async () => {
    const { linkToken, surveyId } = await publishedSurvey(author, {
      settings: { hidden_values: ['campaign'] },
      pages: [
        [
          text('Q1', { question_text: 'Dear {{hidden.name|friend}}' }),
          text('Q2', {
            question_settings: {
              logic: { display: isPanel },
              translations: { de: { question_text: 'Aus {{hidden.town}}' } },
            },
          }),
        ],
      ],
    });
    const used = { name: 'Eva', source: 'panel', town: 'Ulm', campaign: 'may' };
    await respondent
      .post(`/api/public/s/${linkToken}/responses`, {
        answers: { Q2: 'shown' },
        hidden: { ...MANY, ...used },
      })
      .expect(400);
    const fewer = Object.fromEntries(Object.entries(MANY).slice(0, 40));
    await respondent
      .post(`/api/public/s/${linkToken}/responses`, {
        answers: { Q2: 'shown' },
        hidden: { ...fewer, ...used },
      })
      .expect(201);
    expect(await storedHidden(surveyId)).toEqual([used]);
  });

  it('are dropped beside those of the quotas of the wave', async () => {
    const survey = await publishedSurvey(author, [[choice('Q1')]]);
    const wave = await createWave(author, survey.surveyId, {});
    await setQuotas(author, wave, quota('Source', [cell('Panel', isPanel, 5)]));
    await respondent
      .post(`/api/public/s/${survey.linkToken}/responses`, {
        answers: { Q1: '1' },
        hidden: { ...MANY, source: 'panel' },
      })
      .expect(201);
    expect(await storedHidden(survey.surveyId)).toEqual([{ source: 'panel' }]);
  });
});

describe('the declaration of hidden values', () => {
  it.each([
    [['1st'], /must start with a letter/],
    [['a', 'a'], /twice/],
    [Array.from({ length: 51 }, (_, index) => `n${index}`), /at most 50 names/],
  ])('refuses %j', async (names, message) => {
    const { surveyId } = await publishedSurvey(author, [[text('Q1')]]);
    const reply = await author
      .put(`/api/surveys/${surveyId}`, { survey_settings: { hidden_values: names } })
      .expect(400);
    expect(reply.body.details[0].field).toContain('survey_settings.hidden_values');
    expect(reply.body.details[0].message).toMatch(message);
  });
});
