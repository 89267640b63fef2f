import { describe, expect, it } from 'vitest';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
} from '../support/browser.ts';
import { button, tabTo, waitForText } from '../support/respondent-page.ts';
import { useSurveyPage } from '../support/survey-page.ts';

describe.skipIf(browserSkipReason() !== null)('numbers as people type them', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Rent',
    settings: { languages: ['de', 'ar'] },
    pages: [
      {
        questions: [
          {
            question_type: 'number',
            question_code: 'PEOPLE',
            question_text: 'How many people live there?',
          },
          {
            question_type: 'number',
            question_code: 'RENT',
            question_text: 'What is the rent?',
            question_settings: {
              decimals: 2,
              min: 0,
              suffix: 'euros',
              translations: { ar: { suffix: 'يورو' } },
            },
          },
          {
            question_type: 'constant_sum',
            question_code: 'SHARES',
            question_text: 'How do you divide it?',
            question_settings: { total: 5_000, decimals: 1, total_rule: 'at_most' },
            options: ['Me', 'Others'],
          },
        ],
      },
    ],
  });
  const { browser } = fixture;

  it('reads a mark before three digits as grouping where whole numbers are asked, and other marks not at all', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}`, DESKTOP);
    const people = page.getByLabel('How many people live there?');
    for (const text of ['1,23', '12 34', '3 people', '1,234.5']) {
      await people.fill(text);
      await button(page, 'Submit').click();
      await waitForText(page, 'One question needs your attention.');
    }
    await people.fill('30,000');
    await button(page, 'Submit').click();
    await waitForText(page, 'Thank you!');
    expect(await fixture.storedAnswers()).toEqual({ PEOPLE: 30_000, RENT: null, SHARES: null });
  });

  it('asks by keyboard which number is meant, and stores none before it is chosen', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}`, DESKTOP);
    const rent = page.getByLabel('What is the rent?');
    await rent.fill('1,500');
    expect(await page.getByText('Did you mean').count()).toBe(0);
    await rent.press('Enter');
    await waitForText(page, 'Please select the number that you mean.');
    const choice = page.getByRole('group', { name: 'Did you mean 1,500 or 1.5?' });
    await expectAccessible(page);
    await tabTo(page, choice.getByRole('button', { name: '1.5', exact: true }));
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('1.5');
    expect(await choice.count()).toBe(0);
    expect(await page.getByText('Please select the number').count()).toBe(0);
    await page.keyboard.press('Enter');
    await waitForText(page, 'Thank you!');
    expect(await fixture.storedAnswers()).toMatchObject({ RENT: 1.5 });
  });

  it('asks in German as soon as the field is left', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}?lang=de`, PHONE);
    await page.getByLabel('What is the rent?').fill('1.500 euros');
    await page.getByLabel('How many people live there?').tap();
    await waitForText(page, 'Meinen Sie 1.500 oder 1,5?');
    await expectAccessible(page);
    await button(page, '1.500').tap();
    expect(await page.getByLabel('What is the rent?').inputValue()).toBe('1500');
    await button(page, 'Absenden').tap();
    await waitForText(page, 'Vielen Dank!');
    expect(await fixture.storedAnswers()).toMatchObject({ RENT: 1500 });
  });

  it('reads Arabic digits, marks and a translated unit on the Arabic page', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}?lang=ar`, PHONE);
    await page.getByLabel('How many people live there?').fill('٢٥');
    await page.getByLabel('What is the rent?').fill('١٬٢٣٤٫٥ يورو');
    await page.getByLabel('How many people live there?').tap();
    expect(await page.getByLabel('What is the rent?').inputValue()).toBe('1234.5');
    await button(page, 'إرسال').tap();
    await waitForText(page, 'شكرًا لك!');
    expect(await fixture.storedAnswers()).toMatchObject({ PEOPLE: 25, RENT: 1234.5 });
  });

  it('asks for an item of a constant sum, and does not count the item before', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}`, PHONE);
    await page.getByLabel('Me').fill('2,500');
    await page.getByLabel('Others').fill('1 000');
    await waitForText(page, 'Total: 1000 of 5000');
    await button(page, 'Submit').tap();
    await waitForText(page, 'Please select the number that you mean.');
    await expectAccessible(page);
    await button(page, '2,500').tap();
    await waitForText(page, 'Total: 3500 of 5000');
    await button(page, 'Submit').tap();
    await waitForText(page, 'Thank you!');
    expect(await fixture.storedAnswers()).toMatchObject({ SHARES: { '1': 2_500, '2': 1_000 } });
  });

  it('is refused with both readings in an edit of a cell', async () => {
    const { body } = await fixture.author.get(`/api/responses/${fixture.survey.surveyId}/grid`).expect(200);
    const [row] = body.data.rows as { response_id: number }[];
    const path = `/api/responses/${fixture.survey.surveyId}/rows/${row!.response_id}`;
    const refused = await fixture.author.patch(path, { values: { RENT: '1,500' } }).expect(400);
    expect(JSON.stringify(refused.body.details)).toContain('can mean 1500 or 1.5');
    await fixture.author.patch(path, { values: { RENT: '1 500,25' } }).expect(200);
  });
});
