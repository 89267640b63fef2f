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

describe.skipIf(browserSkipReason() !== null)('histograms of results', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));
  let organization: Organization;
  let survey: PublishedSurvey;
  beforeAll(async () => {
    organization = await newOrganization(test);
    survey = await publishedSurvey(organization.admin, [
      [
        { question_type: 'number', question_code: 'Q1', question_text: 'How old are you?' },
        { question_type: 'date', question_code: 'Q2', question_text: 'When did you move in?' },
        { question_type: 'number', question_code: 'Q3', question_text: 'How many rooms?' },
      ],
    ]);
    const rows = Array.from({ length: 60 }, (_, index) => ({
      answers: {
        Q1: 18 + index,
        Q2: `2025-${String(1 + (index % 6)).padStart(2, '0')}-15`,
        Q3: 1 + (index % 4),
      },
    }));
    rows.push({ answers: { Q1: 30, Q2: '2023-01-01', Q3: 2 } });
    await organization.admin.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
    const days = Array.from({ length: 14 }, (_, day) => ({
      answers: { Q1: 40, Q2: `2024-03-${String(day + 1).padStart(2, '0')}`, Q3: 1 },
    }));
    await organization.admin.post(`/api/responses/${survey.surveyId}/rows`, { rows: days }).expect(201);
  });

  const card = (page: Page, question: string) =>
    page.getByRole('list', { name: 'Questions' }).locator('> li', { hasText: question });
  const groups = (page: Page, question: string) =>
    card(page, question)
      .getByRole('table', { name: question })
      .locator('tbody tr')
      .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)));

  it.each([
    ['on a desktop', DESKTOP],
    ['on a phone', PHONE],
  ])('show many numbers and dates in few groups %s', async (name, options) => {
    const page = await browser.visitAs(organization.admin, `/surveys/${survey.surveyId}/results`, options);
    await expect
      .poll(() => groups(page, 'How old are you?'), { timeout: 8_000 })
      .toEqual([
        ['10–19', '3%', '2'],
        ['20–29', '13%', '10'],
        ['30–39', '15%', '11'],
        ['40–49', '32%', '24'],
        ['50–59', '13%', '10'],
        ['60–69', '13%', '10'],
        ['70–79', '11%', '8'],
      ]);
    const quarters = await groups(page, 'When did you move in?');
    expect(quarters).toHaveLength(10);
    expect(quarters[0]).toEqual(['Q1 2023', '1%', '1']);
    expect(quarters[1]).toEqual(['Q2 2023', '0%', '0']);
    await card(page, 'How many rooms?').scrollIntoViewIfNeeded();
    await expect.poll(() => card(page, 'How many rooms?').locator('.result-columns > li').count()).toBe(4);

    const chart = card(page, 'How old are you?').getByRole('img', {
      name: /^Histogram of How old are you\?/,
    });
    await chart.focus();
    const values = chart.locator('.result-bin-values');
    await expect.poll(() => values.textContent()).toBe('10–19: 3% (2)');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => values.textContent()).toBe('20–29: 13% (10)');
    await page.keyboard.press('End');
    await expect.poll(() => values.textContent()).toBe('70–79: 11% (8)');
    await page.keyboard.press('Tab');
    await expect.poll(() => values.count()).toBe(0);
    await savePicture(page, `histograms ${name}`);
    await expectAccessible(page);
  });
});
