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
import { waitForJob } from '../support/invitations.ts';
import { choice } from '../support/questions.ts';
import { button, expectAnnounced, field, heading } from '../support/settings-page.ts';
import { publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;

describe.skipIf(browserSkipReason() !== null)('without a mail server', BROWSER_TEST_OPTIONS, () => {
  const test = useApp();
  const browser = useBrowser(test);
  afterAll(() => test.container.jobWorker.stop(1_000));
  afterEach(() => expect(browser.problems()).toEqual([]));
  let organization: Organization;
  let survey: PublishedSurvey;

  beforeAll(async () => {
    organization = await newOrganization(test);
    survey = await publishedSurvey(organization.admin, {
      survey_name: 'Tram riders',
      pages: [[choice('Q1')]],
    });
  });

  const dialog = (page: Page) => page.getByRole('dialog');
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };

  it('says that invitations are not sent, shows each person, and keeps the letters with their links', async () => {
    const page = await browser.visitAs(organization.admin, `/surveys/${survey.surveyId}/collect`, DESKTOP);
    await page.getByRole('region', { name: 'No email will be sent' }).waitFor();
    await button(page, 'Invite by email').click();
    await page.getByText('This installation has no mail server').waitFor();
    await button(page, 'I paste them').click();
    await field(page, 'Addresses').fill('Ann Rider <ann@riders.example>\nbea@riders.example');
    await expectAccessible(page);
    await picture(page, 'invite-without-mail');
    await button(page, 'Write invitations').click();
    await dialog(page).getByText('No email is sent').waitFor();
    await dialog(page).getByRole('button', { name: 'Write invitations' }).click();
    await expectAnnounced(page, '2 invitations kept in the outbox, not sent: no mail server');

    test.container.jobWorker.start();
    const { body: jobs } = await organization.admin.get('/api/jobs').expect(200);
    await waitForJob(organization.admin, jobs.data[0].job_id);
    await page.reload();
    const link = page.getByRole('region', { name: 'Public link' });
    await link.getByText('Not sent', { exact: true }).waitFor();
    expect(await link.getByText('Sent', { exact: true }).count()).toBe(0);
    await picture(page, 'collect-without-mail');
    await button(page, 'People invited through Public link').click();
    await expect.poll(() => dialog(page).getByText('Not sent: no mail server').count()).toBe(2);
    await dialog(page).getByText('ann@riders.example').waitFor();
    await expectAccessible(page);
    await picture(page, 'people');
    await dialog(page).getByRole('button', { name: 'Close' }).click();

    await page.getByRole('link', { name: 'Open the outbox' }).click();
    await heading(page, 'Outbox').waitFor();
    await button(page, 'Read the email to bea@riders.example').waitFor();
    await expectAccessible(page);
    await picture(page, 'outbox');
    await button(page, 'Read the email to Ann Rider <ann@riders.example>').click();
    await dialog(page).getByText('Tram riders').first().waitFor();
    await expectAccessible(page);
    await picture(page, 'outbox-letter');
    await dialog(page).getByRole('button', { name: 'Close' }).click();
    await page.setViewportSize(NARROW.viewport);
    await expectNoHorizontalScroll(page);
    await picture(page, 'outbox-narrow');
  });
});
