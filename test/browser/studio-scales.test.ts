import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import conceptTest from '../../src/web/studio/templates/concept-test.json' with { type: 'json' };
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
import { draftSurvey, publishedSurvey } from '../support/surveys.ts';

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const LABELS = ['Definitely not', 'Probably not', 'Might or might not', 'Probably', 'Definitely'];
const pointLabels = Object.fromEntries(LABELS.map((label, index) => [index + 1, label]));

describe.skipIf(browserSkipReason() !== null)('scales in the editor', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  afterEach(() => expect(browser.problems()).toEqual([]));

  const card = (page: Page, number: number) =>
    page.getByRole('article', { name: `Question ${number}`, exact: true });
  const isSaved = (page: Page) => page.locator('.save-state').getByText('Saved', { exact: true }).waitFor();
  const savedQuestions = async (surveyId: number) => {
    const { body } = await organization.admin.get(`/api/surveys/${surveyId}`).expect(200);
    return body.data.questions as { question_type: string; question_settings: object; options: object[] }[];
  };
  const chooseType = async (page: Page, number: number, type: string) => {
    await card(page, number)
      .getByRole('button', { name: /^Answer type/ })
      .click();
    await page.getByRole('menuitemradio', { name: type, exact: true }).click();
  };
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };

  it('show the label of each point of the template "Concept test", and change what respondents read', async () => {
    const { body } = await organization.admin.post('/api/surveys/import', conceptTest).expect(201);
    const page = await browser.visitAs(organization.admin, `/surveys/${body.data.survey_id}/edit`, DESKTOP);
    await page.locator('.outline').getByText('How likely are you to buy it?').click();
    const labels = card(page, 3).getByRole('list', { name: 'Labels of the points' }).getByRole('textbox');
    expect(
      await labels.evaluateAll((inputs) => inputs.map((input) => (input as HTMLInputElement).value)),
    ).toEqual(LABELS);
    await labels.first().fill('Never');
    await labels.first().press('Enter');
    await page.keyboard.type('!');
    expect(await labels.nth(1).inputValue()).toBe('Probably not!');
    await card(page, 3).getByRole('button', { name: 'Smileys' }).click();
    await card(page, 3).getByLabel('Points', { exact: true }).selectOption('4');
    await isSaved(page);
    await picture(page, 'scale-editor');
    await expectAccessible(page);
    expect((await savedQuestions(body.data.survey_id))[2]?.question_settings).toMatchObject({
      max: 4,
      display: 'smileys',
      point_labels: { 1: 'Never', 2: 'Probably not!', 3: 'Might or might not', 4: 'Probably' },
    });
  });

  it('change into other types and back, with their labels, and say what is lost', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [
      [
        {
          question_type: 'scale',
          question_text: 'Buy it?',
          question_settings: { point_labels: pointLabels },
        },
      ],
    ]);
    const page = await browser.visitAs(organization.admin, `/surveys/${surveyId}/edit`, DESKTOP);
    await card(page, 1)
      .getByRole('button', { name: /^Answer type/ })
      .click();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await chooseType(page, 1, 'One answer');
    await expect
      .poll(() => savedQuestions(surveyId))
      .toMatchObject([
        { question_type: 'single_choice', options: LABELS.map((option_label) => ({ option_label })) },
      ]);
    await isSaved(page);
    await chooseType(page, 1, 'Number');
    await page.getByRole('dialog').getByText('This removes 5 options.').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await chooseType(page, 1, 'Scale');
    await expect
      .poll(() => savedQuestions(surveyId))
      .toMatchObject([{ question_type: 'scale', question_settings: { point_labels: pointLabels } }]);
    await isSaved(page);
    await card(page, 1).getByRole('button', { name: 'Add “Don’t know”' }).click();
    await page.getByRole('button', { name: 'Change type' }).click();
    await expect
      .poll(async () => (await savedQuestions(surveyId))[0]?.options.at(-1))
      .toMatchObject({ option_label: 'Don’t know', option_missing: true });
    await isSaved(page);
    await page.keyboard.press('Control+z');
    await expect
      .poll(() => savedQuestions(surveyId))
      .toMatchObject([{ question_type: 'scale', question_settings: { point_labels: pointLabels } }]);
  });

  it('have their labels in one row on a desktop, and one below the other on a phone', async () => {
    const { linkToken } = await publishedSurvey(organization.admin, [
      [
        {
          question_type: 'scale',
          question_text: 'Buy it?',
          question_settings: { point_labels: pointLabels },
        },
        { question_type: 'scale', question_text: 'Rate it', question_settings: { display: 'stars' } },
        {
          question_type: 'scale',
          question_text: 'Mood?',
          question_settings: { display: 'smileys', min_label: 'Bad', max_label: 'Good' },
        },
      ],
    ]);
    const tops = (page: Page) =>
      page
        .locator('.labeled-points .choice')
        .evaluateAll((choices) => new Set(choices.map((choice) => choice.getBoundingClientRect().top)).size);
    const desktop = await browser.visit(`/s/${linkToken}`, DESKTOP);
    await desktop.getByText('Buy it?').waitFor();
    expect(await tops(desktop)).toBe(1);
    await desktop
      .getByRole('group', { name: 'Rate it' })
      .or(desktop.getByRole('radiogroup', { name: 'Rate it' }))
      .getByLabel('3', { exact: true })
      .check();
    expect(await desktop.locator('.shape.filled').count()).toBe(3);
    await picture(desktop, 'scale-desktop');
    await expectAccessible(desktop);
    const phone = await browser.visit(`/s/${linkToken}`, NARROW);
    await phone.getByText('Buy it?').waitFor();
    expect(await tops(phone)).toBe(5);
    await expectNoHorizontalScroll(phone);
    await picture(phone, 'scale-phone');
  });
});
