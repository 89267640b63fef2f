import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
  useBrowser,
} from '../support/browser.ts';
import { savePicture } from '../support/survey-editor.ts';
import { publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';

const options = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    option_value: String(index + 1),
    option_label: `City ${index + 1}`,
  }));

describe.skipIf(browserSkipReason() !== null)('comparisons of results', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));
  let organization: Organization;
  let survey: PublishedSurvey;
  beforeAll(async () => {
    organization = await newOrganization(test);
    survey = await publishedSurvey(organization.admin, [
      [
        {
          question_type: 'single_choice',
          question_code: 'city',
          question_text: 'Where do you live? (Choose the nearest city)',
          options: options(15),
        },
        {
          question_type: 'number',
          question_code: 'age',
          question_text: 'How old are you in {{city|your city}}?',
          question_settings: { report_label: 'Age' },
        },
        { question_type: 'scale', question_code: 'mood', question_text: 'How satisfied are you?' },
      ],
    ]);
    const rows = Array.from({ length: 60 }, (_, index) => ({
      answers: { city: String(1 + (index % 15)), age: 18 + index, mood: 1 + (index % 5) },
    }));
    await organization.admin.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
    await organization.admin
      .post(`/api/responses/${survey.surveyId}/transform/bin`, {
        column_code: 'age',
        target_column_code: 'generation',
        label: 'Generation',
        breaks: [18, 40, 80],
      })
      .expect(201);
  });

  const compareBy = (page: Page) => page.getByLabel('Compare by');
  const card = (page: Page, question: string) =>
    page.getByRole('list', { name: 'Questions' }).locator('> li', { hasText: question });
  /** The heads of the table without its letters. */
  const heads = async (page: Page, question: string) =>
    (await card(page, question).getByRole('columnheader').allTextContents()).map((text) =>
      text.replace(/ [A-Z]$/, ''),
    );

  it.each([
    ['on a desktop', DESKTOP],
    ['on a phone', PHONE],
  ])('are by questions, groups of numbers and derived columns %s', async (name, size) => {
    const page = await browser.visitAs(organization.admin, `/surveys/${survey.surveyId}/results`, size);
    const offered = () => compareBy(page).locator('option').allTextContents();
    await expect
      .poll(offered)
      .toEqual(['No comparison', 'Where do you live?', 'Age', 'How satisfied are you?', 'Generation']);
    await card(page, 'How satisfied are you?').scrollIntoViewIfNeeded();
    await compareBy(page).selectOption('Age');
    await expect
      .poll(() => heads(page, 'How satisfied are you?'), { timeout: 8_000 })
      .toEqual(['Total', '0–19', '20–39', '40–59', '60–79']);
    await savePicture(page, `compared by age ${name}`);
    await expectAccessible(page);
    await compareBy(page).selectOption('Generation');
    await expect.poll(async () => (await heads(page, 'How satisfied are you?')).length).toBe(3);
    await page.reload();
    await card(page, 'How satisfied are you?').scrollIntoViewIfNeeded();
    await expect
      .poll(async () => (await heads(page, 'How satisfied are you?')).length, { timeout: 8_000 })
      .toBe(3);
    await compareBy(page).selectOption('Where do you live?');
    await expect.poll(async () => (await heads(page, 'How satisfied are you?')).length).toBe(13);
    await card(page, 'How satisfied are you?').getByText('Shows the first 12 of 15 groups.').waitFor();
    await expectAccessible(page);
    await savePicture(page, `compared by city ${name}`);
  });
});
