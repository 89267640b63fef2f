import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Actor, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  useBrowser,
} from '../support/browser.ts';
import { choice, text } from '../support/questions.ts';
import { button, expectAnnounced } from '../support/settings-page.ts';
import { draftSurvey, type TestSurvey } from '../support/surveys.ts';

/** Pages load slowly where many tests run at once. */
const poll = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

describe.skipIf(browserSkipReason() !== null)('two people in one survey', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let organization: Organization;
  let colleague: Awaited<ReturnType<Organization['addUser']>>;
  beforeAll(async () => {
    organization = await newOrganization(test);
    colleague = await organization.addUser('admin');
  });
  const newSurvey = () =>
    draftSurvey(organization.admin, {
      survey_name: 'Shared',
      pages: [[choice('Q1', { question_text: 'First?' }), text('Q2', { question_text: 'Second?' })]],
    });
  async function open(survey: TestSurvey, user: Actor & { email: string; password: string }): Promise<Page> {
    const page = await browser.visitAs(user, `/surveys/${survey.surveyId}/edit`, DESKTOP);
    await page.locator('article.question').nth(1).waitFor();
    return page;
  }
  const textField = (page: Page, index: number) =>
    page.locator('article.question').nth(index).locator('textarea.question-text');
  const stored = async (survey: TestSurvey, code: string) => {
    const path = `/api/surveys/${survey.surveyId}/questions/${survey.questionIds[code]}`;
    return (await organization.admin.get(path).expect(200)).body.data;
  };

  /** Makes a change while the next edit of the page is on its way. */
  const changeMeanwhile = (page: Page, change: () => PromiseLike<unknown>) =>
    page.route(
      '**/questions/*',
      async (route) => {
        await change();
        await route.continue();
      },
      { times: 1 },
    );

  it('see what the other changes, without loading the page again', async () => {
    const survey = await newSurvey();
    const mine = await open(survey, organization.admin);
    const theirs = await open(survey, colleague);
    await textField(theirs, 1).fill('Second, reworded?');
    await textField(theirs, 0).focus();
    await expectAnnounced(mine, 'changed the survey');
    await poll(() => textField(mine, 1).inputValue()).toBe('Second, reworded?');
    // The next edit of the first person builds on it.
    await textField(mine, 1).fill('Second, reworded again?');
    await textField(mine, 0).focus();
    await poll(() => textField(theirs, 1).inputValue()).toBe('Second, reworded again?');
  });

  it('choose a version when both change the same text, and lose nothing', async () => {
    const survey = await newSurvey();
    const page = await open(survey, organization.admin);
    const path = `/api/surveys/${survey.surveyId}/questions/${survey.questionIds.Q1}`;
    await changeMeanwhile(page, () => colleague.put(path, { question_text: 'First, by Ida?' }).expect(200));
    await textField(page, 0).fill('First, by Ada?');
    await textField(page, 1).focus();
    const card = page.locator('article.question').first();
    await card.getByText('The other version: “First, by Ida?”').waitFor();
    expect((await stored(survey, 'Q1')).question_text).toBe('First, by Ida?');
    expect(await textField(page, 0).inputValue()).toBe('First, by Ada?');
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/conflict.png` });
    await expectAccessible(page);
    await button(page, 'Keep my version').click();
    await poll(async () => (await stored(survey, 'Q1')).question_text).toBe('First, by Ada?');
    expect(await card.getByRole('alert').count()).toBe(0);
  });

  it('are merged when they change different things', async () => {
    const survey = await newSurvey();
    const page = await open(survey, organization.admin);
    const path = `/api/surveys/${survey.surveyId}/questions/${survey.questionIds.Q1}`;
    await changeMeanwhile(page, () => colleague.put(path, { question_required: true }).expect(200));
    await textField(page, 0).fill('First, and merged?');
    await textField(page, 1).focus();
    await poll(async () => (await stored(survey, 'Q1')).question_text).toBe('First, and merged?');
    expect((await stored(survey, 'Q1')).question_required).toBe(true);
    await poll(() => page.locator('article.question').first().getByLabel('Required').isChecked()).toBe(true);
  });

  it('are told when the survey is deleted', async () => {
    const survey = await newSurvey();
    const page = await open(survey, organization.admin);
    await colleague.delete(`/api/surveys/${survey.surveyId}`).expect(204);
    await page.getByText('This survey does not exist').waitFor();
  });
});
