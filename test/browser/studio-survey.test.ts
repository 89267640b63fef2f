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
import { button, expectAnnounced, heading } from '../support/settings-page.ts';
import { draftSurvey, publishedSurvey } from '../support/surveys.ts';

describe.skipIf(browserSkipReason() !== null)('studio: one survey', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  async function visit(path: string, options: object = DESKTOP): Promise<Page> {
    const page = await browser.visitAs(organization.admin, path, options);
    await page.getByRole('navigation', { name: 'Areas' }).waitFor();
    return page;
  }

  it('names the next step of a new workspace until all are done or hidden', async () => {
    const page = await visit('/surveys');
    const steps = page.getByRole('region', { name: 'First steps' });
    await steps.getByText('0 of 5 done').waitFor();
    expect(await steps.locator('[aria-current=step]').textContent()).toBe('Write a survey');
    await picture(page, 'first-steps');
    await publishedSurvey(organization.admin);
    await page.reload();
    await steps.getByText('2 of 5 done').waitFor();
    expect(await steps.locator('[aria-current=step]').textContent()).toMatch(/^Collect a response/);
    await expectAccessible(page);
    await steps.getByRole('button', { name: 'Hide' }).click();
    await page.reload();
    await heading(page, 'Surveys').waitFor();
    await page.getByRole('list', { name: 'Surveys' }).waitFor();
    expect(await steps.count()).toBe(0);
  });

  it('is renamed in place, and keeps its name when the field is left empty', async () => {
    const { surveyId } = await draftSurvey(organization.admin, {
      survey_name: 'Untitled survey',
      pages: [[]],
    });
    const page = await visit(`/surveys/${surveyId}/edit`);
    const name = page.getByRole('textbox', { name: 'Survey name' });
    await name.click();
    await expect.poll(() => page.evaluate('String(getSelection())')).toBe('Untitled survey');
    await page.keyboard.type('Café visits');
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await organization.admin.get(`/api/surveys/${surveyId}`)).body.data.survey_name)
      .toBe('Café visits');
    await name.fill('Another name');
    await name.press('Escape');
    await name.fill('  ');
    await name.blur();
    expect(await name.inputValue()).toBe('Café visits');
    await name.fill('x'.repeat(501));
    await name.blur();
    await page.getByText(/at most 500/).waitFor();
    await expectAccessible(page);
  });

  it('changes name, languages and messages, and shows a refused value at its field', async () => {
    const { surveyId } = await draftSurvey(organization.admin, { survey_name: 'Untitled', pages: [[]] });
    const page = await visit(`/surveys/${surveyId}/edit`);
    await button(page, 'Survey settings').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Survey name').fill('Coffee at work');
    await dialog.getByLabel('Further languages').fill('de, ar');
    const group = (name: string) => dialog.getByText(name, { exact: true });
    await group('Colors, logo and links').click();
    await dialog.getByLabel('Color', { exact: true }).fill('orange');
    await group('Values from links and earlier answers').click();
    await dialog.getByLabel('Values from the link to store').fill('source, campaign');
    await group('End page').click();
    await dialog.getByLabel('Message at the end').fill('Thanks, the coffee is on us.');
    await group('Colors, logo and links').click();
    await expect.poll(() => dialog.getByLabel('Color', { exact: true }).isVisible()).toBe(false);
    await button(page, 'Save settings').click();
    // The group of the wrong value opens, and the field has the focus.
    await dialog.locator('.problem').waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('name')))
      .toBe('survey_settings.color');
    await expectAccessible(page);
    await dialog.getByLabel('Color', { exact: true }).fill('#0f8a6a');
    await group('Layout and navigation').click();
    await dialog.getByLabel('Layout', { exact: true }).selectOption('One question at a time');
    await dialog.getByLabel('Typeface').selectOption('Serif');
    await dialog.getByLabel('“Made with Canvass” below the questions').selectOption('Shown');
    await dialog.getByLabel('Web address of the imprint').fill('https://www.example.org/imprint');
    await dialog.getByLabel('Background color').fill('#777777');
    await button(page, 'Save settings').click();
    await dialog
      .getByText(/at least 4.5:1 is needed/)
      .first()
      .waitFor();
    await dialog.getByLabel('Background color').fill('#f2f7f5');
    await expectAccessible(page);
    await button(page, 'Save settings').click();
    await expectAnnounced(page, 'Settings saved');
    await expect.poll(() => page.locator('.survey-name input').inputValue()).toBe('Coffee at work');
    const { body } = await organization.admin.get(`/api/surveys/${surveyId}`).expect(200);
    expect(body.data.survey_name).toBe('Coffee at work');
    expect(body.data.survey_settings).toMatchObject({
      languages: ['en', 'de', 'ar'],
      color: '#0f8a6a',
      layout: 'one_question',
      typeface: 'serif',
      made_with_canvass: true,
      background_color: '#f2f7f5',
      logo: null,
      imprint_url: 'https://www.example.org/imprint',
      completion_message: 'Thanks, the coffee is on us.',
      hidden_values: ['source', 'campaign'],
    });
    // What the dialog does not show stays as it was.
    expect(body.data.survey_settings.timezone).toBe('UTC');
  });

  it('sets privacy, time zone and sender', async () => {
    const { surveyId } = await draftSurvey(organization.admin, { survey_name: 'Private', pages: [[]] });
    const page = await visit(`/surveys/${surveyId}/edit`);
    await button(page, 'Survey settings').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Privacy, time zone and sender').click();
    await dialog.getByLabel('Anonymous', { exact: true }).check();
    await dialog.getByLabel('Confidential figures').check();
    await dialog.getByLabel('Smallest group shown').fill('2');
    await dialog.getByLabel('Time zone').selectOption('Europe/Lisbon');
    await dialog.getByLabel('Sender name of invitations').fill('Porto Institute');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog
      .getByText(/at least 3|>=3|3 or more/)
      .first()
      .waitFor();
    await dialog.getByLabel('Smallest group shown').fill('10');
    await expectAccessible(page);
    await picture(page, 'privacy');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    const { body } = await organization.admin.get(`/api/surveys/${surveyId}`).expect(200);
    expect(body.data.survey_settings).toMatchObject({
      anonymous: true,
      confidential: true,
      min_base: 10,
      timezone: 'Europe/Lisbon',
      sender_name: 'Porto Institute',
    });
  });

  it('creates a workspace and opens it', async () => {
    const page = await visit('/surveys');
    await button(page, /^Workspace:/).click();
    await page.getByRole('menuitem', { name: 'New workspace…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create workspace' }).click();
    await dialog.locator('.problem, .summary').first().waitFor();
    await dialog.getByLabel('Name').fill('Client North');
    await dialog.getByLabel('Who can see it').selectOption('2');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Create workspace' }).click();
    await expectAnnounced(page, 'Client North created');
    await button(page, 'Workspace: Client North').waitFor();
  });

  it('lists versions at every tab, on a phone too', async () => {
    const { surveyId } = await publishedSurvey(organization.admin);
    const page = await visit(`/surveys/${surveyId}/results`, PHONE);
    await button(page, 'Versions').click();
    await page.getByRole('dialog').getByText('Version 1').first().waitFor();
    await picture(page, 'versions');
    await expectAccessible(page);
    await expectNoHorizontalScroll(page);
  });
});
