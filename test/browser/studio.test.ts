import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, type Organization } from '../support/actors.ts';
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
import { draftSurvey, publishedSurvey } from '../support/surveys.ts';

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

describe.skipIf(browserSkipReason() !== null)('studio', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  async function visitStudio(user: Actor, path = '/', options: object = DESKTOP): Promise<Page> {
    const page = await browser.visitAs(user, path, options);
    await page.getByRole('navigation', { name: 'Areas' }).waitFor();
    return page;
  }
  const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });
  const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };

  describe('a new organization', () => {
    let organization: Organization;
    beforeAll(async () => {
      organization = await newOrganization(test);
    });
    const createdSurvey = async (page: Page) => {
      await page.waitForURL(/\/surveys\/\d+\/edit$/);
      const id = /surveys\/(\d+)/.exec(page.url())![1]!;
      return (await organization.admin.get(`/api/surveys/${id}`).expect(200)).body.data;
    };

    it('is led from signing in to its first survey', async () => {
      const page = await visitStudio(organization.admin);
      await page.getByText('Write your first survey').waitFor();
      expect(new URL(page.url()).pathname).toBe('/surveys');
      await picture(page, 'empty');
      await link(page, 'New survey').click();
      await heading(page, 'New survey').waitFor();
      await picture(page, 'new');
      await page.getByRole('button', { name: /Empty survey/ }).click();
      await expectAnnounced(page, 'Untitled survey created');
      expect(await createdSurvey(page)).toMatchObject({
        survey_name: 'Untitled survey',
        pages: [{ questions: [] }],
      });
      await link(page, 'Results').click();
      await page.waitForURL(/\/results$/);
      await heading(page, 'Results').waitFor();
      await page.goBack();
      await heading(page, 'Edit').waitFor();
    });

    it('creates a survey from a template', async () => {
      const page = await visitStudio(organization.admin, '/surveys/new/template');
      await heading(page, 'Net Promoter Score').waitFor();
      expect(await page.getByRole('button', { name: /^Use template/ }).count()).toBe(8);
      await picture(page, 'templates');
      await button(page, 'Use template Concept test').click();
      const survey = await createdSurvey(page);
      expect(survey.survey_name).toBe('Concept test');
      expect(survey.questions).toHaveLength(7);
    });

    it('creates a survey from a text after showing what it understood', async () => {
      const page = await visitStudio(organization.admin, '/surveys/new/text');
      await button(page, 'Create survey').click();
      await page.getByText('Enter at least one question').waitFor();
      await field(page, 'Survey name').fill('Canteen');
      await field(page, 'Questions').fill(
        '1. What do you eat?*\n- Soup\n- Salad\n- Other\n---\nHow likely are you to recommend the canteen?\nWhich days?\n- Monday\n- Friday',
      );
      const understood = page.getByRole('region', { name: 'What Canvass understood' });
      await understood.getByRole('heading', { name: 'Page 2' }).waitFor();
      await understood.getByLabel('Type of “Which days?”').selectOption('Several answers');
      await picture(page, 'text');
      await button(page, 'Create survey').click();
      const survey = await createdSurvey(page);
      expect(survey.survey_name).toBe('Canteen');
      const types = survey.pages.map((each: { questions: { question_type: string }[] }) =>
        each.questions.map(({ question_type: type }) => type),
      );
      expect(types).toEqual([['single_choice'], ['nps', 'multiple_choice']]);
      expect(survey.questions[0]).toMatchObject({
        question_text: 'What do you eat?',
        question_required: true,
      });
    });

    it('creates a survey from a file, and names the places of its problems', async () => {
      const page = await visitStudio(organization.admin, '/surveys/new/file');
      const choose = (content: string) =>
        page
          .getByLabel('Choose a file')
          .setInputFiles({ name: 'survey.json', mimeType: 'application/json', buffer: Buffer.from(content) });
      await choose('not JSON');
      await page.getByText('This is not a survey file of Canvass.').waitFor();
      const file = readFileSync('src/web/studio/templates/nps.json', 'utf8');
      await choose(file.replace('"question_type": "text"', '"question_type": "essay"'));
      await page.getByText('Page 2, question 1, type').waitFor();
      await picture(page, 'file');
      await choose(file);
      expect((await createdSurvey(page)).survey_name).toBe('Net Promoter Score');
    });
  });

  describe('a list of surveys', () => {
    let organization: Organization;
    beforeAll(async () => {
      organization = await newOrganization(test);
      const { admin } = organization;
      await publishedSurvey(admin, {
        survey_name: 'Coffee at work',
        pages: [[]].map(() => ({ questions: [{ question_type: 'text', question_code: 'Q1' }] })),
      });
      for (const name of [
        'Brand tracker 2026',
        'Employee pulse',
        'A draft with quite a long name that does not fit on one line of a phone',
      ])
        await draftSurvey(admin, { survey_name: name, pages: [[]] });
    });
    const names = (page: Page) =>
      page.getByRole('list', { name: 'Surveys' }).locator('.title a').allTextContents();

    it('is searched, filtered, and offers actions with undo', async () => {
      const { admin } = organization;
      const page = await visitStudio(admin);
      await link(page, 'Coffee at work').waitFor();
      expect(await names(page)).toHaveLength(4);
      await picture(page, 'list');
      await page.getByRole('searchbox').fill('coffee');
      await expect.poll(() => names(page)).toEqual(['Coffee at work']);
      await page.getByRole('searchbox').fill('');
      await button(page, 'Active').click();
      await expect.poll(() => names(page)).toEqual(['Coffee at work']);
      await button(page, 'Closed').click();
      await page.getByText('No surveys match').waitFor();
      await button(page, 'All').click();

      await button(page, 'Actions for Coffee at work').click();
      await picture(page, 'menu');
      await item(page, 'Close').click();
      await expectAnnounced(page, 'Coffee at work closed');
      await button(page, 'Actions for Coffee at work').click();
      await item(page, 'Reopen').click();
      await expectAnnounced(page, 'Coffee at work reopened');
      await button(page, 'Actions for Coffee at work').click();
      await item(page, 'Duplicate').click();
      await expectAnnounced(page, 'Coffee at work (copy) created');

      await button(page, 'Actions for Employee pulse').click();
      await item(page, 'Delete').click();
      await expectAnnounced(page, 'Employee pulse deleted');
      await expect.poll(() => link(page, 'Employee pulse').count()).toBe(0);
      await picture(page, 'undo');
      await button(page, 'Undo').click();
      await expectAnnounced(page, 'Employee pulse restored');
      await link(page, 'Employee pulse').waitFor();

      await button(page, 'Actions for Coffee at work (copy)').click();
      await item(page, 'Delete').click();
      const names2 = async () =>
        (await admin.get('/api/surveys').expect(200)).body.data.map(
          (survey: { survey_name: string }) => survey.survey_name,
        );
      await expect.poll(names2, { timeout: 15_000 }).not.toContain('Coffee at work (copy)');
      expect(await names2()).toContain('Employee pulse');
    });

    it('saves a survey as a file, from which it can be created again', async () => {
      const page = await visitStudio(organization.admin);
      await button(page, 'Actions for Employee pulse').click();
      const started = page.waitForEvent('download');
      await item(page, 'Download as file').click();
      const download = await started;
      expect(download.suggestedFilename()).toBe('Employee pulse.json');
      await page.goto(`${browser.origin}/surveys/new/file`);
      await page.getByLabel('Choose a file').setInputFiles(await download.path());
      await expectAnnounced(page, 'Employee pulse created');
      await heading(page, 'Edit').waitFor();
    });

    it('opens surveys and pages with Ctrl+K by the keyboard alone', async () => {
      const page = await visitStudio(organization.admin, '/reports');
      await heading(page, 'Reports').waitFor();
      await page.keyboard.press('Control+k');
      const box = page.getByRole('combobox', { name: 'Search surveys, questions, dashboards and reports' });
      await box.waitFor();
      await page.keyboard.type('tracker');
      await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Brand tracker 2026']);
      await picture(page, 'search');
      await expectAccessible(page);
      await page.keyboard.press('Enter');
      await page.waitForURL(/\/surveys\/\d+\/edit$/);
      await page.keyboard.press('Control+k');
      await box.waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => box.count()).toBe(0);
    });

    it('offers nothing that a viewer may not do, and nothing but dashboards to clients', async () => {
      const { admin } = organization;
      const viewer = await organization.addUser('member');
      const created = await admin
        .post('/api/workspaces', { workspace_name: 'Read only', workspace_visibility: 3 })
        .expect(201);
      const workspaceId: number = created.body.data.workspace_id;
      await draftSurvey(admin, { survey_name: 'Only to read', pages: [[]] }, { workspaceId });
      await admin
        .post(`/api/workspaces/${workspaceId}/members`, { user_id: viewer.userId, role: 'viewer' })
        .expect(201);
      const page = await visitStudio(viewer);
      await link(page, 'New survey').waitFor();
      await page.getByRole('button', { name: /^Workspace: / }).click();
      await page.getByRole('menuitemradio', { name: 'Read only' }).click();
      await link(page, 'Only to read').waitFor();
      expect(await link(page, 'New survey').count()).toBe(0);
      await button(page, 'Actions for Only to read').click();
      expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Results', 'Download as file']);
      await page.reload();
      await link(page, 'Only to read').waitFor();

      const client = await organization.addUser('client');
      const other = await browser.visitAs(client, '/', DESKTOP);
      await other.waitForURL(/\/dashboards$/);
      await heading(other, 'Dashboards').waitFor();
    });

    it('asks to sign in again without leaving the page when the session has ended', async () => {
      const page = await visitStudio(organization.admin, '/surveys/new/text');
      await field(page, 'Questions').fill('Is this kept?');
      await page.context().clearCookies();
      await button(page, 'Create survey').click();
      await page.getByRole('dialog', { name: 'Sign in to continue' }).waitFor();
      await page.getByRole('dialog').getByLabel('Email address').fill(organization.admin.email);
      await page
        .getByRole('dialog')
        .getByLabel('Password', { exact: true })
        .fill(organization.admin.password);
      await page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click();
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      expect(await field(page, 'Questions').inputValue()).toBe('Is this kept?');
    });

    it('signs out to the sign-in page', async () => {
      const page = await visitStudio(organization.admin);
      await page.getByRole('button', { name: /^Account of/ }).click();
      await picture(page, 'user');
      await item(page, 'Sign out').click();
      await heading(page, 'Sign in').waitFor();
      await page.reload();
      await heading(page, 'Sign in').waitFor();
    });

    it.each([
      ['390 px', NARROW],
      ['1280 px', DESKTOP],
    ])('is accessible and fits %s', async (width, options) => {
      const page = await browser.visit('/', options);
      await heading(page, 'Sign in').waitFor();
      await expectAccessible(page);
      await fillSignIn(page, organization.admin);
      await link(page, 'Coffee at work').waitFor();
      await picture(page, `list-${width}`);
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Background tasks' }).click();
      await picture(page, `jobs-${width}`);
      await expectNoHorizontalScroll(page);
      const popup = await page.getByRole('region', { name: 'Background tasks' }).boundingBox();
      expect(popup!.x).toBeGreaterThanOrEqual(0);
      await page.keyboard.press('Escape');
      await button(page, 'Actions for Coffee at work').click();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      for (const [path, title] of [
        ['/surveys/new', 'New survey'],
        ['/surveys/new/template', 'Template'],
        ['/surveys/new/text', 'Paste text'],
        ['/surveys/new/file', 'File'],
        ['/respondents', 'Respondents'],
        ['/surveys/999999999/edit', 'This survey does not exist'],
        ['/surveys/x', 'This page does not exist'],
      ] as const) {
        await page.goto(browser.origin + path);
        await heading(page, title).waitFor();
        await picture(page, `${path.replaceAll('/', '-')}-${width}`);
        await expectAccessible(page);
      }
      await page.goto(`${browser.origin}/surveys`);
      await link(page, 'Coffee at work').click();
      await heading(page, 'Edit').waitFor();
      await picture(page, `survey-${width}`);
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await picture(page, `survey-dark-${width}`);
    });
  });
});
