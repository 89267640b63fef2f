import { describe, expect, it } from 'vitest';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
} from '../support/browser.ts';
import { waitForText } from '../support/respondent-page.ts';
import { savePicture } from '../support/survey-editor.ts';
import { useSurveyPage } from '../support/survey-page.ts';

describe.skipIf(browserSkipReason() !== null)('a side-by-side table', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Drinks',
    settings: { languages: ['ar'] },
    pages: [
      {
        page_title: 'First',
        questions: [
          {
            question_type: 'side_by_side',
            question_code: 'Q1',
            question_text: 'How do you use these drinks?',
            question_settings: {
              rows: [
                { row_code: 'r1', row_label: 'Coffee' },
                { row_code: 'r2', row_label: 'Tea' },
              ],
              columns: [
                {
                  column_code: 'use',
                  column_label: 'How often?',
                  column_type: 'single_choice',
                  column_required: true,
                  options: ['Daily', 'Weekly', 'Never'],
                },
                {
                  column_code: 'where',
                  column_label: 'Where?',
                  column_type: 'multiple_choice',
                  options: ['Home', 'Work'],
                },
                {
                  column_code: 'spend',
                  column_label: 'Spent per week',
                  column_type: 'number',
                  column_settings: { min: 0, max: 500, prefix: '€' },
                },
                {
                  column_code: 'brand',
                  column_label: 'Brand',
                  column_type: 'dropdown',
                  options: ['North', 'South'],
                },
              ],
            },
          },
        ],
      },
    ],
  });
  const { browser } = fixture;

  it('is a table with headers on a desktop, with an error in each wrong cell', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}`, DESKTOP);
    await waitForText(page, 'How do you use these drinks?');
    expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
      expect.stringContaining('How often?'),
      'Where?',
      'Spent per week',
      'Brand',
    ]);
    expect(await page.getByRole('rowheader').allInnerTexts()).toEqual(['Coffee', 'Tea']);
    await savePicture(page, 'side-by-side-desktop');
    await expectAccessible(page);
    await page
      .getByRole('radiogroup', { name: /How often\?, Coffee/ })
      .getByText('Daily')
      .click();
    await page
      .getByRole('group', { name: /Where\?, Coffee/ })
      .getByText('Work')
      .click();
    await page.getByRole('textbox', { name: /Spent per week, Coffee/ }).fill('501');
    await page.locator('button[type=submit]').click();
    await waitForText(page, 'Please enter a number from 0 to 500.');
    await savePicture(page, 'side-by-side-errors');
    await expectAccessible(page);
    await page.getByRole('textbox', { name: /Spent per week, Coffee/ }).fill('12');
    await page
      .getByRole('radiogroup', { name: /How often\?, Tea/ })
      .getByText('Never')
      .click();
    await page.locator('button[type=submit]').click();
    await waitForText(page, 'Thank you');
    expect(await fixture.storedAnswers()).toMatchObject({
      Q1_use_r1: 'Daily',
      Q1_where_r1: ['Work'],
      Q1_spend_r1: 12,
      Q1_use_r2: 'Never',
    });
  });

  it('is a card for each row on a phone', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}`, PHONE);
    await waitForText(page, 'How do you use these drinks?');
    expect(await page.getByRole('table').count()).toBe(0);
    const coffee = page.getByRole('group', { name: 'Coffee', exact: true });
    await coffee.getByText('Weekly').click();
    await savePicture(page, 'side-by-side-phone');
    await expectAccessible(page);
    const width = await page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBe(PHONE.viewport.width);
  });

  it('is right-to-left in a language that is', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}?lang=ar`, DESKTOP);
    await waitForText(page, 'How do you use these drinks?');
    await savePicture(page, 'side-by-side-arabic');
    await expectAccessible(page);
  });
});
