import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  PHONE,
  useBrowser,
} from '../support/browser.ts';
import { choice } from '../support/questions.ts';
import { addSlide, newReport, type TestReport } from '../support/reports.ts';
import { button, heading } from '../support/settings-page.ts';
import { savePicture } from '../support/survey-editor.ts';
import { publishedSurvey } from '../support/surveys.ts';

describe.skipIf(browserSkipReason() !== null)('the reports of the studio', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));
  let organization: Organization;
  let report: TestReport;
  afterAll(() => test.container.jobWorker.stop(1_000));
  beforeAll(async () => {
    test.container.jobWorker.start();
    organization = await newOrganization(test);
    const { admin } = organization;
    const { surveyId } = await publishedSurvey(admin, [[choice('Q1')]]);
    const rows = [{ answers: { Q1: '1' } }, { answers: { Q1: '2' } }];
    await admin.post(`/api/responses/${surveyId}/rows`, { rows }).expect(201);
    report = await newReport(admin, { report_name: 'Spring report' });
    const chart = {
      chart_type: 'bar',
      chart_config: { survey_id: surveyId, dimension: 'Q1', aggregation: 'percent' },
    };
    for (const slide of [
      { slide_type: 'title', slide_title: 'Coffee in spring', slide_content: { subtitle: 'All offices' } },
      { slide_type: 'text', slide_title: 'Summary', slide_content: { text: '- **Most** are content' } },
      { slide_type: 'chart', slide_title: 'The choice', slide_content: { charts: [chart] } },
      {
        slide_type: 'table',
        slide_title: 'In numbers',
        slide_content: { survey_id: surveyId, rows: ['Q1'] },
      },
    ])
      await addSlide(admin, report, slide);
  });

  it.each([
    ['on a desktop', DESKTOP],
    ['on a phone', PHONE],
  ])('show their slides, and download from there, %s', async (name, options) => {
    const page = await browser.visitAs(organization.admin, '/reports', options);
    await page.getByRole('link', { name: 'Spring report', exact: true }).click();
    await page.waitForURL(new RegExp(`/reports/${report.id}$`));
    await heading(page, 'Spring report').waitFor();
    const slides = page.getByRole('list', { name: 'Slides' }).locator('> li');
    await expect
      .poll(() => slides.locator('h2').allTextContents(), { timeout: 8_000 })
      .toEqual(['Coffee in spring', 'Summary', 'The choice', 'In numbers']);
    await slides.nth(0).getByText('All offices').waitFor();
    expect(await slides.nth(1).locator('li > strong').textContent()).toBe('Most');
    expect(await slides.nth(2).getByRole('img').getByText('50%').count()).toBe(2);
    expect(await slides.nth(3).getByRole('row').count()).toBeGreaterThan(2);
    await savePicture(page, `report ${name}`);
    await expectAccessible(page);
    const download = page.waitForEvent('download');
    await button(page, 'Create PDF of Spring report').click();
    expect((await download).suggestedFilename()).toBe('Spring report.pdf');
    await page.getByRole('link', { name: 'Reports', exact: true }).last().click();
    await heading(page, 'Reports').waitFor();
  });

  it('start empty or with a dashboard, whose slides the new report shows', async () => {
    await organization.admin.post('/api/dashboards', { dashboard_name: 'Weekly figures' }).expect(201);
    const page = await browser.visitAs(organization.admin, '/reports', DESKTOP);
    await button(page, 'New report').click();
    const dialog = page.getByRole('dialog', { name: 'New report' });
    await dialog.getByText('A dashboard of this workspace gives a slide for each of its charts.').waitFor();
    expect(await dialog.getByLabel('Start with').locator('optgroup').getAttribute('label')).toBe(
      'Dashboards',
    );
    await dialog.getByLabel('Name').fill('From the week');
    await dialog.getByLabel('Start with').selectOption('Weekly figures');
    await dialog.getByRole('button', { name: 'New report' }).click();
    // The new report opens.
    await page.getByRole('heading', { name: 'From the week', level: 1 }).waitFor();
    // The cover has the name that the user gave.
    await expect
      .poll(() => page.getByRole('list', { name: 'Slides' }).locator('h2').first().textContent())
      .toBe('From the week');
  });

  it.each(['on the list', 'on the page'])('can be renamed %s', async (place) => {
    const { id, at } = await newReport(organization.admin, { report_name: `First name ${place}` });
    const page = await browser.visitAs(
      organization.admin,
      place === 'on the list' ? '/reports' : `/reports/${id}`,
      DESKTOP,
    );
    if (place === 'on the list') {
      await button(page, `Actions for First name ${place}`).click();
      await page.getByRole('menuitem', { name: 'Rename' }).click();
    } else await button(page, 'Rename').click();
    const dialog = page.getByRole('dialog', { name: 'Rename the report' });
    await expectAccessible(page);
    await dialog.getByLabel('Name').fill(`Second name ${place}`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await (
      place === 'on the list'
        ? page.getByRole('link', { name: `Second name ${place}`, exact: true })
        : heading(page, `Second name ${place}`)
    ).waitFor();
    expect((await organization.admin.get(at).expect(200)).body.data.report_name).toBe(`Second name ${place}`);
  });

  it('are not found after their deletion', async () => {
    const gone = await newReport(organization.admin);
    await organization.admin.delete(gone.at).expect(204);
    const page = await browser.visitAs(organization.admin, `/reports/${gone.id}`, DESKTOP);
    await heading(page, 'Report not found').waitFor();
  });
});
