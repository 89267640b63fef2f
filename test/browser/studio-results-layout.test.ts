import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectNoHorizontalScroll,
  useBrowser,
} from '../support/browser.ts';
import { button } from '../support/settings-page.ts';
import { publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';

const WIDE = { viewport: { width: 1440, height: 800 } };
const TABLET = { viewport: { width: 1024, height: 800 } };
const QUESTIONS = 12;

describe.skipIf(browserSkipReason() !== null)('the figures of results', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));
  let organization: Organization;
  let survey: PublishedSurvey;
  beforeAll(async () => {
    organization = await newOrganization(test);
    const scales = Array.from({ length: QUESTIONS - 1 }, (_, index) => ({
      question_type: 'scale',
      question_code: `Q${index + 1}`,
      question_text: `How do you like number ${index + 1}?`,
    }));
    const last = { question_type: 'text', question_code: 'last', question_text: 'What else?' };
    survey = await publishedSurvey(organization.admin, [[...scales, last]]);
    const answers = Object.fromEntries(scales.map(({ question_code: code }) => [code, 4]));
    const rows = [{ answers: { ...answers, last: 'Nothing at all' } }, { answers }];
    await organization.admin.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
  });

  const cards = (page: Page) => page.getByRole('list', { name: 'Questions' }).locator('> li');
  const visit = async (options: object, query = '') => {
    const path = `/surveys/${survey.surveyId}/results${query}`;
    const page = await browser.visitAs(organization.admin, path, options);
    await cards(page).first().waitFor();
    return page;
  };
  const boxes = (page: Page) =>
    cards(page).evaluateAll((list) =>
      list.slice(0, 4).map((each) => {
        const { x, y } = each.getBoundingClientRect();
        return { x: Math.round(x), y: Math.round(y) };
      }),
    );

  it('are in two columns on a wide screen, in the order of the survey', async () => {
    const page = await visit(WIDE);
    await expect
      .poll(async () => {
        const [first, second, third, fourth] = await boxes(page);
        const isRow = first!.y === second!.y && third!.y === fourth!.y && third!.y > first!.y;
        return isRow && first!.x === third!.x && second!.x > first!.x;
      })
      .toBe(true);
    await expectNoHorizontalScroll(page);
  });

  it.each([
    ['on a narrower screen', TABLET, ''],
    ['when they are compared', WIDE, '?compare=Q1'],
  ])('are in one column %s', async (_name, options, query) => {
    const page = await visit(options, query);
    const [first, second] = await boxes(page);
    expect(second!.x).toBe(first!.x);
    await expectNoHorizontalScroll(page);
  });

  it.each([
    ['the button', (page: Page) => button(page, 'Print').click()],
    ['the keys', (page: Page) => page.keyboard.press('Control+p')],
  ])('are all printed with %s, without anything to operate', async (_name, start) => {
    const page = await visit(DESKTOP, '?status=all');
    await cards(page).first().locator('.result-columns').waitFor();
    expect(await page.locator('.result-columns').count()).toBeLessThan(QUESTIONS - 1);
    const isIncomplete = () => page.getByText('Some figures are missing').isVisible();
    expect(await isIncomplete()).toBe(false);
    // The menu of the browser prints at once.
    await page.emulateMedia({ media: 'print' });
    expect(await isIncomplete()).toBe(true);
    await page.emulateMedia({ media: 'screen' });
    await page.evaluate('window.print = () => { window.hasPrinted = true; }');
    await start(page);
    await expect.poll(() => page.evaluate('window.hasPrinted'), { timeout: 8_000 }).toBe(true);
    expect(await page.locator('.result-columns').count()).toBe(QUESTIONS - 1);
    expect(await cards(page).last().getByText('Nothing at all').count()).toBe(1);
    await page.emulateMedia({ media: 'print' });
    for (const role of ['button', 'combobox', 'searchbox', 'navigation', 'banner'] as const)
      expect(await page.getByRole(role).count(), role).toBe(0);
    await page.getByText('Status: All').waitFor();
    expect(await isIncomplete()).toBe(false);
    const breaks = await cards(page).evaluateAll((list) =>
      list.map((each) => getComputedStyle(each).breakInside),
    );
    expect(new Set(breaks)).toEqual(new Set(['avoid']));
  });
});
