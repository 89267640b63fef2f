import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import supertest from 'supertest';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  DESKTOP,
  expectAccessible,
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  PHONE,
  SMALL_PHONE,
  useBrowser,
} from '../support/browser.ts';
import { createDashboard } from '../support/dashboards.ts';
import { choice, number } from '../support/questions.ts';
import { insertResponse } from '../support/stored-responses.ts';
import { publishedSurvey } from '../support/surveys.ts';

const options = (...labels: string[]) => ({
  options: labels.map((option_label, index) => ({ option_label, option_value: String(index + 1) })),
});
const dimension = (column_code: string) => ({ column_code });
const percent = { function: 'percent' };
/** Longer than ticked boxes are waited for. */
const SETTLED_MS = 500;
/** Runs in the browser. */
const tick = (label: string) =>
  `[...document.querySelectorAll('.filters label')].find((one) => one.textContent.trim() === '${label}').click()`;

describe.skipIf(browserSkipReason() !== null)(
  'renders its figures and escapes texts of authors',
  BROWSER_TEST_OPTIONS,
  () => {
    const test = useApp();
    const browser = useBrowser(test);
    let organization: Organization;
    let surveyId: number;
    let dashboardId: number;
    let path: string;

    const add = async (rows: object[]) => {
      await organization.admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
    };
    const dashboard = (name: string, pages: object[][]) => createDashboard(organization, name, pages);
    const share = (id: number, body: object) =>
      organization.admin.post(`/api/dashboards/${id}/shares`, body).expect(201);
    const chart = (chart_type: string, chart_title: string, config: object) => ({
      chart_type,
      chart_title,
      chart_config: { survey_id: surveyId, ...config },
    });

    beforeAll(async () => {
      organization = await newOrganization(test);
      const drinks = choice('drink', options('Coffee', 'Tea <b>&</b> "milk"', 'Water'));
      ({ surveyId } = await publishedSurvey(organization.admin, {
        survey_name: 'Drinks',
        pages: [[drinks, choice('gender', options('Female', 'Male')), number('cups')]],
      }));
      await add(
        Array.from({ length: 90 }, (_, index) => ({
          answers: { drink: String(1 + (index % 3)), gender: String(1 + (index % 2)), cups: index % 7 },
        })),
      );
      const every = [
        'bar',
        'horizontal-bar',
        'stacked-bar',
        'line',
        'area',
        'pie',
        'donut',
        'radar',
        'table',
      ];
      const created = await dashboard('What people drink', [
        [
          chart('filter', 'Gender', { filterElement: { column_code: 'gender', multiple: false } }),
          chart('filter', 'Drink', { filterElement: { column_code: 'drink', multiple: true } }),
          {
            chart_type: 'text',
            chart_config: {
              text: '# About\n<script>alert(1)</script> ![x](https://elsewhere.example/x.png) [l](https://a.example)',
            },
          },
          chart('variable', 'People', {
            dimension: dimension('drink'),
            variable: { metric: 'base', sparkline: 'day' },
          }),
          chart('kpi', 'Women', {
            dimension: dimension('gender'),
            aggregation: { function: 'percent', value: ['1'] },
          }),
          chart('bar', 'Drinks', { dimension: dimension('drink'), aggregation: percent }),
        ],
        every.map((type) =>
          chart(type, `As ${type}`, {
            dimension: dimension('drink'),
            series: dimension('gender'),
            aggregation: percent,
          }),
        ),
      ]);
      ({ id: dashboardId, path } = created);
      await share(dashboardId, { share_type: 'public' });
    });
    afterEach(() => expect(browser.problems()).toEqual([]));

    const shown = (page: Page, label: string) =>
      page.getByRole('article', { name: label, exact: true }).locator('.number').textContent();
    const card = (page: Page, label: string) => page.getByRole('article', { name: label, exact: true });

    it('contains its figures and escapes texts of authors', async () => {
      const { text } = await supertest(test.app).get(path).expect(200);
      expect(text).toContain('What people drink');
      expect(text).toContain('n = 90');
      expect(text).toContain('Tea &lt;b&gt;&amp;&lt;/b&gt;');
      expect(text).not.toContain('<script>alert');
      expect(text).not.toMatch(/<img|src="https?:/);
      expect(text).toMatch(/<a href="https:\/\/a\.example" rel="noopener nofollow">/);
      expect(text).not.toMatch(/ style="/);
    });

    it('says once that all of its figures count test responses only', async () => {
      const tested = await publishedSurvey(organization.admin, [[number('cups')]]);
      await insertResponse(test, tested.surveyId, { answers: { cups: 3 }, isTest: true });
      const config = { survey_id: tested.surveyId, dimension: 'cups', variable: 'mean' };
      const { id } = await dashboard('Before the field', [
        [
          { chart_type: 'variable', chart_title: 'Cups', chart_config: config },
          { chart_type: 'variable', chart_title: 'All cups', chart_config: { ...config, variable: 'sum' } },
        ],
      ]);
      const page = await browser.visitAs(organization.admin, `/dashboards/${id}`, DESKTOP);
      await expect.poll(() => page.locator('.caution').count()).toBe(1);
      expect(await page.locator('.caution').textContent()).toBe(
        'These are test responses, not answers of respondents.',
      );
      await expectAccessible(page);
      if (process.env.SCREENSHOTS !== undefined)
        await page.screenshot({ path: `${process.env.SCREENSHOTS}/dashboard-tests.png` });
    });

    it('replies 304 until the next response', async () => {
      const first = await supertest(test.app).get(path).expect(200);
      const { etag } = first.headers as { etag: string };
      const sendAgain = () => supertest(test.app).get(path).set('If-None-Match', etag);
      await sendAgain().expect(304);
      expect(first.headers['cache-control']).toBe('public, no-cache');
      await add([{ answers: { drink: '1', gender: '1', cups: 1 } }]);
      await sendAgain().expect(200);
    });

    it('applies filters, keeps them in the address and restores them on back navigation', async () => {
      const page = await browser.visit(path, DESKTOP);
      await page.getByLabel('Gender').selectOption('2');
      await page.waitForURL(/f\.gender=2/);
      await expect.poll(() => shown(page, 'Women')).toBe('0%');
      await page.getByRole('link', { name: /Gender: Male.*remove/ }).waitFor();
      await page.locator('.filters summary').click();
      // Ticks both within the debounce time, which adds one history entry instead of two.
      await page.evaluate(`${tick('Coffee')}; ${tick('Water')}`);
      await expect.poll(() => shown(page, 'People')).toBe('30');
      await page.goBack();
      await expect.poll(() => shown(page, 'People')).toBe('45');
      // Going back at once drops the pending selection, and forward navigation still works.
      await page.evaluate(`${tick('Water')}; history.back()`);
      await expect.poll(() => new URL(page.url()).search).toBe('');
      await page.waitForTimeout(SETTLED_MS);
      await page.goForward();
      await expect.poll(() => shown(page, 'People')).toBe('45');
      await page.goForward();
      await expect.poll(() => shown(page, 'People')).toBe('30');
      await page.goto(browser.origin + path + '?f.gender=1&f.drink=1');
      expect(await page.getByLabel('Gender').inputValue()).toBe('1');
      await page.getByRole('link', { name: 'Clear all' }).click();
      await expect.poll(() => new URL(page.url()).search).toBe('');
      await expect.poll(() => page.getByLabel('Gender').inputValue()).toBe('');
    });

    it('rejects filters that the dashboard does not have', async () => {
      const { text } = await supertest(test.app).get(`${path}?f.cups=1`).expect(400);
      expect(text).toContain('This link does not work');
      await supertest(test.app).get(`${path}?f.response_id=1`).expect(400);
      await supertest(test.app).get(`/d/${organization.slug}/nothing`).expect(404);
    });

    it('offers each chart as a table and as files, with the keyboard alone', async () => {
      const page = await browser.visit(path, DESKTOP);
      const drinks = card(page, 'Drinks');
      await drinks.locator('summary', { hasText: 'Table: Drinks' }).focus();
      await page.keyboard.press('Enter');
      const table = drinks.getByRole('table', { name: 'Drinks' });
      await table.waitFor();
      expect(await table.getByRole('row').nth(1).textContent()).toContain('Coffee');
      const picture = drinks.locator('.picture.wide');
      await expect.poll(() => picture.isVisible()).toBe(false);
      await page.keyboard.press('Enter');
      await picture.waitFor();
      const files: Record<string, Buffer> = {};
      for (const kind of ['PNG', 'SVG', 'CSV']) {
        await drinks.locator('summary', { hasText: 'Download: Drinks' }).click();
        const coming = page.waitForEvent('download');
        await drinks.getByRole('button', { name: kind }).click();
        const file = await coming;
        expect(file.suggestedFilename()).toBe(`drinks.${kind.toLowerCase()}`);
        files[kind] = readFileSync(await file.path());
      }
      expect(files.PNG!.subarray(1, 4).toString()).toBe('PNG');
      expect(files.SVG!.toString()).not.toContain('var(');
      expect(files.CSV!.toString()).toContain('"Tea <b>&</b> ""milk""",');
    });

    it('shows the figures under the pointer in a tooltip', async () => {
      const page = await browser.visit(path, DESKTOP);
      await card(page, 'Drinks').locator('.wide [data-index="2"]').first().hover();
      const tip = page.locator('.tip');
      await tip.waitFor();
      expect(await tip.textContent()).toMatch(/^Water.*Percent.*Count30/);
    });

    it('updates its figures when responses arrive', async () => {
      const page = await browser.visit(path, DESKTOP);
      const before = Number(await shown(page, 'People'));
      await page.locator('.fresh.live').waitFor();
      await add([{ answers: { drink: '2', gender: '2', cups: 1 } }]);
      await expect.poll(() => shown(page, 'People'), { timeout: 15_000 }).toBe(String(before + 1));
      await page.getByText('Updated just now').waitFor();
    });

    it('is accessible on both pages, in light and dark mode, on wide and narrow screens', async () => {
      const pages = await browser.visit(`${path}?page=all&f.gender=1`, DESKTOP);
      await expectAccessible(pages);
      const small = await browser.visit(path, SMALL_PHONE);
      await expectAccessible(small);
      const table = card(small, 'Drinks').locator('summary', { hasText: 'Table' });
      await table.click();
      await expectAccessible(small);
    });

    it('requires its password and opens with the correct one', async () => {
      const { id, path: locked } = await dashboard('Behind a password', [
        [chart('bar', 'Drinks', { dimension: dimension('drink') })],
      ]);
      await share(id, { share_type: 'password', share_password: 'open sesame' });
      const page = await browser.visit(locked, PHONE);
      await page.getByRole('heading', { name: 'Enter the password' }).waitFor();
      await expectAccessible(page);
      expect(await page.content()).not.toContain('Drinks');
      await page.getByLabel('Password').fill('open barley');
      await page.keyboard.press('Enter');
      await page.getByText('The password is wrong.').waitFor();
      await page.getByLabel('Password').fill('open sesame');
      await page.keyboard.press('Enter');
      await card(page, 'Drinks').waitFor();
      await supertest(test.app).get(`${locked}/events`).expect(401);
    });

    it('opens for signed-in members and for clients with access', async () => {
      const client = await organization.addUser('client');
      const page = await browser.visit(`/dashboards/${dashboardId}`, PHONE);
      await expectAccessible(page);
      await page.getByLabel('Email address').fill(client.email);
      await page.getByLabel('Password').fill(client.password);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Dashboard not found' }).waitFor();
      await page.goto(`${browser.origin}/dashboards`);
      await page.getByText('No dashboards yet').waitFor();
      await share(dashboardId, { share_type: 'user', user_id: client.userId });
      await page.goto(`${browser.origin}/dashboards`);
      await expectAccessible(page);
      await page.getByRole('link', { name: 'What people drink' }).click();
      await card(page, 'Drinks').waitFor();
      await page.getByLabel('Gender').selectOption('1');
      await expect.poll(() => shown(page, 'Women')).toBe('100%');
    });

    it('has the buttons of a chart in the corner of its card', async () => {
      const page = await browser.visit(path, DESKTOP);
      const drinks = card(page, 'Drinks');
      const { x, y, width } = (await drinks.boundingBox())!;
      for (const name of ['.as-table summary', '.menu summary']) {
        const place = (await drinks.locator(name).boundingBox())!;
        expect(place.y - y, name).toBeLessThan(20);
        expect(x + width - place.x, name).toBeLessThan(100);
      }
    });

    it('keeps the top bar of members above its filters', async () => {
      const { admin } = organization;
      const page = await browser.visit(`/dashboards/${dashboardId}`, DESKTOP);
      await page.getByLabel('Email address').fill(admin.email);
      await page.getByLabel('Password').fill(admin.password);
      await page.keyboard.press('Enter');
      await page.getByLabel('Gender').selectOption('1');
      await expect.poll(() => shown(page, 'Women')).toBe('100%');
      const areas = page.getByRole('navigation', { name: 'Areas' }).getByRole('link');
      expect(await areas.count()).toBe(5);
      await page.evaluate('scrollTo(0, 600)');
      const top = async (selector: string) => (await page.locator(selector).boundingBox())!;
      await expect.poll(async () => (await top('#narrowing')).y).toBe(60);
      expect(await top('.studio-top')).toMatchObject({ y: 0, height: 60 });
      const folder = process.env.SCREENSHOTS;
      if (folder !== undefined) await page.screenshot({ path: `${folder}/dashboard-scrolled.png` });
      await expectAccessible(page);
    });

    it('explains hidden figures of a confidential survey', async () => {
      const { admin } = organization;
      const secret = await publishedSurvey(admin, [[choice('Q1')]]);
      const settings = { survey_settings: { confidential: true } };
      await admin.put(`/api/surveys/${secret.surveyId}`, settings).expect(200);
      const rows = Array.from({ length: 42 }, (_, index) => ({
        answers: { Q1: index < 2 ? '3' : String(1 + (index % 2)) },
      }));
      await admin.post(`/api/responses/${secret.surveyId}/rows`, { rows }).expect(201);
      const config = { survey_id: secret.surveyId, dimension: dimension('Q1'), aggregation: percent };
      const { id, path: careful } = await dashboard('Careful', [
        [{ chart_type: 'bar', chart_title: 'Answers', chart_config: config }],
      ]);
      await share(id, { share_type: 'public' });
      const page = await browser.visit(careful, PHONE);
      const answers = card(page, 'Answers');
      await answers.getByText(/^Hidden: fewer than 5 respondents/).waitFor();
      await answers.locator('summary', { hasText: 'Table' }).click();
      const hidden = answers.getByRole('row', { name: /Option 3/ });
      expect(await hidden.textContent()).toMatch(/not shown/);
      await page.getByText(/are rounded/).waitFor();
    });

    it('explains empty pages and figures that cannot be shown', async () => {
      const { admin } = organization;
      const unanswered = await publishedSurvey(admin, [[choice('Q1')]]);
      const config = { survey_id: unanswered.surveyId, dimension: dimension('Q1') };
      const { id, path: empty } = await dashboard('Empty', [
        [],
        [
          { chart_type: 'bar', chart_title: 'Silence', chart_config: config },
          chart('bar', 'Drinks', { dimension: dimension('drink') }),
        ],
      ]);
      await share(id, { share_type: 'public' });
      const page = await browser.visit(empty, PHONE);
      await page.getByText('This page has no figures.').waitFor();
      await page.getByRole('link', { name: 'Page 2' }).click();
      await card(page, 'Silence').getByText('No answers yet').waitFor();
      await admin.delete(`/api/surveys/${unanswered.surveyId}`).expect(204);
      await page.reload();
      await card(page, 'Silence').getByText('This figure cannot be shown').waitFor();
      await card(page, 'Drinks').locator('.picture.narrow').waitFor();
    });

    it('prints without splitting a chart, and without its controls', async () => {
      const page = await browser.visit(`${path}?page=all`, DESKTOP);
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('.filters').isVisible()).toBe(false);
      const inside = await page.evaluate<string[]>(
        `[...document.querySelectorAll('.card')].map((card) => getComputedStyle(card).breakInside)`,
      );
      expect(new Set(inside)).toEqual(new Set(['avoid']));
      expect((await page.pdf({ preferCSSPageSize: true })).subarray(0, 4).toString()).toBe('%PDF');
    });
  },
);
