import { describe, expect, it } from 'vitest';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
} from '../support/browser.ts';
import { button, waitForHeading, waitForText } from '../support/respondent-page.ts';
import { useSurveyPage } from '../support/survey-page.ts';

describe.skipIf(browserSkipReason() !== null)('a statement', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Concept',
    pages: [
      {
        questions: [
          {
            question_type: 'statement',
            question_code: 'S1',
            question_text: 'Imagine a cup that never gets cold.',
            question_settings: { description: 'It keeps coffee at 60 °C for two hours.', min_seconds: 2 },
          },
          { question_type: 'text', question_code: 'T1', question_text: 'What do you think of it?' },
        ],
      },
    ],
  });

  it.each([
    ['phone', PHONE],
    ['desktop', DESKTOP],
  ])('is read for its least time, and answered by nothing: %s', async (_, options) => {
    const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}`, options);
    await page.getByText('Imagine a cup that never gets cold.').waitFor();
    await waitForText(page, 'It keeps coffee at 60 °C for two hours.');
    await page.getByLabel('What do you think of it?').fill('Useful');
    await button(page, 'Submit').click();
    await waitForText(page, /Seconds left: [12]\./);
    await expectAccessible(page);
    // The problem goes away when the time is over.
    await page.getByText('Please read this first.').waitFor({ state: 'detached' });
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
    expect(await fixture.storedAnswers()).toEqual({ S1: null, T1: 'Useful' });
  });
});
