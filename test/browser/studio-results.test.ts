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
import { button, expectAnnounced, heading } from '../support/settings-page.ts';
import { draftSurvey, publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';

/** Pages load slowly where many tests run at once. */
const poll = <T>(read: () => T) => expect.poll(read, { timeout: 8_000 });

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

const withValues = (...labels: string[]) =>
  labels.map((option_label, index) => ({ option_label, option_value: String(index + 1) }));

const SURVEY = {
  survey_name: 'Coffee at work',
  pages: [
    [
      {
        question_type: 'single_choice',
        question_code: 'Q1',
        question_text: 'Where do you drink coffee?',
        options: withValues('Kitchen', 'Desk', 'Café around the corner'),
      },
      {
        question_type: 'multiple_choice',
        question_code: 'Q2',
        question_text: 'What do you drink?',
        options: withValues('Espresso', 'Filter coffee', 'Tea'),
      },
      {
        question_type: 'nps',
        question_code: 'Q3',
        question_text: 'How likely are you to recommend our coffee?',
      },
      { question_type: 'number', question_code: 'Q4', question_text: 'How many cups a day?' },
      {
        question_type: 'scale',
        question_code: 'Q5',
        question_text: 'How satisfied are you?',
        question_settings: { min: 1, max: 5 },
      },
      { question_type: 'text', question_code: 'Q6', question_text: 'What should be better?' },
    ],
  ],
};

const ANSWERS = [
  { Q1: '1', Q2: ['1'], Q3: 10, Q4: 2, Q5: 5, Q6: 'Hotter coffee' },
  { Q1: '1', Q2: ['1', '2'], Q3: 9, Q4: 3, Q5: 4, Q6: 'More milk' },
  { Q1: '2', Q2: ['2'], Q3: 7, Q4: 1, Q5: 3 },
  { Q1: '2', Q2: ['3'], Q3: 3, Q4: 5, Q5: 2, Q6: 'Nothing' },
  { Q1: '3', Q2: ['1', '3'], Q3: 6, Q4: 4, Q5: 4, Q6: 'Less noise' },
];

describe.skipIf(browserSkipReason() !== null)('studio: a survey in the field', BROWSER_TEST_OPTIONS, () => {
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
  });

  const link = (page: Page, name: string | RegExp) =>
    page.getByRole('link', typeof name === 'string' ? { name, exact: true } : { name });
  const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  async function visitTab(tab: string, surveyId = survey.surveyId, options: object = DESKTOP): Promise<Page> {
    const page = await browser.visitAs(organization.admin, `/surveys/${surveyId}/${tab}`, options);
    await page.getByRole('navigation', { name: 'Areas' }).waitFor();
    return page;
  }
  const addResponses = () =>
    organization.admin
      .post(`/api/responses/${survey.surveyId}/rows`, {
        rows: ANSWERS.map((answers) => ({ answers })),
      })
      .expect(201);

  it('leads from an unpublished survey to its editor', async () => {
    const draft = await draftSurvey(organization.admin, { survey_name: 'A draft', pages: [[]] });
    const page = await visitTab('collect', draft.surveyId);
    await page.getByText('Publish the survey first').waitFor();
    await link(page, 'Go to Edit').click();
    await page.waitForURL(/\/edit$/);
  });

  it('creates, copies, pauses and opens links, and adds test responses', async () => {
    const page = await visitTab('collect');
    await heading(page, 'Collect').waitFor();
    const list = page.getByRole('list', { name: 'Links' });
    await list.waitFor();
    await button(page, 'Create link').click();
    const dialog = page.getByRole('dialog', { name: 'Create link' });
    await dialog.getByLabel('Name').fill('Newsletter');
    await dialog.getByLabel('Response limit').fill('none');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.locator('.problem').waitFor();
    await dialog.getByLabel('Response limit').fill('500');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await expectAnnounced(page, 'Newsletter created');
    const card = list.getByRole('listitem').filter({ has: heading(page, 'Newsletter') });
    await card.getByText('0 of 500 complete responses').waitFor();

    const { body } = await organization.admin.get(`/api/surveys/${survey.surveyId}/links`).expect(200);
    const created = body.data.find((each: { link_name: string }) => each.link_name === 'Newsletter');
    const address = `${browser.origin}/s/${created.link_token}`;
    expect(await card.locator('.link-address code').textContent()).toBe(address);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await card.getByRole('button', { name: /^Copy address/ }).click();
    await poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(address);
    await card.getByText('QR code and embed code').click();
    await card.getByText('<iframe').waitFor();
    await picture(page, 'collect');

    await button(page, 'Actions for Newsletter').click();
    await item(page, 'Pause').click();
    await expectAnnounced(page, 'Newsletter paused');
    await card.getByText('Paused').waitFor();
    await button(page, 'Actions for Newsletter').click();
    await item(page, 'Open again').click();
    await expectAnnounced(page, 'Newsletter opened again');

    await button(page, 'Add 50 test responses').click();
    await expectAnnounced(page, '50 test responses added');
    await button(page, 'Remove test responses').click();
    await expectAnnounced(page, 'Test responses removed');
    await poll(() => button(page, 'Remove test responses').count()).toBe(0);
  });

  it('leads from empty results to collecting', async () => {
    const page = await visitTab('results');
    await page.getByText('No responses yet').waitFor();
    await link(page, 'Go to Collect').click();
    await page.waitForURL(/\/collect$/);
  });

  describe('with five responses', () => {
    beforeAll(addResponses);

    const questionData = async (code: string, query = '') => {
      const path = `/api/responses/${survey.surveyId}/question/${survey.questionIds[code]}${query}`;
      return (await organization.admin.get(path).expect(200)).body.data;
    };
    /** Labels with their shares and counts, as the API has them. */
    const expectedBars = async (code: string, query?: string) => {
      const [distribution] = (await questionData(code, query)).distributions;
      return distribution.categories.map(
        ({ label, percent, count }: { label: string; percent: number; count: number }) =>
          `${label} ${Math.round(percent)}% ${count}`,
      );
    };
    const card = (page: Page, question: string) =>
      page.getByRole('list', { name: 'Questions' }).locator('> li', { hasText: question });
    const bars = (page: Page, question: string) =>
      card(page, question).locator('.result-bars > li').allTextContents();

    it('shows the figures of the API for each type of question', async () => {
      const page = await visitTab('results');
      await page.getByText('5 responses').waitFor();
      for (const [code, question] of [
        ['Q1', 'Where do you drink coffee?'],
        ['Q2', 'What do you drink?'],
      ] as const)
        await poll(() => bars(page, question)).toEqual(await expectedBars(code));
      const nps = (await questionData('Q3')).distributions[0].stats.nps;
      expect(nps).toBe(0);
      await card(page, 'recommend our coffee').scrollIntoViewIfNeeded();
      await poll(() => card(page, 'recommend our coffee').locator('.result-score').textContent()).toBe(
        `${nps} Net Promoter Score`,
      );
      const { mean, median } = (await questionData('Q4')).distributions[0].stats;
      await card(page, 'How many cups').scrollIntoViewIfNeeded();
      await poll(() => card(page, 'How many cups').locator('.result-statistics').textContent()).toContain(
        `Mean${mean.toFixed(2)}Median${median}`,
      );
      await card(page, 'should be better').scrollIntoViewIfNeeded();
      await poll(() => card(page, 'should be better').locator('.result-texts li').allTextContents()).toEqual([
        'Less noise',
        'Nothing',
        'More milk',
        'Hotter coffee',
      ]);
      await card(page, 'should be better').getByText('4 answers · 1 skipped').waitFor();
      await card(page, 'should be better').getByRole('searchbox').fill('milk');
      await poll(() => card(page, 'should be better').locator('.result-texts li').allTextContents()).toEqual([
        'More milk',
      ]);
      await picture(page, 'results');
    });

    it('filters and compares, and keeps both in the address', async () => {
      const page = await visitTab('results');
      await button(page, 'Add filter').click();
      const dialog = page.getByRole('dialog', { name: 'Add filter' });
      await dialog.getByRole('button', { name: 'Apply filter' }).click();
      await dialog.getByText('Choose at least one value.').waitFor();
      await dialog.getByLabel('Kitchen').check();
      await dialog.getByRole('button', { name: 'Apply filter' }).click();
      await page.getByText('2 responses').waitFor();
      const filter = '{"Q1":["1"]}';
      expect(new URL(page.url()).searchParams.get('filter')).toBe(filter);
      const expected = await expectedBars('Q2', `?filter=${encodeURIComponent(filter)}`);
      await poll(() => bars(page, 'What do you drink?')).toEqual(expected);
      await page.reload();
      await poll(() => bars(page, 'What do you drink?')).toEqual(expected);
      await picture(page, 'results-filtered');
      await button(page, 'Remove filter on Where do you drink coffee?').click();
      await page.getByText('5 responses').waitFor();
      await page.goBack();
      await page.getByText('2 responses').waitFor();
      await page.goForward();

      const download = page.waitForEvent('download');
      await button(page, 'Export').click();
      await button(page, 'Create file').click();
      expect((await download).suggestedFilename()).toBe('Coffee at work.csv');

      await page.getByLabel('Compare by').selectOption('Where do you drink coffee?');
      await page.waitForURL(/compare=Q1/);
      const row = card(page, 'What do you drink?').getByRole('row', { name: /^Espresso/ });
      await poll(async () =>
        (await row.getByRole('cell').allTextContents()).map((text) => text.trim()),
      ).toEqual(['60%', '100%', '0%', '100%']);
      const score = card(page, 'recommend our coffee').getByRole('row', { name: /^Net Promoter Score/ });
      await poll(() => score.getByRole('cell').allTextContents()).toEqual(['0', '+100', '−50', '−100']);
      // Every column has few people, and says so.
      const bases = card(page, 'What do you drink?').getByRole('row', { name: /^Base/ });
      await poll(() => bases.getByRole('cell').allTextContents()).toEqual(['5 *', '2 *', '2 *', '1 *']);
      await card(page, 'What do you drink?').getByText('* Fewer than 30 people').waitFor();
      await card(page, 'What do you drink?')
        .getByText('The total, too, has only people who answered it.')
        .waitFor();
      await picture(page, 'results-compared');
    });

    it('does not move cards while their figures load', async () => {
      const page = await visitTab('collect');
      await page.evaluate(`
        window.layoutShift = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.layoutShift += entry.value;
        }).observe({ type: 'layout-shift', buffered: false });
      `);
      await link(page, 'Results').click();
      await page.getByText('5 responses').waitFor();
      await poll(() => bars(page, 'What do you drink?')).toHaveLength(3);
      await page.mouse.wheel(0, 600);
      await card(page, 'How many cups').locator('.result-statistics').waitFor();
      expect(await page.evaluate<number>('window.layoutShift')).toBeLessThan(0.1);
    });

    /** Texts of a column, from 1 without the boxes that select. */
    const column = async (page: Page, position: number): Promise<string[]> =>
      (await page.locator('.grid-row').all()).length === 0
        ? []
        : page.locator(`.grid-row > :nth-child(${position + 1})`).allTextContents();

    it('lists, sorts, filters and hides in the grid of responses', async () => {
      const page = await visitTab('responses');
      await poll(() => page.locator('.grid-row').count()).toBe(5);
      expect(await column(page, 7)).toEqual(['Kitchen', 'Kitchen', 'Desk', 'Desk', 'Café around the corner']);
      expect(await column(page, 8)).toContain('Espresso, Filter coffee');
      const cups = page.getByRole('columnheader', { name: 'How many cups a day?' });
      await cups.getByRole('button').click();
      await poll(() => column(page, 10)).toEqual(['1', '2', '3', '4', '5']);
      expect(await cups.getAttribute('aria-sort')).toBe('ascending');
      await cups.getByRole('button').click();
      await poll(() => column(page, 10)).toEqual(['5', '4', '3', '2', '1']);
      await picture(page, 'responses');

      await button(page, 'Add filter').click();
      await page.getByRole('dialog').getByLabel('Desk').check();
      await button(page, 'Apply filter').click();
      await poll(() => column(page, 7)).toEqual(['Desk', 'Desk']);
      await page.reload();
      await poll(() => column(page, 7)).toEqual(['Desk', 'Desk']);
      await button(page, 'Clear all').click();
      await button(page, 'Columns').click();
      await page.getByRole('dialog').getByRole('checkbox', { name: 'Where do you drink coffee?' }).uncheck();
      await button(page, 'Done').click();
      await poll(async () => (await column(page, 7)).includes('Kitchen')).toBe(false);
    });

    it('shows one response, takes a comment, deletes it and restores it', async () => {
      const page = await visitTab('responses');
      await page.locator('.grid-row').nth(1).click();
      const panel = page.getByRole('dialog');
      await panel.getByText('More milk').waitFor();
      await panel.getByText('Espresso, Filter coffee').waitFor();
      await panel.getByLabel('Comment').fill('Called back');
      await button(page, 'Add comment').click();
      await panel.locator('.response-comments').getByText('Called back').waitFor();
      await picture(page, 'response');
      await expectAccessible(page);
      await button(page, 'Delete response').click();
      await page.getByText('It leaves all results').waitFor();
      await button(page, 'Delete response').click();
      await poll(() => page.locator('.grid-row').count()).toBe(4);
      await button(page, 'Undo').click();
      await poll(() => page.locator('.grid-row').count()).toBe(5);
    });

    it('starts an export as a job with a file', async () => {
      const page = await visitTab('responses');
      await page.locator('.grid-row').first().waitFor();
      await button(page, 'Export').click();
      await page.getByLabel('File type').selectOption('Excel');
      const download = page.waitForEvent('download');
      await button(page, 'Create file').click();
      expect((await download).suggestedFilename()).toMatch(/^[^_]+\.xlsx$/);
      await page.getByRole('button', { name: /Background tasks|in progress/ }).click();
      await link(page, 'Download').first().waitFor();
    });

    it.each([
      ['collect', '.link-card', '390 px', NARROW],
      ['collect', '.link-card', '1280 px', DESKTOP],
      ['results', '.result-bars', '390 px', NARROW],
      ['results', '.result-bars', '1280 px', DESKTOP],
      ['responses', '.grid-row', '390 px', NARROW],
      ['responses', '.grid-row', '1280 px', DESKTOP],
    ] as const)(
      'the tab %s is accessible in light and dark with %s at %s',
      async (tab, ready, width, options) => {
        const page = await visitTab(tab, survey.surveyId, options);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.locator(ready).first().waitFor();
          await picture(page, `${tab}-${colorScheme}-${width}`);
          await expectAccessible(page);
          await expectNoHorizontalScroll(page);
        }
      },
    );
  });
});
