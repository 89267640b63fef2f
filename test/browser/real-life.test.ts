import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { BROWSER_TEST_OPTIONS, browserSkipReason, DESKTOP, PHONE, useBrowser } from '../support/browser.ts';
import { button, waitForHeading } from '../support/respondent-page.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../support/surveys.ts';

describe.skipIf(browserSkipReason() !== null)('the survey page in real life', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let survey: PublishedSurvey;
  const publish = async (settings: object = {}) => {
    const { admin } = await newOrganization(test);
    return publishedSurvey(admin, {
      survey_name: 'Pages',
      settings,
      pages: ['First', 'Second', 'Third'].map((title) => ({
        page_title: title,
        questions: [
          { question_type: 'text', question_code: `Q_${title}`, question_text: `What is ${title}?` },
        ],
      })),
    });
  };
  beforeAll(async () => {
    survey = await publish();
  });
  afterEach(() => {
    expect(browser.problems()).toEqual([]);
  });

  it('skips no page when Next is clicked or tapped twice, also on a slow network', async () => {
    const desktop = await browser.visit(`/s/${survey.linkToken}`, DESKTOP);
    await button(desktop, 'Next').dblclick();
    await waitForHeading(desktop, 'Second');
    await button(desktop, 'Back').waitFor();
    expect(await desktop.getByRole('heading', { name: 'Third' }).count()).toBe(0);

    const phone = await browser.visit(`/s/${survey.linkToken}`, PHONE);
    await phone.route('**/api/**', (route) => setTimeout(() => void route.continue(), 300));
    const box = (await button(phone, 'Next').boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await phone.touchscreen.tap(x, y);
    await phone.touchscreen.tap(x, y);
    await phone.touchscreen.tap(x, y);
    await waitForHeading(phone, 'Second');
    // The buttons work again after a moment.
    await button(phone, 'Next').tap();
    await waitForHeading(phone, 'Third');
    await button(phone, 'Back').dblclick();
    await waitForHeading(phone, 'Second');
  });

  const answer = async (page: Page) => {
    await page.getByLabel('What is First?').fill('x');
    await button(page, 'Next').click();
    await page.getByLabel('What is Second?').fill('y');
    await button(page, 'Next').click();
    await button(page, 'Submit').click();
    await page
      .getByText(/Thank you!|Already submitted/)
      .first()
      .waitFor();
  };

  it('stores one response for two tabs of a device, however they overlap', async () => {
    for (let trial = 0; trial < 3; trial += 1) {
      const own = await publish();
      const first = await browser.visit('/api/health', DESKTOP);
      const second = await first.context().newPage();
      await Promise.all([first, second].map((page) => page.goto(`${browser.origin}/s/${own.linkToken}`)));
      await Promise.all([first, second].map((page) => button(page, 'Next').waitFor()));
      // The last trial is one after the other.
      if (trial < 2) await Promise.allSettled([answer(first), answer(second)]);
      else {
        await answer(first);
        await second.bringToFront();
        await second
          .getByText(/Thank you!|Already submitted/)
          .first()
          .waitFor();
      }
      const responses = await readStoredResponses(test, own.surveyId);
      expect(responses.map(({ response_status: status }) => status)).toEqual(['complete']);
    }
  });

  it('says what to do in a frame that gives it no origin', async () => {
    const embedder = createServer((_, response) => {
      response
        .setHeader('Content-Type', 'text/html')
        .end(
          `<iframe sandbox="allow-scripts allow-forms" width="600" height="600" src="${address()}"></iframe>`,
        );
    });
    await new Promise<void>((resolve) => embedder.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(embedder.address() as AddressInfo).port}`;
    const embedded = await publish({ embed_origins: [origin] });
    const address = () => `${browser.origin}/s/${embedded.linkToken}`;
    const page = await browser.visit('/api/health', DESKTOP);
    await page.goto(origin);
    const frame = page.frameLocator('iframe');
    await frame.getByText('open the survey in a new tab').waitFor();
    await frame.getByText('allow-same-origin').waitFor();
    expect(await frame.getByRole('link', { name: 'Open the survey' }).getAttribute('href')).toBe(address());
    embedder.closeAllConnections();
    await new Promise((resolve) => embedder.close(resolve));
    browser.problems().splice(0);
  });
});
