import type { FileChooser } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  PHONE,
  useBrowser,
} from '../support/browser.ts';
import { COFFEE_SURVEY } from '../support/coffee-survey.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../support/surveys.ts';
import { waitForHeading, button, PICTURE, point, waitForText, tabTo } from '../support/respondent-page.ts';

const FILE_ID = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;

describe.skipIf(browserSkipReason() !== null)('respondent page', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let survey: PublishedSurvey;
  beforeAll(async () => {
    const { admin } = await newOrganization(test);
    survey = await publishedSurvey(admin, COFFEE_SURVEY);
  });
  afterEach(() => {
    expect(browser.problems()).toEqual([]);
  });

  it('accepts all twelve question types by touch on a phone, with a change to German', async () => {
    const page = await browser.visit(`/s/${survey.linkToken}`, PHONE);
    const checked = async () => {
      await expectAccessible(page);
      await page.setViewportSize({ width: 320, height: 640 });
      await expectNoHorizontalScroll(page);
      await page.setViewportSize(PHONE.viewport);
    };
    await waitForText(page, 'Four short pages');
    await checked();

    await button(page, 'Next').tap();
    await waitForText(page, 'Please answer this question.');
    await waitForText(page, 'One question needs your attention.');
    await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('field-drink');
    await checked();

    await page.getByLabel('Language').selectOption('de');
    await waitForText(page, 'Was trinken Sie morgens meistens?');
    await page.getByText('Etwas anderes').tap();
    await page.getByLabel('Bitte angeben').fill('Kakao <b>mit</b> Sahne');
    await page.getByText('Nowhere in particular').tap();
    await page.getByText('At work').tap();
    await page.getByText('At home').tap();
    expect(await page.getByLabel('On the way').isDisabled()).toBe(true);
    await checked();
    await button(page, 'Weiter').tap();

    await waitForHeading(page, 'Your Kakao <b>mit</b> Sahne');
    await waitForText(page, 'Wie viele Tassen Kakao <b>mit</b> Sahne am Tag?');
    await page.getByLabel(/Wie viele Tassen/).fill('drei');
    await button(page, 'Weiter').tap();
    await waitForText(page, 'Bitte geben Sie eine Zahl ein.');
    await page.getByLabel(/Wie viele Tassen/).fill('3');
    await point(page, /How strong/, 6).tap({ force: true });
    await page.getByLabel('What makes a good cup?').fill('Duft,\nund "Ruhe" – 😀');
    await point(page, /recommend/, 10).tap({ force: true });
    await checked();
    await button(page, 'Weiter').tap();

    await waitForHeading(page, 'A closer look');
    await page
      .getByRole('radiogroup', { name: /^Taste/ })
      .getByText('Fully')
      .tap();
    await button(page, 'Weiter').tap();
    await waitForText(page, 'Bitte beantworten Sie jede Zeile.');
    await checked();
    await page
      .getByRole('radiogroup', { name: /^I want/ })
      .getByText('Partly')
      .tap();
    await page
      .getByRole('radiogroup', { name: /^Making/ })
      .getByText('Not at all')
      .tap();
    await page.getByText('Fair trade').tap();
    await page.getByText('Aroma').tap();
    await page.getByText('Price', { exact: true }).tap();
    await button(page, 'Nach oben: Aroma').tap();
    await button(page, 'Aus der Rangfolge entfernen: Price').tap();
    await page.getByLabel(/last really good cup/).fill('2024-02-29');
    await checked();
    await button(page, 'Weiter').tap();

    await waitForHeading(page, 'Almost done');
    await page.getByLabel('Where do you live?').selectOption('South');
    await page.getByLabel(/How much milk/).fill('35');
    await page.route('**/files', (route) => setTimeout(() => void route.continue(), 1_000));
    await page.getByLabel('Datei auswählen').setInputFiles(PICTURE);
    await button(page, 'Absenden').tap();
    const waiting = page.getByText('Bitte warten Sie, bis die Datei hochgeladen ist');
    await waiting.waitFor();
    await page.getByText('Hochgeladen', { exact: true }).waitFor();
    await waiting.waitFor({ state: 'detached' });
    await checked();
    await button(page, 'Absenden').tap();
    await waitForHeading(page, 'Vielen Dank!');
    await waitForText(page, 'Auf Ihr Wohl!');
    await checked();

    const [row, ...more] = await readStoredResponses(test, survey.surveyId);
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      response_status: 'complete',
      status_reason: null,
      language: 'de',
      is_preview: false,
    });
    expect(row!.answers).toEqual({
      drink: { value: '4', other: 'Kakao <b>mit</b> Sahne' },
      places: ['1', '2'],
      cups: 3,
      strength: 6,
      why: 'Duft,\nund "Ruhe" – 😀',
      recommend: 10,
      agree: { taste: '4', origin: '2', ritual: '1' },
      order: ['1', '3'],
      since: '2024-02-29',
      region: '3',
      milk: 35,
      photo: [expect.stringMatching(FILE_ID)],
    });
  });

  it('accepts all question types with the keyboard alone and skips hidden questions', async () => {
    const page = await browser.visit(`/s/${survey.linkToken}`, DESKTOP);
    const { keyboard } = page;
    // Starts to listen before the key press, because the browser needs time to register the listener.
    const chooser = new Promise<FileChooser>((resolve) => page.once('filechooser', resolve));
    const next = async () => {
      await tabTo(page, page.locator('button[type=submit]'));
      // A new page ignores the second press of a double one.
      await page.locator('button[type=submit]:not([aria-disabled])').waitFor();
      await keyboard.press('Enter');
    };
    await tabTo(page, page.getByLabel('Espresso'));
    await keyboard.press('ArrowDown');
    await keyboard.press('ArrowDown');
    await tabTo(page, page.getByLabel('On the way'));
    await keyboard.press('Space');
    await expectAccessible(page);
    await next();

    await waitForHeading(page, 'Your Tea');
    expect(await page.getByText('How strong do you like it?').count()).toBe(0);
    await tabTo(page, page.getByLabel(/How many cups/));
    await keyboard.type('12');
    await tabTo(page, point(page, /recommend/, 0));
    await keyboard.press('Space');
    for (let presses = 0; presses < 7; presses += 1) await keyboard.press('ArrowRight');
    await expectAccessible(page);
    await next();

    await waitForHeading(page, 'A closer look');
    for (const row of [/^Taste/, /^I want/, /^Making/]) {
      await tabTo(page, page.getByRole('radiogroup', { name: row }).getByLabel('Not at all'));
      await keyboard.press('Space');
      await keyboard.press('ArrowRight');
    }
    await tabTo(page, button(page, 'Rank next: Price'));
    await keyboard.press('Enter');
    await tabTo(page, button(page, 'Rank next: Packaging'));
    await keyboard.press('Enter');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Shift+Tab');
    await keyboard.press('Shift+Tab');
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Move up: Packaging');
    await keyboard.press('Enter');
    await expect.poll(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Move up: Packaging');
    await waitForText(page, 'Packaging: position 1 of 2');
    await tabTo(page, page.getByLabel(/last really good cup/));
    await keyboard.type('12312023');
    await expectAccessible(page);
    await next();

    await waitForHeading(page, 'Almost done');
    await tabTo(page, page.getByLabel('Where do you live?'));
    await keyboard.type('W');
    const slider = page.getByLabel(/How much milk/);
    expect(await slider.getAttribute('aria-valuetext')).toBe('No answer yet');
    await tabTo(page, slider);
    await keyboard.press('Space');
    expect(await slider.getAttribute('aria-valuetext')).toBe('0');
    await tabTo(page, page.getByRole('button', { name: /Clear answer.*milk/ }));
    await keyboard.press('Enter');
    expect(await slider.getAttribute('aria-valuetext')).toBe('No answer yet');
    await tabTo(page, page.getByLabel('Choose a file'));
    await keyboard.press('Enter');
    await (await chooser).setFiles(PICTURE);
    await page.getByText('Uploaded', { exact: true }).waitFor();
    await expectAccessible(page);
    await next();
    await waitForHeading(page, 'Thank you!');

    const rows = await readStoredResponses(test, survey.surveyId);
    expect(rows.at(-1)).toMatchObject({ response_status: 'complete', language: 'en' });
    expect(rows.at(-1)!.answers).toEqual({
      drink: '3',
      places: ['3'],
      cups: 12,
      why: null,
      recommend: 7,
      agree: { taste: '2', origin: '2', ritual: '2' },
      order: ['4', '2'],
      since: '2023-12-31',
      region: '4',
      milk: null,
      photo: [expect.stringMatching(FILE_ID)],
    });
  });
});
