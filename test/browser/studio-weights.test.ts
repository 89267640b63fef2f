import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  useBrowser,
} from '../support/browser.ts';
import { choice } from '../support/questions.ts';
import { button, expectAnnounced } from '../support/settings-page.ts';
import { publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';

const poll = <T>(read: () => T) => expect.poll(read, { timeout: 8_000 });
const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const PAGES = [
  [
    choice('SEX', { question_text: 'What is your gender?', options: ['Woman', 'Man'] }),
    choice('AGE', { question_text: 'How old are you?', options: ['Under 30', '30 to 59', '60 or more'] }),
  ],
];
/** Respondents by gender and age. */
const RESPONDENTS = [
  ['Woman', 'Under 30', 30],
  ['Woman', '30 to 59', 20],
  ['Woman', '60 or more', 10],
  ['Man', 'Under 30', 10],
  ['Man', '30 to 59', 20],
  ['Man', '60 or more', 10],
] as const;

describe.skipIf(browserSkipReason() !== null)('studio: weights', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));
  afterAll(() => test.container.jobWorker.stop(1_000));

  let organization: Organization;
  let survey: PublishedSurvey;
  beforeAll(async () => {
    organization = await newOrganization(test);
    survey = await publishedSurvey(organization.admin, PAGES);
    const rows = RESPONDENTS.flatMap(([SEX, AGE, count]) =>
      Array.from({ length: count }, () => ({ answers: { SEX, AGE } })),
    );
    await organization.admin.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
  });

  const visit = (options: object = DESKTOP): Promise<Page> =>
    browser.visitAs(organization.admin, `/surveys/${survey.surveyId}/weights`, options);
  const target = (page: Page, label: string) =>
    page.getByRole('textbox', { name: `Target of ${label} in percent` });
  const paste = (page: Page, label: string, text: string) =>
    target(page, label).evaluate((field, data) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', data);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  const fact = (page: Page, name: string) =>
    page.locator('.weight-facts > div', { hasText: name }).locator('dd').textContent();

  it('are made from typed and pasted targets, with what they do beside them', async () => {
    const page = await visit();
    await page.getByText('No weights yet').waitFor();
    await button(page, 'New weight').click();
    await page.getByLabel('Name', { exact: true }).fill('Census');
    await page.getByLabel('Question').selectOption('What is your gender?');
    await target(page, 'Woman').fill('60');
    await target(page, 'Man').fill('a half');
    await page.getByLabel('Name', { exact: true }).focus();
    await page.getByText('Enter a number').first().waitFor();
    await target(page, 'Man').fill('50');
    await page.getByText('The targets add up to 110.0 %, not 100 %.').waitFor();
    await page.getByText('Targets of every group').waitFor();
    await button(page, 'Scale to 100 %').click();
    await poll(() => target(page, 'Woman').inputValue()).toBe('54.5455');
    await target(page, 'Woman').fill('50');
    await target(page, 'Man').fill('50');
    // 60 women of 100: weights 5/6 and 5/4.
    await poll(() => fact(page, 'Smallest weight')).toBe('0.83');
    expect(await fact(page, 'Effective base')).toBe('96 of 100');
    await button(page, 'Add a question').click();
    await page.getByLabel('Question').nth(1).selectOption('How old are you?');
    await target(page, 'Under 30').waitFor();
    await paste(page, 'Under 30', '60 OR MORE\t20 %\r\nUnder 30\t45 %\r\n30 to 59\t35 %\r\n');
    await expectAnnounced(page, '3 targets pasted');
    expect(await target(page, '60 or more').inputValue()).toBe('20');
    await page.getByRole('region', { name: 'Before and after: How old are you?' }).waitFor();
    await page.getByText('Limits and other options').click();
    await page.getByLabel('Largest weight').fill('1.2');
    await page.getByText(/Without limits the efficiency is/).waitFor();
    await expectAccessible(page);
    await page.getByLabel('Largest weight').fill('');
    await button(page, 'Save weight').click();
    await expectAnnounced(page, 'Census saved');
    const list = page.getByRole('list', { name: 'Weights of this survey' });
    await list.getByText('WEIGHT · 100 responses').waitFor();
    const { body } = await organization.admin
      .get(`/api/responses/${survey.surveyId}/weighting/WEIGHT`)
      .expect(200);
    expect(body.data.label).toBe('Census');
    expect(body.data.request.dimensions).toMatchObject([
      { column_code: 'SEX', targets: [{ target: 50 }, { target: 50 }] },
      { column_code: 'AGE' },
    ]);
  });

  it('take targets of combinations, and those of another weight', async () => {
    const page = await visit();
    await button(page, 'New weight').click();
    await page.getByLabel('Question').selectOption('What is your gender?');
    await page.getByLabel('Crossed with').selectOption('How old are you?');
    await target(page, 'Woman × Under 30').waitFor();
    await paste(page, 'Woman × Under 30', '20\n20\n10\n10\n20\n20');
    await poll(() => target(page, 'Man × 60 or more').inputValue()).toBe('20');
    await page
      .getByRole('region', { name: 'Before and after: What is your gender? × How old are you?' })
      .waitFor();
    await page.getByText('Take targets from another weight').click();
    await page.getByLabel('Weight', { exact: true }).selectOption('Census');
    await button(page, 'Take targets').click();
    await expectAnnounced(page, 'Targets of Census taken');
    await poll(() => target(page, 'Woman').inputValue()).toBe('50');
    await button(page, 'Save weight').click();
    await page.getByText('WEIGHT2 · 100 responses').waitFor();
    const second = page.getByRole('listitem').filter({ hasText: 'WEIGHT2' });
    await second.getByRole('button', { name: 'Show' }).click();
    await second.getByText('Distribution of the weights').first().waitFor();
    await expectAccessible(page);
    await second.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expectAnnounced(page, 'Weight deleted');
    await poll(() => page.getByText('WEIGHT2').count()).toBe(0);
  });

  it('weight the figures of Results, alone and compared', async () => {
    const page = await visit();
    await page.getByRole('link', { name: 'Results' }).click();
    const bars = page.getByRole('list', { name: 'What is your gender?' });
    await bars.getByText('60%').waitFor();
    await page.getByRole('combobox', { name: 'Weight', exact: true }).selectOption('Census');
    // Shares are weighted, and counts are those of respondents.
    await poll(() => bars.getByRole('listitem').allTextContents()).toEqual(['Woman 50% 60', 'Man 50% 40']);
    expect(new URL(page.url()).search).toBe('?weight=WEIGHT');
    await page.getByRole('combobox', { name: 'Compare by' }).selectOption('How old are you?');
    const table = page.getByRole('table', { name: 'What is your gender?' });
    await poll(() => table.getByRole('row').nth(1).getByRole('cell').first().textContent()).toBe('50%');
    await page.goto(page.url().replace('WEIGHT', 'GONE'));
    await poll(() => table.getByRole('row').nth(1).getByRole('cell').first().textContent()).toBe('60%');
  });

  it('say when responses changed, and are computed again', async () => {
    const rows = [{ answers: { SEX: 'Woman', AGE: 'Under 30' } }];
    await organization.admin.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
    const page = await visit(NARROW);
    await page.getByText('Out of date').waitFor();
    await expectNoHorizontalScroll(page);
    await button(page, 'Compute again').click();
    await page.getByText('WEIGHT · 101 responses').waitFor();
    expect(await page.getByText('Out of date').count()).toBe(0);
    await button(page, 'Copy').click();
    await target(page, 'Woman').waitFor();
    await page.getByRole('region', { name: 'Before and after: How old are you?' }).waitFor();
    await expectNoHorizontalScroll(page);
    await expectAccessible(page);
  });
});
