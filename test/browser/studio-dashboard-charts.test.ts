import type { Page } from 'playwright-core';
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
import { createDashboard, newDashboard } from '../support/dashboards.ts';
import { choice } from '../support/questions.ts';
import { button, expectAnnounced } from '../support/settings-page.ts';
import { publishedSurvey } from '../support/surveys.ts';

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

const withValues = (...labels: string[]) =>
  labels.map((option_label, index) => ({ option_label, option_value: String(index + 1) }));

describe.skipIf(browserSkipReason() !== null)('dashboards and their charts', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let organization: Organization;
  let surveyId: number;
  beforeAll(async () => {
    organization = await newOrganization(test);
    ({ surveyId } = await publishedSurvey(organization.admin, {
      survey_name: 'Coffee at work',
      pages: [
        [
          choice('drink', {
            question_text: 'What do you drink?',
            options: withValues('Coffee', 'Tea', 'Water'),
          }),
          choice('place', {
            question_text: 'Where do you work?',
            options: withValues('Office', 'Home'),
          }),
          {
            question_type: 'nps',
            question_code: 'recommend',
            question_text: 'How likely are you to recommend our coffee?',
            question_settings: { min_label: 'Not at all likely', max_label: 'Extremely likely' },
          },
          {
            question_type: 'matrix',
            question_code: 'images',
            question_text: 'How do you rate our coffee?',
            question_settings: {
              measure: 'ordinal',
              rows: [
                { row_code: 'r1', row_label: 'Price' },
                { row_code: 'r2', row_label: 'Taste' },
              ],
            },
            options: withValues('Bad', 'Fair', 'Good'),
          },
        ],
      ],
    }));
    await organization.admin
      .post(`/api/responses/${surveyId}/rows`, {
        rows: Array.from({ length: 40 }, (_, index) => ({
          answers: {
            drink: String(1 + (index % 3)),
            place: String(1 + (index % 2)),
            recommend: (index * 7) % 11,
          },
        })),
      })
      .expect(201);
  });

  const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
  };
  async function visitStudio(path: string, options: object = DESKTOP): Promise<Page> {
    const page = await browser.visitAs(organization.admin, path, options);
    await page.getByRole('navigation', { name: 'Areas' }).waitFor();
    return page;
  }

  describe('added from the results', () => {
    const openDialog = async (page: Page, question: string, target: 'dashboard' | 'report') => {
      await button(page, `Actions for ${question}`).click();
      await item(page, `Add to ${target}`).click();
      return page.getByRole('dialog', { name: `Add to ${target}` });
    };
    const selected = (page: Page) => page.locator('#add-to-place option:checked').textContent();

    it.each([
      ['dashboard', 'Dashboard'],
      ['report', 'Report'],
    ] as const)(
      'proposes a new %s with the name of the survey, and then the one that was used last',
      async (target, label) => {
        const { admin } = organization;
        await newDashboard(admin, { dashboard_name: 'Unrelated' });
        await admin.post('/api/reports', { report_name: 'Unrelated' }).expect(201);
        const page = await visitStudio(`/surveys/${surveyId}/results`);
        const dialog = await openDialog(page, 'What do you drink?', target);
        expect(await selected(page)).toBe(`New ${target}`);
        expect(await dialog.getByLabel(`Name of the ${target}`).inputValue()).toBe('Coffee at work');
        await picture(page, `add-to-new-${target}`);
        await dialog.getByLabel(`Name of the ${target}`).fill('Drinks');
        await button(page, 'Add').click();
        await expectAnnounced(page, `Added to the ${target}`);

        await page.reload();
        await openDialog(page, 'Where do you work?', target);
        expect(await selected(page)).toBe('Drinks');
        await dialog.getByLabel(label, { exact: true }).selectOption({ label: `New ${target}` });
        expect(await dialog.getByLabel(`Name of the ${target}`).inputValue()).toBe('Coffee at work');
        await expectAccessible(page);
      },
    );

    it('keep the filters and the comparison of the results', async () => {
      const filter = encodeURIComponent('{"place":["1"]}');
      const page = await visitStudio(`/surveys/${surveyId}/results?filter=${filter}&compare=place`);
      const dialog = await openDialog(page, 'What do you drink?', 'dashboard');
      await dialog.getByLabel('Name of the dashboard').fill('In the office');
      await button(page, 'Add').click();
      await expectAnnounced(page, 'Added to the dashboard');
      const { body } = await organization.admin.get('/api/dashboards?search=office').expect(200);
      const { charts } = (
        await organization.admin.get(`/api/dashboards/${body.data[0].dashboard_id}`).expect(200)
      ).body.data;
      expect(charts[0].chart_config).toMatchObject({
        filter: { place: ['1'] },
        series: { column_code: 'place' },
      });
    });
  });

  describe('changed in the arrangement', () => {
    const filter = { connector: 'and', conditions: [{ place: ['1'] }, { drink: ['1', '2'] }] };
    const figure = (title: string, code: string, config: object = {}) => ({
      chart_type: 'horizontal-bar',
      chart_title: title,
      chart_config: {
        survey_id: surveyId,
        dimension: { column_code: code },
        aggregation: 'percent',
        ...config,
      },
    });
    const read = async (id: number) =>
      (await organization.admin.get(`/api/dashboards/${id}`).expect(200)).body.data.charts;
    const openDialog = async (page: Page, title: string) => {
      await button(page, `Actions for ${title}`).click();
      await item(page, 'Change').click();
      return page.getByRole('dialog', { name: 'Change chart' });
    };
    const optionsOf = (page: Page, label: string) =>
      page.getByRole('dialog').getByLabel(label, { exact: true }).locator('option').allTextContents();

    it('has another type, measure, split and size, and loses its filter', async () => {
      const { id } = await createDashboard(organization, 'Figures', [
        [figure('Drinks', 'drink', { filter }), figure('Places', 'place')],
      ]);
      const page = await visitStudio(`/dashboards/${id}/edit`);
      const dialog = await openDialog(page, 'Drinks');
      await dialog.getByText('“Where do you work?” is “Office” and “What do you drink?”').waitFor();
      expect(await optionsOf(page, 'Chart')).toEqual(['Horizontal bars', 'Bars', 'Donut', 'Table']);
      await expect
        .poll(() => optionsOf(page, 'Split by'))
        .toEqual(['No other question', 'Where do you work?', 'How likely are you to recommend our coffee?']);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await picture(page, `change-chart-${colorScheme}`);
      }
      await expectAccessible(page);
      await dialog.getByLabel('Chart', { exact: true }).selectOption('Donut');
      expect(await dialog.getByLabel('Split by').count()).toBe(0);
      await dialog.getByLabel('Chart', { exact: true }).selectOption('Bars');
      await dialog.getByLabel('Title').fill('What we drink');
      await dialog.getByLabel('Shows').selectOption('Number of respondents');
      await dialog.getByLabel('Split by').selectOption('Where do you work?');
      await dialog.getByLabel('Size').selectOption('Full width');
      await button(page, 'Remove filter').click();
      await dialog.getByText('The filter is removed when you save.').waitFor();
      await button(page, 'Save').click();
      await expectAnnounced(page, 'What we drink saved');
      const [drinks, places] = await read(id);
      expect(drinks).toMatchObject({
        chart_title: 'What we drink',
        chart_type: 'bar',
        chart_config: { series: { column_code: 'place' }, aggregation: { function: 'count' } },
        position: { x: 0, y: 0, w: 12, h: 7 },
      });
      expect(drinks.chart_config.filter).toBeUndefined();
      expect(places.position).toEqual({ x: 0, y: 7, w: 6, h: 6 });
      await page.goto(`${browser.origin}/dashboards/${id}`);
      await page.getByRole('heading', { name: 'What we drink' }).waitFor();
      await picture(page, 'changed-chart');
    });

    it('offers what suits the question and keeps what only the API offers', async () => {
      const { id } = await createDashboard(organization, 'Numbers', [
        [
          figure('Score', 'recommend', { aggregation: 'count' }),
          {
            ...figure('Coffee drinkers', 'drink', { aggregation: { function: 'percent', value: ['1'] } }),
            chart_type: 'kpi',
          },
        ],
      ]);
      const page = await visitStudio(`/dashboards/${id}/edit`);
      const dialog = await openDialog(page, 'Score');
      await dialog.getByLabel('Chart', { exact: true }).selectOption('One number');
      expect(await optionsOf(page, 'Shows')).toEqual([
        'Net Promoter Score',
        'Mean',
        'Median',
        'Number of respondents',
      ]);
      await button(page, 'Save').click();
      await expectAnnounced(page, 'Score saved');
      await openDialog(page, 'Coffee drinkers');
      await dialog.getByLabel('Shows').waitFor();
      expect(await optionsOf(page, 'Shows')).toEqual(['Percent of Coffee', 'Number of respondents']);
      await dialog.getByLabel('Title').fill('Coffee');
      await button(page, 'Save').click();
      await expectAnnounced(page, 'Coffee saved');
      const [score, coffee] = await read(id);
      expect(score).toMatchObject({
        chart_type: 'kpi',
        chart_config: { aggregation: { function: 'nps' } },
        position: null,
      });
      expect(coffee.chart_config.aggregation).toEqual({ function: 'percent', value: ['1'] });
    });

    it('shows what the API refuses at its field', async () => {
      const { id } = await createDashboard(organization, 'Refused', [
        [
          {
            ...figure('Images', 'images', { aggregation: 'mean', series: 'place' }),
            chart_type: 'bar',
          },
        ],
      ]);
      const page = await visitStudio(`/dashboards/${id}/edit`, NARROW);
      const dialog = await openDialog(page, 'Images');
      await dialog.getByLabel('Shows').selectOption('Percent');
      await button(page, 'Save').click();
      await dialog.getByText(/^Split by is only allowed with an aggregation/).waitFor();
      expect(await dialog.getByLabel('Split by').getAttribute('aria-invalid')).toBe('true');
      await picture(page, 'change-chart-refused');
      await expectAccessible(page);
    });

    it('of a deleted survey keeps its figures and has another title and size', async () => {
      const other = await publishedSurvey(organization.admin, [[choice('Q1')]]);
      const { id } = await createDashboard(organization, 'Without a survey', [
        [figure('Gone', 'Q1', { survey_id: other.surveyId })],
      ]);
      await organization.admin.delete(`/api/surveys/${other.surveyId}`).expect(204);
      const page = await visitStudio(`/dashboards/${id}/edit`);
      const dialog = await openDialog(page, 'Gone');
      await dialog.getByText('The survey was deleted').waitFor();
      await dialog.getByLabel('Title').fill('Long gone');
      await dialog.getByLabel('Size').selectOption('Small');
      await button(page, 'Save').click();
      await expectAnnounced(page, 'Long gone saved');
      expect((await read(id))[0]).toMatchObject({ chart_type: 'horizontal-bar', position: { w: 4, h: 5 } });
    });
  });

  it('are shared from the dashboard, and closing the dialog leads back to it', async () => {
    const { id } = await createDashboard(organization, 'To share', [[]]);
    const page = await visitStudio(`/dashboards/${id}`);
    for (const [width, viewport] of [
      ['wide', DESKTOP.viewport],
      ['narrow', NARROW.viewport],
    ] as const) {
      await page.setViewportSize(viewport);
      await picture(page, `dashboard-share-${width}`);
    }
    await page.getByRole('link', { name: 'Share', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Share To share' });
    await dialog.getByLabel('Anyone with the link', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Anyone with the link can view To share').waitFor();
    expect(new URL(page.url()).search).toBe('');
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.waitForURL(`${browser.origin}/dashboards/${id}`);
    await page.getByRole('heading', { name: 'To share' }).waitFor();
  });

  it('show the numbers of a scale with the names of its ends, and the Net Promoter Score', async () => {
    const nps = (chart_type: string, config: object = {}) => ({
      chart_type,
      chart_title: `As ${chart_type}`,
      chart_config: {
        survey_id: surveyId,
        dimension: { column_code: 'recommend' },
        aggregation: 'percent',
        ...config,
      },
    });
    const { id } = await createDashboard(organization, 'Recommendation', [
      [nps('bar'), nps('histogram'), nps('line'), nps('horizontal-bar'), nps('stacked-bar')],
    ]);
    const page = await visitStudio(`/dashboards/${id}`);
    const card = page.getByRole('article', { name: 'As bar', exact: true });
    await card.getByText('Net Promoter Score: -43').waitFor();
    const texts = await card.locator('.picture.wide text').allTextContents();
    expect(texts).toEqual(
      expect.arrayContaining(['0', '1', '9', '10', 'Not at all likely', 'Extremely likely']),
    );
    for (const [width, viewport] of [
      ['wide', { width: 1280, height: 1700 }],
      ['narrow', { width: 390, height: 2600 }],
    ] as const)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await picture(page, `dashboard-nps-${width}-${colorScheme}`);
      }
    await card.locator('summary', { hasText: 'Table' }).click();
    await card.getByRole('row', { name: /^0 · Not at all likely/ }).waitFor();
    await expectAccessible(page);
  });

  it('measure percentages by a whole, or by an axis with round numbers', async () => {
    const drinks = (chart_type: string, series?: string) => ({
      chart_type,
      chart_title: `${chart_type}${series === undefined ? '' : ' by place'}`,
      chart_config: {
        survey_id: surveyId,
        dimension: { column_code: 'drink' },
        aggregation: 'percent',
        series,
      },
    });
    const { id } = await createDashboard(organization, 'Percentages', [
      [drinks('horizontal-bar'), drinks('bar'), drinks('horizontal-bar', 'place'), drinks('bar', 'place')],
    ]);
    const page = await visitStudio(`/dashboards/${id}`);
    const card = page.getByRole('article', { name: 'horizontal-bar', exact: true });
    await card.waitFor();
    for (const [width, viewport] of [
      ['wide', { width: 1280, height: 1000 }],
      ['narrow', { width: 390, height: 1800 }],
    ] as const)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(viewport);
        await picture(page, `dashboard-percent-${width}-${colorScheme}`);
      }
    await page.setViewportSize(DESKTOP.viewport);
    const track = (await card.locator('.picture.wide svg').boundingBox())!;
    const bar = (await card.locator('.picture.wide [data-index="0"]').first().boundingBox())!;
    expect(bar.width / track.width).toBeLessThan(0.4);
    const axis = await page
      .getByRole('article', { name: 'bar', exact: true })
      .locator('.picture.wide text')
      .allTextContents();
    expect(axis).toEqual(expect.arrayContaining(['0%', '10%', '20%', '30%', '40%']));
  });

  it('lead to the search and the exports of the studio', async () => {
    const { id } = await createDashboard(organization, 'With a top bar', [[]]);
    const page = await visitStudio(`/dashboards/${id}`);
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    expect(new URL(page.url()).search).toBe('');
    await page.goBack();
    await page.getByRole('heading', { name: 'With a top bar' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog', { name: 'Search' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Background tasks' }).click();
    await page.getByRole('region', { name: 'Background tasks' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Dashboards' }).waitFor();
    expect(await page.getByRole('region', { name: 'Background tasks' }).count()).toBe(0);
  });
});
