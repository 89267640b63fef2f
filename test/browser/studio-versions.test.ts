import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  useBrowser,
} from '../support/browser.ts';
import { choice } from '../support/questions.ts';
import { button, expectAnnounced, field, heading } from '../support/settings-page.ts';
import { publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

describe.skipIf(browserSkipReason() !== null)('a survey in the list', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));
  let organization: Organization;
  let survey: PublishedSurvey;

  /** Three versions: two questions, then another wording, then a question less. */
  beforeAll(async () => {
    organization = await newOrganization(test);
    const { admin } = organization;
    survey = await publishedSurvey(admin, {
      survey_name: 'Coffee at work',
      pages: [[choice('Q1', { question_text: 'What do you drink?' }), choice('Q2')]],
    });
    const questions = `/api/surveys/${survey.surveyId}/questions`;
    await admin.put(`${questions}/${survey.questionIds.Q1}`, { question_text: 'What do you drink most?' });
    const publish = `/api/surveys/${survey.surveyId}/publish`;
    await admin.post(publish, { note: 'Clearer first question' }).expect(200);
    await admin.delete(`${questions}/${survey.questionIds.Q2}`).expect(204);
    await admin.post(publish).expect(200);
  });

  async function visitList(options: object = DESKTOP): Promise<Page> {
    const page = await browser.visitAs(organization.admin, '/surveys', options);
    await page.getByRole('link', { name: 'Coffee at work', exact: true }).waitFor();
    return page;
  }
  async function openVersions(page: Page): Promise<void> {
    await button(page, 'Actions for Coffee at work').click();
    await page.getByRole('menuitem', { name: 'Versions' }).click();
    await heading(page, 'Versions of Coffee at work').waitFor();
  }
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };
  const changes = (page: Page) => page.locator('.version-changes li').allTextContents();

  it('shows who edited it last, and the responses of the last days as text too', async () => {
    for (let count = 0; count < 3; count += 1)
      await anonymous(test)
        .post(`/api/public/s/${survey.linkToken}/responses`, { answers: { Q1: '1' } })
        .expect(201);
    const page = await visitList();
    await page.getByText(/by Ada Admin$/).waitFor();
    await page
      .getByRole('img', { name: /^3 complete responses in the last 14 days, most on \d+ \w+: 3$/ })
      .waitFor();
    await picture(page, 'list-activity');
  });

  it('is undeleted by undo, with its responses', async () => {
    const page = await visitList();
    await button(page, 'Actions for Coffee at work').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expectAnnounced(page, 'Coffee at work deleted');
    await organization.admin.get(`/api/surveys/${survey.surveyId}`).expect(404);
    await button(page, 'Undo').click();
    await expectAnnounced(page, 'Coffee at work restored');
    await page.getByRole('link', { name: 'Coffee at work', exact: true }).waitFor();

    await button(page, 'Actions for Coffee at work').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await expectAnnounced(page, 'Coffee at work deleted');
    await page.reload();
    // It was the only survey.
    await button(page, 'Show deleted surveys').click();
    await page.getByText(/^Deleted today/).waitFor();
    await expectAccessible(page);
    await picture(page, 'deleted');
    await button(page, 'Restore Coffee at work').click();
    await expectAnnounced(page, 'Coffee at work restored');
    await page.getByText('No deleted surveys').waitFor();
    await button(page, 'All').click();
    await page.getByRole('link', { name: 'Coffee at work', exact: true }).waitFor();
  });

  it('has its versions listed, compared in words and restored', async () => {
    const page = await visitList();
    await openVersions(page);
    const list = page.getByRole('list', { name: 'Published versions' });
    await list.getByText('Clearer first question').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(3);
    await button(page, 'Show changes since version 1').click();
    await expect
      .poll(() => changes(page))
      .toEqual([
        'Question Q2 “Which for Q2?” was removed.',
        'Question Q1 was reworded from “What do you drink?” to “What do you drink most?”.',
      ]);
    await field(page, 'Compared with').selectOption({ label: 'Version 2' });
    await expect.poll(async () => (await changes(page)).length).toBe(1);
    await expectAccessible(page);
    await picture(page, 'versions');
    await button(page, 'Restore version 1').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await button(page, 'Restore version 1').click();
    await page
      .getByRole('dialog', { name: 'Restore version 1?' })
      .getByRole('button', { name: 'Restore version 1' })
      .click();
    await expectAnnounced(page, 'The draft is version 1 again');
    const { body } = await organization.admin.get(`/api/surveys/${survey.surveyId}`).expect(200);
    expect(body.data.questions.map((each: { question_text: string }) => each.question_text)).toEqual([
      'What do you drink?',
      'Which for Q2?',
    ]);
  });

  it('shows its versions on a phone', async () => {
    const page = await visitList(NARROW);
    await openVersions(page);
    await button(page, 'Show changes since version 2').click();
    await page.locator('.version-changes').waitFor();
    await expectNoHorizontalScroll(page);
    await expectAccessible(page);
    await picture(page, 'versions-phone');
  });
});
