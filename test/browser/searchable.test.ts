import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  expectAccessible,
  expectNoHorizontalScroll,
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  PHONE,
  useBrowser,
} from '../support/browser.ts';
import { button, waitForText, tabTo } from '../support/respondent-page.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../support/surveys.ts';

const PLACES = ['Île-de-France', 'Bretagne', 'Normandie', 'Grand Est', 'Occitanie', 'Corse'];
const question = (question_type: string, question_code: string) => ({
  question_type,
  question_code,
  question_text: `Which ${question_code}?`,
  question_settings: { searchable: true },
  options: PLACES,
});

describe.skipIf(browserSkipReason() !== null)('searchable options', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let survey: PublishedSurvey;
  beforeAll(async () => {
    const { admin } = await newOrganization(test);
    survey = await publishedSurvey(admin, [
      [question('single_choice', 'home'), question('dropdown', 'work')],
    ]);
  });
  afterEach(() => {
    expect(browser.problems()).toEqual([]);
  });

  it('shows matching and selected options and works with the keyboard alone', async () => {
    const page = await browser.visit(`/s/${survey.linkToken}`, PHONE);
    const [first, second] = await page.getByRole('searchbox', { name: 'Search the options' }).all();
    await tabTo(page, first!);
    await page.keyboard.type('ile');
    await waitForText(page, '1 of 6 options');
    await page.keyboard.press('Enter');
    const radios = page.getByRole('radio');
    await expect.poll(() => radios.count()).toBe(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await first!.fill('nor');
    await waitForText(page, '2 of 6 options');
    expect(await page.getByRole('radio', { name: 'Île-de-France' }).isChecked()).toBe(true);

    await tabTo(page, second!);
    await page.keyboard.type('corse');
    await page.getByRole('listbox', { name: /Which work/ }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('End');
    await expectAccessible(page);
    await expectNoHorizontalScroll(page);
    await button(page, 'Submit').click();
    await expect
      .poll(async () => (await readStoredResponses(test, survey.surveyId))[0]?.answers)
      .toEqual({ home: 'Île-de-France', work: 'Corse' });
  });
});
