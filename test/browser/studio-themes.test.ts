import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
  useBrowser,
} from '../support/browser.ts';
import { createOpenAnswers, type OpenAnswers } from '../support/open-answers.ts';
import { button } from '../support/settings-page.ts';
import { savePicture } from '../support/survey-editor.ts';

const TEXTS = [
  'The price is too high',
  'High price for small cups',
  'I like the friendly staff',
  'Friendly staff and good music',
  'The staff was friendly and fast',
  'A fair price would be nice',
  'The price went up again',
  'Nothing to add',
  null,
];

interface Theme {
  theme: string;
  share: number;
  count: number;
  examples: { text: string }[];
}

describe.skipIf(browserSkipReason() !== null)('themes of open answers', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));
  let organization: Organization;
  beforeAll(async () => {
    test.container.jobWorker.start();
    organization = await newOrganization(test);
  });
  afterAll(() => test.container.jobWorker.stop(1_000));

  async function openResults({ surveyId }: OpenAnswers, options: object): Promise<Page> {
    const page = await browser.visitAs(organization.admin, `/surveys/${surveyId}/results`, options);
    await button(page, 'Find themes').scrollIntoViewIfNeeded();
    return page;
  }
  const themesOfApi = async (survey: OpenAnswers): Promise<Theme[]> =>
    (
      await organization.admin
        .post(survey.at('themes'), { question_id: survey.questionId, status: ['complete'] })
        .expect(200)
    ).body.data.themes;
  const list = (page: Page) => page.getByRole('list', { name: 'Themes', exact: true });
  const expectThemes = async (page: Page, themes: Theme[]) => {
    expect(themes.length).toBeGreaterThan(0);
    await expect
      .poll(() => list(page).locator('summary').allTextContents(), { timeout: 30_000 })
      .toEqual(themes.map(({ theme, share, count }) => `${theme}${Math.round(100 * share)}% ${count}`));
  };

  it.each([
    ['on a desktop', DESKTOP],
    ['on a phone', PHONE],
  ])('are found, and show examples, %s', async (name, options) => {
    const survey = await createOpenAnswers(organization.admin, TEXTS);
    const page = await openResults(survey, options);
    await button(page, 'Find themes').click();
    await page.getByText(/credits? used/).waitFor();
    const themes = await themesOfApi(survey);
    await expectThemes(page, themes);
    await list(page).locator('summary').first().click();
    await list(page).getByText(themes[0]!.examples[0]!.text).waitFor();
    await savePicture(page, `themes ${name}`);
    await expectAccessible(page);
    // They belong to these responses, so another filter begins without them.
    await page.getByRole('combobox', { name: 'Status' }).selectOption({ label: 'All' });
    await expect.poll(() => list(page).count()).toBe(0);
  });

  it('of many answers are found by a job', async () => {
    const survey = await createOpenAnswers(
      organization.admin,
      Array.from({ length: 600 }, (_, index) => `${TEXTS[index % 8]} ${index}`),
    );
    const page = await openResults(survey, DESKTOP);
    await button(page, 'Find themes').click();
    await page.getByText(/credits? used/).waitFor({ timeout: 30_000 });
    await expectThemes(page, await themesOfApi(survey));
    const { body } = await organization.admin.get('/api/jobs').expect(200);
    expect(body.data).toMatchObject([{ survey_id: survey.surveyId, status: 'done' }]);
  });

  it('are not offered to users without access to AI', async () => {
    const survey = await createOpenAnswers(organization.admin, TEXTS);
    const page = await openResults(survey, DESKTOP);
    const me = '**/api/users/me';
    await page.route(me, async (route) => {
      const reply = await route.fetch();
      const body = (await reply.json()) as { data: object };
      await route.fulfill({ response: reply, json: { ...body, data: { ...body.data, ai_access: false } } });
    });
    await page.reload();
    await page.getByRole('searchbox', { name: 'Search answers' }).waitFor();
    expect(await button(page, 'Find themes').count()).toBe(0);
  });
});
