import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { BROWSER_TEST_OPTIONS } from '../support/browser.ts';
import { FIREFOX, FirefoxPage } from '../support/firefox.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { publishedSurvey } from '../support/surveys.ts';

/** An arrow key fills one part of a control: digits and changes of the part do not reach the controls of a headless Firefox. */
const UP = '\uE013';
const CASES = [
  { precision: 'date', half: UP, message: 'This date is incomplete' },
  { precision: 'datetime', half: UP, message: 'This date and time are incomplete' },
  { precision: 'time', half: UP, message: 'This time is incomplete' },
  // A text field.
  { precision: 'month', half: '03/2026', message: 'Please use the format YYYY-MM.' },
] as const;
const ENTER = '\uE007';

describe.skipIf(FIREFOX.isSkipped)(`half a date in Firefox${FIREFOX.skipNote}`, BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  let admin: Actor;
  let page: FirefoxPage;

  beforeAll(async () => {
    ({ admin } = await newOrganization(test));
    page = await FirefoxPage.start();
  }, 60_000);
  afterAll(() => page.close());

  it.each(CASES)(
    'is reported for the precision $precision, and can be cleared',
    async ({ precision, half, message }) => {
      const code = precision.toUpperCase();
      const question = {
        question_type: 'date',
        question_code: code,
        question_text: `Which ${precision}?`,
        question_settings: { precision },
      };
      const survey = await publishedSurvey(admin, [[question]]);
      const { port } = test.server!.address() as AddressInfo;
      await page.visit(`http://127.0.0.1:${port}/s/${survey.linkToken}`);
      const control = `[data-code="${code}"] input`;
      await page.click(control);
      await page.type(half + ENTER);
      await page.waitFor(`document.body.innerText.includes(${JSON.stringify(message)})`);
      expect(await page.evaluate(`document.body.innerText.includes('Thank you!')`)).toBe(false);
      if (precision === 'month') return;
      await page.evaluate(`document.querySelector('[data-code="${code}"] button').click()`);
      await page.waitFor(`!document.body.innerText.includes(${JSON.stringify(message)})`);
      await page.type(ENTER);
      await page.waitFor(`document.body.innerText.includes('Thank you!')`);
      const responses = await readStoredResponses(test, survey.surveyId);
      expect(responses.at(-1)?.answers).toMatchObject({ [code]: null });
    },
    30_000,
  );
});
