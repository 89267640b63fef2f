import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { type AuthorHands, mouseHands } from '../support/author-hands.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  PHONE,
  useBrowser,
} from '../support/browser.ts';
import { FIREFOX, FirefoxPage } from '../support/firefox.ts';
import { button, expectAnnounced, heading } from '../support/settings-page.ts';
import { readStoredResponses } from '../support/stored-responses.ts';

const QUESTIONNAIRE = `Drinks
## Brands
Which brands do you know? (Select all that apply)
- Alba
- Borea
- Cima
- None of these
## One brand
How much do you like {{item.label}}? 1 = Not at all … 5 = Very much
## Oat
Imagine oat milk in your coffee.
## Brew
Imagine cold brew at noon.
## Opinion
How likely are you to buy it? 1 = Not at all … 5 = Very`;

/** More actions than this are a reason to simplify the dialog. */
const MAX_ACTIONS = 30;

describe.skipIf(browserSkipReason() !== null)('an experiment with a loop', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  let firefox: FirefoxPage | null = null;
  beforeAll(async () => {
    organization = await newOrganization(test);
    if (!FIREFOX.isSkipped) firefox = await FirefoxPage.start();
  }, 60_000);
  afterAll(() => firefox?.close());
  afterEach(() => expect(browser.problems()).toEqual([]));

  /** Writes the survey with a mouse and publishes it. Returns the number of actions and the path of its link. */
  async function write(page: Page): Promise<{ actions: number; path: string; surveyId: number }> {
    let actions = 0;
    const mouse = mouseHands(page);
    const hands: Omit<AuthorHands, 'pick'> = {
      press: (target) => ((actions += 1), mouse.press(target)),
      write: (target, text) => ((actions += 1), mouse.write(target, text)),
      choose: (list, label) => ((actions += 1), mouse.choose(list, label)),
    };
    await hands.press(page.getByRole('link', { name: 'New survey', exact: true }));
    await hands.press(page.getByRole('link', { name: /Paste text/ }));
    await hands.write(page.getByLabel('Questions', { exact: true }), QUESTIONNAIRE);
    await hands.press(button(page, 'Create survey'));
    await heading(page, 'Edit').waitFor();
    await hands.press(button(page, 'Blocks'));
    const dialog = page.getByRole('dialog');
    const pressIn = (name: string) => hands.press(dialog.getByRole('button', { name, exact: true }));
    const check = (name: string) => hands.press(dialog.getByRole('checkbox', { name, exact: true }));

    await pressIn('New block');
    await hands.write(dialog.getByLabel('Name'), 'Each brand');
    await check('One brand');
    await hands.choose(dialog.getByLabel('Show this block'), 'For each option that the person chose');
    await hands.choose(
      dialog.getByLabel('Order of the items'),
      'Least filled first: items that the fewest people have',
    );
    await hands.write(dialog.getByLabel('At most'), '2');
    await pressIn('Save block');

    await pressIn('New block');
    await hands.write(dialog.getByLabel('Name'), 'Concepts');
    for (const name of ['Oat', 'Brew', 'Opinion']) await check(name);
    await pressIn('Add arm');
    await hands.write(dialog.getByLabel('Label of arm 1'), 'Oat milk');
    await hands.write(dialog.getByLabel('Label of arm 2'), 'Cold brew');
    await hands.choose(dialog.getByLabel('Who sees Oat'), 'Arm Oat milk');
    await hands.choose(dialog.getByLabel('Who sees Brew'), 'Arm Cold brew');
    await expectAccessible(page);
    await pressIn('Save block');
    await pressIn('Close');

    await hands.press(button(page, 'Publish'));
    await pressIn('Publish');
    await expectAnnounced(page, 'Version 1 published');
    const address = (await page.locator('.link-address code').first().textContent()) ?? '';
    const surveyId = Number(/surveys\/(\d+)/.exec(page.url())?.[1]);
    return { actions, path: new URL(address).pathname, surveyId };
  }

  /** Answers the survey on a phone, knowing all brands. Returns the brands that were asked about, and the concept that was shown. */
  async function answerInChromium(path: string) {
    const page = await browser.visit(path, PHONE);
    for (const brand of ['Alba', 'Borea', 'Cima']) await page.getByLabel(brand).check();
    const next = page.locator('button[type=submit]');
    await next.click();
    const brands: string[] = [];
    for (let item = 0; item < 2; item++) {
      const asked = page.getByText('How much do you like');
      await asked.waitFor();
      const text = await asked.innerText();
      brands.push(brandIn(text));
      await expectNoHorizontalScroll(page);
      await page.locator('input[type=radio][value="4"]').check({ force: true });
      await next.click();
      await page.getByText(text).waitFor({ state: 'detached' });
    }
    const shown = page.getByText(/^Imagine/);
    await shown.waitFor();
    const concept = await shown.innerText();
    await expectAccessible(page);
    await next.click();
    await page.getByText('How likely are you to buy it?').waitFor();
    await page.locator('input[type=radio][value="5"]').check({ force: true });
    await next.click();
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor();
    return { brands, concept };
  }

  async function answerInFirefox(page: FirefoxPage, path: string) {
    const { port } = test.server!.address() as AddressInfo;
    await page.resize(PHONE.viewport.width, PHONE.viewport.height);
    await page.visit(`http://127.0.0.1:${port}${path}`);
    const waitForText = (text: string) =>
      page.waitFor(`document.querySelector('main')?.innerText.includes(${JSON.stringify(text)})
        && document.querySelector('footer .primary:not([aria-disabled])')`);
    const goOn = async (leaves: string) => {
      await page.click('button[type=submit]');
      await page.waitFor(`!document.querySelector('main').innerText.includes(${JSON.stringify(leaves)})`);
    };
    await waitForText('Which brands do you know?');
    for (const value of [1, 2, 3]) await page.click(`input[type=checkbox][value="${value}"]`);
    await goOn('Which brands do you know?');
    const brands: string[] = [];
    for (let item = 0; item < 2; item++) {
      await waitForText('How much do you like');
      const text = String(await page.evaluate(`document.querySelector('.question-text').innerText`));
      brands.push(brandIn(text));
      expect(await page.evaluate(`document.documentElement.scrollWidth <= innerWidth`)).toBe(true);
      await page.click('input[type=radio][value="4"]');
      await goOn(text);
    }
    await waitForText('Imagine');
    const concept = String(
      await page.evaluate(`/Imagine.*/.exec(document.querySelector('main').innerText)[0]`),
    );
    await goOn('Imagine');
    await waitForText('How likely are you to buy it?');
    await page.click('input[type=radio][value="5"]');
    await page.click('button[type=submit]');
    await page.waitFor(`document.body.innerText.includes('Thank you!')`);
    return { brands, concept };
  }

  it(
    `is written with a mouse and fills evenly on phones${FIREFOX.skipNote}`,
    { timeout: 120_000 },
    async () => {
      const page = await browser.visitAs(organization.admin, '/surveys', DESKTOP);
      const { actions, path, surveyId } = await write(page);
      expect(actions).toBeLessThanOrEqual(MAX_ACTIONS);

      const first = await answerInChromium(path);
      const second = firefox === null ? await answerInChromium(path) : await answerInFirefox(firefox, path);
      expect([first.concept, second.concept].sort()).toEqual([
        'Imagine cold brew at noon.',
        'Imagine oat milk in your coffee.',
      ]);
      // The brand that the first respondent was not asked about is the least filled one.
      expect(new Set([...first.brands, ...second.brands])).toEqual(new Set(['Alba', 'Borea', 'Cima']));
      expect(first.brands).not.toContain(second.brands[0]);
      const responses = await readStoredResponses(test, surveyId);
      expect(responses.map(({ response_status: status }) => status)).toEqual(['complete', 'complete']);
    },
  );
});

const brandIn = (question: string): string => /like (\w+)/.exec(question)?.[1] ?? '';
