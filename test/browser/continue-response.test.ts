import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, newOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { BROWSER_TEST_OPTIONS, browserSkipReason, expectAccessible, useBrowser } from '../support/browser.ts';
import { text } from '../support/questions.ts';
import { button, waitForHeading, waitForText } from '../support/respondent-page.ts';
import { startResponse, type StartedResponse } from '../support/start-response.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../support/surveys.ts';

const OFFER = /^Continue the response begun on \w+ \d+, \d{4}\?$/;

describe.skipIf(browserSkipReason() !== null)('a link with a response token', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  const attacker = anonymous(test);
  let survey: PublishedSurvey;
  let started: StartedResponse;
  beforeAll(async () => {
    const { admin } = await newOrganization(test);
    survey = await publishedSurvey(admin, {
      settings: { consent_text: 'We keep your answers for a year.' },
      pages: [[text('Q1')], [text('Q2')]],
    });
  });
  afterEach(() => {
    expect(browser.problems()).toEqual([]);
  });

  /** Opens the link that the attacker sends. */
  async function openSentLink(): Promise<Page> {
    started = await startResponse(attacker, survey.linkToken, { consent: true });
    await started.save({ Q1: 'written by the sender' }, survey.pageIds[0]).expect(200);
    const page = await browser.visit(`/s/${survey.linkToken}#r=${started.token}`);
    await page.getByRole('heading', { name: OFFER }).waitFor();
    return page;
  }
  const storage = (page: Page) => page.evaluate<string>('JSON.stringify(localStorage)');

  it('continues after consent, with a token that the sender does not have', async () => {
    const page = await openSentLink();
    expect(page.url()).not.toContain('#');
    await expectAccessible(page);
    await button(page, 'Continue it').click();
    await waitForText(page, 'Please select the box to agree');
    await started.resume().expect(200);
    await page.getByLabel(/I have read this/).check();
    await button(page, 'Continue it').click();
    await page.getByLabel('Why Q2?').fill('only for the survey');
    await attacker.get(started.address).expect(404);
    expect(await storage(page)).not.toContain(started.token);
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Thank you!');
    await attacker.get(started.address).expect(404);
    const stored = (await readStoredResponses(test, survey.surveyId)).find(
      (row) => row.response_id === started.responseId,
    )!;
    expect(stored.answers).toEqual({ Q1: 'written by the sender', Q2: 'only for the survey' });
    // Neither answers nor credentials of a completed response stay in the browser.
    const kept = await storage(page);
    for (const secret of [stored.response_token as string, 'only for the survey', 'written by'])
      expect(kept).not.toContain(secret);
    await page.reload();
    await waitForHeading(page, 'Already submitted');
  });

  it('can be declined for a response that is independent of it', async () => {
    const page = await openSentLink();
    await button(page, 'Start my own response').click();
    await page.getByLabel(/I have read this/).check();
    await button(page, 'Start').click();
    await page.getByLabel('Why Q1?').fill('my own words');
    await button(page, 'Next').click();
    await waitForText(page, /^Saved$/);
    const reply = await started.resume().expect(200);
    expect(reply.body.data.answers).toEqual({ Q1: 'written by the sender' });
    const answers = (await readStoredResponses(test, survey.surveyId)).map((row) => row.answers);
    expect(answers).toContainEqual({ Q1: 'my own words' });
  });

  it('shows the first browser that the response was continued elsewhere', async () => {
    const page = await browser.visit(`/s/${survey.linkToken}`);
    await page.getByLabel(/I have read this/).check();
    await button(page, 'Start').click();
    await page.getByLabel('Why Q1?').fill('here');
    await button(page, 'Next').click();
    await waitForText(page, /^Saved$/);
    await button(page, 'Continue later').click();
    const link = new URL(await page.getByLabel('Your link').inputValue());
    await button(page, 'Close').click();
    // The browser that has the response opens the link without a question.
    await page.goto(link.href);
    await page.reload();
    await page.getByLabel('Why Q2?').waitFor();

    const elsewhere = await browser.visit(link.pathname + link.hash);
    await elsewhere.getByLabel(/I have read this/).check();
    await button(elsewhere, 'Continue it').click();
    await elsewhere.getByLabel('Why Q2?').waitFor();
    await page.getByLabel('Why Q2?').fill('too late');
    await button(page, 'Submit').click();
    await waitForHeading(page, 'Answers not found');
    await waitForText(page, /continued on another device/);
    const again = await browser.visit(link.pathname + link.hash);
    await waitForHeading(again, 'Answers not found');
  });
});
