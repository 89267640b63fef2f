import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  useBrowser,
} from '../support/browser.ts';
import { newDashboard } from '../support/dashboards.ts';
import { choice } from '../support/questions.ts';
import { button, expectAnnounced, fillSignIn } from '../support/settings-page.ts';
import { publishedSurvey } from '../support/surveys.ts';

const withValues = (...labels: string[]) =>
  labels.map((option_label, index) => ({ option_label, option_value: String(index + 1) }));

describe.skipIf(browserSkipReason() !== null)('charts of dashboards', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let organization: Organization;
  let surveyId: number;
  beforeAll(async () => {
    organization = await newOrganization(test);
    ({ surveyId } = await publishedSurvey(organization.admin, {
      survey_name: 'Coffee at work',
      pages: [
        [
          choice('drink', {
            question_text: 'What do you drink?',
            options: withValues('Coffee', 'Tea', 'Water'),
          }),
          choice('place', {
            question_text: 'Where do you work?',
            options: withValues('Office', 'Home'),
          }),
          {
            question_type: 'nps',
            question_code: 'recommend',
            question_text: 'How likely are you to recommend our coffee?',
            question_settings: { min_label: 'Not at all likely', max_label: 'Extremely likely' },
          },
        ],
      ],
    }));
    await organization.admin
      .post(`/api/responses/${surveyId}/rows`, {
        rows: Array.from({ length: 40 }, (_, index) => ({
          answers: {
            drink: String(1 + (index % 3)),
            place: String(1 + (index % 2)),
            recommend: (index * 7) % 11,
          },
        })),
      })
      .expect(201);
  });

  const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };
  async function visitStudio(path: string, options: object = DESKTOP): Promise<Page> {
    const page = await browser.visit(path, options);
    await fillSignIn(page, organization.admin);
    await page.getByRole('navigation', { name: 'Areas' }).waitFor();
    return page;
  }

  describe('added from the results', () => {
    const openDialog = async (page: Page, question: string, target: 'dashboard' | 'report') => {
      await button(page, `Actions for ${question}`).click();
      await item(page, `Add to ${target}`).click();
      return page.getByRole('dialog', { name: `Add to ${target}` });
    };
    const selected = (page: Page) => page.locator('#add-to-place option:checked').textContent();

    it.each([
      ['dashboard', 'Dashboard'],
      ['report', 'Report'],
    ] as const)(
      'proposes a new %s with the name of the survey, and then the one that was used last',
      async (target, label) => {
        const { admin } = organization;
        await newDashboard(admin, { dashboard_name: 'Unrelated' });
        await admin.post('/api/reports', { report_name: 'Unrelated' }).expect(201);
        const page = await visitStudio(`/surveys/${surveyId}/results`);
        const dialog = await openDialog(page, 'What do you drink?', target);
        expect(await selected(page)).toBe(`New ${target}`);
        expect(await dialog.getByLabel(`Name of the ${target}`).inputValue()).toBe('Coffee at work');
        await picture(page, `add-to-new-${target}`);
        await dialog.getByLabel(`Name of the ${target}`).fill('Drinks');
        await button(page, 'Add').click();
        await expectAnnounced(page, `Added to the ${target}`);

        await page.reload();
        await openDialog(page, 'Where do you work?', target);
        expect(await selected(page)).toBe('Drinks');
        await dialog.getByLabel(label, { exact: true }).selectOption({ label: `New ${target}` });
        expect(await dialog.getByLabel(`Name of the ${target}`).inputValue()).toBe('Coffee at work');
        await expectAccessible(page);
      },
    );
  });
});
