import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { BROWSER_TEST_OPTIONS } from '../support/browser.ts';
import { FIREFOX, FirefoxPage } from '../support/firefox.ts';
import { choice, multiple } from '../support/questions.ts';
import { readStoredResponses } from '../support/stored-responses.ts';
import { publishedSurvey } from '../support/surveys.ts';

const ENTER = '\uE007';

describe.skipIf(FIREFOX.isSkipped)(
  `one question at a time in Firefox${FIREFOX.skipNote}`,
  BROWSER_TEST_OPTIONS,
  () => {
    const test = useApp();
    let admin: Actor;
    let page: FirefoxPage;

    beforeAll(async () => {
      ({ admin } = await newOrganization(test));
      page = await FirefoxPage.start();
    }, 60_000);
    afterAll(() => page.close());

    it('is answered with keys', { timeout: 40_000 }, async () => {
      const survey = await publishedSurvey(admin, {
        survey_name: 'Keys',
        settings: { layout: 'one_question' },
        pages: [[choice('Q1'), multiple('Q2')]],
      });
      const { port } = test.server!.address() as AddressInfo;
      await page.visit(`http://127.0.0.1:${port}/s/${survey.linkToken}`);
      const isReady = (code: string) =>
        page.waitFor(`document.querySelector('[data-code="${code}"]')?.checkVisibility({ opacityProperty: true })
          && getComputedStyle(document.querySelector('.page')).opacity === '1'
          && document.querySelector('footer .primary:not([aria-disabled])')`);
      await isReady('Q1');
      await page.type('b');
      await isReady('Q2');
      await page.type('ac');
      await page.type(ENTER);
      await page.waitFor(`document.body.innerText.includes('Thank you!')`);
      const responses = await readStoredResponses(test, survey.surveyId);
      expect(responses.at(-1)?.answers).toEqual({ Q1: '2', Q2: ['1', '3'] });
    });
  },
);
