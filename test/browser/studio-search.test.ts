import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  PHONE,
  useBrowser,
} from '../support/browser.ts';
import { choice } from '../support/questions.ts';
import { draftSurvey, type TestSurvey } from '../support/surveys.ts';

/** Pages load slowly where many tests run at once. */
const poll = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

describe.skipIf(browserSkipReason() !== null)('studio: search', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let organization: Organization;
  let survey: TestSurvey;
  beforeAll(async () => {
    organization = await newOrganization(test);
    survey = await draftSurvey(organization.admin, {
      survey_name: 'Travel to work',
      pages: [
        [choice('first')],
        [
          choice('modes', { question_text: 'Which train do you take?' }),
          choice('why', { question_text: 'Why do you travel by train?' }),
        ],
      ],
    });
    await organization.admin.post('/api/reports', { report_name: 'Train report' }).expect(201);
    await organization.admin.post('/api/reports', { report_name: 'Other report' }).expect(201);
  });
  async function openSearch(path: string, options: object = DESKTOP): Promise<Page> {
    const page = await browser.visitAs(organization.admin, path, options);
    await page.getByRole('link', { name: 'Dashboards' }).first().waitFor();
    await searchAgain(page);
    return page;
  }
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };
  /** Opens the search over a page, and waits for its field to have the focus. */
  async function searchAgain(page: Page): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.locator('[role=combobox]:focus').waitFor();
  }
  const results = (page: Page, group: string) =>
    page.getByRole('group', { name: group }).getByRole('option').allTextContents();

  it('opens the editor at a question, also of the survey that is open', async () => {
    const page = await openSearch(`/surveys/${survey.surveyId}/edit`);
    await page.keyboard.type('train');
    await poll(() => results(page, 'Questions')).toEqual([
      'Which train do you take?modes in Travel to work',
      'Why do you travel by train?why in Travel to work',
    ]);
    expect(await results(page, 'Reports')).toEqual(['Train report']);
    await expectAccessible(page);
    await picture(page, 'search-desktop');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    const focused = () => page.evaluate(() => document.activeElement?.closest('[id^=question-]')?.id ?? null);
    await poll(focused).toBe(`question-${survey.questionIds.why}`);
    await poll(() => new URL(page.url()).search).toBe('');
    await searchAgain(page);
    await page.keyboard.type('MODES');
    await poll(() => results(page, 'Questions')).toHaveLength(1);
    await page.keyboard.press('Enter');
    await poll(focused).toBe(`question-${survey.questionIds.modes}`);
    await searchAgain(page);
    await page.keyboard.type('bus');
    await page.keyboard.press('Escape');
    await poll(() => page.getByRole('combobox').count()).toBe(0);
  });

  it('opens a report, and says that nothing was found', async () => {
    const page = await openSearch('/surveys', { ...PHONE, colorScheme: 'dark' });
    await page.keyboard.type('zebra');
    await page.getByText('Nothing matches “zebra”.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox').fill('train');
    await poll(() => results(page, 'Reports')).toEqual(['Train report']);
    await picture(page, 'search-phone-dark');
    await expectAccessible(page);
    await expectNoHorizontalScroll(page);
    await page.getByRole('option', { name: 'Train report' }).click();
    await page.waitForURL(/\/reports\/\d+$/);
    await page.getByRole('heading', { name: 'Train report', level: 1 }).waitFor();
  });
});
