import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newOrganization, type Organization } from '../../support/actors.ts';
import { appOn, type TestApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { invitationStatus, invite, mailsTo } from '../../support/invitations.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { choice } from '../../support/questions.ts';
import { expectRefused } from '../../support/refusals.ts';
import { publishedSurvey, type PublishedSurvey } from '../../support/surveys.ts';

const HOUR_MS = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS).toISOString();

const database = useDatabase();
let server: MailServer;
let test: TestApp;
let organization: Organization;
let published: PublishedSurvey;

// No worker runs; the tests run each job themselves.
beforeAll(async () => {
  server = await startMailServer();
  test = appOn(database, {
    MAIL_FROM: 'Canvass <research@canvass.example>',
    MAIL_PER_SECOND: '1000',
    SMTP_URL: server.url,
  });
  organization = await newOrganization(test);
  published = await publishedSurvey(organization.admin, [[choice('Q1')]]);
});
afterAll(async () => {
  test.container.mail?.close();
  await server.close();
});

let counter = 0;
const person = () => ({ email: `later${(counter += 1)}@people.example` });
const at = () => `/api/surveys/${published.surveyId}`;
const schedule = async (list: object[], more: object = {}) =>
  (await invite(organization.admin, published, list, { send_at: inHours(2), ...more }).expect(202)).body
    .data as { campaign_id: number; job_id: number | null; send_at: string };
const scheduled = async () =>
  (await organization.admin.get(`${at()}/invite/summary`).expect(200)).body.data.scheduled;
const runTasks = () => test.container.services.scheduledCampaigns.run();
const unfinishedJobs = () => database.db('jobs').whereNull('finished_at').select('job_id', 'payload');
/** As if two hours had passed. */
async function reachTime(campaignId: number): Promise<void> {
  const past = new Date(Date.now() - 1000);
  await database.db('campaigns').where({ campaign_id: campaignId }).update({ send_at: past });
  await database.db('mails').where({ campaign_id: campaignId }).update({ due_at: past });
  await runTasks();
}
const run = (campaignId: number) =>
  test.container.services.campaignRunner.run(campaignId, {
    signal: new AbortController().signal,
    progress: () => undefined,
  });
const cancel = (campaignId: number) => organization.admin.delete(`${at()}/invite/scheduled/${campaignId}`);

describe('scheduled invitations', () => {
  it('are sent at their time, not before', async () => {
    const one = person();
    const sent = await schedule([one]);
    expect(sent).toMatchObject({ job_id: null });
    await runTasks();
    expect(await unfinishedJobs()).toEqual([]);
    expect(await scheduled()).toEqual([
      {
        campaign_id: sent.campaign_id,
        link_id: published.linkId,
        kind: 'invitation',
        send_at: sent.send_at,
        email_count: 1,
      },
    ]);
    expect(await run(sent.campaign_id)).toMatchObject({ sent: 0, waiting: 1 });

    await reachTime(sent.campaign_id);
    expect(await unfinishedJobs()).toMatchObject([{ payload: { campaign_id: sent.campaign_id } }]);
    expect(await scheduled()).toEqual([]);
    expect(await run(sent.campaign_id)).toMatchObject({ sent: 1, waiting: 0 });
    expect(mailsTo(server, one.email)).toHaveLength(1);
    await database.db('jobs').whereNull('finished_at').delete();
  });

  it('are not sent to people who unsubscribed, nor if the survey is closed at that time', async () => {
    const [gone, stays] = [person(), person()];
    const first = await schedule([gone, stays]);
    await database
      .db('respondents')
      .where({ respondent_email: gone.email })
      .update({ opted_out_at: new Date() });
    await reachTime(first.campaign_id);
    expect(await run(first.campaign_id)).toMatchObject({ sent: 1, cancelled: 1 });
    await database.db('jobs').whereNull('finished_at').delete();

    const late = person();
    const second = await schedule([late]);
    await organization.admin.put(at(), { survey_status: 3 }).expect(200);
    // Closed before the time: it may be open again then.
    await runTasks();
    expect(await scheduled()).toHaveLength(1);
    await reachTime(second.campaign_id);
    expect(mailsTo(server, late.email)).toHaveLength(0);
    expect(await invitationStatus(organization.admin, published, late.email)).toBe('failed');
    await organization.admin.put(at(), { survey_status: 2 }).expect(200);
  });

  it('are canceled with their reminders, and the people can be invited again', async () => {
    const one = person();
    const { campaign_id: campaignId } = await schedule([one], { reminders: [{ after_days: 3 }] });
    await cancel(campaignId).expect(204);
    expect(await scheduled()).toEqual([]);
    await expectRefused(cancel(campaignId), 409, 'already_sent');
    await reachTime(campaignId);
    const unfinished = await database.db('campaigns').whereNull('finished_at').select('campaign_id');
    expect(unfinished).toEqual([]);
    const again = await invite(organization.admin, published, [one], {}).expect(202);
    expect(await run(again.body.data.campaign_id)).toMatchObject({ sent: 1 });
    await expectRefused(cancel(again.body.data.campaign_id), 404, 'not_found');
    await expectRefused(cancel(999_999), 404, 'not_found');
  });

  it('can be sent again at a time', async () => {
    const reply = await organization.admin
      .post(`${at()}/invite/${published.linkId}/resend`, { send_at: inHours(3) })
      .expect(202);
    expect(reply.body.data).toMatchObject({ job_id: null, send_at: expect.any(String) });
    expect(await scheduled()).toMatchObject([
      { campaign_id: reply.body.data.campaign_id, kind: 'resend', email_count: reply.body.data.queued },
    ]);
    await cancel(reply.body.data.campaign_id).expect(204);
  });

  it('need a time in the next 90 days', async () => {
    const message = async (sendAt: string) => {
      const { body } = await invite(organization.admin, published, [person()], { send_at: sendAt }).expect(
        400,
      );
      return body.details as { field: string; message: string }[];
    };
    expect(await message('2020-01-01T10:00:00+01:00')).toEqual([
      {
        field: 'send_at',
        message: '2020-01-01T09:00:00.000Z is in the past; it must be a time in the future',
      },
    ]);
    const far = inHours(24 * 91);
    expect(await message(far)).toEqual([
      { field: 'send_at', message: `${far} is too far ahead; at most 90 days are allowed` },
    ]);
    expect(await message('tomorrow')).toMatchObject([{ field: 'send_at' }]);
    const dry = await invite(organization.admin, published, [person()], {
      send_at: inHours(1),
      dry_run: true,
    }).expect(200);
    expect(dry.body.data).toMatchObject({ campaign_id: null, queued: 1 });
    expect(await scheduled()).toEqual([]);
  });
});
