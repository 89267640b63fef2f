import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
  useBrowser,
} from '../support/browser.ts';
import { choice } from '../support/questions.ts';
import { button, heading } from '../support/settings-page.ts';
import { savePicture, visitEditor } from '../support/survey-editor.ts';
import { publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';

describe.skipIf(browserSkipReason() !== null)(
  'what the studio says before publishing',
  BROWSER_TEST_OPTIONS,
  () => {
    const test = useApp();
    const browser = useBrowser(test);
    afterEach(() => expect(browser.problems()).toEqual([]));

    let organization: Organization;
    let survey: PublishedSurvey;
    beforeAll(async () => {
      organization = await newOrganization(test);
    });

    async function openPublishDialog(options: object = DESKTOP): Promise<Page> {
      const page = await visitEditor(browser, organization.admin, survey.surveyId, options);
      await button(page, 'Publish').click();
      await dialogOf(page).getByText('You can publish with these warnings.').waitFor();
      return page;
    }
    const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Publish the survey' });
    const findingOf = (page: Page, text: string | RegExp) =>
      dialogOf(page).getByRole('listitem').filter({ hasText: text });
    const change = (settings: object) =>
      organization.admin.put(`/api/surveys/${survey.surveyId}`, { survey_settings: settings }).expect(200);

    it('leads from outdated and missing translations to their language', async () => {
      const settings = { question_text: 'Was trinken Sie?', options: { 1: 'Eins', 2: 'Zwei', 3: 'Drei' } };
      survey = await publishedSurvey(organization.admin, {
        survey_name: 'Coffee at work',
        settings: {
          languages: ['fr', 'de'],
          translations: { de: { survey_name: 'Kaffee bei der Arbeit' } },
        },
        pages: [
          [
            choice('Q1', {
              question_text: 'What do you drink?',
              question_settings: { translations: { de: settings } },
            }),
          ],
        ],
      });
      await organization.admin
        .put(`/api/surveys/${survey.surveyId}/questions/${survey.questionIds.Q1}`, {
          question_text: 'What do you like to drink?',
        })
        .expect(200);
      const page = await openPublishDialog();
      await findingOf(page, /5 texts are not translated into French/).waitFor();
      await expectAccessible(page);
      await savePicture(page, 'publish-findings-translations');
      await findingOf(page, '1 text has changed after the translation into German.')
        .getByRole('button', { name: 'Go to Translate' })
        .click();
      await page.waitForURL(/\/translate\?language=de$/);
      await heading(page, 'Translations').waitFor();
      expect(await page.getByLabel('Translate to').inputValue()).toBe('de');
    });

    it('leads from the closing time and the response limit to where they are changed', async () => {
      survey = await publishedSurvey(organization.admin, { pages: [[choice('Q1')]] });
      await anonymous(test)
        .post(`/api/public/s/${survey.linkToken}/responses`, { answers: { Q1: '1' } })
        .expect(201);
      await change({ response_limit: 1, closes_at: new Date(Date.now() + 30 * 60_000).toISOString() });
      const page = await openPublishDialog();
      await findingOf(page, 'The survey closes within an hour.').waitFor();
      await findingOf(page, 'The response limit is reached, so no one can start.')
        .getByRole('button', { name: 'Go to Collect' })
        .click();
      await page.waitForURL(/\/collect$/);
      await page.getByText('1 of 1').first().waitFor();

      await change({ response_limit: null, closes_at: '2020-01-01T00:00:00.000Z' });
      const narrow = await openPublishDialog(PHONE);
      const finding = findingOf(narrow, 'The closing time has passed, so no one can start.');
      await expectAccessible(narrow);
      await savePicture(narrow, 'publish-findings-narrow');
      await finding.getByRole('button', { name: 'Go to Collect' }).click();
      await narrow.waitForURL(/\/collect$/);
      await heading(narrow, 'Collect').waitFor();
    });
  },
);
