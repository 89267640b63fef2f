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
import { choice, multiple, number, text } from '../support/questions.ts';
import { button, expectAnnounced, heading } from '../support/settings-page.ts';
import { publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';

/** Pages load slowly where many tests run at once. */
const poll = <T>(read: () => T) => expect.poll(read, { timeout: 8_000 });

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
/** Several pages of the grid. */
const MANY = 1_000;

describe.skipIf(browserSkipReason() !== null)('studio: responses', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));

  let organization: Organization;
  afterAll(() => test.container.jobWorker.stop(1_000));
  beforeAll(async () => {
    test.container.jobWorker.start();
    organization = await newOrganization(test);
  });

  const questions = [
    choice('Q1', { question_text: 'Q1' }),
    number('Q2', { question_text: 'Q2' }),
    multiple('Q3', { question_text: 'Q3' }),
    text('Q4', { question_text: 'Q4' }),
  ];
  const newSurvey = () => publishedSurvey(organization.admin, [questions]);
  const addRows = async (survey: PublishedSurvey, rows: object[]): Promise<number[]> => {
    await organization.admin.post(`/api/responses/${survey.surveyId}/rows`, { rows }).expect(201);
    const grid = await organization.admin
      .get(`/api/responses/${survey.surveyId}/grid?columns=Q2`)
      .expect(200);
    return grid.body.data.rows.map((row: { response_id: number }) => row.response_id);
  };
  const rowOf = async (survey: PublishedSurvey, id: number) => {
    const filter = encodeURIComponent(
      JSON.stringify({ left: { type: 'column', code: 'response_id' }, operator: 'equals', right: id }),
    );
    const path = `/api/responses/${survey.surveyId}/grid?filter=${filter}&columns=Q1,Q2,Q3,Q4`;
    return (await organization.admin.get(path).expect(200)).body.data.rows[0];
  };
  const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  async function visit(path: string, options: object = DESKTOP): Promise<Page> {
    const page = await browser.visitAs(organization.admin, path, options);
    await page.getByRole('navigation', { name: 'Areas' }).waitFor();
    return page;
  }
  const rowButton = (page: Page, id: number) => button(page, `Open response ${id}`);

  it('scrolls through many responses, and requests only what is visible', async () => {
    const survey = await newSurvey();
    const ids = await addRows(
      survey,
      Array.from({ length: MANY }, (_, index) => ({ answers: { Q1: '1', Q2: index } })),
    );
    const page = await visit(`/surveys/${survey.surveyId}/responses`);
    await rowButton(page, ids[0]!).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/grid?')) requests.push(request.url());
    });
    const scrollTo = (share: number) =>
      page.evaluate(`(() => {
        const grid = document.querySelector('.response-grid');
        grid.scrollTop = ${share} * (grid.scrollHeight - grid.clientHeight);
      })()`);
    await scrollTo(1);
    await rowButton(page, ids.at(-1)!).waitFor();
    expect(requests.map((url) => new URL(url).searchParams.get('page'))).toEqual(['5']);
    expect(await page.locator('.grid-row').count()).toBeLessThan(60);
    // Back at the start everything is known.
    await scrollTo(0);
    await rowButton(page, ids[0]!).waitFor();
    expect(requests).toHaveLength(1);

    await page.getByRole('columnheader', { name: 'Q2' }).getByRole('button').click();
    await page.getByRole('columnheader', { name: 'Q2' }).getByRole('button').click();
    await poll(() => page.locator('.grid-row').first().getByRole('button').textContent()).toBe(
      String(ids.at(-1)),
    );
  });

  it('sends at most one request for each viewport, however fast it is scrolled', async () => {
    const survey = await newSurvey();
    const ids = await addRows(
      survey,
      Array.from({ length: MANY }, (_, index) => ({ answers: { Q1: '1', Q2: index } })),
    );
    const page = await visit(`/surveys/${survey.surveyId}/responses`);
    await rowButton(page, ids[0]!).waitFor();
    let requests = 0;
    page.on('request', (request) => (requests += request.url().includes('/grid?') ? 1 : 0));
    const grid = page.locator('.response-grid');
    const { x, y, width, height } = (await grid.boundingBox())!;
    await page.mouse.move(x + width / 2, y + height / 2);
    const viewports = 30;
    for (let moved = 0; moved < viewports; moved += 1) await page.mouse.wheel(0, height);
    await poll(() => page.locator('.grid-row.loading').count()).toBe(0);
    expect(requests).toBeLessThanOrEqual(viewports);
    // Rows on both sides of a boundary between pages come together.
    for (const index of [395, 795, 598]) {
      requests = 0;
      await page.evaluate(`document.querySelector('.response-grid').scrollTop = ${index * 40}`);
      await poll(() => page.locator('.grid-row.loading').count()).toBe(0);
      await rowButton(page, ids[index]!).waitFor();
      expect(requests).toBeLessThanOrEqual(1);
    }
  });

  it('draws only the columns that are in view', async () => {
    const survey = await publishedSurvey(organization.admin, [
      Array.from({ length: 40 }, (_, index) => number(`N${index}`, { question_text: `Number ${index}` })),
    ]);
    const answers = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`N${index}`, 100 + index]));
    await organization.admin
      .post(`/api/responses/${survey.surveyId}/rows`, { rows: [{ answers }] })
      .expect(201);
    const page = await visit(`/surveys/${survey.surveyId}/responses`);
    await page.getByRole('cell', { name: '100', exact: true }).waitFor();
    expect(await page.locator('.grid-row').getByRole('cell').count()).toBeLessThan(20);
    await page.evaluate(`document.querySelector('.response-grid').scrollLeft = 4_000`);
    const cell = page.getByRole('cell', { name: '118', exact: true });
    await cell.waitFor();
    const header = page.getByRole('columnheader', { name: 'Number 18' });
    expect((await cell.boundingBox())!.x).toBeCloseTo((await header.boundingBox())!.x, 0);
    await picture(page, 'responses-columns');
    await expectAccessible(page);
    await page.evaluate(`document.querySelector('.response-grid').scrollLeft = 100_000`);
    await page.getByRole('cell', { name: '139', exact: true }).waitFor();
  });

  it('keeps a frozen column in view', async () => {
    const survey = await newSurvey();
    const [id] = await addRows(survey, [{ answers: { Q1: '1', Q2: 7, Q4: 'Seven' } }]);
    const page = await visit(`/surveys/${survey.surveyId}/responses`, {
      viewport: { width: 700, height: 800 },
    });
    await rowButton(page, id!).waitFor();
    await button(page, 'Columns').click();
    await button(page, 'Freeze Q4').click();
    await button(page, 'Done').click();
    await page.evaluate(`document.querySelector('.response-grid').scrollLeft = 2000`);
    const cell = page.getByRole('cell', { name: 'Seven' });
    await poll(async () => (await cell.boundingBox())!.x).toBeLessThan(250);
    await picture(page, 'responses-frozen');
  });

  it('edits the answers of a response, and undoes it in the change log', async () => {
    const survey = await newSurvey();
    const [id] = await addRows(survey, [{ answers: { Q1: '1', Q2: 30, Q3: ['1'], Q4: 'Good' } }]);
    const before = await rowOf(survey, id!);
    const page = await visit(`/surveys/${survey.surveyId}/responses`);
    await rowButton(page, id!).click();
    const dialog = page.getByRole('dialog');
    await button(page, 'Edit answers').click();
    await dialog.getByLabel('Q2', { exact: true }).fill('many');
    await button(page, 'Save changes').click();
    await dialog.locator('.problem').waitFor();
    await picture(page, 'response-edit-problem');
    await expectAccessible(page);
    await dialog.getByLabel('Q2', { exact: true }).fill('31');
    await dialog.getByLabel('Q4', { exact: true }).fill('Very good');
    await dialog.getByLabel('Reason (optional)').fill('Called back');
    await button(page, 'Save changes').click();
    await dialog.getByText('Very good').waitFor();
    expect((await rowOf(survey, id!)).values).toEqual({ ...before.values, Q2: 31, Q4: 'Very good' });
    await dialog.getByRole('button', { name: 'Close', exact: true }).click();

    await button(page, 'Change log').click();
    await dialog.getByText('“Called back”').waitFor();
    await picture(page, 'change-log');
    await expectAccessible(page);
    await button(page, 'Undo: Answers edited').click();
    await dialog.getByText('Undone').waitFor();
    expect((await rowOf(survey, id!)).values).toEqual(before.values);
  });

  it('goes from one response to the next in the order of the table', async () => {
    const survey = await newSurvey();
    const ids = await addRows(
      survey,
      [1, 3, 2].map((value) => ({ answers: { Q1: '1', Q2: value } })),
    );
    const page = await visit(`/surveys/${survey.surveyId}/responses`);
    const title = (id: number) => page.getByRole('dialog', { name: `Response ${id}`, exact: true });
    await page.getByRole('columnheader', { name: 'Q2', exact: true }).getByRole('button').click();
    await poll(() => page.locator('.grid-row .grid-id button').allTextContents()).toEqual(
      [ids[0], ids[2], ids[1]].map(String),
    );
    await rowButton(page, ids[0]!).click();
    await title(ids[0]!).getByText('1 of 3').waitFor();
    await button(page, 'Next').click();
    await title(ids[2]!).getByText('2 of 3').waitFor();
    await button(page, 'Next').click();
    await title(ids[1]!).getByText('3 of 3').waitFor();
    expect(await button(page, 'Next').isEnabled()).toBe(false);
    await button(page, 'Previous').click();
    await title(ids[2]!).waitFor();
    await picture(page, 'response-neighbors');
  });

  it('changes selected responses together, or all that match', async () => {
    const survey = await newSurvey();
    const ids = await addRows(
      survey,
      [1, 2, 3, 4].map((value) => ({ answers: { Q1: value < 3 ? '1' : '2', Q2: value } })),
    );
    const page = await visit(`/surveys/${survey.surveyId}/responses`);
    await page.getByLabel(`Select response ${ids[0]}`).check();
    await page.getByLabel(`Select response ${ids[2]}`).check();
    const bar = page.getByRole('region', { name: 'Selected responses' });
    await bar.getByText('2 selected').waitFor();
    await picture(page, 'responses-selected');
    await expectAccessible(page);
    await bar.getByRole('button', { name: 'Flag', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Flag' }).click();
    await expectAnnounced(page, '2 responses flagged');
    expect((await rowOf(survey, ids[0]!)).quality.status).toBe('pending');
    expect((await rowOf(survey, ids[1]!)).quality).toBeNull();

    await button(page, 'Add filter').click();
    await dialog.getByLabel('Option 1').first().check();
    await button(page, 'Apply filter').click();
    await poll(() => page.locator('.grid-row').count()).toBe(2);
    await page.getByLabel(`Select response ${ids[1]}`).check();
    await button(page, 'Select all 2 that match').click();
    await bar.getByRole('button', { name: 'Set status' }).click();
    await item(page, 'Partial').click();
    await dialog.getByRole('button', { name: 'Set status' }).click();
    await poll(async () => (await rowOf(survey, ids[1]!)).response_status).toBe('partial');
    expect((await rowOf(survey, ids[3]!)).response_status).toBe('complete');
    await button(page, 'Undo').click();
    await expectAnnounced(page, 'Change undone');
    expect((await rowOf(survey, ids[1]!)).response_status).toBe('complete');
  });

  it('checks the quality, shows what was found, and takes decisions', async () => {
    const survey = await newSurvey();
    const quick = (seconds: number, value: number) => ({
      answers: { Q1: '1', Q2: value, Q4: `Answer ${value}` },
      started_at: '2026-03-01T10:00:00Z',
      completed_at: new Date(Date.UTC(2026, 2, 1, 10, 0, seconds)).toISOString(),
    });
    const ids = await addRows(survey, [
      ...Array.from({ length: 20 }, (_, index) => quick(120 + index, index)),
      quick(3, 99),
    ]);
    const page = await visit(`/surveys/${survey.surveyId}/responses`);
    await button(page, 'Quality').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('0 of 21 complete responses flagged').waitFor();
    await button(page, 'Check responses').click();
    await dialog.getByText('1 of 21 complete responses flagged').waitFor();
    await picture(page, 'quality');
    await expectAccessible(page);
    await organization.admin
      .post(`/api/responses/${survey.surveyId}/bulk`, { action: 'flag', response_ids: [ids.at(-1)] })
      .expect(200);
    const check = dialog.getByRole('listitem').filter({ hasText: 'Too fast', has: page.getByRole('button') });
    await check.getByRole('button', { name: 'Show' }).click();
    await page.getByRole('list', { name: 'Filters' }).getByText('Quality flags: Too fast').waitFor();
    await poll(() => page.locator('.grid-row').count()).toBe(1);
    await rowButton(page, ids.at(-1)!).click();
    await dialog.getByRole('button', { name: 'Leave out' }).click();
    await poll(async () => (await rowOf(survey, ids.at(-1)!)).quality.status).toBe('confirmed');
  });

  it('copies a figure as a picture, and adds it to a dashboard and a report', async () => {
    const survey = await newSurvey();
    await addRows(survey, [{ answers: { Q1: '1', Q2: 30 } }, { answers: { Q1: '2', Q2: 40 } }]);
    const page = await visit(`/surveys/${survey.surveyId}/results`);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await button(page, 'Actions for Q1').click();
    await picture(page, 'results-menu');
    await item(page, 'Copy as picture').click();
    await expectAnnounced(page, 'Picture copied');
    const copied = await page.evaluate<number[]>(`(async () => {
      const [item] = await navigator.clipboard.read();
      const blob = await item.getType('image/png');
      const image = await createImageBitmap(blob);
      const canvas = new OffscreenCanvas(image.width, image.height).getContext('2d');
      canvas.drawImage(image, 0, 0);
      const colors = new Set();
      const { data } = canvas.getImageData(0, 0, image.width, image.height);
      for (let i = 0; i < data.length; i += 4) colors.add(data[i] * 65536 + data[i + 1] * 256 + data[i + 2]);
      return [image.width, image.height, colors.size];
    })()`);
    // Sharp, and with texts and bars rather than one color.
    expect(copied[0]).toBeGreaterThan(1_000);
    expect(copied[2]).toBeGreaterThan(10);

    await button(page, 'Actions for Q1').click();
    await item(page, 'Add to dashboard').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the dashboard').fill('');
    await button(page, 'Add').click();
    await dialog.locator('.problem').waitFor();
    await dialog.getByLabel('Name of the dashboard').fill('Weekly figures');
    await picture(page, 'add-to-dashboard');
    await expectAccessible(page);
    await button(page, 'Add').click();
    await expectAnnounced(page, 'Added to the dashboard');
    const [dashboard] = (await organization.admin.get('/api/dashboards').expect(200)).body.data;
    expect(dashboard.dashboard_name).toBe('Weekly figures');
    const { charts } = (await organization.admin.get(`/api/dashboards/${dashboard.dashboard_id}`)).body.data;
    expect(charts[0]).toMatchObject({ chart_type: 'horizontal-bar', chart_title: 'Q1' });

    await button(page, 'Actions for Q2').click();
    await item(page, 'Add to report').click();
    await dialog.getByLabel('Name of the report').fill('Spring report');
    await button(page, 'Add').click();
    await expectAnnounced(page, 'Added to the report');
    await button(page, 'Open report').click();
    await heading(page, 'Spring report').waitFor();
    await page.getByText('1 slide').waitFor();
    await picture(page, 'report');
    const download = page.waitForEvent('download');
    await button(page, 'Create PowerPoint of Spring report').click();
    expect((await download).suggestedFilename()).toBe('Spring report.pptx');
    await page.getByRole('button', { name: /Background tasks|in progress/ }).click();
    await page.getByRole('link', { name: 'Download' }).waitFor();
  });

  it('takes back a filter that the survey does not know', async () => {
    const survey = await newSurvey();
    await addRows(survey, [{ answers: { Q1: '1' } }]);
    const filter = encodeURIComponent('{"gone":["1"]}');
    const page = await visit(`/surveys/${survey.surveyId}/results?filter=${filter}`);
    await page.getByText('These filters cannot be applied').waitFor();
    await button(page, 'Clear all').click();
    await page.getByText('1 response', { exact: true }).waitFor();
  });

  it('lists respondents, adds one, and stops invitations', async () => {
    const page = await visit('/respondents');
    await page.getByText('No respondents yet').waitFor();
    await button(page, 'Add respondent').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Email address').fill('nobody');
    await dialog.getByRole('button', { name: 'Add respondent' }).click();
    await dialog.locator('.problem').waitFor();
    await dialog.getByLabel('Email address').fill('grace@example.com');
    await dialog.getByLabel('Name').fill('Grace');
    await dialog.getByRole('button', { name: 'Add respondent' }).click();
    await expectAnnounced(page, 'Respondent added');
    await button(page, 'Actions for Grace').click();
    await item(page, 'Stop invitations').click();
    await page.getByText('Unsubscribed').waitFor();
    await picture(page, 'respondents');
    await button(page, 'Actions for Grace').click();
    await item(page, 'Delete').click();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No respondents yet').waitFor();
  });

  it.each([
    ['/reports', '390 px', NARROW],
    ['/reports', '1280 px', DESKTOP],
    ['/respondents', '390 px', NARROW],
    ['/respondents', '1280 px', DESKTOP],
  ] as const)('%s is accessible in light and dark at %s', async (path, width, options) => {
    const page = await visit(path, options);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator('.rows, .blank').first().waitFor();
      await picture(page, `${path.slice(1)}-${colorScheme}-${width}`);
      await expectAccessible(page);
      await expectNoHorizontalScroll(page);
    }
  });
});
