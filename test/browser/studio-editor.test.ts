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
import { button, expectAnnounced, field, heading } from '../support/settings-page.ts';
import { choice } from '../support/questions.ts';
import { draftSurvey, publishedSurvey } from '../support/surveys.ts';

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

interface SavedQuestion {
  question_text: string;
  question_type: string;
  question_required: boolean;
  question_settings: { logic: { display?: unknown } | null };
  options: { option_label: string; option_code: number; option_value: string; option_other: boolean }[];
}

describe.skipIf(browserSkipReason() !== null)('the survey editor', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  afterEach(() => expect(browser.problems()).toEqual([]));

  async function openEditor(surveyId: number, options: object = DESKTOP): Promise<Page> {
    const page = await browser.visitAs(organization.admin, `/surveys/${surveyId}/edit`, options);
    await heading(page, 'Edit').waitFor();
    return page;
  }
  async function savedPages(surveyId: number): Promise<SavedQuestion[][]> {
    const { body } = await organization.admin.get(`/api/surveys/${surveyId}`).expect(200);
    return (body.data.pages as { questions: SavedQuestion[] }[]).map(({ questions }) => questions);
  }
  const savedTexts = async (surveyId: number) =>
    (await savedPages(surveyId)).map((questions) => questions.map(({ question_text: text }) => text));
  const savedLabels = async (surveyId: number) =>
    ((await savedPages(surveyId))[0]?.[0]?.options ?? []).map(({ option_label: label }) => label);
  const card = (page: Page, number: number) =>
    page.getByRole('article', { name: `Question ${number}`, exact: true });
  const text = (page: Page, number: number) => card(page, number).getByLabel('Question text');
  const option = (page: Page, number: number, index: number) =>
    card(page, number).getByRole('textbox', { name: `Option ${index}`, exact: true });
  const isSaved = (page: Page) => page.locator('.save-state').getByText('Saved', { exact: true }).waitFor();
  const addQuestion = async (page: Page, type: string | RegExp) => {
    await button(page, 'Add question').click();
    await page.getByRole('menuitem', { name: type }).click();
  };
  const paste = (page: Page, content: string) =>
    page.evaluate(`{
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', ${JSON.stringify(content)});
      const event = new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(event);
    }`);
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };

  it('writes a survey of two pages with logic, previews and publishes it', async () => {
    const { surveyId } = await draftSurvey(organization.admin);
    const page = await openEditor(surveyId);
    await addQuestion(page, 'Several answers');
    await text(page, 1).fill('Which drinks do you like?');
    await option(page, 1, 1).fill('');
    await option(page, 1, 1).focus();
    await paste(page, '- Coffee\n- Tea\n3. Water');
    // Nobody had written the options, so the list replaces them.
    await expect.poll(() => option(page, 1, 3).inputValue()).toBe('Water');
    await card(page, 1).getByRole('button', { name: 'Add option' }).click();
    await option(page, 1, 4).fill('Something else');
    await button(page, 'Actions for option 4').click();
    await page.getByRole('menuitem', { name: /Has a text box/ }).click();
    await card(page, 1).getByLabel('Required').check();
    await expect.poll(() => savedLabels(surveyId)).toEqual(['Coffee', 'Tea', 'Water', 'Something else']);
    await isSaved(page);

    await button(page, 'Add page').click();
    await button(page, 'Page 2').waitFor();
    await page.locator('.page-title:focus').and(page.getByPlaceholder('Page title (optional)')).waitFor();
    await field(page, 'Page title').fill('Coffee');
    await addQuestion(page, /^Number/);
    await text(page, 2).fill('How many cups a day?');
    await card(page, 2).getByText('Settings', { exact: true }).click();
    await card(page, 2).getByLabel('Lowest', { exact: true }).fill('1');
    await card(page, 2).getByLabel('Highest', { exact: true }).fill('0');
    await card(page, 2)
      .getByText(/must not exceed max/)
      .waitFor();
    await card(page, 2).getByLabel('Highest', { exact: true }).fill('20');
    await isSaved(page);
    await card(page, 2).getByText('Logic', { exact: true }).click();
    await button(page, 'Add condition').click();
    await card(page, 2).getByRole('checkbox', { name: 'Coffee' }).check();
    await page.getByText('Shown if “Which drinks do you like?” includes “Coffee”.').waitFor();
    await isSaved(page);
    await picture(page, 'editor-logic');

    await page.reload();
    await page.getByRole('button', { name: 'Coffee', exact: true }).click();
    await text(page, 2).waitFor();
    expect(await text(page, 2).inputValue()).toBe('How many cups a day?');
    const [first, second] = await savedPages(surveyId);
    expect(first).toMatchObject([
      {
        question_text: 'Which drinks do you like?',
        question_required: true,
        options: [{ option_code: 1 }, { option_value: '3' }, { option_value: '4' }, { option_other: true }],
      },
    ]);
    expect(second?.[0]?.question_settings.logic?.display).toMatchObject({
      left: { code: 'Q1' },
      operator: 'includes_any',
      right: ['1'],
    });

    const preview = page.frameLocator('iframe');
    await preview.getByText('Which drinks do you like?').waitFor();
    await page.locator('.outline').getByText('Which drinks do you like?').click();
    await text(page, 1).fill('What do you drink?');
    await preview.getByText('What do you drink?').waitFor();
    await preview.getByText('Coffee', { exact: true }).click();
    await page.locator('.outline').getByText('How many cups a day?').click();
    await preview.getByLabel('How many cups a day?').waitFor();
    await page.locator('.outline').getByText('What do you drink?').click();
    await preview.getByText('What do you drink?').waitFor();
    await picture(page, 'editor-preview');
    await button(page, 'Desktop').click();
    await picture(page, 'editor-preview-desktop');

    await button(page, 'Publish').click();
    const dialog = page.getByRole('dialog', { name: 'Publish the survey' });
    await dialog.getByText('The survey has no problems').waitFor();
    await picture(page, 'editor-publish');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await expectAnnounced(page, 'Version 1 published');
    await page.waitForURL(/\/collect$/);
  });

  it('undoes and repeats edits, deletions and moves', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [
      [
        { question_type: 'text', question_text: 'First', question_code: 'Q1' },
        { question_type: 'text', question_text: 'Second', question_code: 'Q2' },
      ],
      [{ question_type: 'text', question_text: 'Third', question_code: 'Q3' }],
    ]);
    const page = await openEditor(surveyId);
    await text(page, 1).fill('First of all');
    await isSaved(page);
    await page.keyboard.press('Control+z');
    await expect.poll(() => text(page, 1).inputValue()).toBe('First');
    expect(await savedTexts(surveyId)).toEqual([['First', 'Second'], ['Third']]);
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => text(page, 1).inputValue()).toBe('First of all');

    await button(page, 'Actions for question 2').click();
    await page.getByRole('menuitem', { name: 'Move to Page 2' }).click();
    await expect.poll(() => savedTexts(surveyId)).toEqual([['First of all'], ['Third', 'Second']]);
    await button(page, 'Undo').click();
    await expect.poll(() => savedTexts(surveyId)).toEqual([['First of all', 'Second'], ['Third']]);

    await button(page, 'Actions for Page 1').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expectAnnounced(page, 'Page deleted');
    expect(await savedTexts(surveyId)).toEqual([['Third']]);
    await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => savedTexts(surveyId)).toEqual([['First of all', 'Second'], ['Third']]);
    await button(page, 'Undo').click();
    await expect.poll(() => savedTexts(surveyId)).toEqual([['First', 'Second'], ['Third']]);
  });

  it('moves questions by dragging in the outline', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [
      [
        { question_type: 'text', question_text: 'First', question_code: 'Q1' },
        { question_type: 'text', question_text: 'Second', question_code: 'Q2' },
      ],
    ]);
    const page = await openEditor(surveyId);
    const row = (name: string) => page.locator('.outline-row', { hasText: name });
    await row('Second').hover();
    const from = await row('Second').locator('.grip').boundingBox();
    const to = await row('First').boundingBox();
    await page.mouse.move(from!.x + 4, from!.y + 8);
    await page.mouse.down();
    await page.mouse.move(to!.x + 30, to!.y + 12, { steps: 4 });
    await page.mouse.move(to!.x + 30, to!.y + 4, { steps: 2 });
    await page.mouse.up();
    await expect.poll(() => savedTexts(surveyId)).toEqual([['Second', 'First']]);
  });

  it('adds a question and options by the keyboard alone', async () => {
    const { surveyId } = await draftSurvey(organization.admin);
    const page = await openEditor(surveyId);
    await button(page, 'Add question').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem').first().waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.question-text:focus').waitFor();
    await page.keyboard.type('How are you?');
    await option(page, 1, 1).focus();
    await page.keyboard.type('Fine');
    await page.keyboard.press('Enter');
    await page.keyboard.type('So so');
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(() => savedLabels(surveyId)).toEqual(['So so', 'Fine']);
    expect(await savedTexts(surveyId)).toEqual([['How are you?']]);
  });

  it('replaces the names of unwritten options, wherever they are', async () => {
    const { surveyId } = await draftSurvey(organization.admin);
    const page = await openEditor(surveyId);
    await addQuestion(page, 'One answer');
    await option(page, 1, 1).click();
    await page.keyboard.type('Often');
    // The next option has only its name, so Enter goes there instead of adding one before it.
    await page.keyboard.press('Enter');
    await page.keyboard.type('Never');
    await page.keyboard.press('Enter');
    await page.keyboard.type('No answer');
    await expect.poll(() => savedLabels(surveyId)).toEqual(['Often', 'Never', 'No answer']);
    await option(page, 1, 1).press('Enter');
    await page.keyboard.type('Sometimes');
    await expect.poll(() => savedLabels(surveyId)).toEqual(['Often', 'Sometimes', 'Never', 'No answer']);
  });

  it('adds a question below the open one, which is required if that one is', async () => {
    const { surveyId } = await draftSurvey(organization.admin);
    const page = await openEditor(surveyId);
    const add = async (type: string, name: string) => {
      await button(page, 'Add a question below the open one').click();
      await page.getByRole('menuitem', { name: type }).click();
      await page.locator('.question-text:focus').waitFor();
      await page.keyboard.press('Control+a');
      await page.keyboard.type(name);
    };
    await add('Open text', 'First');
    await card(page, 1).getByLabel('Required').check();
    await add('Open text', 'Last');
    await text(page, 1).click();
    await add('Open text', 'Between');
    await isSaved(page);
    await expect.poll(() => savedTexts(surveyId)).toEqual([['First', 'Between', 'Last']]);
    const [questions = []] = await savedPages(surveyId);
    expect(questions.map(({ question_required: isRequired }) => isRequired)).toEqual([true, true, true]);
  });

  it('adds an option for each line of a list', async () => {
    const { surveyId } = await draftSurvey(organization.admin);
    const page = await openEditor(surveyId);
    await addQuestion(page, 'One answer');
    const addList = async (lines: string) => {
      await card(page, 1).getByRole('button', { name: 'Paste a list…' }).click();
      await page.getByRole('dialog').getByLabel('One on each line').fill(lines);
      await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
    };
    await addList('Daily\nWeekly\n');
    await expect.poll(() => savedLabels(surveyId)).toEqual(['Daily', 'Weekly']);
    await addList('- Monthly\n- Never');
    await expect.poll(() => savedLabels(surveyId)).toEqual(['Daily', 'Weekly', 'Monthly', 'Never']);
    await picture(page, 'editor-list');
  });

  it('loads a published survey once, and the retired options of a question when it is opened', async () => {
    const { admin } = organization;
    const { surveyId, questionIds } = await publishedSurvey(admin, [[choice('Q1'), choice('Q2')]]);
    const questionId = questionIds.Q1!;
    const address = `/api/surveys/${surveyId}/questions/${questionId}`;
    const { body } = await admin.get(address).expect(200);
    const { options } = body.data as SavedQuestion;
    await admin.put(address, { options: options.slice(0, -1) }).expect(200);
    const page = await openEditor(surveyId);
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await page.reload();
    await text(page, 2).waitFor();
    const content = [`/api/surveys/${surveyId}`, `/api/surveys/${surveyId}/questions`];
    expect(requested.filter((path) => content.includes(path))).toEqual([`/api/surveys/${surveyId}`]);
    await Promise.all([
      page.waitForResponse((reply) => reply.url().includes(`${address}?include_retired=true`)),
      text(page, 1).click(),
    ]);
    await option(page, 1, options.length - 1).press('Enter');
    await page.keyboard.type('Another');
    const lastOption = async () => (await savedPages(surveyId))[0]?.[0]?.options.at(-1);
    await expect.poll(lastOption).toMatchObject({
      option_label: 'Another',
      option_code: options.at(-1)!.option_code + 1,
    });
  });

  it('labels the points of a scale in place', async () => {
    const { surveyId } = await draftSurvey(organization.admin);
    const page = await openEditor(surveyId);
    await addQuestion(page, /^Scale/);
    await text(page, 1).fill('How strong is it?');
    await card(page, 1).getByLabel('Label of 1', { exact: true }).fill('Mild');
    await card(page, 1).getByLabel('Label of 5', { exact: true }).fill('Strong');
    await isSaved(page);
    await picture(page, 'editor-scale');
    const [[question] = []] = await savedPages(surveyId);
    expect(question?.question_settings).toMatchObject({
      min_label: 'Mild',
      mid_label: null,
      max_label: 'Strong',
    });
    await expectAccessible(page);
  });

  it('says what the answers to a choice are, for its figures', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [[choice('Q1')]]);
    const page = await openEditor(surveyId);
    await text(page, 1).click();
    await card(page, 1).getByText('Settings', { exact: true }).click();
    await card(page, 1).getByLabel('The answers are').selectOption('Steps in an order');
    await isSaved(page);
    expect((await savedPages(surveyId))[0]?.[0]?.question_settings).toMatchObject({ measure: 'ordinal' });
  });

  it('inserts a question between two others', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [
      [
        { question_type: 'text', question_text: 'First', question_code: 'Q1' },
        { question_type: 'text', question_text: 'Second', question_code: 'Q2' },
      ],
    ]);
    const page = await openEditor(surveyId);
    await button(page, 'Insert question before question 2').click();
    await picture(page, 'editor-insert');
    await page.getByRole('menuitem', { name: /^Number/ }).click();
    await page.locator('.question-text:focus').waitFor();
    await page.keyboard.type('In between');
    await expect.poll(() => savedTexts(surveyId)).toEqual([['First', 'In between', 'Second']]);
  });

  it('keeps edits without a connection and after the session has ended', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [
      [{ question_type: 'text', question_text: 'First', question_code: 'Q1' }],
    ]);
    const page = await openEditor(surveyId);
    await text(page, 1).waitFor();
    await page.context().setOffline(true);
    await text(page, 1).fill('Written offline');
    await page.getByText('No connection. Your changes are kept').waitFor();
    await page.context().setOffline(false);
    await expect.poll(() => savedTexts(surveyId)).toEqual([['Written offline']]);
    await isSaved(page);

    await page.context().clearCookies();
    await text(page, 1).fill('Written without a session');
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' });
    await dialog.getByLabel('Email address').fill(organization.admin.email);
    await dialog.getByLabel('Password', { exact: true }).fill(organization.admin.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await expect
      .poll(() => savedTexts(surveyId), { timeout: 10_000 })
      .toEqual([['Written without a session']]);
    expect(await text(page, 1).inputValue()).toBe('Written without a session');
  });

  it('leads from a problem of the publish check to its question', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [
      [
        {
          question_type: 'single_choice',
          question_text: 'Without options',
          question_code: 'Q1',
          options: [],
        },
      ],
    ]);
    const page = await openEditor(surveyId);
    await button(page, 'Publish').click();
    await button(page, 'Go to question 1').click();
    await page.locator('.question-text:focus').waitFor();
    await text(page, 1).fill('');
    await page.getByText('Question text is required', { exact: true }).waitFor();
    await expectAccessible(page);
    await text(page, 1).fill('With a text');
    await isSaved(page);
  });

  it.each([
    ['390 px', NARROW],
    ['1280 px', DESKTOP],
  ])('is accessible and fits %s', async (width, options) => {
    const { surveyId } = await draftSurvey(organization.admin, [
      {
        page_title: 'About you',
        questions: [
          {
            question_type: 'single_choice',
            question_text: 'How do you usually travel to work?',
            question_required: true,
            options: ['By train', 'By bicycle', 'By car', { option_label: 'Other', option_other: true }],
          },
          { question_type: 'scale', question_text: 'How satisfied are you with it?' },
          { question_type: 'text', question_text: 'Why?', question_settings: { multiline: true } },
        ],
      },
      {
        page_title: 'The service',
        questions: [
          {
            question_type: 'matrix',
            question_text: 'How do you rate these?',
            question_settings: {
              rows: [
                { row_code: 'price', row_label: 'Price' },
                { row_code: 'speed', row_label: 'Speed' },
              ],
            },
            options: ['Poor', 'Fair', 'Good'],
          },
        ],
      },
    ]);
    const page = await openEditor(surveyId, options);
    await text(page, 1).click();
    await card(page, 1).getByText('Settings', { exact: true }).click();
    await picture(page, `editor-${width}`);
    await expectAccessible(page);
    await expectNoHorizontalScroll(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture(page, `editor-dark-${width}`);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme: 'light' });
    await button(page, 'Add question').click();
    await picture(page, `editor-menu-${width}`);
    await page.keyboard.press('Escape');
    await page.locator('.outline').getByText('How do you rate these?').click();
    await text(page, 4).click();
    await card(page, 4).getByText('Logic', { exact: true }).click();
    await button(page, 'Add condition').click();
    await picture(page, `editor-matrix-${width}`);
    await expectAccessible(page);
    await expectNoHorizontalScroll(page);
    expect(await field(page, 'Page title').inputValue()).toBe('The service');
  });

  it('keeps its place when a dialog closes, and shows the map from its top', async () => {
    const codes = Array.from({ length: 12 }, (_, index) => `Q${index + 1}`);
    const { surveyId } = await draftSurvey(organization.admin, [codes.map((code) => choice(code))]);
    const page = await openEditor(surveyId);
    const scrolled = () => page.evaluate<number>('Math.round(scrollY)');
    await page.evaluate('scrollTo(0, 1500)');
    await expect.poll(scrolled).toBe(1_500);
    // A click of the test would scroll to where the sticky button stands without scrolling.
    const { x, y } = (await button(page, 'Publish').boundingBox())!;
    await page.mouse.click(x + 5, y + 5);
    await page.getByRole('dialog').waitFor();
    expect(await scrolled()).toBe(1_500);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Publish');
    expect(await scrolled()).toBe(1_500);
    await button(page, 'Map').click();
    await page.getByText('Point at an arrow').waitFor();
    await expect.poll(scrolled).toBe(0);
  });
});
