import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { BROWSER_TEST_OPTIONS, browserSkipReason, DESKTOP, PHONE, useBrowser } from '../support/browser.ts';
import { button, waitForHeading } from '../support/respondent-page.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { type PublishedSurvey, publishedSurvey } from '../support/surveys.ts';

interface OwnSurvey extends PublishedSurvey {
  /** Of the survey's organization. */
  admin: Actor;
}

describe.skipIf(browserSkipReason() !== null)('the survey page in real life', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  let survey: OwnSurvey;
  const publish = async (settings: object = {}): Promise<OwnSurvey> => {
    const { admin } = await newOrganization(test);
    const published = await publishedSurvey(admin, {
      survey_name: 'Pages',
      settings,
      pages: ['First', 'Second', 'Third'].map((title) => ({
        page_title: title,
        questions: [
          { question_type: 'text', question_code: `Q_${title}`, question_text: `What is ${title}?` },
        ],
      })),
    });
    return { ...published, admin };
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
      second.setDefaultTimeout(8_000);
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

  /** Serves a page with this body to the browser, as another website does. Requests to it are no problem. */
  const openWebsite = async (bodyFor: (survey: OwnSurvey) => Promise<string>) => {
    let body = '';
    const website = createServer((_, response) => {
      response.setHeader('Content-Type', 'text/html').end(`<!doctype html><body>${body}`);
    });
    await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
    websites.push(website);
    const origin = `http://127.0.0.1:${(website.address() as AddressInfo).port}`;
    body = await bodyFor(await publish({ embed_origins: [origin] }));
    const page = await browser.visit('/api/health', DESKTOP);
    return { page, frame: page.frameLocator('iframe'), open: () => page.goto(origin) };
  };
  const websites: Server[] = [];
  afterEach(async () => {
    for (const website of websites.splice(0)) {
      website.closeAllConnections();
      await new Promise((resolve) => website.close(resolve));
    }
  });

  it('says what to do in a frame that gives it no origin', async () => {
    let address = '';
    const { frame, open } = await openWebsite(({ linkToken }) => {
      address = `${browser.origin}/s/${linkToken}`;
      return Promise.resolve(
        `<iframe sandbox="allow-scripts allow-forms" width="600" height="600" src="${address}"></iframe>`,
      );
    });
    await open();
    await frame.getByText('open the survey in a new tab').waitFor();
    await frame.getByText('allow-same-origin').waitFor();
    expect(await frame.getByRole('link', { name: 'Open the survey' }).getAttribute('href')).toBe(address);
    browser.problems().splice(0);
  });

  it('gives the frame of the embed code the height of each page, and continues in it after a reload without storage', async () => {
    // Another host name makes the website a third party, whose storage browsers may refuse.
    const otherHost = browser.origin.replace('127.0.0.1', 'localhost');
    const { page, frame, open } = await openWebsite(async ({ admin, surveyId, linkId, linkToken }) => {
      const reply = await admin.get(`/api/surveys/${surveyId}/links/${linkId}/embed`).expect(200);
      const { html, url } = reply.body.data as { html: string; url: string };
      expect(url).toContain(linkToken);
      return html.replace(url, `${otherHost}/s/${linkToken}`);
    });
    await page.addInitScript(
      `if (window !== top) Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no', 'SecurityError'); } })`,
    );
    await open();
    await frame.getByLabel('What is First?').waitFor();
    const isFitting = `(() => { const { height } = document.querySelector('iframe').style; return height !== '700px' && parseInt(height) < 600; })()`;
    await page.waitForFunction(isFitting);
    await frame.getByLabel('What is First?').fill('kept');
    await frame.getByRole('button', { name: 'Next' }).click();
    await frame.getByLabel('What is Second?').waitFor();
    await page.reload();
    await frame.getByLabel('What is Second?').waitFor();
    await frame.getByRole('button', { name: 'Back' }).click();
    await expect.poll(() => frame.getByLabel('What is First?').inputValue()).toBe('kept');
    browser.problems().splice(0);
  });
});
