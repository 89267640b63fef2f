import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Actor, newOrganization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import { DESKTOP, BROWSER_TEST_OPTIONS, browserSkipReason, useBrowser } from '../support/browser.ts';
import { choice, text } from '../support/questions.ts';
import { type PublishedSurvey, publishedSurvey } from '../support/surveys.ts';

describe.skipIf(browserSkipReason() !== null)(
  'quality checks of the respondent page',
  BROWSER_TEST_OPTIONS,
  () => {
    const test = useApp();
    const browser = useBrowser(test);
    let author: Actor;
    beforeAll(async () => {
      author = (await newOrganization(test)).admin;
    });

    async function surveyWith(settings: object, quality: object = {}): Promise<PublishedSurvey> {
      const survey = await publishedSurvey(author, [[choice('Q1')], [text('T')]]);
      await author
        .put(`/api/surveys/${survey.surveyId}`, { survey_settings: settings, quality_settings: quality })
        .expect(200);
      return survey;
    }

    interface Row {
      response_status: string;
      consented_at: Date | null;
      fingerprint: string | null;
      page_times: Record<string, number>;
      duration_seconds: number;
      quality: { flags: { metric: string }[] } | null;
    }
    async function rows({ surveyId }: PublishedSurvey): Promise<Row[]> {
      const found: unknown = await test.database.db.raw(
        'SELECT * FROM responses WHERE survey_id = ? ORDER BY response_id',
        [surveyId],
      );
      return (found as { rows: Row[] }).rows;
    }

    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
    async function answers(page: Page, lingerMs: number): Promise<void> {
      await page.getByLabel('Option 2').check();
      await page.waitForTimeout(lingerMs);
      await button(page, 'Next').click();
      await page.getByLabel('Why T?').fill('Because');
      await button(page, 'Submit').click();
      await page.getByText('Thank you').first().waitFor();
    }

    it('asks for consent, records page times and detects a second response from the same browser', async () => {
      const survey = await surveyWith(
        { consent_text: 'We keep your answers for ten years.' },
        { duplicate: { fingerprint: true } },
      );
      const page = await browser.visit(`/s/${survey.linkToken}`, DESKTOP);
      const agree = async () => {
        await page.getByText('We keep your answers for ten years.').waitFor();
        await page.getByRole('checkbox').check();
        await button(page, 'Start').click();
      };
      await agree();
      await answers(page, 1_200);
      // Another link has a separate draft.
      const link = await author.post(`/api/surveys/${survey.surveyId}/links`, {}).expect(201);
      await page.goto(`${browser.origin}/s/${link.body.data.link_token}`);
      await agree();
      await answers(page, 0);
      const [first, second] = await rows(survey);
      expect(first).toMatchObject({ response_status: 'complete', quality: null });
      expect(first!.consented_at).toBeInstanceOf(Date);
      expect(first!.page_times[survey.pageIds[0]!]).toBeGreaterThanOrEqual(1.2);
      expect(first!.page_times[survey.pageIds[0]!]).toBeLessThan(30);
      expect(Object.keys(first!.page_times)).toEqual(survey.pageIds.map(String));
      expect(first!.duration_seconds).toBeGreaterThanOrEqual(1.2);
      expect(second!.fingerprint).toBe(first!.fingerprint);
      expect(second!.quality!.flags.map((flag) => flag.metric)).toEqual(['fingerprint']);
      expect(browser.problems()).toEqual([]);
    });

    it('stores no device id if the survey does not use it', async () => {
      const survey = await surveyWith({});
      const page = await browser.visit(`/s/${survey.linkToken}`, DESKTOP);
      await answers(page, 0);
      expect(await page.evaluate<string[]>('Object.keys(localStorage)')).not.toContain(
        `canvass:device:${survey.surveyId}`,
      );
      expect(await rows(survey)).toMatchObject([{ fingerprint: null, consented_at: null }]);
    });

    it('can be embedded only by pages of the allowed origins', async () => {
      const parents = [await parentPage(), await parentPage()];
      const survey = await surveyWith({ embed_origins: [parents[0]!.origin] });
      const links = (await author.get(`/api/surveys/${survey.surveyId}/links`).expect(200)).body.data;
      const embed = await author
        .get(`/api/surveys/${survey.surveyId}/links/${links[0].link_id}/embed`)
        .set('Host', new URL(browser.origin).host)
        .expect(200);
      const shown: boolean[] = [];
      for (const parent of parents) {
        parent.html = `<!doctype html>${embed.body.data.html}`;
        const page = await browser.visit(`/s/${survey.linkToken}`, DESKTOP);
        const refusal = page.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
        const question = page.frameLocator('iframe').getByText('Which for Q1?');
        await page.goto(parent.origin);
        shown.push(await Promise.race([question.waitFor().then(() => true), refusal.then(() => false)]));
      }
      expect(shown).toEqual([true, false]);
    });

    /** A page of another origin. */
    async function parentPage(): Promise<{ origin: string; html: string }> {
      const parent = { origin: '', html: '' };
      const server = createServer((_request, response) => {
        response.setHeader('Content-Type', 'text/html').end(parent.html);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      parent.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      onTestFinished(() => {
        server.closeAllConnections();
        server.close();
      });
      return parent;
    }
  },
);
