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
import { choice, text } from '../support/questions.ts';
import { draftSurvey, publish } from '../support/surveys.ts';

describe.skipIf(browserSkipReason() !== null)('blocks in the studio', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let organization: Organization;
  beforeAll(async () => {
    organization = await newOrganization(test);
  });
  afterEach(() => expect(browser.problems()).toEqual([]));

  it('are made by mouse, with arms, order and conditions', async () => {
    const { admin } = organization;
    const { surveyId } = await draftSurvey(admin, [
      { page_title: 'Screening', questions: [choice('Q1')] },
      { page_title: 'Oat milk', questions: [text('CA')] },
      { page_title: 'Cold brew', questions: [text('CB')] },
      { page_title: 'Last', questions: [text('Q4')] },
    ]);
    const page = await browser.visitAs(admin, `/surveys/${surveyId}/edit`, DESKTOP);
    await page.getByRole('button', { name: 'Blocks' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'New block' }).click();
    await dialog.getByLabel('Name').fill('Concepts');
    await dialog.getByLabel('Code', { exact: true }).fill('CONCEPT');
    await dialog.getByLabel('Oat milk').check();
    await dialog.getByLabel('Cold brew').check();
    await dialog.getByRole('button', { name: 'Add arm' }).click();
    await dialog.getByLabel('Label of arm 1').fill('Oat');
    await dialog.getByLabel('Who sees Oat milk').selectOption('A');
    await dialog.getByLabel('Who sees Cold brew').selectOption('B');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save block' }).click();
    await dialog.getByText('2 pages · arms Oat, B (filled evenly)').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.locator('.outline').getByText('Block Concepts').waitFor();
    await page.locator('.outline').getByText('Arm A').waitFor();
    const { body } = await admin.get(`/api/surveys/${surveyId}`).expect(200);
    expect(body.data.blocks).toMatchObject([
      {
        block_code: 'CONCEPT',
        arm_assignment: 'least_filled',
        page_ids: [body.data.pages[1].page_id, body.data.pages[2].page_id],
      },
    ]);
    expect(body.data.pages.map((each: { shown_to_arm: string | null }) => each.shown_to_arm)).toEqual([
      null,
      'A',
      'B',
      null,
    ]);
    // The preview shows the arm that is chosen, and its first page with it.
    await page.locator('.preview').getByLabel('Arm of Concepts').selectOption('B');
    await page.locator('.outline-item', { hasText: 'Cold brew' }).click();
    await page.frameLocator('.preview iframe').getByText('Why CB?').waitFor();
    await page.locator('.preview').getByLabel('Arm of Concepts').selectOption('A');
    await page.locator('.outline-item', { hasText: 'Oat milk' }).click();
    await page.frameLocator('.preview iframe').getByText('Why CA?').waitFor();
    // Conditions can ask for the arm.
    await page.locator('.outline-item', { hasText: 'Last' }).click();
    await page.locator('.page-head').getByText('Logic', { exact: true }).click();
    await expectAccessible(page);
    // Figures are compared by the arm, and filtered by it.
    await publish(admin, surveyId);
    await admin.post(`/api/responses/${surveyId}/seed`, { count: 60, seed: 1 }).expect(201);
    const results = await browser.visitAs(admin, `/surveys/${surveyId}/results`, DESKTOP);
    await results.getByLabel('Compare by').selectOption({ label: 'Arm of Concepts' });
    await results
      .getByRole('columnheader', { name: 'Oat' })
      .or(results.getByText('Oat', { exact: true }))
      .first()
      .waitFor();
  });
});
