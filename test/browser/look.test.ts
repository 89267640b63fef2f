import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
} from '../support/browser.ts';
import { choice, multiple, text } from '../support/questions.ts';
import { PNG } from '../support/sample-files.ts';
import { useSurveyPage } from '../support/survey-page.ts';

const LINKS = {
  imprint_url: 'https://www.example.org/imprint',
  privacy_url: 'https://www.example.org/privacy',
  made_with_canvass: true,
};
const LOOKS = [
  { color: '#9a4a1c', background_color: '#faf3ea', typeface: 'serif', layout: 'pages' },
  { color: '#5eead4', background_color: '#0b2a22', typeface: 'rounded', layout: 'one_question' },
];

describe.skipIf(browserSkipReason() !== null)('the look of a survey', BROWSER_TEST_OPTIONS, () => {
  const fixture = useSurveyPage({
    survey_name: 'Branded',
    settings: LINKS,
    pages: [[choice('Q1'), multiple('Q2'), text('Q3')]],
  });
  const change = (settings: object) =>
    fixture.author.put(`/api/surveys/${fixture.survey.surveyId}`, { survey_settings: settings }).expect(200);
  const backgroundOf = (page: Page) =>
    page.evaluate('getComputedStyle(document.documentElement).backgroundColor');

  it.each(LOOKS)('has legible colors on $background_color, light or dark as it is', async (look) => {
    const uploaded = await fixture.author
      .post(`/api/surveys/${fixture.survey.surveyId}/images`)
      .attach('image', PNG, { filename: 'logo.png' })
      .expect(201);
    await change({ ...look, logo: uploaded.body.data.image_url, logo_alt: 'Porto Institute' });
    for (const device of [PHONE, DESKTOP]) {
      const page = await fixture.browser.visit(`/s/${fixture.survey.linkToken}`, device);
      await page.locator('.question').first().waitFor();
      await page.getByRole('radio').first().check();
      await expectAccessible(page);
      const background = await backgroundOf(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect(await backgroundOf(page)).toBe(background);
      const logo = page.getByRole('img', { name: 'Porto Institute' });
      expect(
        await logo.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth),
      ).toBeGreaterThan(0);
      expect(await page.getByRole('link', { name: 'Imprint' }).getAttribute('href')).toBe(LINKS.imprint_url);
      expect(await page.getByRole('link', { name: 'Privacy' }).getAttribute('href')).toBe(LINKS.privacy_url);
      await page.getByText('Made with Canvass').waitFor();
    }
  });
});
