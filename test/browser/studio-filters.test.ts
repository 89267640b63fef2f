import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  useBrowser,
} from '../support/browser.ts';
import { button, expectAnnounced } from '../support/settings-page.ts';
import { publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';

/** Pages load slowly where many tests run at once. */
const poll = <T>(read: () => T) => expect.poll(read, { timeout: 8_000 });

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

const withValues = (...labels: string[]) =>
  labels.map((option_label, index) => ({ option_label, option_value: String(index + 1) }));

const SURVEY = {
  survey_name: 'Office canteen',
  pages: [
    [
      { question_code: 'age', question_type: 'number', question_text: 'How old are you?' },
      {
        question_code: 'nps',
        question_type: 'nps',
        question_text: 'How likely are you to recommend the canteen?',
      },
      { question_code: 'why', question_type: 'text', question_text: 'Why?' },
      {
        question_code: 'menu',
        question_type: 'scale',
        question_text: 'How do you rate the menu?',
        question_settings: { min: 1, max: 5, min_label: 'Very bad', max_label: 'Very good' },
      },
    ],
    [
      {
        question_code: 'dishes',
        question_type: 'multiple_choice',
        question_text: 'What do you eat there?',
        options: withValues('Soup', 'Salad', 'Pasta'),
      },
      {
        question_code: 'first',
        question_type: 'date',
        question_text: 'When did you first eat there?',
      },
      {
        question_code: 'rates',
        question_type: 'matrix',
        question_text: 'How satisfied are you with these?',
        question_settings: {
          rows: [
            { row_code: 'price', row_label: 'Price' },
            { row_code: 'taste', row_label: 'Taste' },
          ],
        },
        options: withValues('Satisfied', 'Not satisfied'),
      },
      {
        question_code: 'wishes',
        question_type: 'ranking',
        question_text: 'What matters most?',
        options: withValues('Speed', 'Variety'),
      },
      { question_code: 'note', question_type: 'text', question_text: 'Anything else?' },
      {
        question_code: 'where',
        question_type: 'single_choice',
        question_text: 'Where do you sit?',
        options: withValues('Inside', 'Outside'),
      },
    ],
  ],
};

const ANSWERS = [
  { age: 17, nps: 10, why: 'Fair price', menu: 5, dishes: ['1', '2'], first: '2026-01-10', where: '1' },
  { age: 18, nps: 9, why: 'Tasty soup', menu: 4, dishes: ['1'], first: '2026-02-10', where: '2' },
  { age: 34, nps: 8, why: 'The PRICE went up', menu: 3, dishes: ['2', '3'], first: '2026-03-10', where: '1' },
  { age: 40, nps: 6, menu: 2, dishes: ['3'], rates: { price: '2', taste: '1' }, wishes: ['1', '2'] },
  { age: 55, nps: 0, why: 'Long queue', menu: 1, rates: { price: '1', taste: '2' }, wishes: ['2', '1'] },
  { nps: 9, why: 'Nice people', menu: 5, rates: { price: '1' } },
];

describe.skipIf(browserSkipReason() !== null)('studio: filters', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let organization: Organization;
  let survey: PublishedSurvey;
  afterAll(() => test.container.jobWorker.stop(1_000));
  beforeAll(async () => {
    test.container.jobWorker.start();
    organization = await newOrganization(test);
    survey = await publishedSurvey(organization.admin, SURVEY);
    await organization.admin
      .post(`/api/responses/${survey.surveyId}/rows`, {
        rows: ANSWERS.map((answers, index) => ({
          answers,
          started_at: `2026-03-0${index + 1}T10:00:00Z`,
          completed_at: `2026-03-0${index + 1}T10:0${index + 1}:00Z`,
        })),
      })
      .expect(201);
  });

  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder === undefined) return;
    await page.evaluate(
      'Promise.all(document.getAnimations().map((each) => each.finished.catch(() => null)))',
    );
    await page.screenshot({ path: `${folder}/${name}.png` });
  };
  async function visitTab(tab: string, options: object = DESKTOP): Promise<Page> {
    const page = await browser.visitAs(organization.admin, `/surveys/${survey.surveyId}/${tab}`, options);
    await page.getByRole('navigation', { name: 'Areas' }).waitFor();
    await button(page, 'Add filter').waitFor();
    return page;
  }
  const dialogOf = (page: Page) => page.getByRole('dialog');
  const choose = (page: Page, field: string, option: string) =>
    dialogOf(page).getByLabel(field, { exact: true }).selectOption({ label: option });
  const apply = async (page: Page) => {
    await button(page, 'Apply filter').click();
    await dialogOf(page).waitFor({ state: 'detached' });
  };
  /** Opens the dialog with a question, and the condition if it is not the default. */
  async function startFilter(page: Page, question: string, condition?: string): Promise<void> {
    await button(page, 'Add filter').click();
    await choose(page, 'Question', question);
    if (condition !== undefined) await choose(page, 'Condition', condition);
  }
  const chips = (page: Page) =>
    page
      .getByRole('list', { name: 'Filters' })
      .locator('li:not(.result-clear) .result-filter')
      .allTextContents();
  const expectCount = async (page: Page, count: number) => {
    const words = count === 1 ? '1 response' : `${count} responses`;
    await page.locator('strong', { hasText: new RegExp(`^${words}( match(es)? the filters)?$`) }).waitFor();
  };
  const clear = (page: Page) => button(page, 'Clear all').click();
  const card = (page: Page, question: string) =>
    page.getByRole('list', { name: 'Questions' }).locator('> li', { hasText: question });

  it('filters by a number, keeps the filter in the address and edits it', async () => {
    const page = await visitTab('results');
    await expectCount(page, 6);
    await startFilter(page, 'How old are you?');
    await button(page, 'Apply filter').click();
    await dialogOf(page).getByText('Enter a number, such as 18 or 2.5.').waitFor();
    await picture(page, 'filter-number-problem');
    const number = dialogOf(page).getByLabel('Number', { exact: true });
    expect(await number.getAttribute('aria-invalid')).toBe('true');
    await number.fill('18');
    await apply(page);
    await expectCount(page, 4);
    await card(page, 'How old are you?').scrollIntoViewIfNeeded();
    // The ages 18, 34, 40 and 55.
    await poll(() => card(page, 'How old are you?').locator('.result-statistics').textContent()).toContain(
      'Mean36.75',
    );
    expect(await chips(page)).toEqual(['How old are you? at least 18']);
    await page.reload();
    await expectCount(page, 4);
    expect(await chips(page)).toEqual(['How old are you? at least 18']);

    await button(page, 'Edit filter How old are you? at least 18').click();
    await choose(page, 'Condition', 'is between');
    await dialogOf(page).getByLabel('Lowest').fill('40');
    await dialogOf(page).getByLabel('Highest').fill('18');
    await button(page, 'Apply filter').click();
    await dialogOf(page).getByText('The highest value must not be below the lowest.').waitFor();
    await picture(page, 'filter-range-problem');
    await expectAccessible(page);
    await dialogOf(page).getByLabel('Lowest').fill('18');
    await dialogOf(page).getByLabel('Highest').fill('40');
    await apply(page);
    await expectCount(page, 3);
    expect(await chips(page)).toEqual(['How old are you? 18 to 40']);
    await page.goBack();
    await expectCount(page, 4);
  });

  it('filters by a group of the Net Promoter Score and by points of a scale', async () => {
    const page = await visitTab('results');
    await startFilter(page, 'How likely are you to recommend the canteen?');
    await dialogOf(page).getByLabel('Promoters (9–10)').check();
    expect(await dialogOf(page).getByLabel('10', { exact: true }).isChecked()).toBe(true);
    await picture(page, 'filter-nps');
    await expectAccessible(page);
    await apply(page);
    await expectCount(page, 3);
    expect(await chips(page)).toEqual(['How likely are you to recommend the canteen? Promoters (9–10)']);
    expect(new URL(page.url()).searchParams.get('filter')).toBe('{"nps":["9","10"]}');
    await page.reload();
    await expectCount(page, 3);

    await startFilter(page, 'How do you rate the menu?');
    await dialogOf(page).getByLabel('5 – Very good').check();
    await picture(page, 'filter-scale');
    await apply(page);
    await expectCount(page, 2);
    await button(page, 'Remove filter on How likely are you to recommend the canteen?').click();
    await startFilter(page, 'How likely are you to recommend the canteen?', 'is at most');
    await dialogOf(page).getByLabel('Number', { exact: true }).fill('9');
    await apply(page);
    await expectCount(page, 1);
  });

  it('filters by a text, and by whether there is an answer', async () => {
    const page = await visitTab('results');
    await startFilter(page, 'Why?');
    await dialogOf(page).getByLabel('Text', { exact: true }).fill(' price ');
    await apply(page);
    await expectCount(page, 2);
    expect(await chips(page)).toEqual(['Why? contains “price”']);
    await card(page, 'Why?').scrollIntoViewIfNeeded();
    await poll(() => card(page, 'Why?').locator('.result-texts li').allTextContents()).toEqual([
      'The PRICE went up',
      'Fair price',
    ]);
    await button(page, 'Edit filter Why? contains “price”').click();
    await choose(page, 'Condition', 'is not answered');
    await dialogOf(page).getByText('Includes respondents who did not see the question.').waitFor();
    await picture(page, 'filter-not-answered');
    await apply(page);
    await expectCount(page, 1);
    await page.reload();
    await expectCount(page, 1);
    expect(await chips(page)).toEqual(['Why? not answered']);
  });

  it('filters by a date, several choices, a row, a rank and the time of the response', async () => {
    const page = await visitTab('results');
    await startFilter(page, 'When did you first eat there?', 'is between');
    await dialogOf(page).getByLabel('From').fill('2026-02-01');
    await dialogOf(page).getByLabel('To', { exact: true }).fill('2026-03-10');
    await apply(page);
    await expectCount(page, 2);
    expect(await chips(page)).toEqual(['When did you first eat there? 1 Feb 2026 to 10 Mar 2026']);
    await clear(page);

    await startFilter(page, 'What do you eat there?', 'includes all of');
    await dialogOf(page).getByLabel('Soup').check();
    await dialogOf(page).getByLabel('Salad').check();
    await apply(page);
    await expectCount(page, 1);
    await clear(page);

    await startFilter(page, 'How satisfied are you with these?');
    await dialogOf(page).getByLabel('Satisfied', { exact: true }).check();
    await picture(page, 'filter-row');
    await apply(page);
    await expectCount(page, 2);
    await startFilter(page, 'How satisfied are you with these?');
    await choose(page, 'Row', 'Taste');
    await choose(page, 'Condition', 'is not answered');
    await apply(page);
    await expectCount(page, 1);
    expect(await chips(page)).toEqual([
      'How satisfied are you with these? · Price: Satisfied',
      'How satisfied are you with these? · Taste: not answered',
    ]);
    await clear(page);

    await startFilter(page, 'What matters most?');
    await choose(page, 'Rank of', 'Variety');
    await dialogOf(page).getByLabel('1', { exact: true }).check();
    await apply(page);
    await expectCount(page, 1);
    await clear(page);
    await startFilter(page, 'What matters most?');
    await choose(page, 'Rank of', 'The whole answer');
    await choose(page, 'Condition', 'is answered');
    await apply(page);
    await expectCount(page, 2);
    await clear(page);

    await startFilter(page, 'Started');
    await dialogOf(page).getByLabel('Date', { exact: true }).fill('2026-03-04');
    await apply(page);
    await expectCount(page, 3);
    await startFilter(page, 'Duration in seconds', 'is at most');
    await dialogOf(page).getByLabel('Number', { exact: true }).fill('240');
    await apply(page);
    await expectCount(page, 1);
    await picture(page, 'filter-chips');
  });

  it('finds a question in a long list', async () => {
    const page = await visitTab('results');
    await button(page, 'Add filter').click();
    await dialogOf(page).getByLabel('Search questions').fill('SATISFIED');
    expect(await dialogOf(page).getByLabel('Question', { exact: true }).inputValue()).toBe('rates');
    await dialogOf(page).getByLabel('Search questions').fill('you');
    const list = dialogOf(page).getByLabel('Question', { exact: true });
    expect(await list.locator('option:checked').textContent()).toBe('How satisfied are you with these?');
    expect(await list.locator('option').count()).toBe(7);
    await picture(page, 'filter-search');
    await expectAccessible(page);
    await dialogOf(page).getByLabel('Search questions').fill('unknown');
    await dialogOf(page).getByText('No questions match.').waitFor();
  });

  it('applies to comparisons, and to figures in dashboards', async () => {
    const page = await visitTab('results');
    await startFilter(page, 'How old are you?');
    await dialogOf(page).getByLabel('Number', { exact: true }).fill('18');
    await apply(page);
    await page.getByLabel('Compare by').selectOption('Where do you sit?');
    const pasta = card(page, 'What do you eat there?').getByRole('row', { name: /^Pasta/ });
    await card(page, 'What do you eat there?').scrollIntoViewIfNeeded();
    await poll(async () =>
      (await pasta.getByRole('cell').allTextContents()).map((text) => text.trim()),
    ).toEqual(['50%', '100%', '0%']);
    await button(page, 'Actions for What do you eat there?').click();
    await page.getByRole('menuitem', { name: 'Add to dashboard' }).click();
    await dialogOf(page).getByLabel('Name of the dashboard').fill('Adults');
    await dialogOf(page).getByRole('button', { name: 'Add', exact: true }).click();
    await expectAnnounced(page, 'Added to the dashboard');
    const { body: listed } = await organization.admin.get('/api/dashboards').expect(200);
    const { body } = await organization.admin
      .get(`/api/dashboards/${listed.data[0].dashboard_id}`)
      .expect(200);
    expect(body.data.charts[0].chart_config.filter).toMatchObject({
      left: { code: 'age' },
      operator: 'gte',
      right: '18',
    });
  });

  it('filters the table of responses', async () => {
    const page = await visitTab('responses');
    await poll(() => page.locator('.grid-row').count()).toBe(6);
    await startFilter(page, 'How old are you?', 'is not answered');
    await apply(page);
    await poll(() => page.locator('.grid-row').count()).toBe(1);
    await startFilter(page, 'Why?');
    await dialogOf(page).getByLabel('Text', { exact: true }).fill('queue');
    await apply(page);
    await page.getByText('No responses match').waitFor();
    await button(page, 'Remove filter on How old are you?').click();
    await poll(() => page.locator('.grid-row').count()).toBe(1);
    await page.locator('.grid-row', { hasText: 'Long queue' }).waitFor();
  });

  it('filters by a derived column', async () => {
    await organization.admin
      .post(`/api/responses/${survey.surveyId}/transform/recode`, {
        column_code: 'where',
        target_column_code: 'seat',
        label: 'Seat',
        rules: [
          { from: ['2'], to: 1, label: 'Garden' },
          { from: 'else', to: 2, label: 'Elsewhere' },
        ],
      })
      .expect(201);
    const page = await visitTab('results');
    await startFilter(page, 'Seat');
    await dialogOf(page).getByLabel('Elsewhere').check();
    await apply(page);
    await expectCount(page, 2);
    await page.reload();
    await poll(() => chips(page)).toEqual(['Seat: Elsewhere']);
  });

  it('names the links of the survey', async () => {
    const { body } = await organization.admin
      .post(`/api/surveys/${survey.surveyId}/links`, { link_name: 'Newsletter' })
      .expect(201);
    const page = await visitTab('results');
    await startFilter(page, 'Link');
    await dialogOf(page).getByLabel('Newsletter').check();
    await apply(page);
    await expectCount(page, 0);
    expect(new URL(page.url()).searchParams.get('filter')).toBe(`{"link_id":["${body.data.link_id}"]}`);
    await page.reload();
    await poll(() => chips(page)).toEqual(['Link: Newsletter']);
  });

  it.each([
    ['390 px', NARROW],
    ['1280 px', DESKTOP],
  ] as const)('is accessible in light and dark at %s', async (width, options) => {
    const page = await visitTab('results', options);
    await startFilter(page, 'How likely are you to recommend the canteen?');
    await dialogOf(page).getByLabel('Detractors (0–6)').check();
    await dialogOf(page).getByLabel('3', { exact: true }).uncheck();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `filter-dialog-${colorScheme}-${width}`);
    }
    await expectAccessible(page);
    await apply(page);
    await startFilter(page, 'Why?');
    await dialogOf(page)
      .getByLabel('Text', { exact: true })
      .fill('a text that is rather long, so that the chip is too');
    await apply(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await picture(page, `filter-bar-${colorScheme}-${width}`);
    }
    await expectAccessible(page);
    await expectNoHorizontalScroll(page);
  });
});
