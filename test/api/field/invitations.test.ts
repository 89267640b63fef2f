import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anonymous, newOrganization, type Organization } from '../../support/actors.ts';
import { appOn, type TestApp } from '../../support/app.ts';
import { startResponse } from '../../support/start-response.ts';
import { useDatabase } from '../../support/database.ts';
import {
  invite,
  waitForJob,
  mailsTo,
  openInvitation,
  optOutTokenIn,
  invitationStatus,
  tokenIn,
} from '../../support/invitations.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { choice, text } from '../../support/questions.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';
import { publishedSurvey } from '../../support/surveys.ts';

const database = useDatabase();
let server: MailServer;
let test: TestApp;
let organization: Organization;

beforeAll(async () => {
  server = await startMailServer();
  test = appOn(database, {
    SMTP_URL: server.url,
    MAIL_FROM: 'Canvass <research@canvass.example>',
    PUBLIC_URL: 'https://research.example',
    MAIL_PER_SECOND: '500',
  });
  test.container.jobWorker.start();
  organization = await newOrganization(test);
});
afterAll(async () => {
  await test.container.jobWorker.stop(1_000);
  test.container.mail?.close();
  await server.close();
});

let counter = 0;
const createPerson = (more: object = {}) => {
  counter += 1;
  return { email: `person${counter}@people.example`, name: `Person ${counter}`, ...more };
};
const survey = (extra: object[] = [], settings: object = {}) =>
  publishedSurvey(organization.admin, {
    pages: [[choice('Q1', { question_required: true }), ...extra]],
    settings,
  });

describe('inviting respondents', () => {
  it('notes the variables that are empty for queued recipients', async () => {
    const published = await survey();
    const known = createPerson({ attributes: { city: 'Porto' } });
    await organization.admin.post('/api/surveys/respondents', known).expect(201);
    const list = [
      { email: known.email },
      createPerson({ attributes: { plan: 'basic' } }),
      { email: 'unnamed@people.example' },
    ];
    const texts = {
      subject: '{{name}}, {{attribute.city}}',
      message: '{{attribute.plan}} {{survey}} {{link}}',
    };
    const { body } = await invite(organization.admin, published, list, { ...texts, dry_run: true }).expect(
      200,
    );
    expect(body.data.notes).toEqual([
      '{{name}} is empty for 1 respondent',
      '{{attribute.city}} is empty for 2 respondents',
      '{{attribute.plan}} is empty for 2 respondents',
    ]);
    const byId = await organization.admin.get(`/api/surveys/respondents?search=${known.email}`).expect(200);
    const { body: found } = await organization.admin
      .post(`/api/surveys/${published.surveyId}/invite`, {
        link_id: published.linkId,
        respondent_ids: [byId.body.data[0].respondent_id],
        ...texts,
        dry_run: true,
      })
      .expect(200);
    expect(found.data.notes).toEqual(['{{attribute.plan}} is empty for 1 respondent']);
  });

  it('creates respondents and emails each a personal link', async () => {
    const one = createPerson({ attributes: { city: 'Porto' } });
    const other = createPerson();
    const published = await survey();
    const { body } = await invite(organization.admin, published, [one, other], {
      subject: '{{survey}}: {{name}} of {{attribute.city}}',
    })
      .set('Host', 'evil.example')
      .expect(202);
    expect(body.data).toMatchObject({
      delivery: 'smtp',
      queued: 2,
      suppressed: 0,
      duplicates: 0,
      invalid: 0,
    });
    const result = await waitForJob(organization.admin, body.data.job_id);
    expect(result).toMatchObject({ sent: 2, waiting: 0, failed: 0, bounced: 0 });

    const [mail] = mailsTo(server, one.email);
    expect(mail).toMatchObject({
      subject: `A survey: ${one.name} of Porto`,
      from: { address: 'research@canvass.example' },
    });
    const token = tokenIn(mail!.text!);
    expect(mail!.html).toContain(`https://research.example/s/${token}`);
    expect(JSON.stringify(mail)).not.toContain('evil.example');
    expect(tokenIn(mailsTo(server, other.email)[0]!.text!)).not.toBe(token);

    const optOutToken = optOutTokenIn(mail!.text!);
    expect(optOutToken).not.toBe(token);
    const headers = new Map(mail!.headers.map(({ key, value }) => [key, value]));
    expect(headers.get('list-unsubscribe')).toBe(`<https://research.example/u/${optOutToken}>`);
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(headers.get('auto-submitted')).toBe('auto-generated');
    expect(headers.get('precedence')).toBe('bulk');
    expect(mail!.messageId).toMatch(/^<invitation\.\d+\.[A-Za-z0-9]+@canvass\.example>$/);

    const { body: respondents } = await organization.admin
      .get(`/api/surveys/respondents?search=${one.email}`)
      .expect(200);
    expect(respondents.data[0]).toMatchObject({ ...one, last_invited_at: expect.any(String) });
  });

  it('tracks each from the email to the complete response, only forward', async () => {
    const respondent = createPerson();
    const published = await survey();
    const { body } = await invite(organization.admin, published, [respondent]).expect(202);
    await waitForJob(organization.admin, body.data.job_id);
    const token = tokenIn(mailsTo(server, respondent.email)[0]!.text!);
    const status = () => invitationStatus(organization.admin, published, respondent.email);
    expect(await status()).toBe('sent');
    expect((await openInvitation(test, token).expect(200)).body.data).toMatchObject({ link_type: 'unique' });
    expect(await status()).toBe('opened');
    const response = await startResponse(anonymous(test), token);
    expect(await status()).toBe('started');
    await openInvitation(test, token).expect(200);
    expect(await status()).toBe('started');
    await response.complete({ Q1: '1' }).expect(200);
    expect(await status()).toBe('completed');

    const { rows } = await database.db.raw(`SELECT * FROM responses WHERE survey_id = ${published.surveyId}`);
    expect(rows[0]).toMatchObject({
      response_status: 'complete',
      link_id: published.linkId,
      respondent_id: expect.any(Number),
    });
    await expectRefused(openInvitation(test, token), 409, 'already_answered');
    const { body: known } = await organization.admin
      .get(`/api/surveys/respondents/${rows[0].respondent_id}/export`)
      .expect(200);
    expect(known.data.invitations).toMatchObject([
      { survey_id: published.surveyId, invitation_status: 'completed', completed_at: expect.any(String) },
    ]);
    await organization.admin
      .post(`/api/surveys/${published.surveyId}/invitations/${body.data.rows[0].invitation_id}/bounce`, {})
      .expect(204);
    expect(await status()).toBe('completed');
  });

  it('accepts one ended response per invitation: the first of two devices, and a retry of it', async () => {
    const respondent = createPerson();
    const published = await survey();
    const { body } = await invite(organization.admin, published, [respondent]).expect(202);
    await waitForJob(organization.admin, body.data.job_id);
    const token = tokenIn(mailsTo(server, respondent.email)[0]!.text!);
    const late = await startResponse(anonymous(test), token);
    const submit = (id: string) =>
      anonymous(test).post(`/api/public/s/${token}/responses`, { submission_id: id, answers: { Q1: '1' } });
    const all = await Promise.all(['a', 'b', 'c', 'd'].map((id) => submit(`device-${id}`)));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    const first = all.find((reply) => reply.status === 201)!.body.data;
    const repeated = await submit(
      ['a', 'b', 'c', 'd'].map((id) => `device-${id}`)[all.findIndex((r) => r.status === 201)]!,
    );
    expect(repeated.body.data.response_id).toBe(first.response_id);
    const { body: ended } = await late.complete({ Q1: '2' }).expect(200);
    expect(ended.data).toMatchObject({ response_status: 'screened_out', status_reason: 'over_quota' });
  });

  it('makes their attributes available only in their own survey', async () => {
    const respondent = createPerson({ attributes: { city: 'Porto', secret: 'a churn risk' } });
    const published = await survey([
      text('Q2', {
        question_text: 'How is {{attribute.city}}, {{respondent.name}}?',
        question_required: true,
        question_settings: {
          logic: {
            display: { left: { type: 'attribute', code: 'city' }, operator: 'equals', right: 'Porto' },
          },
        },
      }),
    ]);
    const { body } = await invite(organization.admin, published, [respondent]).expect(202);
    await waitForJob(organization.admin, body.data.job_id);
    const token = tokenIn(mailsTo(server, respondent.email)[0]!.text!);
    const { body: listed } = await openInvitation(test, token).expect(200);
    expect(listed.data.respondent).toEqual({ name: respondent.name, attributes: { city: 'Porto' } });
    const { text: page } = await anonymous(test).get(`/s/${token}`).expect(200);
    expect(page).toContain('Porto');
    expect(page).not.toContain('churn');
    await expectInvalidField(
      anonymous(test).post(`/api/public/s/${token}/responses`, { answers: { Q1: '1' } }),
      'answers.Q2',
    );
    const { body: open } = await anonymous(test).get(`/api/public/s/${published.linkToken}`).expect(200);
    expect(open.data.respondent).toBeNull();
    await anonymous(test)
      .post(`/api/public/s/${published.linkToken}/responses`, { answers: { Q1: '1' } })
      .expect(201);
  });

  it('records for an anonymous survey only that it was answered', async () => {
    const respondent = createPerson({ attributes: { city: 'Porto' } });
    const published = await survey([], { anonymous: true });
    const { body } = await invite(organization.admin, published, [respondent]).expect(202);
    await waitForJob(organization.admin, body.data.job_id);
    const token = tokenIn(mailsTo(server, respondent.email)[0]!.text!);
    expect((await openInvitation(test, token).expect(200)).body.data.respondent).toBeNull();
    const response = await startResponse(anonymous(test), token);
    expect(await invitationStatus(organization.admin, published, respondent.email)).toBe('sent');
    await response.complete({ Q1: '1' }).expect(200);
    const { body: list } = await organization.admin
      .get(`/api/surveys/${published.surveyId}/invitations`)
      .expect(200);
    expect(list.data[0]).toMatchObject({
      invitation_status: 'sent',
      opened_at: null,
      started_at: null,
      completed_at: null,
    });
    const { rows } = await database.db.raw(
      `SELECT respondent_id, link_id FROM responses WHERE survey_id = ${published.surveyId}`,
    );
    expect(rows).toEqual([{ respondent_id: null, link_id: published.linkId }]);
    await expectRefused(openInvitation(test, token), 409, 'already_answered');
  });

  it('reports the outcome of each row', async () => {
    const published = await survey();
    const [known, quiet, twice] = [createPerson(), createPerson(), createPerson()];
    const { body: added } = await organization.admin.post('/api/surveys/respondents', quiet).expect(201);
    await organization.admin
      .post(`/api/surveys/respondents/${added.data.respondent_id}/opt-out`, {})
      .expect(200);
    await invite(organization.admin, published, [known]).expect(202);
    const list = [
      twice,
      { ...twice, email: twice.email.toUpperCase() },
      known,
      quiet,
      { email: 'no address', name: 'X' },
      { email: 'a@b.example\r\nBcc: everybody@b.example' },
      { email: 'injected@b.example', name: 'A\r\nBcc: everybody@b.example' },
      { email: 'attribute@b.example', attributes: { 'a{b': 1 } },
    ];
    const expected = [
      ['queued', null],
      ['duplicate', 'email'],
      ['duplicate', 'email'],
      ['suppressed', 'email'],
      ['invalid', 'email'],
      ['invalid', 'email'],
      ['invalid', 'name'],
      ['invalid', 'attributes.a{b'],
    ];
    const outcomes = (data: { rows: { outcome: string; problems: { field: string }[] }[] }) =>
      data.rows.map(({ outcome, problems }) => [outcome, problems[0]?.field ?? null]);
    const before = server.mails.length;
    const { body: tried } = await invite(organization.admin, published, list, { dry_run: true }).expect(200);
    expect(outcomes(tried.data)).toEqual(expected);
    expect(tried.data).toMatchObject({ job_id: null, queued: 1, suppressed: 1, duplicates: 2, invalid: 4 });
    const { body } = await invite(organization.admin, published, list).expect(202);
    expect(outcomes(body.data)).toEqual(expected);
    await waitForJob(organization.admin, body.data.job_id);
    expect(mailsTo(server, twice.email)).toHaveLength(1);
    expect(server.mails.length - before).toBeLessThanOrEqual(2);
    expect(mailsTo(server, 'everybody@b.example')).toHaveLength(0);
    expect(mailsTo(server, quiet.email)).toHaveLength(0);
    expect(await invitationStatus(organization.admin, published, quiet.email)).toBe('suppressed');
  });

  it('escapes markup of authors and respondents in emails', async () => {
    const published = await survey();
    const respondent = createPerson({
      name: '<img src=x onerror=alert(1)>',
      attributes: { city: 'https://evil.example' },
    });
    const { body } = await invite(organization.admin, published, [respondent], {
      subject: '<b>Hi</b> {{name}}',
      message: '<script>alert(1)</script> {{name}} {{attribute.city}}\nsee https://good.example/a?b=1&c=2.',
    }).expect(202);
    await waitForJob(organization.admin, body.data.job_id);
    const mail = mailsTo(server, respondent.email)[0]!;
    expect(mail.html).not.toMatch(/<script|<img|href="https:\/\/evil/);
    expect(mail.html).toContain('href="https://good.example/a?b=1&amp;c=2"');
    expect(mail.subject).toBe('<b>Hi</b> <img src=x onerror=alert(1)>');
    expect(tokenIn(mail.html!)).toBe(tokenIn(mail.text!));
  });

  it.each([
    ['subject', { subject: 'Hello\r\nBcc: everybody@b.example' }],
    ['subject', { subject: 'Hello {{firstname}}' }],
    ['subject', { subject: 'Hello {{link}}' }],
    ['subject', { subject: '' }],
    ['message', { message: 'Hello {{attribute.constructor}} and {{foo}}' }],
    ['message', { message: 'Hello {{name' }],
    ['message', { message: 'a\u0000b' }],
    ['reminders[0].message', { reminders: [{ after_days: 1, message: '{{x}}' }] }],
    ['reminders[0].after_days', { reminders: [{ after_days: 0 }] }],
    ['link_id', { link_id: 99999999 }],
    ['respondents', { respondents: [] }],
    ['respondents[0].email', { respondents: [{ email: { $ne: 1 } }] }],
    ['respondents[0].is_admin', { respondents: [{ email: 'a@b.example', is_admin: true }] }],
  ])('rejects invalid invitations: %s %j', async (field, more) => {
    const published = await survey();
    await expectInvalidField(invite(organization.admin, published, [createPerson()], more), field);
    const { rows } = await database.db.raw(`SELECT 1 FROM campaigns WHERE survey_id = ${published.surveyId}`);
    expect(rows).toEqual([]);
  });

  it('rejects unknown variables by name', async () => {
    const published = await survey();
    const { message } = await expectRefused(
      invite(organization.admin, published, [createPerson()], { message: '{{foo}} {{attribute.x}} {{bar}}' }),
      400,
    );
    expect(message).toContain('"{{foo}}", "{{bar}}"');
    expect(message).toContain('{{unsubscribe}}');
  });

  it('rejects invitations to a closed link', async () => {
    const published = await survey();
    const link = `/api/surveys/${published.surveyId}/links/${published.linkId}`;
    await organization.admin.put(link, { link_status: 'paused' }).expect(200);
    await expectRefused(invite(organization.admin, published, [createPerson()]), 409, 'link_paused');
    await organization.admin.put(link, { link_status: 'active' }).expect(200);
    await organization.admin.put(`/api/surveys/${published.surveyId}`, { survey_status: 3 }).expect(200);
    await expectRefused(invite(organization.admin, published, [createPerson()]), 409, 'survey_closed');
  });

  it('sums the progress by survey, wave and link', async () => {
    const published = await survey();
    const respondents = [createPerson(), createPerson(), createPerson()];
    const { body } = await invite(organization.admin, published, respondents).expect(202);
    await waitForJob(organization.admin, body.data.job_id);
    const token = tokenIn(mailsTo(server, respondents[0]!.email)[0]!.text!);
    await anonymous(test)
      .post(`/api/public/s/${token}/responses`, { answers: { Q1: '1' } })
      .expect(201);
    const { body: summary } = await organization.admin
      .get(`/api/surveys/${published.surveyId}/invite/summary`)
      .expect(200);
    expect(summary.data).toMatchObject({ total: 3, response_rate: 33.3, counts: { sent: 2, completed: 1 } });
    expect(summary.data.links).toHaveLength(1);
    const { body: sent } = await organization.admin
      .get(`/api/surveys/waves/distributions?survey_id=${published.surveyId}`)
      .expect(200);
    expect(sent.data).toMatchObject([
      {
        link_id: published.linkId,
        wave_id: null,
        mails_sent: 3,
        total: 3,
        counts: { completed: 1 },
        response_rate: 33.3,
      },
    ]);
  });

  it('resends only to respondents who have not answered', async () => {
    const published = await survey();
    const [answered, begun, quiet] = [createPerson(), createPerson(), createPerson()];
    const { body } = await invite(organization.admin, published, [answered, begun, quiet]).expect(202);
    await waitForJob(organization.admin, body.data.job_id);
    const tokenOf = (respondent: { email: string }) => tokenIn(mailsTo(server, respondent.email)[0]!.text!);
    await anonymous(test)
      .post(`/api/public/s/${tokenOf(answered)}/responses`, { answers: { Q1: '1' } })
      .expect(201);
    await startResponse(anonymous(test), tokenOf(begun));
    const resend = (more: object) =>
      organization.admin.post(`/api/surveys/${published.surveyId}/invite/${published.linkId}/resend`, more);
    expect((await resend({ only: 'partial', dry_run: true }).expect(200)).body.data.queued).toBe(1);
    expect((await resend({ only: 'not_started', dry_run: true }).expect(200)).body.data.queued).toBe(1);
    await expectInvalidField(resend({ respondent_ids: [99999999] }), 'respondent_ids[0]');
    const { body: repeated } = await resend({ subject: 'Once more' }).expect(202);
    expect(repeated.data.queued).toBe(2);
    await waitForJob(organization.admin, repeated.data.job_id);
    expect(mailsTo(server, answered.email)).toHaveLength(1);
    expect(mailsTo(server, quiet.email).map(({ subject }) => subject)).toEqual([
      `A question for ${quiet.name}`,
      'Once more',
    ]);
    expect(tokenIn(mailsTo(server, quiet.email)[1]!.text!)).toBe(tokenOf(quiet));
    const { body: bare } = await organization.admin
      .post(`/api/surveys/${published.surveyId}/invite/${published.linkId}/resend`)
      .expect(202);
    expect(bare.data.queued).toBe(2);
  });
});
