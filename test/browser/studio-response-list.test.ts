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
import { button, expectAnnounced } from '../support/settings-page.ts';
import { choice, text } from '../support/questions.ts';
import { publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';

const poll = <T>(read: () => T) => expect.poll(read, { timeout: 8_000 });
const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

const QUESTIONS = Array.from({ length: 13 }, (_, index) => choice(`Q${index + 1}`));
const ANSWERS = Object.fromEntries(QUESTIONS.map((_, index) => [`Q${index + 1}`, '1']));

const PAGES = [
  [
    ...QUESTIONS,
    {
      question_type: 'matrix',
      question_code: 'M',
      question_text: 'Rate these.',
      question_settings: {
        rows: [
          { row_code: 'r1', row_label: 'Coffee' },
          { row_code: 'r2', row_label: 'Tea' },
        ],
      },
      options: ['Good', 'Bad'].map((option_label, index) => ({
        option_label,
        option_value: String(index + 1),
      })),
    },
    text('T'),
    text('Asked', {
      question_text: 'Why the second?',
      question_settings: { logic: { display: { Q1: '2' } } },
    }),
  ],
];

/** Durations in seconds; most respondents are too fast for sixteen questions. */
const DURATIONS = [3, 3, 3, 3, 3, 3, 3, 3, 95, 4_000];

describe.skipIf(browserSkipReason() !== null)('studio: the list of responses', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));
  afterAll(() => test.container.jobWorker.stop(1_000));

  let organization: Organization;
  let survey: PublishedSurvey;
  beforeAll(async () => {
    test.container.jobWorker.start();
    organization = await newOrganization(test);
    survey = await publishedSurvey(organization.admin, PAGES);
    await organization.admin
      .post(`/api/responses/${survey.surveyId}/rows`, {
        rows: DURATIONS.map((seconds, index) => ({
          answers: {
            ...ANSWERS,
            M: { r1: '1', r2: '2' },
            T: index === 0 ? 'asdf asdf' : index === 1 ? null : 'Fine',
          },
          external_id: `person-${index}`,
          language: 'en',
          started_at: '2026-01-02T10:00:00Z',
          completed_at: new Date(Date.UTC(2026, 0, 2, 10, 0, seconds)).toISOString(),
        })),
      })
      .expect(201);
  });

  const visit = async (options: object = DESKTOP, tab = 'responses'): Promise<Page> => {
    const page = await browser.visitAs(organization.admin, `/surveys/${survey.surveyId}/${tab}`, options);
    await page.getByRole('navigation', { name: 'Areas' }).waitFor();
    return page;
  };
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };
  const durations = (page: Page) => page.locator('.grid-row .grid-info:nth-child(5)').allTextContents();
  const status = (page: Page, index: number) =>
    page.locator('.grid-row .grid-status').nth(index).textContent();

  it('has duration, language and link, and sorts by duration', async () => {
    const page = await visit();
    await poll(() => durations(page)).toContain('95 s');
    const header = page.getByRole('columnheader', { name: 'Duration' });
    await header.getByRole('button').click();
    await header.getByRole('button').click();
    await poll(async () => (await durations(page)).slice(0, 2)).toEqual(['1 h 6 min', '95 s']);
    await page.locator('.grid-row').first().getByText('English').waitFor();
    await picture(page, 'list');
    await button(page, 'Columns').click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'Language' }).uncheck();
    await button(page, 'Done').click();
    await poll(() => page.getByRole('columnheader', { name: 'Language' }).count()).toBe(0);
  });

  it('shows a response by page with labels, and tells what was not asked from what has no answer', async () => {
    const page = await visit();
    await page.locator('.grid-row').nth(1).click();
    const panel = page.getByRole('dialog');
    const answer = (question: string) =>
      panel.locator('.response-answers > div', { hasText: question }).locator('dd');
    await poll(() => answer('Why T?').textContent()).toBe('No answer');
    expect(await answer('Why the second?').textContent()).toBe('Not asked');
    expect(await answer('Which for Q1?').textContent()).toBe('Option 1');
    expect(await answer('Rate these.').locator('li').allTextContents()).toEqual(['Coffee: Good', 'Tea: Bad']);
    await picture(page, 'panel');
    await expectAccessible(page);
    const review = panel.getByRole('region', { name: 'Review' });
    await review.getByText('Not flagged').waitFor();
    await review.getByRole('button', { name: 'Flag for review' }).click();
    await review.getByText('Flagged by hand').waitFor();
    await review.getByText('It counts until it is left out.').waitFor();
    await review.getByRole('button', { name: 'Keep in the results' }).click();
    await review.getByText('the review kept it').waitFor();
    await review.getByRole('button', { name: 'Leave out' }).click();
    await review.getByText('Results and exports do not count this response.').waitFor();
    // The button that was pressed is gone, and the focus is on what became of the response.
    await poll(() => review.locator('p:focus').count()).toBe(1);
    await picture(page, 'left-out');
    await panel.getByRole('button', { name: 'Close' }).last().click();
    await poll(() => status(page, 1)).toBe('CompleteLeft out');
    await page.getByText('10 responses · 1 left out of the results').waitFor();
  });

  it('agrees with the figures in its list, filter and export', async () => {
    const page = await visit();
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Counted in the results');
    await poll(() => page.locator('.grid-row').count()).toBe(9);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('Left out of the results');
    await poll(() => page.locator('.grid-row').count()).toBe(1);
    await page.getByRole('combobox', { name: 'Show' }).selectOption('All responses');
    await button(page, 'Export').click();
    const dialog = page.getByRole('dialog', { name: 'Export responses' });
    await dialog.getByLabel('9 responses as counted in the results').waitFor();
    await dialog.getByLabel('All 10 responses of the list').waitFor();
    expect(await dialog.getByLabel('9 responses as counted in the results').isChecked()).toBe(true);
    await dialog.getByLabel('Question texts').check();
    await picture(page, 'export');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Create file' }).click();
    const stream = await (await download).createReadStream();
    let file = '';
    for await (const chunk of stream) file += String(chunk);
    const lines = file.trim().split('\r\n');
    expect(lines).toHaveLength(10);
    expect(lines[0]).toContain('Which for Q1?');
    expect(lines[1]).toContain('Option 1');
    const results = await visit(DESKTOP, 'results');
    await results.getByText(/^9 responses/).waitFor();
  });

  it('leaves out several responses at once, and logs values before and after', async () => {
    const page = await visit();
    await page
      .getByLabel(/^Select response/)
      .nth(2)
      .check();
    await page
      .getByLabel(/^Select response/)
      .nth(3)
      .check();
    await button(page, 'Leave out').click();
    const dialog = page.getByRole('dialog', { name: 'Leave out 2 responses' });
    await dialog.getByRole('button', { name: 'Leave out' }).click();
    await expectAnnounced(page, '2 responses left out of the results');
    await poll(() => status(page, 2)).toContain('Left out');
    await button(page, 'Change log').click();
    const entry = page.getByRole('dialog').getByRole('listitem').first();
    await entry.getByText('Responses left out').waitFor();
    await entry.getByText('Before and after').click();
    const row = entry.getByRole('row').nth(1);
    await poll(() => row.getByRole('cell').allTextContents()).toEqual([
      'Quality flags reviewed',
      '–',
      'Confirmed',
    ]);
    await picture(page, 'change-log');
    await expectAccessible(page);
    await entry.getByRole('button', { name: /^Undo/ }).click();
    await entry.getByText('Undone').first().waitFor();
  });

  it('previews what each check flags, and flags it', async () => {
    const page = await visit();
    await button(page, 'Quality').click();
    const dialog = page.getByRole('dialog', { name: 'Quality' });
    const check = (name: string) =>
      dialog.getByRole('list', { name: 'Checks' }).getByRole('listitem').filter({ hasText: name });
    await check('Too fast').getByText('Flags 8 of 10').waitFor();
    await check('Meaningless text').getByText('Flags 1 of 9').waitFor();
    await check('Too fast').getByLabel('Seconds for each question').fill('0');
    await check('Too fast').getByLabel('Seconds for each question').blur();
    await check('Too fast').getByText('Flags 0 of 10').waitFor();
    await check('Too fast').getByLabel('Seconds for each question').fill('1');
    await check('Too fast').getByLabel('Seconds for each question').blur();
    await check('Too fast').getByText('Flags 8 of 10').waitFor();
    await dialog.getByRole('checkbox', { name: 'Duplicate' }).uncheck();
    await picture(page, 'quality');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Check responses' }).click();
    await expectAnnounced(page, '10 responses checked, 8 flagged');
  });

  it('fits a phone', async () => {
    const page = await visit(NARROW);
    await page.locator('.grid-row').first().waitFor();
    await expectNoHorizontalScroll(page);
    await button(page, 'Quality').click();
    await page
      .getByText(/^Flags /)
      .first()
      .waitFor();
    await expectNoHorizontalScroll(page);
    await picture(page, 'quality-phone');
  });
});
