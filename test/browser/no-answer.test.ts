import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
} from '../support/browser.ts';
import { button, waitForHeading } from '../support/respondent-page.ts';
import { useSurveyPage } from '../support/survey-page.ts';

const no_answers = [
  { reason: 'dont_know', code: -97 },
  { reason: 'refused', code: -98, label: 'I keep this to myself' },
];
const asks = (question_type: string, question_code: string, extra: object = {}, settings: object = {}) => ({
  question_type,
  question_code,
  question_text: `About ${question_code}`,
  question_settings: { no_answers, ...settings },
  ...extra,
});
const options = ['Red', 'Blue'];
const rows = [{ row_code: 'r1', row_label: 'Price' }];

/** The codes of questions on the second page, one of each further type. */
const TYPES = [
  'text',
  'single_choice',
  'multiple_choice',
  'dropdown',
  'matrix',
  'ranking',
  'date',
  'slider',
  'scale',
  'nps',
  'file_upload',
  'constant_sum',
];
const withOptions = new Set([
  'single_choice',
  'multiple_choice',
  'dropdown',
  'matrix',
  'ranking',
  'constant_sum',
]);

describe.skipIf(browserSkipReason() !== null)('a reason instead of an answer', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Income',
    pages: [
      { questions: [asks('number', 'income', { question_required: true })] },
      {
        questions: TYPES.map((type) =>
          asks(type, type, withOptions.has(type) ? { options } : {}, type === 'matrix' ? { rows } : {}),
        ),
      },
    ],
  });
  const reasons = (page: Page, code: string) =>
    page.locator(`[data-code=${code}]`).getByRole('group', { name: 'Instead of an answer' });
  const reason = (page: Page, code: string, name: string) =>
    reasons(page, code).getByRole('checkbox', { name });

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ])('is given with the keyboard, excludes an answer, and stays after a reload: %s', async (_, view) => {
    const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}`, view);
    const input = page.getByLabel('About income');
    await input.fill('1200');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect.poll(() => reason(page, 'income', 'Don’t know').isChecked()).toBe(true);
    expect(await input.inputValue()).toBe('');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    expect(await reason(page, 'income', 'I keep this to myself').isChecked()).toBe(true);
    expect(await reason(page, 'income', 'Don’t know').isChecked()).toBe(false);
    await expectAccessible(page);
    // Typing replaces the reason, and keeps the focus.
    await input.pressSequentially('15');
    expect(await input.inputValue()).toBe('15');
    expect(await reason(page, 'income', 'I keep this to myself').isChecked()).toBe(false);
    await input.fill('');
    await button(page, 'Next').click();
    await page.getByText('Please answer this question.').waitFor();
    await reason(page, 'income', 'I keep this to myself').check();
    await page.getByText('Please answer this question.').waitFor({ state: 'detached' });
    await page.reload();
    await expect.poll(() => reason(page, 'income', 'I keep this to myself').isChecked()).toBe(true);
    await button(page, 'Next').click();
    for (const code of TYPES) await reason(page, code, 'Don’t know').check();
    await expectAccessible(page);
    await button(page, 'Back').click();
    expect(await reason(page, 'income', 'I keep this to myself').isChecked()).toBe(true);
    await button(page, 'Next').click();
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
    expect(await fixture.storedAnswers()).toEqual({
      income: { no_answer: 'refused' },
      ...Object.fromEntries(TYPES.map((code) => [code, { no_answer: 'dont_know' }])),
    });
  });

  it('is taken back by ticking it again or by an answer', async () => {
    const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}`, DESKTOP);
    await page.getByLabel('About income').fill('1200');
    await button(page, 'Next').click();
    await reason(page, 'text', 'Don’t know').check();
    await reason(page, 'text', 'Don’t know').uncheck();
    for (const code of [
      'single_choice',
      'multiple_choice',
      'scale',
      'matrix',
      'ranking',
      'slider',
      'constant_sum',
    ])
      await reason(page, code, 'Don’t know').check();
    const inQuestion = (code: string) => page.locator(`[data-code=${code}]`);
    await inQuestion('single_choice').getByRole('radio', { name: 'Red' }).check();
    await inQuestion('multiple_choice').getByRole('checkbox', { name: 'Red' }).check();
    await inQuestion('scale').getByRole('radio', { name: '3' }).check();
    await inQuestion('matrix').getByRole('radio', { name: 'Red' }).check();
    await inQuestion('slider').getByRole('slider').press('ArrowRight');
    await inQuestion('constant_sum').getByRole('textbox').first().fill('40');
    await inQuestion('constant_sum').getByRole('textbox').last().fill('60');
    await inQuestion('ranking').getByRole('button').first().click();
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
    const stored = (await fixture.storedAnswers()) as Record<string, unknown>;
    expect(JSON.stringify(stored)).not.toContain('no_answer');
    expect(stored).toMatchObject({
      income: 1200,
      text: null,
      single_choice: 'Red',
      multiple_choice: ['Red'],
      scale: 3,
      matrix: { r1: 'Red' },
      constant_sum: { '1': 40, '2': 60 },
    });
  });
});
