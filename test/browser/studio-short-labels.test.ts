import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  useBrowser,
} from '../support/browser.ts';
import { choice } from '../support/questions.ts';
import { draftSurvey, publishedSurvey } from '../support/surveys.ts';

describe.skipIf(browserSkipReason() !== null)('the short label of a question', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  afterEach(() => expect(browser.problems()).toEqual([]));

  it('is proposed from the text, written beside it, and carried by survey files', async () => {
    const { admin } = organization;
    const { surveyId } = await draftSurvey(admin, [
      [{ question_type: 'text', question_text: 'What do you drink? (Write as much as you like)' }],
    ]);
    const page = await browser.visitAs(admin, `/surveys/${surveyId}/edit`, DESKTOP);
    const card = page.getByRole('article', { name: 'Question 1', exact: true });
    await card.getByLabel('Question text').click();
    const label = card.getByLabel('Short label', { exact: true });
    await expect.poll(() => label.getAttribute('placeholder')).toBe('What do you drink?');
    await label.fill('Drinks');
    await expectAccessible(page);
    await page.locator('.save-state').getByText('Saved', { exact: true }).waitFor();
    const file = await admin.get(`/api/surveys/${surveyId}/export`).expect(200);
    const imported = await admin.post('/api/surveys/import', file.body).expect(201);
    const { body } = await admin.get(`/api/surveys/${imported.body.data.survey_id}`).expect(200);
    expect(body.data.pages[0].questions[0].question_settings.report_label).toBe('Drinks');
    const { body: grid } = await admin.get(`/api/responses/${surveyId}/grid`).expect(200);
    expect(grid.data.columns).toContainEqual(expect.objectContaining({ label: 'Drinks' }));
    await label.fill('');
    await page.locator('.save-state').getByText('Saved', { exact: true }).waitFor();
    await expect
      .poll(async () => {
        const saved = await admin.get(`/api/surveys/${surveyId}`).expect(200);
        return saved.body.data.pages[0].questions[0].question_settings.report_label;
      })
      .toBeNull();
  });

  it('heads the results, otherwise the whole published text', async () => {
    const { admin } = organization;
    const text =
      'How satisfied are you with the time that it took us to answer your question on the telephone?';
    const { surveyId, questionIds } = await publishedSurvey(admin, [
      [
        choice('Q1', { question_text: text }),
        choice('Q2', { question_text: text, question_settings: { report_label: 'Telephone' } }),
      ],
    ]);
    await admin.post(`/api/responses/${surveyId}/rows`, { rows: [{ answers: { Q1: '1' } }] }).expect(201);
    const page = await browser.visitAs(admin, `/surveys/${surveyId}/results`, DESKTOP);
    const titles = page.getByRole('list', { name: 'Questions' }).locator('h2');
    await expect.poll(() => titles.allTextContents()).toEqual([`1 ${text}`, '2 Telephone']);
    await admin
      .put(`/api/surveys/${surveyId}/questions/${questionIds.Q1}`, { question_text: 'Something else?' })
      .expect(200);
    const changed = page.waitForResponse((reply) => reply.url().includes('/versions/1'));
    await page.reload();
    await changed;
    await expect.poll(() => titles.allTextContents()).toEqual([`1 ${text}`, '2 Telephone']);
    await admin.post(`/api/surveys/${surveyId}/publish`).expect(200);
    await page.reload();
    await expect.poll(() => titles.allTextContents()).toEqual(['1 Something else?', '2 Telephone']);
  });
});
