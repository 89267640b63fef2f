import { describe, expect, it } from 'vitest';
import { BROWSER_TEST_OPTIONS, browserSkipReason } from '../support/browser.ts';
import { button, waitForText } from '../support/respondent-page.ts';
import { useSurveyPage } from '../support/survey-page.ts';

const text = (code: string, format: string) => ({
  question_type: 'text' as const,
  question_code: code,
  question_text: code,
  question_settings: { format, multiline: true },
});
const number = (code: string, question_settings: object) => ({
  question_type: 'number' as const,
  question_code: code,
  question_text: code,
  question_settings,
});
const date = (code: string, precision: string, min: string) => ({
  question_type: 'date' as const,
  question_code: code,
  question_text: code,
  question_settings: { precision, min },
});

describe.skipIf(browserSkipReason() !== null)('fields of the page', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Fields',
    pages: [
      {
        questions: [
          text('Mail', 'email'),
          text('Phone', 'phone'),
          text('Web', 'url'),
          text('Long', 'none'),
          number('Age', {}),
          number('Price', { decimals: 2 }),
          number('Degrees', { min: -20 }),
          {
            question_type: 'slider' as const,
            question_code: 'Share',
            question_text: 'Share',
            question_settings: { min: 0, max: 100 },
          },
          {
            question_type: 'slider' as const,
            question_code: 'Balance',
            question_text: 'Balance',
            question_settings: { min: -50, max: 50 },
          },
          date('Day', 'date', '2026-03-01'),
          date('Time', 'time', '09:30'),
          date('Month', 'month', '2026-03'),
        ],
      },
    ],
  });
  const visit = (locale: string) => fixture.browser.visit(`/s/${fixture.survey.linkToken}`, { locale });

  it('have one line and their keyboard for addresses and numbers', async () => {
    const page = await visit('en-US');
    const attributes = async (code: string) => {
      const control = page.locator(`[id=field-${code}]`);
      await control.waitFor();
      const names = ['type', 'inputmode', 'autocomplete'] as const;
      const values = await Promise.all(names.map((name) => control.getAttribute(name)));
      return [await page.evaluate(`document.getElementById('field-${code}').localName`), ...values];
    };
    expect(await attributes('Mail')).toEqual(['input', 'email', 'email', 'email']);
    expect(await attributes('Phone')).toEqual(['input', 'tel', 'tel', 'tel']);
    expect(await attributes('Web')).toEqual(['input', 'url', 'url', 'url']);
    expect((await attributes('Long'))[0]).toBe('textarea');
    expect(await attributes('Age')).toEqual(['input', 'text', 'numeric', 'off']);
    expect(await attributes('Price')).toEqual(['input', 'text', 'decimal', 'off']);
    // Numeric keyboards of some phones have no minus.
    expect(await attributes('Degrees')).toEqual(['input', 'text', 'text', 'off']);
    // The handle waits at 0, which suggests no answer.
    for (const slider of ['Share', 'Balance'])
      expect(await page.locator(`[id=field-${slider}]`).inputValue()).toBe('0');
  });

  it.each([
    ['de-DE', ['01.03.2026', '09:30', 'März 2026']],
    ['en-US', ['03/01/2026', '09:30 AM', 'March 2026']],
  ])('write dates in messages as the field shows them (%s)', async (locale, expected) => {
    const page = await visit(locale);
    await page.locator('[id=field-Day]').fill('2020-01-31');
    await page.locator('[id=field-Time]').fill('08:00');
    await page.locator('[id=field-Month]').fill('2020-01');
    await button(page, 'Submit').click();
    for (const shown of expected) await waitForText(page, `Please enter ${shown} or later.`);
  });
});
