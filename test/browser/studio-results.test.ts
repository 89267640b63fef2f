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
  useBrowser,
} from '../support/browser.ts';
import { button, expectAnnounced, field, fillSignIn, heading } from '../support/settings-page.ts';
import { draftSurvey, publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

const SURVEY = {
  survey_name: 'Coffee at work',
  pages: [
    [
      {
        question_type: 'single_choice',
        question_code: 'Q1',
        question_text: 'Where do you drink coffee?',
        options: ['Kitchen', 'Desk', 'Café around the corner'],
      },
      {
        question_type: 'multiple_choice',
        question_code: 'Q2',
        question_text: 'What do you drink?',
        options: ['Espresso', 'Filter coffee', 'Tea'],
      },
      {
        question_type: 'nps',
        question_code: 'Q3',
        question_text: 'How likely are you to recommend our coffee?',
      },
      { question_type: 'number', question_code: 'Q4', question_text: 'How many cups a day?' },
      {
        question_type: 'scale',
        question_code: 'Q5',
        question_text: 'How satisfied are you?',
        question_settings: { min: 1, max: 5 },
      },
      { question_type: 'text', question_code: 'Q6', question_text: 'What should be better?' },
    ],
  ],
};

const ANSWERS = [
  { Q1: '1', Q2: ['1'], Q3: 10, Q4: 2, Q5: 5, Q6: 'Hotter coffee' },
  { Q1: '1', Q2: ['1', '2'], Q3: 9, Q4: 3, Q5: 4, Q6: 'More milk' },
  { Q1: '2', Q2: ['2'], Q3: 7, Q4: 1, Q5: 3 },
  { Q1: '2', Q2: ['3'], Q3: 3, Q4: 5, Q5: 2, Q6: 'Nothing' },
  { Q1: '3', Q2: ['1', '3'], Q3: 6, Q4: 4, Q5: 4, Q6: 'Less noise' },
];

describe.skipIf(browserSkipReason() !== null)('studio: a survey in the field', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let organization: Organization;
  let survey: PublishedSurvey;
  beforeAll(async () => {
    organization = await newOrganization(test);
    survey = await publishedSurvey(organization.admin, SURVEY);
  });

  const link = (page: Page, name: string | RegExp) =>
    page.getByRole('link', typeof name === 'string' ? { name, exact: true } : { name });
  const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  async function visitTab(tab: string, surveyId = survey.surveyId, options: object = DESKTOP): Promise<Page> {
    const page = await browser.visit(`/surveys/${surveyId}/${tab}`, options);
    await fillSignIn(page, organization.admin);
    await page.getByRole('navigation', { name: 'Areas' }).waitFor();
    return page;
  }
  const addResponses = () =>
    organization.admin
      .post(`/api/responses/${survey.surveyId}/rows`, {
        rows: ANSWERS.map((answers) => ({ answers })),
      })
      .expect(201);

  it('leads from an unpublished survey to its editor', async () => {
    const draft = await draftSurvey(organization.admin, { survey_name: 'A draft', pages: [[]] });
    const page = await visitTab('collect', draft.surveyId);
    await page.getByText('Publish the survey first').waitFor();
    await link(page, 'Go to Edit').click();
    await page.waitForURL(/\/edit$/);
  });

  it('creates, copies, pauses and opens links, and adds test responses', async () => {
    const page = await visitTab('collect');
    await heading(page, 'Collect').waitFor();
    const list = page.getByRole('list', { name: 'Links' });
    await list.waitFor();
    await button(page, 'Create link').click();
    const dialog = page.getByRole('dialog', { name: 'Create link' });
    await dialog.getByLabel('Name').fill('Newsletter');
    await dialog.getByLabel('Response limit').fill('none');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.locator('.problem').waitFor();
    await dialog.getByLabel('Response limit').fill('500');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await expectAnnounced(page, 'Newsletter created');
    const card = list.getByRole('listitem').filter({ has: heading(page, 'Newsletter') });
    await card.getByText('0 of 500 complete responses').waitFor();

    const { body } = await organization.admin.get(`/api/surveys/${survey.surveyId}/links`).expect(200);
    const created = body.data.find((each: { link_name: string }) => each.link_name === 'Newsletter');
    expect(await card.locator('.link-address code').textContent()).toBe(created.link_url);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await card.getByRole('button', { name: /^Copy address/ }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(created.link_url);
    await card.getByText('QR code and embed code').click();
    await card.getByText('<iframe').waitFor();
    await picture(page, 'collect');

    await button(page, 'Actions for Newsletter').click();
    await item(page, 'Pause').click();
    await expectAnnounced(page, 'Newsletter paused');
    await card.getByText('Paused').waitFor();
    await button(page, 'Actions for Newsletter').click();
    await item(page, 'Open again').click();
    await expectAnnounced(page, 'Newsletter opened again');

    await button(page, 'Add 50 test responses').click();
    await expectAnnounced(page, '50 test responses added');
    await button(page, 'Remove test responses').click();
    await expectAnnounced(page, 'Test responses removed');
    await expect.poll(() => button(page, 'Remove test responses').count()).toBe(0);
  });
});
