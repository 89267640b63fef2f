import { describe, expect, it } from 'vitest';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
} from '../support/browser.ts';
import { button, waitForHeading, waitForText } from '../support/respondent-page.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { useSurveyPage } from '../support/survey-page.ts';

describe.skipIf(browserSkipReason() !== null)('a constant sum on the page', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Budget',
    settings: { languages: ['ar'] },
    pages: [
      {
        page_title: 'First',
        questions: [
          {
            question_type: 'constant_sum',
            question_code: 'Q1',
            question_text: 'How do you spend your time?',
            question_required: true,
            question_settings: { suffix: '%' },
            options: ['Work', 'Sleep', 'Leisure'],
          },
          {
            question_type: 'constant_sum',
            question_code: 'Q2',
            question_text: 'How do you spend 10 euros?',
            question_settings: {
              total: 10,
              decimals: 2,
              max: 8,
              total_rule: 'at_most',
              prefix: '€',
            },
            options: ['Coffee', 'Tea'],
          },
        ],
      },
      {
        page_title: 'Second',
        questions: [
          {
            question_type: 'constant_sum',
            question_code: 'Q3',
            question_text: 'And next year?',
            question_settings: {
              min: 10,
              max: 40,
              logic: { carry_forward: { from: 'Q1', mode: 'selected' } },
            },
            options: ['Work', 'Sleep', 'Leisure'],
          },
        ],
      },
    ],
  });
  const { browser } = fixture;

  it('shows the running total and what is left', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}`, PHONE);
    const first = page.getByRole('group', { name: /How do you spend your time/ });
    const total = first.getByRole('status');
    await waitForText(page, 'The numbers must add up to 100%.');
    expect(await total.textContent()).toBe('Total: 0 of 100%100% left');
    await first.getByLabel('Work').fill('50');
    expect(await total.textContent()).toBe('Total: 50 of 100%50% left');
    await first.getByLabel('Sleep').fill('60');
    expect(await total.textContent()).toBe('Total: 110 of 100%10% over');
    await first.getByLabel('Sleep').fill('50');
    expect(await total.textContent()).toBe('Total: 100 of 100%');
    expect(await first.getByLabel('Work').getAttribute('inputmode')).toBe('numeric');
    await expectAccessible(page);
  });

  it('explains a wrong total and a wrong number, and stores numbers with zeros', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}`, DESKTOP);
    const first = page.getByRole('group', { name: /How do you spend your time/ });
    const second = page.getByRole('group', { name: /How do you spend 10 euros/ });
    await waitForText(page, 'The numbers can add up to €10 at most. Each number: €0 to €8.');
    await first.getByLabel('Work').fill('80');
    await second.getByLabel('Tea').fill('9,25');
    await page.locator('button[type=submit]').click();
    await waitForText(page, 'The numbers must add up to 100. They add up to 80.');
    await waitForText(page, 'Please enter a number from 0 to 8.');
    expect(await second.getByLabel('Tea').getAttribute('aria-invalid')).toBe('true');
    expect(await second.getByLabel('Coffee').getAttribute('aria-invalid')).toBe('false');
    const describedBy = await first.getByLabel('Work').getAttribute('aria-describedby');
    expect(describedBy?.split(' ')).toEqual(['field-Q1-1-suffix', 'Q1-hint', 'Q1-problem', 'field-Q1-total']);
    expect(await page.evaluate('document.activeElement.id')).toBe('field-Q1-1');
    await expectAccessible(page);

    await first.getByLabel('Leisure').fill('20');
    expect(await page.getByText('The numbers must add up to 100.').count()).toBe(0);
    await second.getByLabel('Tea').fill('2,25');
    await button(page, 'Next').click();
    await waitForHeading(page, 'Second');
    // Two items are left, which cannot reach 100 with at most 40 each.
    await waitForText(page, 'The numbers must add up to 100. Each number: 10 to 100.');
    expect(await page.getByLabel('Sleep').count()).toBe(0);
    await page.getByLabel('Work').fill('95');
    await page.getByLabel('Leisure').fill('5');
    await button(page, 'Submit').click();
    await waitForText(page, 'Please enter a number from 10 to 100.');
    await page.getByLabel('Work').fill('70');
    await page.getByLabel('Leisure').fill('30');
    await button(page, 'Submit').click();
    await waitForText(page, 'Thank you!');
    const [response] = await readStoredResponses(fixture.test, fixture.survey.surveyId);
    expect(response).toMatchObject({
      response_status: 'complete',
      answers: { Q1: { '1': 80, '2': 0, '3': 20 }, Q2: { '1': 0, '2': 2.25 }, Q3: { '1': 70, '3': 30 } },
    });
  });

  it('needs an answer if it is required, and works from right to left', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}?lang=ar`, PHONE);
    await waitForText(page, 'يجب أن يكون مجموع الأرقام 100%.');
    await page.locator('button[type=submit]').click();
    await page.locator('#Q1-problem').waitFor();
    expect(await page.locator('#Q2-problem').count()).toBe(0);
    await expectAccessible(page);
  });
});
