import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import supertest from 'supertest';
import { type Actor, anonymous, newOrganization, type Organization, signIn } from '../../support/actors.ts';
import { appOn, type TestApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { expectInvalidField, expectRefused } from '../../support/refusals.ts';

const database = useDatabase();
let server: MailServer;
let test: TestApp;
let organization: Organization;
beforeAll(async () => {
  server = await startMailServer();
  test = appOn(database, {
    SMTP_URL: server.url,
    MAIL_FROM: 'no-reply@canvass.example',
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

const mailsTo = (address: string) =>
  server.mails.filter((mail) => mail.to?.some((to) => to.address === address));
/** The mail of this subject to the address, once it has arrived. */
async function mailTo(address: string, subject: string): Promise<string> {
  const find = () => mailsTo(address).filter((mail) => mail.subject === subject);
  await vi.waitFor(() => expect(find()).not.toHaveLength(0), { timeout: 10_000, interval: 20 });
  return find().at(-1)!.text!;
}
const login = (email: string, password: string, on: TestApp = test) =>
  supertest(on.app).post('/api/auth').send({ action: 'login', email, password });
const resetWith = (token: string, new_password: string) =>
  anonymous(test).post('/api/auth', { action: 'reset', reset_token: token, new_password });

describe("an administrator's API key", () => {
  it('sets no password of another user, alone or with other fields', async () => {
    const user = await organization.addUser('member');
    const { admin } = organization;
    for (const more of [
      {},
      { user_name: 'X' },
      { current_password: admin.password },
      { user_role: 'client' },
    ])
      await expectInvalidField(
        admin.put(`/api/users/${user.userId}`, { user_password: 'chosen by a thief', ...more }),
        'user_password',
      );
    const { data } = (await admin.get(`/api/users/${user.userId}`).expect(200)).body;
    expect(data).toMatchObject({ user_name: 'A member', user_role: 'member' });
    await login(user.email, user.password).expect(200);
  });

  it('changes no address of another user, even with the right password', async () => {
    const user = await organization.addUser('member');
    const { admin } = organization;
    const user_email = `thief-${user.email}`;
    await expectRefused(admin.put(`/api/users/${user.userId}`, { user_email }), 403, 'session_required');
    const body = { user_email, current_password: admin.password };
    await expectRefused(admin.put(`/api/users/${user.userId}`, body), 403, 'session_required');
    await login(user.email, user.password).expect(200);
  });

  it('requests no password link', async () => {
    const user = await organization.addUser('member');
    const { admin } = organization;
    await expectRefused(
      admin.post(`/api/users/${user.userId}/password-link`, { current_password: admin.password }),
      403,
      'session_required',
    );
    await expectRefused(
      user.post(`/api/users/${user.userId}/password-link`, { current_password: user.password }),
      403,
    );
  });

  it('changes names, roles and AI access, which give no access to the account', async () => {
    const user = await organization.addUser('member');
    const body = { user_name: 'Named', user_role: 'client', ai_access: false };
    await organization.admin.put(`/api/users/${user.userId}`, body).expect(200);
  });
});

describe("an administrator's session", () => {
  it('sends another user a link with the own password only, and the user chooses the password', async () => {
    const [user, colleague] = [await organization.addUser('member'), await organization.addUser('admin')];
    const session = await signIn(test, colleague);
    const at = `/api/users/${user.userId}/password-link`;
    for (const body of [
      {},
      { current_password: '' },
      { current_password: user.password },
      { current_password: 'no' },
    ])
      await expectInvalidField(session.post(at, body), 'current_password');
    const reply = await session.post(at, { current_password: colleague.password }).expect(200);
    expect(reply.body.data).toEqual({ delivery: 'smtp', reset_url: null });
    expect(await mailTo(user.email, 'An administrator sent you a password link')).toContain(
      'A admin requested',
    );
    // Nothing has changed until the link is used.
    await user.get('/api/users/me').expect(200);
    await login(user.email, user.password).expect(200);
    const token = /reset#([A-Za-z0-9_-]+)/.exec(await mailTo(user.email, 'Set a new password'))![1]!;
    await resetWith(token, 'chosen by the owner').expect(200);
    await expectRefused(user.get('/api/users/me'), 401);
    await login(user.email, 'chosen by the owner').expect(200);
    await mailTo(user.email, 'Your password was changed');
  });

  it('changes an address with the own password, and both addresses are told', async () => {
    const user = await organization.addUser('member');
    const session = await signIn(test, await organization.addUser('admin'));
    const user_email = `other-${user.email}`;
    await expectInvalidField(session.put(`/api/users/${user.userId}`, { user_email }), 'current_password');
    const body = { user_email, current_password: session.password };
    const { data } = (await session.put(`/api/users/${user.userId}`, body).expect(200)).body;
    expect(data).toMatchObject({ user_email, email_confirmed: false });
    for (const address of [user.email, user_email])
      expect(await mailTo(address, 'Your email address was changed')).toContain(user_email);
    await mailTo(user_email, 'Confirm your email address');
  });

  it('cannot send a superadmin a link', async () => {
    const boss = await organization.addUser('superadmin');
    const colleague = await organization.addUser('admin');
    const session = await signIn(test, colleague);
    const body = { current_password: colleague.password };
    await expectRefused(session.post(`/api/users/${boss.userId}/password-link`, body), 403);
    await expectRefused(
      session.put(`/api/users/${boss.userId}`, { user_email: `x-${boss.email}`, ...body }),
      403,
    );
  });

  it('gets the link itself where no email is sent, and a link that was handed over proves no address', async () => {
    const silent = appOn(database);
    const colleague = await organization.addUser('admin');
    const session = await signIn(silent, colleague);
    const created = await session
      .post('/api/users', {
        user_email: `silent-${colleague.email}`,
        user_name: 'S',
        user_password: 'long enough',
      })
      .expect(201);
    const { user_id: userId, user_email: email } = created.body.data;
    const reply = await session
      .post(`/api/users/${userId}/password-link`, { current_password: colleague.password })
      .expect(200);
    expect(reply.body.data.delivery).toBe('none');
    const token = String(reply.body.data.reset_url).split('#')[1]!;
    const reset = { action: 'reset', reset_token: token, new_password: 'chosen in person' };
    await anonymous(silent).post('/api/auth', reset).expect(200);
    expect((await login(email, 'chosen in person', silent).expect(200)).body.data.user_id).toBe(userId);
    expect((await session.get(`/api/users/${userId}`).expect(200)).body.data.email_confirmed).toBe(false);
  });
});

describe('the owner of an account gets an email', () => {
  const newDevices = (user: Actor) =>
    mailsTo(user.email).filter(({ subject }) => subject === 'New sign-in to your account').length;

  it('about a sign-in from a new device, once per device', async () => {
    const user = await organization.addUser('member');
    const first = await login(user.email, user.password).set('User-Agent', 'Browser A').expect(200);
    expect(await mailTo(user.email, 'New sign-in to your account')).toContain('Browser A');
    const cookies = first
      .get('Set-Cookie')!
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
    await login(user.email, user.password)
      .set('User-Agent', 'Browser A, updated')
      .set('Cookie', cookies)
      .expect(200);
    await login(user.email, user.password).set('User-Agent', 'Browser A').expect(200);
    await login(user.email, user.password).set('User-Agent', 'Browser B').expect(200);
    await vi.waitFor(() => expect(newDevices(user)).toBe(2), { timeout: 10_000, interval: 20 });
  });

  it('about a new API key and a changed password', async () => {
    const user = await organization.addUser('member');
    const session = await signIn(test, user);
    const key = { key_name: 'Nightly', current_password: user.password };
    const created = await session.post('/api/api-keys', key).expect(201);
    const text = await mailTo(user.email, 'An API key was created for your account');
    expect(text).toContain('Nightly');
    expect(text).not.toContain(created.body.data.api_key);
    const passwords = { current_password: user.password, new_password: 'quite another one' };
    await session.put(`/api/users/${user.userId}/change-password`, passwords).expect(200);
    await mailTo(user.email, 'Your password was changed');
  });

  it('about an address that they changed themselves', async () => {
    const user = await organization.addUser('member');
    const user_email = `moved-${user.email}`;
    await user.put(`/api/users/${user.userId}`, { user_email, current_password: user.password }).expect(200);
    await mailTo(user.email, 'Your email address was changed');
    await mailTo(user_email, 'Your email address was changed');
  });
});

describe('a password that is easy to guess', () => {
  const WEAK = ['12345678', 'password', 'Password1!', '        ', 'qwertyui', 'aaaaaaaa'];

  it('is refused on registration, and does not use up the invite link', async () => {
    const link = await organization.admin.post('/api/invite-links', { invite_max_uses: 1 }).expect(201);
    const email = 'weak.person@registration.example';
    const join = (password: string) =>
      anonymous(test).post('/api/auth', {
        action: 'register',
        invite_token: link.body.data.invite_token,
        user_name: 'Weak Person',
        email,
        password,
      });
    for (const password of [...WEAK, email, email.toUpperCase(), 'weakperson', 'Weak Person'])
      await expectInvalidField(join(password), 'password');
    await join('Quiet-river-stone-8').expect(201);
  });

  it('is refused on a reset, and does not use up the link', async () => {
    const user = await organization.addUser('member');
    await anonymous(test).post('/api/auth', { action: 'forgot', email: user.email }).expect(200);
    const token = /reset#([A-Za-z0-9_-]+)/.exec(await mailTo(user.email, 'Set a new password'))![1]!;
    for (const password of [...WEAK, user.email])
      await expectInvalidField(resetWith(token, password), 'new_password');
    await resetWith(token, 'Quiet-river-stone-8').expect(200);
  });

  it('is refused where a page asks for that, or everywhere with STRICT_PASSWORDS', async () => {
    const strict = appOn(database, { STRICT_PASSWORDS: 'true' });
    const user = await organization.addUser('admin');
    const change = (session: Actor, more: object) =>
      session.put(`/api/users/${user.userId}/change-password`, {
        current_password: user.password,
        new_password: 'password',
        ...more,
      });
    const create = (by: Actor, more: object) =>
      by.post('/api/users', {
        user_email: `${Math.random()}@weak.example`,
        user_name: 'Weak',
        user_password: '12345678',
        ...more,
      });
    const [session, strictSession] = [await signIn(test, user), await signIn(strict, user)];
    await expectInvalidField(change(session, { refuse_common_password: true }), 'new_password');
    await expectInvalidField(change(strictSession, {}), 'new_password');
    await expectInvalidField(create(session, { refuse_common_password: true }), 'user_password');
    await expectInvalidField(create(strictSession, {}), 'user_password');
    await create(session, {}).expect(201);
    await change(session, {}).expect(200);
  });

  it('is refused for the first administrator', async () => {
    const { setup } = test.container.services;
    const person = { userName: 'Ida', email: 'ida@first.example', password: 'password1' };
    const of = { organizationId: organization.organizationId, role: 'admin' as const };
    await expect(setup.createUser({ ...of, ...person })).rejects.toThrow();
    await expect(
      setup.createOrganization({ name: 'X', slug: 'weak-first', apiKey: 'none', ...person }),
    ).rejects.toThrow();
  });
});
