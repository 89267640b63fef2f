import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { BROWSER_TEST_OPTIONS, browserSkipReason, DESKTOP, expectAccessible } from '../support/browser.ts';
import { button, waitForText } from '../support/respondent-page.ts';
import { useSurveyPage } from '../support/survey-page.ts';

/** Keys in the segments of Chromium's controls in English, which show the month first. `>` moves to the next segment. */
const CASES = [
  {
    precision: 'date',
    half: '0305',
    absent: '02312026',
    rest: '2026',
    message: /^This date is incomplete/,
    stored: '2026-03-05',
  },
  {
    precision: 'datetime',
    half: '03052026',
    absent: '02312026>0930a',
    rest: '>0930a',
    message: /^This date and time are incomplete/,
    stored: '2026-03-05T09:30',
  },
  {
    precision: 'time',
    half: '09',
    absent: null,
    rest: '30a',
    message: /^This time is incomplete/,
    stored: '09:30',
  },
  {
    precision: 'month',
    half: '03',
    absent: null,
    rest: '>2026',
    message: /^This month is incomplete/,
    stored: '2026-03',
  },
] as const;

describe.skipIf(browserSkipReason() !== null)('half a date', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Moments',
    settings: { languages: ['ar'] },
    pages: [
      {
        questions: [...CASES.map(({ precision }) => precision), 'year'].map((precision) => ({
          question_type: 'date',
          question_code: precision.toUpperCase(),
          question_text: `Which ${precision}?`,
          question_settings: { precision },
        })),
      },
    ],
  });
  const { browser } = fixture;

  const typeInto = async (page: Page, precision: string, keys: string) => {
    const control = page.getByLabel(`Which ${precision}?`);
    await control.click({ position: { x: 12, y: 12 } });
    for (const [index, segment] of keys.split('>').entries()) {
      if (index > 0) await page.keyboard.press('ArrowRight');
      await page.keyboard.type(segment);
    }
  };

  it.each(CASES)(
    'is reported for the precision $precision, and can be completed',
    async ({ precision, half, rest, message, stored }) => {
      const page = await browser.visit(`/s/${fixture.survey.linkToken}`, DESKTOP);
      await typeInto(page, precision, half);
      await page.keyboard.press('Enter');
      await waitForText(page, message);
      await expectAccessible(page);
      expect(await page.getByText('Thank you!').count()).toBe(0);
      // The problem has given the focus to the control, which keeps what was typed.
      await page.getByLabel(`Which ${precision}?`).press('Enter');
      await waitForText(page, message);
      await page.getByRole('button', { name: 'Clear answer' }).click();
      await expect.poll(() => page.getByText(message).count()).toBe(0);
      await typeInto(page, precision, half + rest);
      await button(page, 'Submit').click();
      await waitForText(page, 'Thank you!');
      expect(await fixture.storedAnswers()).toMatchObject({ [precision.toUpperCase()]: stored });
    },
  );

  it.each(CASES.filter(({ absent }) => absent !== null))(
    'and one that does not exist is reported for the precision $precision',
    async ({ precision, absent, message }) => {
      const page = await browser.visit(`/s/${fixture.survey.linkToken}`, DESKTOP);
      await typeInto(page, precision, absent ?? '');
      await button(page, 'Submit').click();
      await waitForText(page, message);
    },
  );

  it('of a completed answer is reported, and not stored as skipped', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}`, DESKTOP);
    await page.getByLabel('Which date?').fill('2026-03-05');
    await typeInto(page, 'date', '');
    await page.keyboard.press('Backspace');
    await button(page, 'Submit').click();
    await waitForText(page, /^This date is incomplete/);
  });

  it('is refused with the format where it is a text, and digits of the language are read', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}?lang=ar`, DESKTOP);
    const year = page.getByLabel('Which year?');
    await year.fill('26');
    await button(page, 'إرسال').click();
    await waitForText(page, 'يرجى استخدام التنسيق YYYY.');
    await year.fill('٢٠٢٦');
    await button(page, 'إرسال').click();
    await waitForText(page, 'شكرًا لك!');
    expect(await fixture.storedAnswers()).toMatchObject({ YEAR: '2026', DATE: null });
  });

  it('is a month as text where the browser has no month picker', async () => {
    const page = await browser.visit(`/s/${fixture.survey.linkToken}`, DESKTOP);
    const month = page.getByLabel('Which month?');
    // As in Firefox, which shows a text field.
    await month.evaluate((control) => control.setAttribute('type', 'text'));
    for (const typed of ['03/2026', 'March', '2026-13']) {
      await month.fill(typed);
      await button(page, 'Submit').click();
      await waitForText(page, 'Please use the format YYYY-MM.');
    }
    await month.fill('2026-03');
    await button(page, 'Submit').click();
    await waitForText(page, 'Thank you!');
  });
});
