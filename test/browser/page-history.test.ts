import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { BROWSER_TEST_OPTIONS, browserSkipReason } from '../support/browser.ts';
import { button, waitForHeading, waitForText } from '../support/respondent-page.ts';
import { useSurveyPage } from '../support/survey-page.ts';
import { publishedSurvey } from '../support/surveys.ts';

const PAGES = ['One', 'Two', 'Three'].map((page_title, index) => ({
  page_title,
  questions: [
    {
      question_type: 'text' as const,
      question_code: `T${index + 1}`,
      question_text: `Text ${index + 1}`,
      question_required: index === 1,
    },
  ],
}));

describe.skipIf(browserSkipReason() !== null)('the history of the browser', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Steps',
    settings: { show_page_number: true, consent_text: 'We keep your answers.' },
    pages: PAGES,
  });

  it('goes through the pages of a survey, and leaves it after its end', async () => {
    const page = await fixture.browser.visit('/api/health');
    await page.goto(`${fixture.browser.origin}/s/${fixture.survey.linkToken}`);
    await page.getByRole('checkbox').check();
    await button(page, 'Start').click();
    await waitForText(page, 'Page 1 of 3');
    await page.getByLabel('Text 1').fill('first');
    await button(page, 'Next').click();
    await waitForHeading(page, 'Two');
    await waitForText(page, 'Page 2 of 3');
    await page.getByLabel('Text 2').fill('second');
    await button(page, 'Next').click();
    await waitForHeading(page, 'Three');
    await page.goBack();
    await waitForHeading(page, 'Two');
    expect(await page.getByLabel('Text 2').inputValue()).toBe('second');
    await page.goBack();
    await page.getByLabel('Text 1').waitFor();
    await page.goForward();
    await waitForHeading(page, 'Two');
    // Forward submits a page, so a page with problems stays.
    await page.getByLabel('Text 2').fill('');
    await page.goForward();
    await waitForText(page, 'Please answer this question.');
    await waitForHeadingText(page, 'Two');
    await page.getByLabel('Text 2').fill('again');
    await page.waitForTimeout(600);
    await button(page, 'Next').click();
    await waitForHeading(page, 'Three');
    // The button of the page and that of the browser are one history, also after the page is loaded again.
    await page.reload();
    await page.getByLabel('Text 3').waitFor();
    await button(page, 'Back').click();
    await waitForHeading(page, 'Two');
    await page.waitForTimeout(600);
    await button(page, 'Next').click();
    await waitForHeading(page, 'Three');
    await page.waitForTimeout(600);
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
    await expect.poll(() => page.evaluate('history.state.depth')).toBe(0);
    await page.goBack();
    await page.waitForURL('**/api/health');
  });

  it('has no pages of a survey without a way back', async () => {
    const survey = await publishedSurvey(fixture.author, {
      survey_name: 'Forward',
      settings: { allow_back: false },
      pages: PAGES,
    });
    const page = await fixture.browser.visit(`/s/${survey.linkToken}`);
    await page.getByLabel('Text 1').waitFor();
    const before = await page.evaluate('history.length');
    await button(page, 'Next').click();
    await waitForHeading(page, 'Two');
    expect(await page.evaluate('history.length')).toBe(before);
  });
});

/** Without waiting for the focus, which is at the problem. */
const waitForHeadingText = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
