import type { Page, Request } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  DESKTOP,
  expectAccessible,
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  useBrowser,
} from '../support/browser.ts';
import { choice, number, text } from '../support/questions.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../support/surveys.ts';
import { waitForHeading, button, waitForText } from '../support/respondent-page.ts';

/** As long as the page ever waits before it tries again. */
const LONGEST_WAIT_MS = 30_000;

describe.skipIf(browserSkipReason() !== null)(
  'respondent page on an unreliable network',
  BROWSER_TEST_OPTIONS,
  () => {
    const test = useApp();
    const browser = useBrowser(test);
    let survey: PublishedSurvey;
    beforeAll(async () => {
      const { admin } = await newOrganization(test);
      survey = await publishedSurvey(admin, {
        survey_name: 'Three pages',
        pages: [
          { questions: [choice('Q1', { question_required: true }), text('Q2')] },
          { page_title: 'Second', questions: [number('Q3')] },
          { page_title: 'Third', questions: [text('Q4')] },
        ],
      });
    });
    afterEach(() => {
      expect(browser.problems()).toEqual([]);
    });
    const firstPage = async (page: Page, why: string) => {
      await page.getByLabel('Option 2').check();
      await page.getByLabel('Why Q2?').fill(why);
      await button(page, 'Next').click();
      await waitForHeading(page, 'Second');
    };
    /** Calls of the page, from now on, that were neither answered nor given up. */
    const callsUnderway = (page: Page): ReadonlySet<Request> => {
      const underway = new Set<Request>();
      page.on('request', (request) => underway.add(request));
      page.on('requestfinished', (request) => underway.delete(request));
      page.on('requestfailed', (request) => underway.delete(request));
      return underway;
    };
    /** The page's clock runs ahead until it says this, but not during a call: the page would give it up. */
    const passingTimeUntil = (page: Page, underway: ReadonlySet<Request>, text: string | RegExp) =>
      expect
        .poll(
          async () => {
            // Looks first: the status is hidden again after a moment of the page's clock.
            if (await page.getByText(text).first().isVisible()) return true;
            if (underway.size === 0) await page.clock.fastForward(LONGEST_WAIT_MS);
            return false;
          },
          { timeout: 25_000, interval: 250 },
        )
        .toBe(true);
    const rowsOf = async (why: string) =>
      (await readStoredResponses(test, survey.surveyId)).filter((row) => row.answers.Q2 === why);

    it('keeps unsent answers and the current page after a reload', async () => {
      const page = await browser.visit(`/s/${survey.linkToken}`);
      await page.getByLabel('Why Q2?').fill('half a thou');
      await waitForText(page, 'Saved on this device');
      await page.reload();
      expect(await page.getByLabel('Why Q2?').inputValue()).toBe('half a thou');
      await firstPage(page, 'half a thought');
      await waitForText(page, /^Saved$/);
      await page.getByLabel(/How many for Q3/).fill('17');
      await page.reload();
      expect(await page.getByLabel(/How many for Q3/).inputValue()).toBe('17');
      await button(page, 'Back').click();
      expect(await page.getByLabel('Option 2').isChecked()).toBe(true);
      await page.context().close();
    });

    it('continues on another device by the resume link without duplicating answers', async () => {
      const page = await browser.visit(`/s/${survey.linkToken}`);
      await firstPage(page, 'from the phone');
      await button(page, 'Continue later').click();
      await expectAccessible(page);
      const link = new URL(await page.getByLabel('Your link').inputValue());
      expect(link.pathname).toBe(`/s/${survey.linkToken}`);
      await page.context().close();

      const desk = await browser.visit(link.pathname + link.hash, DESKTOP);
      await desk.getByRole('heading', { name: /^Continue the response begun on/ }).waitFor();
      await button(desk, 'Continue it').click();
      await desk.getByRole('heading', { name: 'Second' }).waitFor();
      expect(desk.url()).not.toContain('#');
      await desk.getByLabel(/How many for Q3/).fill('5');
      await button(desk, 'Next').click();
      await waitForHeading(desk, 'Third');
      await button(desk, 'Submit').click();
      await waitForHeading(desk, 'Thank you!');
      await desk.reload();
      await waitForHeading(desk, 'Already submitted');
      await desk.context().close();
      expect(await rowsOf('from the phone')).toMatchObject([
        { response_status: 'complete', answers: { Q1: '2', Q3: 5, Q4: null } },
      ]);
    });

    it('submits once after a server outage of ten seconds', async () => {
      const page = await browser.visit(`/s/${survey.linkToken}`);
      const underway = callsUnderway(page);
      await firstPage(page, 'through the night');
      await waitForText(page, /^Saved$/);
      await browser.stopServer();
      await page.getByLabel(/How many for Q3/).fill('8');
      await button(page, 'Next').click();
      await waitForHeading(page, 'Third');
      await waitForText(page, 'No connection: saved on this device, will be sent later');
      await page.getByLabel('Why Q4?').fill('kept');
      await button(page, 'Submit').click();
      await waitForText(page, 'Your answers are saved on this device');
      await expectAccessible(page);
      const tried = page.waitForEvent('requestfailed');
      await page.clock.fastForward(10_000);
      await tried;
      await waitForText(page, 'Your answers are saved on this device');
      await browser.startServer();
      await passingTimeUntil(page, underway, 'We have received your answers.');
      expect(await rowsOf('through the night')).toMatchObject([
        { response_status: 'complete', answers: { Q1: '2', Q3: 8, Q4: 'kept' } },
      ]);
    });

    it('retries after a lost reply and gets the same response', async () => {
      const page = await browser.visit(`/s/${survey.linkToken}`);
      let lostCount = 0;
      await page.route('**/api/public/**', async (route) => {
        if (lostCount >= 3) return route.continue();
        lostCount += 1;
        await route.fetch();
        await route.abort();
      });
      await firstPage(page, 'lost and found');
      await waitForText(page, /^Saved$/, 25_000);
      await button(page, 'Next').click();
      await waitForHeading(page, 'Third');
      await button(page, 'Submit').click();
      await waitForHeading(page, 'Thank you!');
      expect(lostCount).toBe(3);
      expect(await rowsOf('lost and found')).toMatchObject([{ response_status: 'complete' }]);
    });

    it('starts a new response without the client secret of the first one', async () => {
      const page = await browser.visit(`/s/${survey.linkToken}`);
      const starts: { submission_id: string }[] = [];
      await page.route('**/responses', async (route) => {
        const body = route.request().postDataJSON() as { submission_id: string };
        starts.push(body);
        if (starts.length > 1) return route.continue();
        // An earlier version of the page started this response, and the reply was lost.
        await route.fetch({ postData: { ...body, client_secret: undefined } });
        await route.abort();
      });
      await firstPage(page, 'begun twice');
      await waitForText(page, /^Saved$/, 25_000);
      expect(starts.map((start) => start.submission_id === starts[0]!.submission_id)).toEqual([
        true,
        true,
        false,
      ]);
      expect(await rowsOf('begun twice')).toMatchObject([
        { response_status: 'partial', answers: { Q1: '2' } },
      ]);
      await page.context().close();
    });

    it('shows that it is offline and sends automatically when it is online again', async () => {
      const page = await browser.visit(`/s/${survey.linkToken}`);
      await page.context().setOffline(true);
      await firstPage(page, 'in the tunnel');
      await waitForText(page, 'Offline: saved on this device, will be sent later');
      await page.context().setOffline(false);
      await waitForText(page, /^Saved$/);
      expect(await rowsOf('in the tunnel')).toMatchObject([
        { response_status: 'partial', answers: { Q1: '2' } },
      ]);
    });

    it('shows server-side problems at their question', async () => {
      const page = await browser.visit(`/s/${survey.linkToken}`);
      let objections = 1;
      await page.route('**/responses/*', async (route) => {
        objections -= 1;
        if (objections < 0) return route.continue();
        const details = [{ field: 'answers.Q2', message: 'is not what we agreed' }];
        const body = { error: 1, message: 'no', code: 'validation_failed', details, request_id: 'x' };
        await route.fulfill({ status: 400, json: body });
      });
      await page.getByLabel('Option 2').check();
      await page.getByLabel('Why Q2?').fill('first');
      await button(page, 'Next').click();
      await waitForText(page, 'Is not what we agreed.');
      expect(await page.getByLabel('Why Q2?').getAttribute('aria-describedby')).toBe('Q2-problem');
      await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('field-Q2');
      await firstPage(page, 'put right');
      // The previous status 'Saved' stays visible for a moment.
      await expect.poll(() => rowsOf('put right')).toHaveLength(1);
      await waitForText(page, /^Saved$/);
    });
  },
);
