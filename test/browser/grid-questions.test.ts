import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  expectAccessible,
  expectNoHorizontalScroll,
} from '../support/browser.ts';
import { button, waitForHeading, waitForText } from '../support/respondent-page.ts';
import { useSurveyPage } from '../support/survey-page.ts';

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    row_code: `r${index + 1}`,
    row_label: `Statement ${index + 1}`,
  }));
const NUMBERS = ['0 = not at all', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10 = completely'];

const DESKTOP = { viewport: { width: 1440, height: 900 } };
const PHONE = { viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true };

const heightOf = (page: Page, selector: string): Promise<number> =>
  page.evaluate(`document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect().height`);

describe.skipIf(browserSkipReason() !== null)('grid questions', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Grids',
    pages: [
      {
        page_title: 'Long',
        questions: [
          {
            question_type: 'matrix',
            question_code: 'M1',
            question_text: 'How well do these describe it?',
            question_settings: { rows: rows(30), require_all_rows: true },
            options: NUMBERS,
          },
        ],
      },
      {
        page_title: 'Short',
        questions: [
          {
            question_type: 'matrix',
            question_code: 'M2',
            question_text: 'Which of these have you done?',
            question_settings: { rows: rows(8), matrix_type: 'multiple' },
            options: ['Never', '2 times or less', 'Often'],
          },
          { question_type: 'text', question_code: 'T1', question_text: 'Why?' },
        ],
      },
    ],
  });
  const visit = async (options: typeof DESKTOP) => {
    const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}`, options);
    await page.locator('[data-code=M1] .row').first().waitFor();
    return page;
  };

  it('offers to load the page again if a part of it could not be loaded', async () => {
    const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}`, DESKTOP);
    await page.locator('[data-code=M1]').waitFor();
    await page.route(/\/matrix-[^/]*\.js/, (route) => route.abort());
    await page.reload();
    await waitForHeading(page, 'This survey could not be loaded completely');
    await expectAccessible(page);
    await page.unroute(/\/matrix-[^/]*\.js/);
    await button(page, 'Try again').click();
    await page.locator('[data-code=M1]').waitFor();
  });

  it('shows 11 columns as a table on a wide page, whose head stays in view', async () => {
    const page = await visit(DESKTOP);
    expect(await page.locator('[data-code=M1] .matrix.table .row').count()).toBe(30);
    const row = page.getByRole('radiogroup', { name: 'Statement 25', exact: true });
    await row.scrollIntoViewIfNeeded();
    const head = (await page.locator('[data-code=M1] .head').boundingBox())!;
    expect(head.y).toBeLessThan(20);
    expect(head.y).toBeGreaterThanOrEqual(0);
    await expectNoHorizontalScroll(page);
    // The control with the focus is below the head.
    await row.getByRole('radio', { name: '10 = completely' }).focus();
    const focused = (await row.boundingBox())!;
    expect(focused.y).toBeGreaterThanOrEqual(head.y + head.height - 1);
    await expectAccessible(page);
  });

  it('shows one of many rows at a time on a phone, and the next one after an answer', async () => {
    const page = await visit(PHONE);
    await waitForText(page, '1 of 30');
    expect(await page.locator('[data-code=M1] .row').count()).toBe(1);
    expect(await heightOf(page, '[data-code=M1]')).toBeLessThan(700);
    await expectAccessible(page);
    await page.locator('[data-code=M1] .cell').nth(10).click();
    await waitForText(page, '2 of 30');
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('2 of 30Statement 2');
    // Arrow keys pass answers, so they do not move on.
    await page.locator('[data-code=M1] input').nth(3).focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.locator('[data-code=M1] input').nth(4).isChecked()).toBe(true);
    await button(page, 'Next row').click();
    await waitForText(page, '3 of 30');
    await button(page, 'Next row').click();
    await waitForText(page, '4 of 30');
    await button(page, 'Previous row').click();
    await waitForText(page, '3 of 30');
  });

  it('moves to the first row without an answer when the page has problems', async () => {
    const page = await visit(PHONE);
    await page.locator('[data-code=M1] .cell').first().click();
    await waitForText(page, '2 of 30');
    await button(page, 'Next row').click();
    await waitForText(page, '3 of 30');
    await button(page, 'Next').click();
    await waitForText(page, 'Please look at all rows. Not shown yet: 27.');
    await waitForText(page, '2 of 30');
    await button(page, 'Next').click();
    await waitForText(page, 'Please answer every row.');
    for (let row = 2; row <= 30; row += 1) {
      await waitForText(page, `${row} of 30`);
      await page.locator('[data-code=M1] .cell').nth(5).click();
    }
    await button(page, 'Next').click();
    await waitForHeading(page, 'Short');
    // Eight rows are few enough for a list, and these columns are no scale of numbers.
    expect(await page.locator('[data-code=M2] .row').count()).toBe(8);
    expect(await page.locator('[data-code=M2] .box').count()).toBe(0);
    await page.locator('[data-code=M2] .cell').first().click();
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
    const answers = (await fixture.storedAnswers()) as Record<string, Record<string, string>>;
    expect(Object.keys(answers.M1!)).toHaveLength(30);
  });
});
