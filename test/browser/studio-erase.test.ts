import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Actor, newOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  useBrowser,
} from '../support/browser.ts';
import { text } from '../support/questions.ts';
import { findInTables } from '../support/search-storage.ts';
import { button, expectAnnounced } from '../support/settings-page.ts';
import { publishedSurvey } from '../support/surveys.ts';

describe.skipIf(browserSkipReason() !== null)('erasing in the studio', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let admin: Actor;
  let surveyId: number;
  let responseId: number;
  let word: string;
  let planted = 0;
  beforeEach(async () => {
    ({ admin } = await newOrganization(test));
    ({ surveyId } = await publishedSurvey(admin, [[text('Q1')]]));
    word = `studioword${(planted += 1)}x`;
    const rows = [word, 'Another answer'].map((Q1) => ({ answers: { Q1 } }));
    await admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
    const grid = await admin.get(`/api/responses/${surveyId}/grid`).expect(200);
    responseId = Math.min(
      ...(grid.body.data.rows as { response_id: number }[]).map(({ response_id: id }) => id),
    );
  });

  async function visitStudio(path: string): Promise<Page> {
    const page = await browser.visitAs(admin, path, DESKTOP);
    await page.getByRole('navigation', { name: 'Areas' }).waitFor();
    return page;
  }

  it('erases a response after a question, and not when it is canceled', async () => {
    const page = await visitStudio(`/surveys/${surveyId}/responses`);
    const open = async () => {
      await page.locator('.grid-row', { hasText: word }).first().click();
      await page.getByRole('dialog').getByText(word).waitFor();
      await button(page, 'Erase permanently').click();
      await page.getByRole('dialog', { name: `Erase response ${responseId} permanently?` }).waitFor();
      await page.getByText('This cannot be undone.').waitFor();
    };
    await open();
    await button(page, 'Cancel').click();
    expect(await findInTables(test, word)).toEqual(['responses.answers']);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await open();
    await button(page, 'Erase permanently').click();
    await expectAnnounced(page, `Response ${responseId} erased`);
    await expect.poll(() => page.locator('.grid-row').count()).toBe(1);
    expect(await findInTables(test, word)).toEqual([]);
    expect(await button(page, 'Undo').count()).toBe(0);
  });

  it.each([true, false])('erases a respondent, and their responses if chosen: %s', async (withResponses) => {
    const person = { email: `grace${planted}@example.com`, name: 'Grace' };
    const created = await admin.post('/api/surveys/respondents', person).expect(201);
    const respondentId: number = created.body.data.respondent_id;
    await test.database
      .db('responses')
      .where({ survey_id: surveyId, response_id: responseId })
      .update({ respondent_id: respondentId });
    const page = await visitStudio('/respondents');
    await button(page, 'Actions for Grace').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    const choice = page.getByRole('checkbox', { name: 'Also erase the responses of this person' });
    expect(await choice.isChecked()).toBe(false);
    if (withResponses) await choice.check();
    await expectAccessible(page);
    await button(page, 'Delete').click();
    await expectAnnounced(page, 'Grace deleted');
    expect(await findInTables(test, person.email)).toEqual([]);
    expect(await findInTables(test, word)).toEqual(withResponses ? [] : ['responses.answers']);
    expect(await findInTables(test, 'Another answer')).toEqual(['responses.answers']);
  });
});
