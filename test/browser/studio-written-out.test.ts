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
import { choice, multiple } from '../support/questions.ts';
import { button, expectAnnounced } from '../support/settings-page.ts';
import { savePicture, visitEditor, waitUntilSaved } from '../support/survey-editor.ts';
import { draftSurvey, publish } from '../support/surveys.ts';

const options = (...labels: string[]) =>
  labels.map((option_label, index) => ({ option_label, option_value: String(index + 1) }));
const TABLE = {
  question_type: 'side_by_side',
  question_code: 'T',
  question_text: 'Where do you drink coffee?',
  question_settings: {
    rows: [
      { row_code: 'home', row_label: 'At home' },
      { row_code: 'work', row_label: 'At work' },
    ],
    columns: [
      {
        column_code: 'often',
        column_label: 'How often?',
        column_type: 'single_choice',
        options: options('Daily', 'Rarely'),
      },
      { column_code: 'cups', column_label: 'Cups', column_type: 'number' },
      { column_code: 'note', column_label: 'Note', column_type: 'text' },
    ],
  },
};
const LIKE = {
  question_type: 'scale',
  question_code: 'LIKE',
  question_text: 'How much do you like {{item.label}}?',
};

describe.skipIf(browserSkipReason() !== null)('tables and loops in the studio', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  let surveyId: number;
  afterEach(() => expect(browser.problems()).toEqual([]));

  beforeAll(async () => {
    organization = await newOrganization(test);
    const { admin } = organization;
    ({ surveyId } = await draftSurvey(admin, {
      blocks: [{ block_code: 'BRAND', block_loop: { question_code: 'KNOWN' } }],
      pages: [
        { questions: [TABLE, { ...multiple('KNOWN'), options: options('Alba', 'Borea') }] },
        { block_code: 'BRAND', questions: [LIKE] },
        { page_title: 'Last', questions: [choice('END')] },
      ],
    }));
  });

  it('are named by conditions, cell by cell and item by item', async () => {
    const page = await visitEditor(browser, organization.admin, surveyId);
    await page.locator('.outline-item', { hasText: 'Last' }).click();
    await page.locator('.page-head').getByText('Logic', { exact: true }).click();
    const display = page.getByRole('region', { name: 'Show this page if' });
    await display.getByRole('button', { name: 'Add condition' }).click();
    const cell = 'Where do you drink coffee? – How often? – At home';
    await display.getByLabel('Question').selectOption({ label: cell });
    await display.getByRole('checkbox', { name: 'Daily' }).check();
    await display.getByText(`Shown if “${cell}” is “Daily”.`).waitFor();
    await display.getByRole('button', { name: 'Add condition' }).click();
    await display.getByLabel('Question').nth(1).selectOption({ label: 'How much do you like Borea?' });
    await display.getByLabel('Comparison').nth(1).selectOption({ label: 'is at least' });
    await display.getByLabel('Value', { exact: true }).fill('3');
    await display.getByText('and “How much do you like Borea?” is at least 3.').waitFor();
    await waitUntilSaved(page);
    await expectAccessible(page);
    // The page can be reached.
    expect(await page.getByText('No respondent can see this page').count()).toBe(0);
    const { body } = await organization.admin.get(`/api/surveys/${surveyId}`).expect(200);
    const codes = JSON.stringify(body.data.pages[2].page_logic);
    expect(codes).toContain('"T_often_home"');
    expect(codes).toContain('"LIKE[2]"');
  });

  it('have figures for each column, and for all items', async () => {
    const { admin } = organization;
    await publish(admin, surveyId);
    const answers = [
      {
        T_often_home: '1',
        T_often_work: '2',
        T_cups_home: 3,
        T_note_work: 'Too hot',
        KNOWN: ['1'],
        'LIKE[1]': 4,
      },
      { T_often_home: '2', T_cups_home: 1, KNOWN: ['1', '2'], 'LIKE[1]': 2, 'LIKE[2]': 3 },
    ];
    await admin
      .post(`/api/responses/${surveyId}/rows`, { rows: answers.map((each) => ({ answers: each })) })
      .expect(201);
    const page = await browser.visitAs(admin, `/surveys/${surveyId}/results`, DESKTOP);
    const card = (title: string) =>
      page.locator('.result-card', { has: page.getByRole('heading', { name: title }) });
    await card('Where do you drink coffee? – How often?').getByText('At work').waitFor();
    await card('Where do you drink coffee? – Cups').getByText('Mean 2.00').waitFor();
    await card('Where do you drink coffee? – Note').scrollIntoViewIfNeeded();
    await card('Where do you drink coffee? – Note').getByText('Too hot').waitFor();
    await savePicture(page, 'written-out-results');
    await expectAccessible(page);

    await button(page, 'Add filter').click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByLabel('Question', { exact: true })
      .selectOption({ label: 'Where do you drink coffee? – How often?' });
    await dialog.getByLabel('Row', { exact: true }).selectOption({ label: 'At work' });
    await dialog.getByLabel('Rarely').check();
    await button(page, 'Apply filter').click();
    await page.getByText('1 response matches the filter').waitFor();

    const loop = card('How much do you like?');
    await loop.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: 'Add to dashboard' }).click();
    await dialog.getByLabel('Name of the dashboard').fill('Brands');
    await button(page, 'Add').click();
    await expectAnnounced(page, 'Added to the dashboard');
    await card('Where do you drink coffee? – How often?')
      .getByRole('button', { name: /^Actions for/ })
      .click();
    await page.getByRole('menuitem', { name: 'Add to dashboard' }).click();
    await button(page, 'Add').click();
    await expectAnnounced(page, 'Added to the dashboard');
    const { body } = await admin.get('/api/dashboards').expect(200);
    const [{ dashboard_id: id }] = body.data;
    const board = await browser.visitAs(admin, `/dashboards/${id}`, DESKTOP);
    await board.getByText('How much do you like?').first().waitFor();
    await board.getByText('At work').first().waitFor();
  });

  it('are shown in one table with a response', async () => {
    const page = await browser.visitAs(organization.admin, `/surveys/${surveyId}/responses`, DESKTOP);
    await page.getByText('Where do you drink coffee? – How often? – At home').first().waitFor();
    await page.locator('.grid-row').first().click();
    const table = page.getByRole('dialog').getByRole('table');
    await table.getByRole('columnheader', { name: 'How often?' }).waitFor();
    expect(await table.getByRole('row').allInnerTexts()).toEqual([
      '\tHow often?\tCups\tNote',
      'At home\tDaily\t3\t–',
      'At work\tRarely\t–\tToo hot',
    ]);
    await savePicture(page, 'written-out-response');
    await expectAccessible(page);
  });
});
