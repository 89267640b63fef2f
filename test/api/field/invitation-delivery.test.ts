import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, newOrganization, type Organization } from '../../support/actors.ts';
import { appOn, type TestApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { invite, mailsTo, optOutTokenIn, invitationStatus, tokenIn } from '../../support/invitations.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { choice } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { draftSurvey, publish, publishedSurvey, type PublishedSurvey } from '../../support/surveys.ts';

const database = useDatabase();
let server: MailServer;
let test: TestApp;
let organization: Organization;
let published: PublishedSurvey;

const SETTINGS = {
  MAIL_FROM: 'Canvass <research@canvass.example>',
  PUBLIC_URL: 'https://research.example',
  MAIL_PER_SECOND: '1000',
};

// No worker runs; the tests run each job themselves.
beforeAll(async () => {
  server = await startMailServer();
  test = appOn(database, { ...SETTINGS, SMTP_URL: server.url });
  organization = await newOrganization(test);
  published = await publishedSurvey(organization.admin, [[choice('Q1')]]);
});
afterAll(async () => {
  test.container.mail?.close();
  await server.close();
});

const METRICS_TOKEN = 'a-token-for-the-figures';
/** The level of warnings in the log. */
const WARNING = 40;

let counter = 0;
const people = (count: number) =>
  Array.from({ length: count }, () => ({ email: `p${(counter += 1)}@people.example`, name: `P ${counter}` }));

const invited = async (list: object[], more: object = {}) =>
  (await invite(organization.admin, published, list, more).expect(202)).body.data as {
    job_id: number;
    campaign_id: number;
  };
const run = (campaignId: number, app = test) =>
  app.container.services.campaignRunner.run(campaignId, {
    signal: new AbortController().signal,
    progress: () => undefined,
  });
const sql = async (text: string) => (await database.db.raw(text)).rows as Record<string, unknown>[];
const status = (email: string) => invitationStatus(organization.admin, published, email);
/** As if those jobs that are on the queue had come to their end. */
const jobsDone = () => sql(`UPDATE jobs SET status = 'done', finished_at = now() WHERE finished_at IS NULL`);
const chores = () => test.container.services.scheduledCampaigns.run();
const count = (email: string) => mailsTo(server, email).length;

describe('email delivery', () => {
  it("records bounces with the server's reason, and sends the others", async () => {
    const list = people(2);
    const { campaign_id: campaignId } = await invited(list);
    server.refuseNext(550);
    expect(await run(campaignId)).toMatchObject({ sent: 1, bounced: 1, waiting: 0 });
    const statuses = await Promise.all(list.map(({ email }) => status(email)));
    expect([...statuses].sort()).toEqual(['bounced', 'sent']);
    const { body } = await organization.admin
      .get(`/api/surveys/${published.surveyId}/invitations?invitation_status=bounced`)
      .expect(200);
    expect(body.data[0].status_note).toContain('550 Refused by the test');
    // A respondent whose email bounced can be invited again.
    const deletedRespondent = list.find((_one, index) => statuses[index] === 'bounced')!;
    expect(await run((await invited([deletedRespondent])).campaign_id)).toMatchObject({ sent: 1 });
    expect(count(deletedRespondent.email)).toBe(1);
  });

  it('names the sender of the survey, with the address of the installation', async () => {
    const named = await publishedSurvey(organization.admin, [[choice('Q1')]]);
    const set = (name: string | null) =>
      organization.admin.put(`/api/surveys/${named.surveyId}`, { survey_settings: { sender_name: name } });
    await set('Instituto "x" <a@b.example>').expect(400);
    await set('Instituto do Porto').expect(200);
    const [one] = people(1);
    const { body } = await invite(organization.admin, named, [one!]).expect(202);
    await run(body.data.campaign_id);
    const [mail] = mailsTo(server, one!.email);
    expect(mail!.from).toMatchObject({ name: 'Instituto do Porto', address: 'research@canvass.example' });
  });

  it('retries emails that the server rejects temporarily', async () => {
    const [one] = people(1);
    const { campaign_id: campaignId } = await invited([one!]);
    server.refuseNext(450);
    expect(await run(campaignId)).toMatchObject({ sent: 0, waiting: 1, failed: 0 });
    const [mail] = await sql(
      `SELECT *, due_at > now() + interval '30 seconds' AS later FROM mails WHERE campaign_id = ${campaignId}`,
    );
    expect(mail).toMatchObject({ attempts: 1, later: true, mail_note: expect.stringContaining('450') });
    await jobsDone();
    await chores();
    expect(await sql(`SELECT 1 FROM jobs WHERE finished_at IS NULL`)).toEqual([]);
    await sql(`UPDATE mails SET due_at = now() WHERE campaign_id = ${campaignId}`);
    await chores();
    const [job] = await sql(`SELECT * FROM jobs WHERE finished_at IS NULL`);
    expect(job).toMatchObject({ kind: 'campaign', payload: { campaign_id: campaignId } });
    expect(await run(campaignId)).toMatchObject({ sent: 1, waiting: 0 });
    expect(count(one!.email)).toBe(1);
    await jobsDone();
    await chores();
    expect(
      await sql(`SELECT finished_at IS NOT NULL AS over FROM campaigns WHERE campaign_id = ${campaignId}`),
    ).toEqual([{ over: true }]);
  });

  it('postpones all emails while the server is unavailable', async () => {
    const lines: string[] = [];
    const unavailableApp = appOn(
      database,
      { ...SETTINGS, SMTP_URL: 'smtp://127.0.0.1:1', METRICS_TOKEN },
      { logLine: (line) => lines.push(line) },
    );
    const { campaign_id: campaignId } = await invited(people(3));
    const outcome = await run(campaignId, unavailableApp);
    unavailableApp.container.mail?.close();
    const warnings = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === WARNING);
    expect(warnings).toEqual([
      expect.objectContaining({
        problem: expect.stringContaining('ECONNREFUSED'),
        msg: expect.stringContaining('mail server'),
      }),
    ]);
    const { text: metrics } = await supertest(unavailableApp.app)
      .get('/metrics')
      .set('Authorization', `Bearer ${METRICS_TOKEN}`)
      .expect(200);
    expect(metrics).toContain('mail_server_accepts 0');
    expect(metrics).toMatch(/mails_total\{outcome="server"\} [1-9]/);
    expect(outcome).toMatchObject({ sent: 0, waiting: 3, note: expect.stringContaining('ECONNREFUSED') });
    const waiting = await sql(
      `SELECT 1 FROM mails WHERE campaign_id = ${campaignId} AND due_at > now() + interval '30 seconds'`,
    );
    expect(waiting).toHaveLength(3);
    const summary = async () =>
      (await organization.admin.get(`/api/surveys/${published.surveyId}/invite/summary`).expect(200)).body
        .data;
    const { waiting: shown } = await summary();
    expect(shown).toEqual([
      {
        campaign_id: campaignId,
        link_id: published.linkId,
        kind: 'invitation',
        email_count: 3,
        reason: expect.stringContaining('ECONNREFUSED'),
        next_attempt_at: expect.stringMatching(/Z$/),
      },
    ]);
    // The server is back: the emails leave, and nothing waits.
    await sql(`UPDATE mails SET due_at = now() WHERE campaign_id = ${campaignId}`);
    expect(await run(campaignId)).toMatchObject({ sent: 3, waiting: 0, note: null });
    expect((await summary()).waiting).toEqual([]);
  });

  it('enforces the daily limit of the organization', async () => {
    const capped = appOn(database, { ...SETTINGS, SMTP_URL: server.url, MAIL_DAILY_CAP: '4' });
    const other = await newOrganization(capped);
    const survey = await publishedSurvey(other.admin, [[choice('Q1')]]);
    const { body } = await invite(other.admin, survey, people(6)).expect(202);
    const outcome = await run(body.data.campaign_id, capped);
    expect(outcome).toMatchObject({ sent: 4, waiting: 2, note: expect.stringContaining('tomorrow') });
    const due = await sql(
      `SELECT 1 FROM mails WHERE campaign_id = ${body.data.campaign_id} AND mail_state = 'waiting'
         AND due_at = (date_trunc('day', now() AT TIME ZONE 'UTC') + interval '1 day') AT TIME ZONE 'UTC'`,
    );
    expect(due).toHaveLength(2);
    const { body: summary } = await other.admin
      .get(`/api/surveys/${survey.surveyId}/invite/summary`)
      .expect(200);
    expect(summary.data.waiting).toMatchObject([
      {
        campaign_id: body.data.campaign_id,
        email_count: 2,
        reason: expect.stringContaining('daily limit of 4 emails'),
      },
    ]);
    capped.container.mail?.close();
  });

  it('enforces the rate limit of the installation', async () => {
    const slow = appOn(database, { ...SETTINGS, SMTP_URL: server.url, MAIL_PER_SECOND: '10' });
    const { campaign_id: campaignId } = await invited(people(6));
    const began = performance.now();
    await run(campaignId, slow);
    slow.container.mail?.close();
    expect(performance.now() - began).toBeGreaterThan(450);
  });

  it('sends each email once under concurrent runs', async () => {
    const list = people(30);
    const { campaign_id: campaignId } = await invited(list);
    await Promise.all([run(campaignId), run(campaignId), run(campaignId)]);
    expect(list.map(({ email }) => count(email))).toEqual(list.map(() => 1));
    expect(
      await sql(`SELECT 1 FROM mails WHERE campaign_id = ${campaignId} AND mail_state <> 'sent'`),
    ).toEqual([]);
  });

  it('never resends an email whose process ended after handing it over', async () => {
    const list = people(2);
    const { campaign_id: campaignId } = await invited(list);
    await sql(
      `UPDATE mails SET mail_state = 'sending', claim_id = 'gone' WHERE mail_id =
         (SELECT min(mail_id) FROM mails WHERE campaign_id = ${campaignId})`,
    );
    await run(campaignId);
    expect(list.map(({ email }) => count(email)).sort()).toEqual([0, 1]);
    expect(await Promise.all(list.map(({ email }) => status(email)))).toEqual(['sent', 'sent']);
  });

  it('skips respondents who opted out, were erased or answered meanwhile', async () => {
    const [optedOut, erased, kept] = people(3);
    const { campaign_id: campaignId } = await invited([optedOut!, erased!, kept!]);
    const idOf = async ({ email }: { email: string }) =>
      (await organization.admin.get(`/api/surveys/respondents?search=${email}`).expect(200)).body.data[0]
        .respondent_id;
    await organization.admin
      .post(`/api/surveys/respondents/${await idOf(optedOut!)}/opt-out`, {})
      .expect(200);
    await organization.admin.delete(`/api/surveys/respondents/${await idOf(erased!)}`).expect(204);
    expect(await run(campaignId)).toMatchObject({ sent: 1, cancelled: 2 });
    expect([optedOut!, erased!, kept!].map(({ email }) => count(email))).toEqual([0, 0, 1]);
    expect(await status(optedOut!.email)).toBe('opted_out');
  });

  it('stops permanently when the job is cancelled', async () => {
    const list = people(2);
    const { campaign_id: campaignId, job_id: jobId } = await invited(list);
    await organization.admin.delete(`/api/jobs/${jobId}`).expect(204);
    await chores();
    await chores();
    expect(
      await sql(
        `SELECT 1 FROM jobs WHERE finished_at IS NULL AND kind = 'campaign' AND payload->>'campaign_id' = '${campaignId}'`,
      ),
    ).toEqual([]);
    expect(await run(campaignId)).toMatchObject({ sent: 0, cancelled: 2 });
    expect(await status(list[0]!.email)).toBe('failed');
  });

  it('reminds respondents who have not answered after the given days, until the survey is closed', async () => {
    const [answers, quiet] = people(2);
    const own = await publishedSurvey(organization.admin, [[choice('Q1')]]);
    const { body } = await invite(organization.admin, own, [answers!, quiet!], {
      reminders: [{ after_days: 3, subject: 'Please, {{name}}' }, { after_days: 7 }],
    }).expect(202);
    await run(body.data.campaign_id);
    await jobsDone();
    const reminders = async () => {
      await chores();
      const ids = await sql(
        `SELECT m.campaign_id FROM campaigns m JOIN jobs USING (job_id) WHERE m.survey_id = ${own.surveyId} AND campaign_kind = 'reminder' AND jobs.finished_at IS NULL`,
      );
      for (const { campaign_id: id } of ids) await run(id as number);
      await jobsDone();
      return ids.length;
    };
    const daysPass = (days: number) =>
      sql(
        `UPDATE mails SET settled_at = settled_at - interval '${days} days' WHERE campaign_id = ${body.data.campaign_id}`,
      );
    expect(await reminders()).toBe(0);
    const token = tokenIn(mailsTo(server, answers!.email)[0]!.text!);
    await anonymous(test)
      .post(`/api/public/s/${token}/responses`, { answers: { Q1: '1' } })
      .expect(201);
    await daysPass(3);
    expect(await reminders()).toBe(1);
    expect(await reminders()).toBe(0);
    expect(count(answers!.email)).toBe(1);
    expect(mailsTo(server, quiet!.email).map(({ subject }) => subject)).toEqual([
      `A question for ${quiet!.name}`,
      `Please, ${quiet!.name}`,
    ]);
    await organization.admin.put(`/api/surveys/${own.surveyId}`, { survey_status: 3 }).expect(200);
    await daysPass(4);
    expect(await reminders()).toBe(0);
    expect(count(quiet!.email)).toBe(2);
    await organization.admin.put(`/api/surveys/${own.surveyId}`, { survey_status: 2 }).expect(200);
    expect(await reminders()).toBe(0);
  });

  it('sends a reminder to an anonymous survey only to those who have not answered, but counts all', async () => {
    const list = people(3);
    const anonymousSurvey = await publishedSurvey(organization.admin, {
      settings: { anonymous: true },
      pages: [[choice('Q1')]],
    });
    const { body } = await invite(organization.admin, anonymousSurvey, list).expect(202);
    await run(body.data.campaign_id);
    const token = tokenIn(mailsTo(server, list[1]!.email)[0]!.text!);
    await anonymous(test)
      .post(`/api/public/s/${token}/responses`, { answers: { Q1: '1' } })
      .expect(201);
    const { surveyId, linkId } = anonymousSurvey;
    const { body: reminder } = await organization.admin
      .post(`/api/surveys/${surveyId}/invite/${linkId}/resend`, {})
      .expect(202);
    expect(reminder.data.queued).toBe(3);
    // While the mail server is unavailable, all wait.
    const unavailableApp = appOn(database, { ...SETTINGS, SMTP_URL: 'smtp://127.0.0.1:1' });
    expect(await run(reminder.data.campaign_id, unavailableApp)).toMatchObject({ sent: 0, waiting: 3 });
    unavailableApp.container.mail?.close();
    await sql(`UPDATE mails SET due_at = now() WHERE campaign_id = ${reminder.data.campaign_id}`);
    expect(await run(reminder.data.campaign_id)).toMatchObject({ sent: 3, cancelled: 0, waiting: 0 });
    expect(test.container.mail).toMatchObject({ problem: null });
    expect(list.map(({ email }) => count(email))).toEqual([2, 1, 2]);
    const { body: invitations } = await organization.admin
      .get(`/api/surveys/${surveyId}/invitations`)
      .expect(200);
    expect(invitations.data.map(({ mail_count: sent }: { mail_count: number }) => sent)).toEqual([2, 2, 2]);
  });
});

describe('without a mail server', () => {
  it('keeps messages for editors to read', async () => {
    const quiet = appOn(database, { PUBLIC_URL: 'https://research.example' });
    const own = await newOrganization(quiet);
    const survey = await publishedSurvey(own.admin, [[choice('Q1')]]);
    const [respondent] = people(1);
    const { body } = await invite(own.admin, survey, [respondent!]).expect(202);
    expect(body.data.delivery).toBe('outbox');
    expect(await run(body.data.campaign_id, quiet)).toMatchObject({ sent: 0, kept: 1 });
    expect(await invitationStatus(own.admin, survey, respondent!.email)).toBe('kept');
    const { body: summary } = await own.admin
      .get(`/api/surveys/${survey.surveyId}/invite/summary`)
      .expect(200);
    expect(summary.data).toMatchObject({
      delivery: 'outbox',
      counts: { kept: 1, sent: 0 },
      response_rate: 0,
    });
    const { body: outbox } = await own.admin.get('/api/outbox').expect(200);
    expect(outbox.data).toMatchObject([
      {
        to: respondent,
        subject: `A question for ${respondent!.name}`,
        link_url: expect.stringMatching(/^https:\/\/research\.example\/s\//),
      },
    ]);
    expect(outbox.data[0].text).toContain(outbox.data[0].link_url);
    expect((await organization.admin.get('/api/outbox').expect(200)).body.data).toEqual([]);
    await expectRefused(organization.admin.get(`/api/outbox?workspace_id=${own.workspaceId}`), 404);
  });

  it('keeps no messages for respondents who opted out or were erased meanwhile', async () => {
    const quiet = appOn(database);
    const { admin } = await newOrganization(quiet);
    const survey = await publishedSurvey(admin, [[choice('Q1')]]);
    const [optedOut, erased, kept] = people(3);
    const { body } = await invite(admin, survey, [optedOut!, erased!, kept!]).expect(202);
    const [optedOutId, erasedId] = (body.data.rows as { respondent_id: number }[]).map(
      (row) => row.respondent_id,
    );
    await admin.post(`/api/surveys/respondents/${optedOutId}/opt-out`, {}).expect(200);
    await admin.delete(`/api/surveys/respondents/${erasedId}`).expect(204);
    expect(await run(body.data.campaign_id, quiet)).toMatchObject({ kept: 1, cancelled: 2, waiting: 0 });
    const { body: outbox } = await admin.get('/api/outbox').expect(200);
    expect(outbox.data.map((mail: { to: { email: string } }) => mail.to.email)).toEqual([kept!.email]);
    expect(await invitationStatus(admin, survey, optedOut!.email)).toBe('opted_out');
  });
});

describe('an invitation without subject and message', () => {
  it('has defaults with the link, in the language of the recipient, else of the survey', async () => {
    const quiet = appOn(database, { PUBLIC_URL: 'https://research.example' });
    const { admin } = await newOrganization(quiet);
    const survey = await publishedSurvey(admin, {
      settings: { default_language: 'de' },
      pages: [[choice('Q1')]],
    });
    const [plain, french, unknown] = people(3);
    const { body } = await admin
      .post(`/api/surveys/${survey.surveyId}/invite`, {
        link_id: survey.linkId,
        respondents: [plain, { ...french, language: 'fr-CA' }, { ...unknown, language: 'sw' }],
        reminders: [{ after_days: 3 }],
      })
      .expect(202);
    expect(body.data).toMatchObject({
      queued: 3,
      subject: 'Einladung: {{survey}}',
      message: expect.stringMatching(/^Guten Tag,[\s\S]*\n\n\{\{link\}\}\n\n/),
      notes: [],
    });
    await run(body.data.campaign_id, quiet);
    const { body: outbox } = await admin.get('/api/outbox').expect(200);
    const mails = new Map<string, { subject: string; text: string; html: string; link_url: string }>(
      outbox.data.map((mail: { to: { email: string } }) => [mail.to.email, mail]),
    );
    const subjects = [plain!, french!, unknown!].map(({ email }) => mails.get(email)!.subject);
    expect(subjects).toEqual(['Einladung: A survey', 'Invitation : A survey', 'Einladung: A survey']);
    for (const mail of mails.values()) {
      expect(mail.text).toContain(mail.link_url);
      expect(mail.html).toContain(`href="${mail.link_url}"`);
      expect(mail.text).toContain('A survey');
      expect(mail.text).not.toContain('{{');
    }
    expect(mails.get(french!.email)!.text).toContain('Merci pour votre temps.');
  });

  it('is English by default, and keeps given texts', async () => {
    const quiet = appOn(database);
    const { admin } = await newOrganization(quiet);
    const survey = await publishedSurvey(admin, [[choice('Q1')]]);
    const dryRun = async (more: object) =>
      (
        await admin
          .post(`/api/surveys/${survey.surveyId}/invite`, {
            link_id: survey.linkId,
            respondents: people(1),
            dry_run: true,
            ...more,
          })
          .expect(200)
      ).body.data as { subject: string; message: string };
    expect(await dryRun({})).toMatchObject({
      subject: 'Invitation: {{survey}}',
      message: expect.stringContaining('You are invited to take part in the survey “{{survey}}”'),
    });
    expect(await dryRun({ subject: 'Tram 9' })).toMatchObject({
      subject: 'Tram 9',
      message: expect.stringContaining('{{link}}'),
    });
    expect(await dryRun({ message: 'Please answer.' })).toMatchObject({
      subject: 'Invitation: {{survey}}',
      message: 'Please answer.',
    });
  });
});

describe('a respondent who unsubscribes', () => {
  const page = (token: string, path = '') => anonymous(test).get(`/u/${token}${path}`);

  it('opts out with one click, in their language, for the whole organization, and can opt in again', async () => {
    const [respondent] = people(1);
    const { campaign_id: campaignId } = await invited([{ ...respondent!, language: 'de-AT' }]);
    await run(campaignId);
    const mail = mailsTo(server, respondent!.email)[0]!;
    expect(mail.html).toContain('Abmelden');
    const token = optOutTokenIn(mail.text!);
    const requested = await page(token).expect(200);
    expect(requested.text).toContain('Von E-Mails abmelden');
    expect(requested.text).not.toContain(respondent!.email);
    expect(await status(respondent!.email)).toBe('sent');

    const click = () =>
      anonymous(test).post(`/u/${token}`).type('form').send('List-Unsubscribe=One-Click').expect(200);
    expect((await click()).text).toContain('Sie sind abgemeldet');
    await click();
    expect(await status(respondent!.email)).toBe('opted_out');
    expect((await page(token)).text).toContain('Sie sind abgemeldet');

    const elsewhere = await organization.admin
      .post('/api/workspaces', { workspace_name: 'Elsewhere', workspace_visibility: 2 })
      .expect(201);
    const workspaceId = elsewhere.body.data.workspace_id as number;
    const draft = await draftSurvey(organization.admin, [[choice('Q1')]], { workspaceId });
    const there = { ...draft, ...(await publish(organization.admin, draft.surveyId)) };
    const again = async () =>
      (
        await invite(
          organization.admin,
          there,
          [{ ...respondent!, email: respondent!.email.toUpperCase() }],
          {
            dry_run: true,
          },
        )
      ).body.data.rows[0].outcome as string;
    expect(await again()).toBe('suppressed');
    const undone = await anonymous(test).post(`/u/${token}/undo`).expect(200);
    expect(undone.text).toContain('Sie erhalten wieder E-Mails');
    expect(await again()).toBe('queued');
  });

  it('is identified by an unguessable token', async () => {
    for (const token of ['x'.repeat(20), '%00', '..%2f', 'a'.repeat(100)]) {
      const { status: got } = await page(token);
      expect([400, 404]).toContain(got);
    }
    const missing = await anonymous(test)
      .post(`/u/${'y'.repeat(20)}`)
      .expect(404);
    expect(missing.text).toContain('Link not found');
  });
});
