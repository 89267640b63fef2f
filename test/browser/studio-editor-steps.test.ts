import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  expectAccessible,
  expectNoHorizontalScroll,
  useBrowser,
} from '../support/browser.ts';
import { choice } from '../support/questions.ts';
import { draftSurvey } from '../support/surveys.ts';

const WIDE = { viewport: { width: 1440, height: 900 } } as const;

describe.skipIf(browserSkipReason() !== null)('steps in the editor', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  afterEach(() => expect(browser.problems()).toEqual([]));

  const open = async (surveyId: number, options: object = WIDE): Promise<Page> => {
    const page = await browser.visitAs(organization.admin, `/surveys/${surveyId}/edit`, options);
    await page.getByRole('heading', { name: 'Edit', exact: true }).waitFor();
    return page;
  };
  const card = (page: Page, number: number) =>
    page.getByRole('article', { name: `Question ${number}`, exact: true });
  const isSaved = (page: Page) => page.locator('.save-state').getByText('Saved', { exact: true }).waitFor();
  const saved = async (surveyId: number) =>
    (await organization.admin.get(`/api/surveys/${surveyId}`).expect(200)).body.data;
  const hasFocus = (page: Page) => page.evaluate(() => document.activeElement !== document.body);

  it('show the edited question in the preview, which is open on wide screens, also behind consent', async () => {
    const { surveyId } = await draftSurvey(organization.admin, {
      survey_name: 'Consent',
      settings: { consent_text: 'We store your answers.', welcome_text: 'It is about you.' },
      pages: [
        [choice('Q1')],
        Array.from({ length: 8 }, (_, index) => choice(`P${index}`, { question_text: `Part ${index}?` })),
      ],
    });
    const page = await open(surveyId);
    const preview = page.frameLocator('iframe');
    await preview.getByText('It is about you.').waitFor();
    await preview.getByRole('button', { name: 'Start' }).click();
    await preview.getByText('We store your answers.').waitFor();
    // Menus stay in the window, from the first moment and not only after a transition.
    const menu = await page
      .getByRole('button', { name: 'Add a question below the open one' })
      .evaluate(async (button) => {
        (button as HTMLElement).click();
        await new Promise((resolve) => setTimeout(resolve));
        return document.querySelector('[role=menu]')!.getBoundingClientRect().toJSON() as DOMRect;
      });
    expect(menu.right).toBeLessThanOrEqual(1440);
    expect(menu.bottom).toBeLessThanOrEqual(900);
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    expect((await card(page, 1).boundingBox())!.y).toBeLessThan(360);
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/editor-wide.png` });

    await page.locator('.outline').getByText('Part 7?').click();
    await preview.getByText('Part 7?').waitFor();
    await expect
      .poll(() =>
        page.frames()[1]!.evaluate(() => {
          const box = document.querySelector('[data-code="P7"]')?.getBoundingClientRect();
          return box !== undefined && box.top >= 0 && box.top < innerHeight;
        }),
      )
      .toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await expectNoHorizontalScroll(page);
  });

  it('keep the place of the preview after a change, and enlarge it', async () => {
    const { surveyId } = await draftSurvey(organization.admin, {
      survey_name: 'Long page',
      pages: [
        Array.from({ length: 12 }, (_, index) => choice(`P${index}`, { question_text: `Part ${index}?` })),
      ],
    });
    const page = await open(surveyId);
    const preview = page.frameLocator('iframe');
    await card(page, 1).getByRole('textbox').first().focus();
    const frame = page.frames()[1]!;
    await expect.poll(() => frame.evaluate(() => location.hash)).toMatch(/question/);
    await preview.getByText('Part 11?').scrollIntoViewIfNeeded();
    const top = await frame.evaluate(() => scrollY);
    expect(top).toBeGreaterThan(500);
    await card(page, 1).getByRole('textbox').first().fill('First part?');
    await preview.getByText('First part?').waitFor({ state: 'attached' });
    await expect.poll(() => frame.evaluate(() => scrollY)).toBe(top);
    await page.getByRole('button', { name: 'Enlarge' }).click();
    const dialog = page.getByRole('dialog', { name: 'Preview' });
    await dialog.frameLocator('iframe').getByText('First part?').waitFor();
    expect((await dialog.locator('iframe').boundingBox())!.width).toBeGreaterThan(1024);
    await expectAccessible(page);
    if (process.env.SCREENSHOTS !== undefined)
      await page.screenshot({ path: `${process.env.SCREENSHOTS}/editor-large.png` });
    await page.setViewportSize({ width: 390, height: 844 });
    await expectNoHorizontalScroll(page);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('split a page at a question, and undo it', async () => {
    const { surveyId } = await draftSurvey(organization.admin, {
      survey_name: 'Split',
      pages: [[choice('A'), choice('B'), choice('C')], [choice('D')]],
    });
    const page = await open(surveyId);
    const codesByPage = async () =>
      (await saved(surveyId)).pages.map(({ questions }: { questions: { question_code: string }[] }) =>
        questions.map(({ question_code: code }) => code).join(''),
      );
    await page.locator('.outline').getByText('B?').click();
    await card(page, 2).getByRole('button', { name: 'Actions for question 2' }).click();
    await page.getByRole('menuitem', { name: 'New page from here' }).click();
    await expect.poll(codesByPage).toEqual(['A', 'BC', 'D']);
    await expect
      .poll(() => page.locator('.page-title').evaluate((title) => title === document.activeElement))
      .toBe(true);
    await page.getByRole('button', { name: /^Undo/ }).click();
    await expect.poll(codesByPage).toEqual(['ABC', 'D']);
  });

  it('leave the question where it is that is opened by a click', async () => {
    const { surveyId } = await draftSurvey(organization.admin, {
      survey_name: 'Places',
      pages: [
        Array.from({ length: 6 }, (_, index) => choice(`P${index}`, { question_text: `Part ${index}?` })),
      ],
    });
    const page = await open(surveyId);
    await card(page, 2).getByLabel('Question text').first().click();
    await card(page, 2).getByText('Settings', { exact: true }).click();
    await card(page, 2).getByText('Logic', { exact: true }).first().click();
    const text = card(page, 3).getByLabel('Question text').first();
    await text.scrollIntoViewIfNeeded();
    const top = async () => (await card(page, 3).boundingBox())!.y;
    const before = await top();
    await text.click();
    await card(page, 3).getByText('Settings', { exact: true }).waitFor();
    await expect.poll(() => card(page, 2).getByText('Settings', { exact: true }).count()).toBe(0);
    // Less than a line of text: the browser may scroll the focused field into view.
    expect(Math.abs((await top()) - before)).toBeLessThan(24);
  });

  it('are undone one by one, and keep the focus', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [[choice('Q1', { question_text: 'One?' })]]);
    const page = await open(surveyId);
    const text = card(page, 1).getByLabel('Question text');
    await text.fill('Two?');
    await card(page, 1).getByLabel('Required').click();
    await text.fill('Three?');
    await isSaved(page);
    const wasRequired = (await saved(surveyId)).questions[0].question_required as boolean;
    await page.keyboard.press('Control+z');
    await expect.poll(async () => (await saved(surveyId)).questions[0].question_text).toBe('Two?');
    expect((await saved(surveyId)).questions[0].question_required).toBe(wasRequired);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await saved(surveyId)).questions[0].question_required).toBe(!wasRequired);
    expect((await saved(surveyId)).questions[0].question_text).toBe('Two?');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await saved(surveyId)).questions[0].question_text).toBe('One?');
    expect(await hasFocus(page)).toBe(true);
    await page
      .getByRole('button', { name: 'Repeat' })
      .or(page.getByRole('button', { name: 'Redo' }))
      .click();
    await expect.poll(async () => (await saved(surveyId)).questions[0].question_text).toBe('Two?');
  });

  it('duplicate a page whose logic refers to the copies, and copy questions within the survey', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [
      {
        page_title: 'Concept 1',
        questions: [
          choice('liking', { question_text: 'Do you like it?' }),
          {
            question_type: 'text',
            question_code: 'why',
            question_text: 'Why “{{liking}}”?',
            question_settings: {
              logic: { display: { left: { type: 'question', code: 'liking' }, operator: 'answered' } },
            },
          },
        ],
      },
    ]);
    const page = await open(surveyId);
    await page.getByRole('button', { name: 'Actions for Concept 1' }).click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.locator('.page-title:focus').waitFor();
    await expect.poll(async () => (await saved(surveyId)).pages.length).toBe(2);
    await expect.poll(async () => (await saved(surveyId)).questions.length).toBe(4);
    const [, , first, second] = (await saved(surveyId)).questions;
    expect(second.question_text).toBe(`Why “{{${first.question_code}}}”?`);
    expect(JSON.stringify(second.question_settings.logic)).toContain(`"${first.question_code}"`);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await saved(surveyId)).pages.length).toBe(1);

    await page.getByRole('button', { name: 'Add question', exact: true }).click();
    await page.getByRole('menuitem', { name: /Copy questions/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'This survey' }).click();
    await dialog.getByRole('checkbox', { name: /^Do you like it/ }).check();
    await dialog.getByRole('button', { name: 'Copy 1 question' }).click();
    await expect.poll(async () => (await saved(surveyId)).questions.length).toBe(3);
  });

  it('add a rule about the question whose logic is open', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [
      [choice('Q1', { question_text: 'First?' }), choice('Q2', { question_text: 'Second?' })],
    ]);
    const page = await open(surveyId);
    await card(page, 1).getByLabel('Question text').click();
    await card(page, 1).getByText('Logic', { exact: true }).click();
    await card(page, 1).getByRole('button', { name: 'Add rule' }).click();
    const rule = card(page, 1).getByRole('combobox', { name: 'Question', exact: true });
    expect(await rule.locator('option:checked').textContent()).toContain('First?');
  });
});
