import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Actor, anonymous, newOrganization, type Organization, signIn } from '../../support/actors.ts';
import { appOn, type TestApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const database = useDatabase();
let server: MailServer;
let test: TestApp;
let organization: Organization;

beforeAll(async () => {
  server = await startMailServer();
  test = appOn(database, {
    SMTP_URL: server.url,
    MAIL_FROM: 'Canvass <no-reply@canvass.example>',
    PUBLIC_URL: 'https://research.example',
  });
  test.container.jobWorker.start();
  organization = await newOrganization(test);
});
afterAll(async () => {
  await test.container.jobWorker.stop(1_000);
  test.container.mail?.close();
  await server.close();
});

const auth = (body: object) => anonymous(test).post('/api/auth', body);
const forgot = (email: string) => auth({ action: 'forgot', email });
const reset = (token: string, password = 'a new password') =>
  auth({ action: 'reset', reset_token: token, new_password: password });
const login = (email: string, password: string) => auth({ action: 'login', email, password });

const mailsTo = (user: Actor) =>
  server.mails.filter(
    (mail) => mail.subject === 'Set a new password' && mail.to?.some((to) => to.address === user.email),
  );

async function tokenMailedTo(user: Actor): Promise<string> {
  const before = mailsTo(user).length;
  await forgot(user.email).expect(200);
  await vi.waitFor(() => expect(mailsTo(user).length).toBe(before + 1), { timeout: 10_000, interval: 20 });
  return tokenIn(mailsTo(user).at(-1)!.text!);
}

/** As if the time had passed after which what failed once is tried again; how many jobs that was. */
async function retriedAtOnce(): Promise<number> {
  const { rows } = await database.db.raw(
    `UPDATE jobs SET run_at = now() WHERE status = 'queued' AND attempts = 1 RETURNING pg_notify('jobs', 'queued')`,
  );
  return rows.length as number;
}

const tokenIn = (text: string) => /https:\/\/research\.example\/reset#([A-Za-z0-9_-]+)/.exec(text)![1]!;

describe('a password reset', () => {
  it("sends a link to the configured URL, whatever the request's Host header", async () => {
    const user = await organization.addUser('member');
    await forgot(user.email.toUpperCase()).set('Host', 'evil.example').expect(200);
    await vi.waitFor(() => expect(mailsTo(user)).toHaveLength(1), { timeout: 10_000, interval: 20 });
    const mail = mailsTo(user)[0]!;
    expect(mail.from?.address).toBe('no-reply@canvass.example');
    expect(mail.subject).toBe('Set a new password');
    expect(mail.text).not.toContain('evil.example');
    expect(mail.html).toContain(`https://research.example/reset#${tokenIn(mail.text!)}`);
  });

  it('sets a new password, ends every session and invalidates the old password', async () => {
    const user = await organization.addUser('member');
    const session = await signIn(test, user);
    await reset(await tokenMailedTo(user), 'quite another one').expect(200);
    await expectRefused(session.get('/api/organization'), 401);
    await expectRefused(login(user.email, user.password), 401, 'login_failed');
    await login(user.email, 'quite another one').expect(200);
  });

  it('accepts a link once, and no older link afterwards', async () => {
    const user = await organization.addUser('client');
    const first = await tokenMailedTo(user);
    const second = await tokenMailedTo(user);
    const both = await Promise.all([reset(second), reset(second)]);
    expect(both.map((reply) => reply.status).sort()).toEqual([200, 410]);
    await expectRefused(reset(first), 410, 'reset_link_over');
  });

  it('accepts only one of several links under concurrent use', async () => {
    const user = await organization.addUser('member');
    const tokens = [];
    for (let n = 0; n < 3; n += 1) tokens.push(await tokenMailedTo(user));
    const replies = await Promise.all(tokens.map((token) => reset(token)));
    expect(replies.map((reply) => reply.status).sort()).toEqual([200, 410, 410]);
  });

  it('does not deadlock with a concurrent change of the address', async () => {
    const users = await Promise.all(Array.from({ length: 8 }, () => organization.addUser('member')));
    const tokens = await Promise.all(users.map(tokenMailedTo));
    await Promise.all(
      users.map(async (user, n) => {
        const changes = { user_email: `moved-${user.email}`, current_password: user.password };
        const [used, changed] = await Promise.all([
          reset(tokens[n]!),
          user.put(`/api/users/${user.userId}`, changes),
        ]);
        expect([200, 410]).toContain(used.status);
        // The reset can come first: it changes the password and revokes the key.
        expect([200, 400, 401]).toContain(changed.status);
      }),
    );
  });

  it('rejects expired and unknown links', async () => {
    const user = await organization.addUser('member');
    const token = await tokenMailedTo(user);
    await database.db.raw(`UPDATE password_resets SET expires_at = now() - interval '1 second'`);
    await expectRefused(reset(token), 410, 'reset_link_over');
    await expectRefused(reset('x'.repeat(43)), 410, 'reset_link_over');
    await login(user.email, user.password).expect(200);
  });

  it('rejects the link of a suspended user', async () => {
    const user = await organization.addUser('member');
    const token = await tokenMailedTo(user);
    await database.db.raw('UPDATE users SET user_status = 3 WHERE user_id = ?', [user.userId]);
    await expectRefused(reset(token), 410, 'reset_link_over');
  });

  it('rejects a link sent to a former address', async () => {
    const user = await organization.addUser('member');
    const token = await tokenMailedTo(user);
    const address = { user_email: `new-${user.email}`, current_password: user.password };
    await user.put(`/api/users/${user.userId}`, address).expect(200);
    await expectRefused(reset(token), 410, 'reset_link_over');
    await login(address.user_email, user.password).expect(200);
  });

  it('limits emails under concurrent requests', async () => {
    const user = await organization.addUser('member');
    const { passwordReset } = test.container.services;
    await Promise.all(Array.from({ length: 8 }, () => passwordReset.send({ email: user.email })));
    expect(mailsTo(user)).toHaveLength(3);
  });

  it('sends at most three emails per hour', async () => {
    const user = await organization.addUser('member');
    for (let n = 0; n < 3; n += 1) await tokenMailedTo(user);
    await forgot(user.email).expect(200);
    const another = await organization.addUser('member');
    await tokenMailedTo(another);
    expect(mailsTo(user)).toHaveLength(3);
  });

  it('sends another email when earlier links were invalidated', async () => {
    const user = await organization.addUser('member');
    for (let n = 0; n < 3; n += 1) await tokenMailedTo(user);
    await organization.admin.put(`/api/users/${user.userId}`, { user_role: 'client' }).expect(200);
    await reset(await tokenMailedTo(user)).expect(200);
  });
});

it('does not reveal whether an address has an account', async () => {
  const user = await organization.addUser('member');
  const known = await forgot(user.email).expect(200);
  const unknown = await forgot('nobody@nowhere.example').expect(200);
  expect(unknown.body).toEqual(known.body);
  expect(known.body.data).toEqual({ accepted: true, delivery: 'smtp' });
});

it('retries a busy mail server, and stores or logs the link nowhere', async () => {
  const user = await organization.addUser('member');
  server.refuseNext(451);
  await forgot(user.email).expect(200);
  await vi.waitFor(async () => expect(await retriedAtOnce()).toBe(1), { timeout: 10_000, interval: 20 });
  await vi.waitFor(() => expect(mailsTo(user)).toHaveLength(1), { timeout: 10_000, interval: 20 });
  const token = tokenIn(mailsTo(user)[0]!.text!);
  const { rows } = await database.db.raw(
    `SELECT (SELECT json_agg(j)::text FROM jobs j) || (SELECT json_agg(r)::text FROM password_resets r)
            || (SELECT json_agg(a)::text FROM audit_log a) AS everything`,
  );
  expect(rows[0].everything).toContain(user.email);
  expect(rows[0].everything).not.toContain(token);
});

it('is recorded in the audit log', async () => {
  const user = await organization.addUser('member');
  await reset(await tokenMailedTo(user)).expect(200);
  const log = await organization.admin
    .get('/api/audit')
    .query({ object_type: 'user', object_id: user.userId });
  expect((log.body.data as { action: string }[]).map((entry) => entry.action)).toEqual([
    'user.password_reset',
    'user.password_reset_sent',
  ]);
});

it('applies the password rules and names them', async () => {
  await expectInvalidField(reset('token', 'short'), 'new_password');
  await expectInvalidField(reset('token', 'x'.repeat(1_025)), 'new_password');
  await expectInvalidField(auth({ action: 'reset', new_password: 'long enough' }), 'reset_token');
  await expectInvalidField(auth({ action: 'forgot', email: { $ne: 1 } }), 'email');
});

it('reports that no mail server is configured', async () => {
  const silent = appOn(database);
  const reply = await anonymous(silent)
    .post('/api/auth', { action: 'forgot', email: organization.admin.email })
    .expect(200);
  expect(reply.body.data).toEqual({ accepted: true, delivery: 'none' });
});
