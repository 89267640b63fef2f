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
import {
  questionCard,
  savePicture,
  savedLogic,
  visitEditor,
  waitUntilSaved,
} from '../support/survey-editor.ts';
import { button, expectAnnounced } from '../support/settings-page.ts';
import { draftSurvey, publishedSurvey } from '../support/surveys.ts';

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

const DRINKS = {
  question_type: 'multiple_choice',
  question_code: 'drinks',
  question_text: 'Which drinks do you like?',
  options: [
    { option_code: 1, option_label: 'Coffee', option_value: 'coffee' },
    { option_code: 2, option_label: 'Tea', option_value: 'tea' },
    { option_code: 3, option_label: 'Water', option_value: 'water' },
  ],
};
const AGE = { question_type: 'number', question_code: 'age', question_text: 'How old are you?' };
const RATINGS = {
  question_type: 'matrix',
  question_code: 'ratings',
  question_text: 'How do you rate these?',
  question_settings: {
    rows: [
      { row_code: 'price', row_label: 'Price' },
      { row_code: 'taste', row_label: 'Taste' },
    ],
  },
  options: [
    { option_label: 'Poor', option_value: '1' },
    { option_label: 'Good', option_value: '2' },
  ],
};
const POINTS = {
  question_type: 'constant_sum',
  question_code: 'points',
  question_text: 'Share 100 points',
  options: [
    { option_code: 1, option_label: 'Coffee', option_value: 'coffee' },
    { option_code: 2, option_label: 'Tea', option_value: 'tea' },
  ],
};
const WHY = { question_type: 'text', question_code: 'why', question_text: 'Why?' };

const CUP =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="120" height="120"><rect width="40" height="40" fill="#f2e6d8"/><path d="M10 12h16v10a8 8 0 0 1-16 0z" fill="#7a5230"/></svg>';

describe.skipIf(browserSkipReason() !== null)('the logic of the editor', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  afterEach(() => expect(browser.problems()).toEqual([]));

  const openEditor = (surveyId: number, options: object = DESKTOP): Promise<Page> =>
    visitEditor(browser, organization.admin, surveyId, options);
  /** Further down, the top bar covers parts of controls, whose size axe would measure. */
  const expectAccessibleAtTop = async (page: Page) => {
    await page.evaluate('scrollTo(0, 0)');
    await expectAccessible(page);
  };
  const openPage = async (page: Page, name: string) => {
    await page.locator('.outline').getByRole('button', { name, exact: true }).click();
    await page.locator('.page-head summary').click();
  };

  it('screens out and jumps by rules, in words', async () => {
    const { surveyId, pageIds } = await draftSurvey(organization.admin, [
      { page_title: 'You', questions: [AGE, DRINKS] },
      { page_title: 'Coffee', questions: [WHY] },
      {
        page_title: 'The end',
        questions: [{ ...WHY, question_code: 'anything', question_text: 'Anything else?' }],
      },
    ]);
    const page = await openEditor(surveyId);
    await openPage(page, 'You');
    const rules = page.getByRole('region', { name: 'After this page is answered' });
    await rules.getByRole('button', { name: 'Add rule' }).click();
    const first = rules.getByRole('group', { name: 'Rule 1' });
    await first.getByLabel('Question').selectOption({ label: 'How old are you?' });
    await first.getByLabel('Comparison').selectOption({ label: 'is less than' });
    await first.getByLabel('Value', { exact: true }).fill('16');
    expect(await savedLogic(organization.admin, surveyId)).toEqual([]);
    await first.getByLabel('What happens then').selectOption({ label: 'Screen out' });
    await first.getByLabel('Reason, which only your data show').fill('under 16');
    await first.getByText('If “How old are you?” is less than 16, screen out.').waitFor();
    await rules.getByRole('button', { name: 'Add rule' }).click();
    const second = rules.getByRole('group', { name: 'Rule 2' });
    await second.getByRole('checkbox', { name: 'Water' }).check();
    await second.getByLabel('What happens then').selectOption({ label: 'Go to The end' });
    await second.getByText('If “Which drinks do you like?” includes “Water”, go to “The end”.').waitFor();
    await waitUntilSaved(page);
    await savePicture(page, 'logic-skips');
    expect(await savedLogic(organization.admin, surveyId)).toEqual([
      {
        skip: [
          {
            when: { left: { type: 'question', code: 'age' }, operator: 'lt', right: 16 },
            action: 'screen_out',
            reason: 'under 16',
          },
          {
            when: { left: { type: 'question', code: 'drinks' }, operator: 'includes_any', right: ['water'] },
            action: 'jump_to_page',
            target_id: pageIds[2],
          },
        ],
      },
    ]);
    await expectAccessibleAtTop(page);

    await button(page, 'Map').click();
    const map = page.getByRole('region', { name: 'Map of the survey' });
    await map.getByRole('button', { name: /^You/ }).waitFor();
    await map.getByRole('button', { name: /go to “The end”/ }).focus();
    await map.locator('.flow-words').getByText('includes “Water”').waitFor();
    await savePicture(page, 'flow-map');
    await expectAccessible(page);
    await map.getByRole('button', { name: /^Coffee/ }).click();
    await questionCard(page, 3).waitFor();
  });

  it('compares rows of a matrix, items of a sum and values of the link', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [[RATINGS, POINTS], [WHY]]);
    const page = await openEditor(surveyId);
    await page.locator('.outline').getByText('Why?').click();
    const card = questionCard(page, 3);
    await card.getByRole('textbox', { name: 'Question text' }).click();
    await card.getByText('Logic', { exact: true }).click();
    const display = card.getByRole('region', { name: 'Show this question if' });
    await display.getByRole('button', { name: 'Add condition' }).click();
    await display.getByLabel('Item').selectOption({ label: 'Tea' });
    await display.getByLabel('Comparison').selectOption({ label: 'is between' });
    await display.getByLabel('Lowest value').fill('10');
    await display.getByLabel('Highest value').fill('50');
    await display.getByText('Shown if “Share 100 points” (“Tea”) is between 10 and 50.').waitFor();
    await display.getByRole('button', { name: 'Add condition' }).click();
    await display.getByLabel('Question').nth(1).selectOption({ label: 'How do you rate these?' });
    await display.getByLabel('Row').selectOption({ label: 'Taste' });
    await display.getByRole('checkbox', { name: 'Good' }).check();
    await display.getByRole('button', { name: 'Add group' }).click();
    await display.getByLabel('Question').nth(2).selectOption({ label: 'Value of the link' });
    await display.getByLabel('Name of the value').fill('source');
    await display.getByLabel('Value', { exact: true }).fill('panel');
    await display.getByText(/the value “source” of the link is “panel”/).waitFor();
    await waitUntilSaved(page);
    await savePicture(page, 'logic-conditions');
    await expectAccessibleAtTop(page);
    expect(await savedLogic(organization.admin, surveyId)).toEqual([
      {
        display: {
          connector: 'and',
          conditions: [
            {
              connector: 'and',
              conditions: [
                {
                  left: { type: 'question', code: 'points', row_code: '2' },
                  operator: 'between',
                  right: [10, 50],
                },
                {
                  left: { type: 'question', code: 'ratings', row_code: 'taste' },
                  operator: 'in',
                  right: ['2'],
                },
              ],
            },
            { left: { type: 'hidden', code: 'source' }, operator: 'equals', right: 'panel' },
          ],
        },
      },
    ]);
  });

  it('shows single options by a condition, and carries options forward', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [
      [DRINKS],
      [
        {
          question_type: 'single_choice',
          question_code: 'best',
          question_text: 'Which do you like best?',
          options: [
            { option_code: 1, option_label: 'Option 1', option_value: '1' },
            { option_code: 2, option_label: 'Option 2', option_value: '2' },
          ],
        },
      ],
    ]);
    const page = await openEditor(surveyId);
    await page.locator('.outline').getByText('Which do you like best?').click();
    const card = questionCard(page, 2);
    await card.getByRole('textbox', { name: 'Question text' }).click();
    await card.getByText('Logic', { exact: true }).click();
    await card.getByLabel('Take options from').selectOption({ label: 'Which drinks do you like?' });
    await card
      .getByText('Shows the options that the respondent selected in “Which drinks do you like?”.')
      .waitFor();
    await expect
      .poll(() => card.getByRole('textbox', { name: 'Option 3', exact: true }).inputValue())
      .toBe('Water');
    await card.getByText('The options are those of the earlier question').waitFor();
    await card.getByRole('button', { name: 'Add condition for an option' }).click();
    const rule = card.getByRole('group', { name: 'Condition of Coffee' });
    await rule.getByRole('checkbox', { name: 'Tea' }).check();
    await rule.getByText('“Coffee” is shown only if “Which drinks do you like?” includes “Tea”.').waitFor();
    await waitUntilSaved(page);
    await savePicture(page, 'logic-options');
    await expectAccessibleAtTop(page);
    expect(await savedLogic(organization.admin, surveyId)).toEqual([
      {
        carry_forward: { from: 'drinks', mode: 'selected' },
        options: {
          '1': { left: { type: 'question', code: 'drinks' }, operator: 'includes_any', right: ['tea'] },
        },
      },
    ]);
    await button(page, 'Undo').click();
    await button(page, 'Undo').click();
    await expect
      .poll(() => card.getByRole('textbox', { name: 'Option 2', exact: true }).inputValue())
      .toBe('Option 2');
  });

  it('marks logic that cannot work where it is', async () => {
    const later = { left: { code: 'why' }, operator: 'answered' };
    const earlier = { left: { code: 'age' }, operator: 'answered' };
    const everyone = { connector: 'and', conditions: [] };
    const { surveyId } = await draftSurvey(organization.admin, [
      {
        page_title: 'First',
        questions: [{ ...AGE, question_settings: { logic: { display: later } } }],
      },
      {
        page_title: 'Second',
        questions: [{ ...WHY, question_settings: { logic: { display: earlier } } }, POINTS],
        page_logic: { skip: [{ when: everyone, action: 'jump_to_page', target_page: 4 }] },
      },
      { page_title: 'Third', questions: [DRINKS] },
      { page_title: 'Fourth', questions: [RATINGS] },
    ]);
    const page = await openEditor(surveyId);
    const first = questionCard(page, 1);
    await first.getByText('Only earlier questions can be used.').waitFor();
    await first
      .getByText('These conditions depend on each other: “How old are you?” → “Why?” → “How old are you?”.')
      .waitFor();
    await page.locator('.outline').getByRole('button', { name: 'Third Has a problem' }).click();
    await page.locator('.page-head').getByText('No respondent can reach this page.').waitFor();
    await savePicture(page, 'logic-findings');
    await button(page, 'Map').click();
    await page.getByRole('button', { name: /^Third.*cannot be reached/ }).waitFor();
    await savePicture(page, 'flow-map-unreachable');
  });

  it('marks a rule that leads back at its page, and leads there from the publish check', async () => {
    const { surveyId, pageIds } = await publishedSurvey(organization.admin, [
      { page_title: 'Removed', questions: [{ ...AGE, question_code: 'removed' }] },
      { page_title: 'First', questions: [AGE] },
      { page_title: 'Second', questions: [WHY] },
    ]);
    const [removed, first, second] = pageIds;
    // The data keep it, so that paths of the publish check count it.
    await organization.admin.delete(`/api/surveys/${surveyId}/pages/${removed}`).expect(204);
    const when = { left: { code: 'why' }, operator: 'answered' };
    await organization.admin
      .put(`/api/surveys/${surveyId}/pages/${second}`, {
        page_logic: { skip: [{ when, action: 'jump_to_page', target_id: first }] },
      })
      .expect(200);
    const page = await openEditor(surveyId);
    await button(page, 'Second Has a problem').waitFor();
    await button(page, 'Publish').click();
    await button(page, 'Go to Second').click();
    await page.locator('.page-title:focus').waitFor();
    await page.getByText('Rules can only lead to later pages.').waitFor();
  });

  it('orders rules, of which the first applies', async () => {
    const when = { left: { code: 'age' }, operator: 'answered' };
    const skip = [
      { when, action: 'end_survey' },
      { when, action: 'screen_out' },
    ];
    const { surveyId } = await draftSurvey(organization.admin, [{ questions: [AGE], page_logic: { skip } }]);
    const page = await openEditor(surveyId);
    await button(page, 'Actions for rule 2').click();
    await page.getByRole('menuitem', { name: 'Move up' }).click();
    const actions = async () => {
      const [logic] = (await savedLogic(organization.admin, surveyId)) as { skip: { action: string }[] }[];
      return logic?.skip.map(({ action }) => action);
    };
    await expect.poll(actions).toEqual(['screen_out', 'end_survey']);
    await button(page, 'Actions for rule 1').click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await expect.poll(actions).toEqual(['end_survey']);
  });

  it('writes a rule by the keyboard alone', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [[AGE], [WHY]]);
    const page = await openEditor(surveyId);
    await page.locator('.page-head summary').focus();
    await page.keyboard.press('Enter');
    await button(page, 'Add rule').focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Comparison').focus();
    await page.keyboard.type('is at le');
    await page.keyboard.press('Tab');
    await page.keyboard.type('99');
    await page.getByLabel('What happens then').focus();
    await page.keyboard.type('Comp');
    await page.getByText('If “How old are you?” is at least 99, complete the survey.').waitFor();
    await waitUntilSaved(page);
    expect(await savedLogic(organization.admin, surveyId)).toMatchObject([
      { skip: [{ action: 'end_survey' }] },
    ]);
    await button(page, 'Map').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /complete the survey/ }).focus();
    await page.keyboard.press('Enter');
    await page.locator('.page-head').waitFor();
  });

  it('fits a narrow screen', async () => {
    const skip = [
      { when: { left: { code: 'age' }, operator: 'lt', right: 16 }, action: 'screen_out' },
      { when: { left: { code: 'age' }, operator: 'gt', right: 65 }, action: 'jump_to_page', target_page: 2 },
    ];
    const { surveyId } = await draftSurvey(organization.admin, [
      { page_title: 'You', questions: [AGE], page_logic: { skip } },
      { page_title: 'Why', questions: [WHY] },
    ]);
    const page = await openEditor(surveyId, NARROW);
    await page.getByText('is less than 16, screen out.').scrollIntoViewIfNeeded();
    await savePicture(page, 'logic-390');
    await expectNoHorizontalScroll(page);
    await page.emulateMedia({ colorScheme: 'dark' });
    await savePicture(page, 'logic-dark-390');
    await button(page, 'Map').click();
    await page.locator('.flow-map').scrollIntoViewIfNeeded();
    await savePicture(page, 'flow-map-dark-390');
    await expectAccessible(page);
  });

  it('inserts earlier answers into texts', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [[DRINKS, WHY]]);
    const page = await openEditor(surveyId);
    const card = questionCard(page, 2);
    const text = card.getByRole('textbox', { name: 'Question text' });
    await text.fill('Why do you like ?');
    await text.press('End');
    await text.press('ArrowLeft');
    await card.getByRole('button', { name: 'Insert an answer' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Insert an answer' });
    await savePicture(page, 'piping-dialog');
    await expectAccessible(page);
    await dialog.getByLabel('Text if there is none (optional)').fill('it');
    await dialog.getByRole('button', { name: 'Insert' }).click();
    await expect.poll(() => text.inputValue()).toBe('Why do you like {{drinks|it}}?');
    await page.locator('.question-text:focus').waitFor();
    await page.keyboard.type('!');
    expect(await text.inputValue()).toBe('Why do you like {{drinks|it}}!?');
    await page.locator('.save-state').click();
    await card.locator('.pipe-chip', { hasText: 'Which drinks do you like?' }).waitFor();
    await page.locator('.outline .pipe-chip').waitFor();
    await waitUntilSaved(page);
    await savePicture(page, 'piping-chips');
    await expectAccessible(page);

    await button(page, 'Actions for option 1').first().click();
    await page.getByRole('menuitem', { name: 'Insert an answer…' }).click();
    await dialog.getByRole('radio', { name: 'Value of the link' }).check();
    await dialog.getByRole('button', { name: 'Insert' }).click();
    await dialog.getByText('Enter the name.').waitFor();
    await dialog.getByLabel('Name in the link, such as source').fill('brand');
    await dialog.getByRole('button', { name: 'Insert' }).click();
    const option = questionCard(page, 1).getByRole('textbox', { name: 'Option 1', exact: true });
    await expect.poll(() => option.inputValue()).toContain('{{hidden.brand}}');
  });

  it('inserts an earlier answer by the keyboard alone', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [[DRINKS, AGE, WHY]]);
    const page = await openEditor(surveyId);
    const text = questionCard(page, 3).getByRole('textbox', { name: 'Question text' });
    await text.focus();
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page
      .getByRole('radio', { name: /How old are you/ })
      .and(page.locator(':focus'))
      .waitFor();
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.locator('.question-text:focus').waitFor();
    expect(await text.inputValue()).toBe('Why?{{drinks}}');
  });

  it('copies questions of another survey below the current one', async () => {
    await draftSurvey(organization.admin, {
      survey_name: 'Coffee at work',
      pages: [[DRINKS, { ...AGE, question_settings: { min: 14 } }, RATINGS]],
    });
    const { surveyId } = await draftSurvey(organization.admin, [
      [
        { ...WHY, question_code: 'age' },
        { ...WHY, question_code: 'more', question_text: 'More?' },
      ],
    ]);
    const page = await openEditor(surveyId);
    await questionCard(page, 1).getByRole('textbox', { name: 'Question text' }).click();
    await button(page, 'Add question').click();
    await page.getByRole('menuitem', { name: /Copy questions/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Search surveys').fill('Coffee');
    await dialog.getByRole('button', { name: 'Coffee at work' }).click();
    await dialog.getByRole('checkbox', { name: /Which drinks/ }).check();
    await dialog.getByLabel('Search questions').fill('old');
    await dialog.getByRole('checkbox', { name: /How old are you/ }).check();
    await savePicture(page, 'copy-dialog');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Copy 2 questions' }).click();
    await expectAnnounced(page, '2 questions copied');
    const { body } = await organization.admin.get(`/api/surveys/${surveyId}`).expect(200);
    const copies = body.data.pages[0].questions as { question_code: string; question_text: string }[];
    expect(copies.map(({ question_text: copied }) => copied)).toEqual([
      'Why?',
      'Which drinks do you like?',
      'How old are you?',
      'More?',
    ]);
    expect(copies.map(({ question_code: code }) => code)).toEqual(['age', 'drinks', 'Q1', 'more']);
    await button(page, 'Undo').click();
    await expect
      .poll(async () => {
        const reply = await organization.admin.get(`/api/surveys/${surveyId}`).expect(200);
        return reply.body.data.pages[0].questions.length as number;
      })
      .toBe(2);
  });

  it('shows options with images', async () => {
    const { surveyId } = await draftSurvey(organization.admin, [[DRINKS]]);
    const page = await openEditor(surveyId);
    const address = `${browser.origin}/cup.svg`;
    await page.route(address, (route) => route.fulfill({ contentType: 'image/svg+xml', body: CUP }));
    await button(page, 'Actions for option 1').click();
    await page.getByRole('menuitem', { name: 'Add image…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Image of Coffee' });
    await dialog.getByLabel(/Address of the image/).fill('cup.png');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter an address that begins with https://').waitFor();
    await dialog.getByLabel(/Address of the image/).fill(address);
    await dialog.getByAltText('Preview of the image').waitFor();
    await savePicture(page, 'image-dialog');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.locator('.option-thumbnail').waitFor();
    await waitUntilSaved(page);
    await savePicture(page, 'image-option');
    const { body } = await organization.admin.get(`/api/surveys/${surveyId}`).expect(200);
    expect(body.data.pages[0].questions[0].options[0].option_image).toBe(address);
    await button(page, 'Actions for option 1').click();
    await page.getByRole('menuitem', { name: 'Change image…' }).click();
    await dialog.getByRole('button', { name: 'Remove image' }).click();
    await waitUntilSaved(page);
    expect(await page.locator('.option-thumbnail').count()).toBe(0);
  });
});
