import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, newOrganization, type Organization } from '../support/actors.ts';
import { useApp } from '../support/app.ts';
import {
  BROWSER_TEST_OPTIONS,
  browserSkipReason,
  DESKTOP,
  expectAccessible,
  expectNoHorizontalScroll,
  useBrowser,
} from '../support/browser.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { choice, number } from '../support/questions.ts';
import { button, expectAnnounced, field, heading } from '../support/settings-page.ts';
import { publishedSurvey, type PublishedSurvey } from '../support/surveys.ts';

const NARROW = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
const GENDER = choice('Gender', {
  question_text: 'What is your gender?',
  options: [
    { option_value: '1', option_label: 'Female' },
    { option_value: '2', option_label: 'Male' },
  ],
});
const AGE = choice('Age', {
  question_text: 'How old are you?',
  options: [
    { option_value: '1', option_label: 'Under 40' },
    { option_value: '2', option_label: '40 or older' },
  ],
});

describe.skipIf(browserSkipReason() !== null)('the Collect page', BROWSER_TEST_OPTIONS, () => {
  let mailServer: MailServer;
  beforeAll(async () => {
    mailServer = await startMailServer();
  });
  afterAll(() => mailServer.close());
  const test = useApp(() => ({ SMTP_URL: mailServer.url, MAIL_FROM: 'surveys@canvass.example' }));
  const browser = useBrowser(test);
  afterEach(() => expect(browser.problems()).toEqual([]));
  let organization: Organization;
  let survey: PublishedSurvey;

  beforeAll(async () => {
    organization = await newOrganization(test);
  });

  async function newSurvey(): Promise<PublishedSurvey> {
    survey = await publishedSurvey(organization.admin, {
      survey_name: 'Tram riders 2027',
      pages: [[GENDER, AGE, number('Trips')]],
    });
    return survey;
  }
  async function visitCollect(options: object = DESKTOP): Promise<Page> {
    const page = await browser.visitAs(organization.admin, `/surveys/${survey.surveyId}/collect`, options);
    await heading(page, 'Collect').waitFor();
    return page;
  }
  const submit = (answers: object) =>
    anonymous(test).post(`/api/public/s/${survey.linkToken}/responses`, { answers });
  const item = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true });
  const dialog = (page: Page) => page.getByRole('dialog');
  const save = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click();
  const picture = async (page: Page, name: string) => {
    const folder = process.env.SCREENSHOTS;
    if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  };
  const stored = async () => (await organization.admin.get(`/api/surveys/${survey.surveyId}`)).body.data;

  it('closes a survey, reopens it, and limits it by date and number of responses', async () => {
    await newSurvey();
    const page = await visitCollect();
    await heading(page, 'Open for responses').waitFor();
    await button(page, 'Close survey').click();
    await expectAnnounced(page, 'Survey closed');
    await button(page, 'Reopen survey').click();
    await heading(page, 'Open for responses').waitFor();

    await button(page, 'Closing date and limit').click();
    await field(page, 'Response limit').fill('zero');
    await save(page, 'Save');
    await dialog(page)
      .getByText(/must be a whole number/)
      .waitFor();
    await field(page, 'Response limit').fill('1');
    // Half a date has no value, and would be saved as no closing date.
    await field(page, 'Closing date').click({ position: { x: 12, y: 12 } });
    await page.keyboard.type('0531');
    await page.keyboard.press('Enter');
    await page.getByText('This date is incomplete or does not exist.').waitFor();
    await field(page, 'Closing date').fill('2031-05-31');
    await save(page, 'Save');
    await expectAnnounced(page, 'Closing date and limit saved');
    await page.getByText('0 of 1 complete response').first().waitFor();
    expect((await stored()).survey_settings).toMatchObject({
      closes_at: '2031-06-01T00:00:00.000Z',
      response_limit: 1,
    });
    await submit({ Gender: '1' }).expect(201);
    await page.reload();
    await heading(page, 'The response limit is reached').waitFor();
    await expectAccessible(page);
    await picture(page, 'collect-full');
    await button(page, 'Closing date and limit').click();
    expect(await field(page, 'Closing date').inputValue()).toBe('2031-05-31');
    await field(page, 'Response limit').fill('');
    await field(page, 'Closing time').fill('18:30');
    await save(page, 'Save');
    await heading(page, 'Open for responses').waitFor();
    expect((await stored()).survey_settings).toMatchObject({ closes_at: '2031-05-31T18:30:00.000Z' });
    await button(page, 'Closing date and limit').click();
    expect(await field(page, 'Closing date').inputValue()).toBe('2031-05-31');
    expect(await field(page, 'Closing time').inputValue()).toBe('18:30');
    await field(page, 'Closing date').fill('');
    await save(page, 'Save');
    await dialog(page).getByText('must be given for a closing time').first().waitFor();
  });

  it('allows several responses on one device', async () => {
    await newSurvey();
    const page = await visitCollect();
    await page.getByText('Each device can answer once.').waitFor();
    await button(page, 'Allow several responses per device').click();
    await expectAnnounced(page, 'A device can now answer several times');
    const respondent = await browser.visit(`/s/${survey.linkToken}`, NARROW);
    for (const answer of ['Female', 'Male']) {
      await respondent.getByText(answer, { exact: true }).tap();
      await button(respondent, 'Submit').tap();
      await respondent.getByRole('heading', { name: 'Thank you!' }).waitFor();
      await button(respondent, 'Fill in the survey again').tap();
    }
    await button(page, 'Allow one response per device').click();
    await page.getByText('Each device can answer once.').waitFor();
    const { body } = await organization.admin.get(`/api/responses/${survey.surveyId}/stats`).expect(200);
    expect(body.data.complete).toBe(2);
  });

  it('shows when the link of one person is answered', async () => {
    await newSurvey();
    const path = `/api/surveys/${survey.surveyId}/links`;
    const { body } = await organization.admin
      .post(path, { link_type: 'unique', link_name: 'For Ada' })
      .expect(201);
    await anonymous(test)
      .post(`/api/public/s/${body.data.link_token}/responses`, { answers: { Gender: '1' } })
      .expect(201);
    const page = await visitCollect();
    await page.locator('.link-card', { hasText: 'For Ada' }).getByText('Answered', { exact: true }).waitFor();
  });

  it('gives a link a readable address, and suggests a free one', async () => {
    await newSurvey();
    const page = await visitCollect();
    await button(page, 'Actions for Public link').click();
    await item(page, 'Change').click();
    await field(page, 'Readable address').fill('Brand tracker');
    await save(page, 'Save');
    await page.locator('.link-address code', { hasText: /\/s\/brand-tracker$/ }).waitFor();
    await button(page, 'Create link').click();
    await field(page, 'Readable address').fill('brand-tracker');
    await save(page, 'Create link');
    await dialog(page)
      .getByText(/brand-tracker-2. is free/)
      .waitFor();
    await expectAccessible(page);
    await field(page, 'Readable address').fill('brand-tracker-2');
    await save(page, 'Create link');
    await page.locator('.link-address code', { hasText: /\/s\/brand-tracker-2$/ }).waitFor();
  });

  it('creates a link for a panel with addresses at the end', async () => {
    await newSurvey();
    const page = await visitCollect();
    await button(page, 'Create link').click();
    await field(page, 'Name').fill('Panel Nord');
    await field(page, 'Who uses the link').selectOption('panel');
    await field(page, 'After a complete response').fill('ftp://panel.example');
    await save(page, 'Create link');
    await dialog(page)
      .getByText(/must be an http or https address/)
      .waitFor();
    await field(page, 'After a complete response').fill('https://panel.example/done?id={{external_id}}');
    await save(page, 'Create link');
    await expectAnnounced(page, 'Panel Nord created');
    await page.getByText(/\?external_id=$/).waitFor();
  });

  it('creates waves and quotas, shows how full they are, and changes and deletes them', async () => {
    await newSurvey();
    const page = await visitCollect();
    await button(page, 'Create wave').click();
    await field(page, 'Name').fill('Spring');
    await field(page, 'First day').fill('2026-01-01');
    await field(page, 'Last day').fill('2025-01-01');
    await field(page, 'Target').fill('100');
    await save(page, 'Create wave');
    await dialog(page).locator('.problem, .summary').first().waitFor();
    await field(page, 'Last day').fill('2031-01-01');
    await save(page, 'Create wave');
    await expectAnnounced(page, 'Spring created');

    await button(page, 'Add quota Spring').click();
    await field(page, 'Name').fill('Gender by age');
    await field(page, 'Combined with').selectOption({ label: 'Age · How old are you?' });
    await dialog(page).getByLabel('Target for Female · Under 40').fill('4');
    await dialog(page).getByLabel('Target for Male · Under 40').fill('3');
    await expectAccessible(page);
    await picture(page, 'quota-dialog');
    await save(page, 'Save');
    await expectAnnounced(page, 'Gender by age saved');
    await submit({ Gender: '1', Age: '1' }).expect(201);
    await page.reload();
    await page.getByText('1 of 4', { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, 'collect-quotas');

    await button(page, 'Actions for quota Gender by age').click();
    await item(page, 'Change').click();
    await dialog(page).getByLabel('Target for Female · Under 40').fill('9');
    await save(page, 'Save');
    await page.getByText('1 of 9', { exact: true }).waitFor();
    await button(page, 'Actions for quota Gender by age').click();
    await item(page, 'Delete quota').click();
    await save(page, 'Delete quota');
    await expectAnnounced(page, 'Gender by age deleted');
    await button(page, 'Actions for Spring').click();
    await item(page, 'Delete wave').click();
    await save(page, 'Delete wave');
    // The wave has a response, so it stays, and the dialog says why.
    await dialog(page).locator('.summary').waitFor();
  });

  it('sets quotas on ranges of numbers without creating a wave first', async () => {
    await newSurvey();
    const page = await visitCollect();
    await button(page, 'Set quotas').click();
    await field(page, 'Name').fill('Trips');
    await field(page, 'Groups are the answers to').selectOption('Trips');
    await field(page, 'Ranges').fill('0–4; 4+');
    await dialog(page).getByText('0–4 and 4+ overlap').waitFor();
    await field(page, 'Ranges').fill('0–4; 5+');
    await dialog(page).getByLabel('Target for 0–4').fill('1');
    await dialog(page).getByLabel('Target for 5+').fill('2');
    await expectAccessible(page);
    await picture(page, 'quota-ranges');
    await save(page, 'Save');
    await expectAnnounced(page, 'Trips saved');
    await heading(page, 'Fieldwork').waitFor();
    await submit({ Gender: '1', Age: '1', Trips: 3 }).expect(201);
    await page.reload();
    await page.getByText('1 of 1').waitFor();
    await page.getByText('0 of 2').waitFor();
  });

  it('lists the websites that can show the survey beside the embed code', async () => {
    await newSurvey();
    const page = await visitCollect();
    await page.getByText('QR code and embed code').click();
    await field(page, 'Websites that can show the survey').fill('news.example');
    await button(page, 'Save').click();
    await page
      .getByText(/must be an origin such as/)
      .first()
      .waitFor();
    await field(page, 'Websites that can show the survey').fill('https://news.example\nhttps://blog.example');
    await expectAccessible(page);
    await picture(page, 'embed-origins');
    await button(page, 'Save').click();
    await expectAnnounced(page, 'Websites saved');
    expect((await stored()).survey_settings.embed_origins).toEqual([
      'https://news.example',
      'https://blog.example',
    ]);
  });

  it('schedules invitations for a time, and cancels them', async () => {
    await newSurvey();
    const page = await visitCollect();
    await button(page, 'Invite by email').click();
    await button(page, 'I paste them').click();
    await field(page, 'Addresses').fill('ann@riders.example');
    const zone = await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
    await page.getByText(`Date and time in ${zone}`).waitFor();
    await field(page, 'Send at').fill('2020-01-01T10:00');
    await button(page, 'Send invitations').click();
    await page.getByText('must be a time in the future').waitFor();
    const tomorrow = await page.evaluate(() => {
      const day = new Date(Date.now() + 86_400_000);
      return `${new Intl.DateTimeFormat('sv-SE').format(day)}T09:30`;
    });
    await field(page, 'Send at').fill(tomorrow);
    await picture(page, 'invite-scheduled');
    await button(page, 'Send invitations').click();
    await dialog(page)
      .getByText(/Scheduled for .* 09:30/)
      .waitFor();
    await save(page, 'Schedule invitations');
    await expectAnnounced(page, '1 invitation scheduled');
    await page.getByText(/Scheduled for .* 09:30/).waitFor();
    await expectAccessible(page);
    await picture(page, 'collect-scheduled');
    await page.setViewportSize(NARROW.viewport);
    await expectNoHorizontalScroll(page);
    await picture(page, 'collect-scheduled-narrow');
    const scheduled = async () =>
      (await organization.admin.get(`/api/surveys/${survey.surveyId}/invite/summary`).expect(200)).body.data
        .scheduled;
    expect(await scheduled()).toHaveLength(1);
    await button(page, /^Cancel the emails scheduled for/).click();
    await save(page, 'Cancel emails');
    await expectAnnounced(page, 'Scheduled emails canceled');
    await expect.poll(scheduled, { timeout: 10_000 }).toEqual([]);
    await expect.poll(() => page.getByText(/Scheduled for/).count()).toBe(0);
  });

  it('sends reminders at once, or at a time', async () => {
    await newSurvey();
    const respondents = [{ email: `ann-${survey.surveyId}@riders.example` }];
    await organization.admin
      .post(`/api/surveys/${survey.surveyId}/invite`, { link_id: survey.linkId, respondents })
      .expect(202);
    const summary = async () =>
      (await organization.admin.get(`/api/surveys/${survey.surveyId}/invite/summary`).expect(200)).body.data;
    // Only people whose email was sent are reminded; no worker runs here.
    await test.database
      .db('invitations')
      .where({ survey_id: survey.surveyId })
      .update({ invitation_status: 'sent' });
    const page = await visitCollect();
    const remind = button(page, /^Remind people of/);
    await remind.click();
    await dialog(page).getByLabel('Send at').fill('2020-01-01T10:00');
    await save(page, 'Send reminder');
    await dialog(page).getByText('must be a time in the future').waitFor();
    const tomorrow = await page.evaluate(() => {
      const day = new Date(Date.now() + 86_400_000);
      return `${new Intl.DateTimeFormat('sv-SE').format(day)}T09:30`;
    });
    await dialog(page).getByLabel('Send at').fill(tomorrow);
    await expectAccessible(page);
    await picture(page, 'remind');
    await save(page, 'Send reminder');
    await expectAnnounced(page, '1 reminder scheduled');
    await page.getByText(/Scheduled for .* 09:30/).waitFor();
    expect((await summary()).scheduled).toHaveLength(1);
    await page.setViewportSize(NARROW.viewport);
    await remind.click();
    await dialog(page).getByLabel('Send at').waitFor();
    await picture(page, 'remind-narrow');
    await save(page, 'Send reminder');
    await expectAnnounced(page, '1 reminder on the way');
    await expectNoHorizontalScroll(page);
  });

  it('invites people from a file with other headings, and follows them', async () => {
    await newSurvey();
    const page = await visitCollect();
    await button(page, 'Invite by email').click();
    await heading(page, 'Invite by email').waitFor();
    const csv =
      'Adresse;Vorname;Linie\nann@riders.example;Ann;12\nbea@riders.example;Bea;3\nnot an address;Cy;1\n';
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'riders.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByText(/must have a column email/).waitFor();
    await field(page, 'Meaning of “Adresse”').selectOption({ label: 'Email address' });
    await page.getByText('2 people in the file').waitFor();
    await field(page, 'Meaning of “Vorname”').selectOption({ label: 'Name' });
    await page.getByText('One row has a problem and is left out').waitFor();

    await field(page, 'Subject').fill('Your rides, {{name}}');
    await field(page, 'Message').fill('Hello {{name}} of line ');
    await button(page, 'Insert Linie into the message').click();
    expect(await field(page, 'Message').inputValue()).toBe('Hello {{name}} of line {{attribute.Linie}}');
    const email = page.getByRole('region', { name: 'Email as it is received' });
    await email.getByText('Your rides, Ada Admin').waitFor();
    await email.getByText('Hello Ada Admin of line [Linie]').waitFor();
    await expectAccessible(page);
    await picture(page, 'invite');
    await button(page, 'Send a test to me').click();
    await expectAnnounced(page, `Test sent to ${organization.admin.email}`);
    await expect.poll(() => mailServer.mails.length).toBe(1);

    await field(page, 'Reminders').fill('3, soon');
    await button(page, 'Send invitations').click();
    await page.getByText(/must be numbers of days from 1 to 365/).waitFor();
    await field(page, 'Reminders').fill('3, 7');
    await button(page, 'Send invitations').click();
    await dialog(page).getByText('Invite 2 people?').waitFor();
    await save(page, 'Send invitations');
    await expectAnnounced(page, '2 invitations on the way');
    await heading(page, 'Collect').waitFor();
    const summary = await organization.admin
      .get(`/api/surveys/${survey.surveyId}/invite/summary`)
      .expect(200);
    expect(summary.body.data.total).toBe(2);
    await page.getByRole('region', { name: 'Public link' }).getByText('Sent', { exact: true }).waitFor();
    await picture(page, 'collect-invited');
  });

  it('reports pasted addresses that are not valid at their line', async () => {
    await newSurvey();
    const page = await visitCollect();
    await button(page, 'Invite by email').click();
    await button(page, 'Send invitations').click();
    await page.getByText('Add recipients first.').waitFor();
    await button(page, 'I paste them').click();
    await field(page, 'Addresses').fill('Ann Rider <ann@paste.example>\nnobody\n');
    await button(page, 'Send invitations').click();
    await page.getByText(/Line 2: .*must be an email address/).waitFor();
    await field(page, 'Addresses').fill('Ann Rider <ann@paste.example>');
    await button(page, 'Send invitations').click();
    await save(page, 'Send invitations');
    await expectAnnounced(page, '1 invitation on the way');
  });

  it.each([
    ['390 px', NARROW],
    ['390 px, dark', { ...NARROW, colorScheme: 'dark' }],
    ['1280 px, dark', { ...DESKTOP, colorScheme: 'dark' }],
  ])('is accessible at %s', async (name, options) => {
    const colorScheme = 'colorScheme' in options ? 'dark' : 'light';
    await newSurvey();
    const { admin } = organization;
    const wave = await admin
      .post('/api/surveys/waves', { survey_id: survey.surveyId, wave_name: 'Spring', target: 20 })
      .expect(201);
    const cells = [
      { cell_label: 'Women', condition: { Gender: ['1'] }, target: 10 },
      { cell_label: 'Men', condition: { Gender: ['2'] }, target: 10 },
    ];
    await admin
      .patch(`/api/surveys/waves/${wave.body.data.wave_id}/quotas`, {
        quotas: [{ quota_name: 'Gender', cells }],
      })
      .expect(200);
    for (const gender of ['1', '1', '2']) await submit({ Gender: gender, Age: '1' }).expect(201);
    const respondents = [{ email: `a-${survey.surveyId}@riders.example` }];
    await admin
      .post(`/api/surveys/${survey.surveyId}/invite`, { link_id: survey.linkId, respondents })
      .expect(202);
    const page = await visitCollect(options);
    await page.getByText('2 of 10').waitFor();
    await expectNoHorizontalScroll(page);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme });
    await picture(page, `collect ${name}`);
    await button(page, 'Invite by email').click();
    await page.getByText('As received').waitFor();
    await expectNoHorizontalScroll(page);
    await expectAccessible(page);
    await page.emulateMedia({ colorScheme });
    await picture(page, `invite ${name}`);
  });
});
