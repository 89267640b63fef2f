import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { randomIds } from '../../../src/lib/ids.ts';
import { anonymous, newOrganization, type Organization, signIn } from '../../support/actors.ts';
import { appOn, type TestApp } from '../../support/app.ts';
import { useDatabase } from '../../support/database.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { expectRefused } from '../../support/refusals.ts';

const database = useDatabase();
let server: MailServer;
let test: TestApp;
let silent: TestApp;
let squatter: Organization;
let university: Organization;
beforeAll(async () => {
  server = await startMailServer();
  test = appOn(database, {
    SMTP_URL: server.url,
    MAIL_FROM: 'no-reply@canvass.example',
    PUBLIC_URL: 'https://research.example',
  });
  silent = appOn(database);
  test.container.jobWorker.start();
  squatter = await newOrganization(test);
  university = await newOrganization(test);
});
afterAll(async () => {
  await test.container.jobWorker.stop(1_000);
  test.container.mail?.close();
  await server.close();
});

const newEmail = () => `rector-${randomIds.token(8).toLowerCase()}@uni.example`;
const create = (by: Organization, user_email: string, user_password: string) =>
  by.admin.post('/api/users', { user_email, user_name: 'Rector', user_password });
const login = (email: string, password: string, more: object = {}) =>
  anonymous(test).post('/api/auth', { action: 'login', email, password, ...more });
const mailsTo = (address: string, subject: string) =>
  server.mails.filter((mail) => mail.subject === subject && mail.to?.some((to) => to.address === address));
async function tokensMailed(email: string, page: 'confirm' | 'reset', count: number): Promise<string[]> {
  const subject = page === 'confirm' ? 'Confirm your email address' : 'Set a new password';
  await vi.waitFor(() => expect(mailsTo(email, subject)).toHaveLength(count), {
    timeout: 10_000,
    interval: 20,
  });
  return mailsTo(email, subject).map((mail) => new RegExp(`${page}#([A-Za-z0-9_-]+)`).exec(mail.text!)![1]!);
}
const confirm = (token: string) =>
  anonymous(test).post('/api/auth', { action: 'confirm_email', confirm_token: token });

describe('an address that its owner has not confirmed', () => {
  it('blocks no other organization, and the password decides which account is opened', async () => {
    const email = newEmail();
    const squatted = (await create(squatter, email, 'password of a squatter').expect(201)).body.data;
    const real = (await create(university, email, 'password of the rector').expect(201)).body.data;
    expect([squatted.email_confirmed, real.email_confirmed]).toEqual([false, false]);
    const openedBy = async (password: string) => (await login(email, password).expect(200)).body.data.user_id;
    expect(await openedBy('password of a squatter')).toBe(squatted.user_id);
    expect(await openedBy('password of the rector')).toBe(real.user_id);
    await expectRefused(login(email, 'another password'), 401, 'login_failed');
  });

  it('also not by approving a registration, or changing an address', async () => {
    const email = newEmail();
    await create(squatter, email, 'password of a squatter').expect(201);
    const link = await university.admin.post('/api/invite-links', {}).expect(201);
    const joined = await anonymous(test)
      .post('/api/auth', {
        action: 'register',
        invite_token: link.body.data.invite_token,
        user_name: 'Rector',
        email,
        password: 'password of the rector',
      })
      .expect(201);
    await university.admin.post(`/api/users/${joined.body.data.user_id}/approve`).expect(200);
    const third = await newOrganization(test);
    const user = await third.addUser('member');
    const body = { user_email: email, current_password: user.password };
    await user.put(`/api/users/${user.userId}`, body).expect(200);
    expect((await login(email, user.password).expect(200)).body.data.user_id).toBe(user.userId);
  });

  it('opens one account, always the same, if the password fits several', async () => {
    const email = newEmail();
    const older = (await create(squatter, email, 'the same password').expect(201)).body.data;
    const real = (await create(university, email, 'the same password').expect(201)).body.data;
    const opened = async (more: object = {}) =>
      (await login(email, 'the same password', more).expect(200)).body.data.user_id;
    expect([await opened(), await opened()]).toEqual([older.user_id, older.user_id]);
    expect(await opened({ organization_slug: university.slug })).toBe(real.user_id);
    await expectRefused(
      login(email, 'the same password', { organization_slug: 'no-such-organization' }),
      401,
      'login_failed',
    );
    const tokens = await tokensMailed(email, 'confirm', 2);
    // The second email is about the account of the university: each names its organization.
    const mail = mailsTo(email, 'Confirm your email address').findIndex(({ text }) =>
      text!.includes(university.slug),
    );
    await confirm(tokens[mail]!).expect(200);
    expect(await opened()).toBe(real.user_id);
  });

  it('gets no reset link of an account that has the address confirmed', async () => {
    const owner = await university.addUser('member');
    const email = newEmail();
    await create(squatter, email, 'password of a squatter').expect(201);
    const body = { user_email: email, current_password: owner.password };
    await owner.put(`/api/users/${owner.userId}`, body).expect(200);
    const confirmations = await tokensMailed(email, 'confirm', 2);
    const own = mailsTo(email, 'Confirm your email address').findIndex(({ text }) =>
      text!.includes(university.slug),
    );
    await confirm(confirmations[own]!).expect(200);
    await anonymous(test).post('/api/auth', { action: 'forgot', email }).expect(200);
    const [token] = await tokensMailed(email, 'reset', 1);
    const reset = { action: 'reset', reset_token: token, new_password: 'Quiet-river-stone-8' };
    await anonymous(test).post('/api/auth', reset).expect(200);
    expect((await login(email, 'Quiet-river-stone-8').expect(200)).body.data.user_id).toBe(owner.userId);
    await login(email, 'password of a squatter').expect(200);
  });

  it('is confirmed by a reset link that was mailed to it', async () => {
    const email = newEmail();
    const { user_id: userId } = (await create(university, email, 'forgotten at once').expect(201)).body.data;
    await anonymous(test).post('/api/auth', { action: 'forgot', email }).expect(200);
    const [token] = await tokensMailed(email, 'reset', 1);
    const reset = { action: 'reset', reset_token: token, new_password: 'Quiet-river-stone-8' };
    await anonymous(test).post('/api/auth', reset).expect(200);
    expect((await university.admin.get(`/api/users/${userId}`).expect(200)).body.data.email_confirmed).toBe(
      true,
    );
  });
});

describe('a confirmed address', () => {
  it('belongs to one user: others cannot be created with it, nor confirm it', async () => {
    const email = newEmail();
    const squatted = (await create(squatter, email, 'password of a squatter').expect(201)).body.data;
    await create(university, email, 'password of the rector').expect(201);
    const tokens = await tokensMailed(email, 'confirm', 2);
    const real = mailsTo(email, 'Confirm your email address').findIndex(({ text }) =>
      text!.includes(university.slug),
    );
    await confirm(tokens[real]!).expect(200);
    await expectRefused(confirm(tokens[real]!), 410, 'confirmation_link_over');
    await expectRefused(confirm(tokens[1 - real]!), 409, 'email_taken');
    expect(
      (await squatter.admin.get(`/api/users/${squatted.user_id}`).expect(200)).body.data.email_confirmed,
    ).toBe(false);
    const third = await newOrganization(test);
    await expectRefused(create(third, email, 'long enough'), 409, 'email_taken');
  });

  it('is released by another address, by deleting the user, and by the operator', async () => {
    const third = await newOrganization(test);
    const owners = [];
    for (let n = 0; n < 3; n += 1) owners.push(await university.addUser('member'));
    const [moved, deleted, released] = owners;
    for (const owner of owners)
      await expectRefused(create(third, owner.email, 'long enough'), 409, 'email_taken');
    const body = { user_email: newEmail(), current_password: moved!.password };
    await moved!.put(`/api/users/${moved!.userId}`, body).expect(200);
    await university.admin.delete(`/api/users/${deleted!.userId}`).expect(204);
    expect(await test.container.services.emailConfirmation.release(released!.email.toUpperCase())).toBe(1);
    for (const owner of owners) await create(third, owner.email, 'long enough').expect(201);
  });
});

describe('without a mail server', () => {
  it('an admin confirms addresses for the own organization only', async () => {
    const email = newEmail();
    const organization = await newOrganization(silent);
    const { user_id: userId } = (await create(organization, email, 'long enough').expect(201)).body.data;
    const { data } = (await organization.admin.post(`/api/users/${userId}/email-confirmation`).expect(200))
      .body;
    expect(data).toMatchObject({ delivery: 'none', user: { email_confirmed: true } });
    const other = await newOrganization(silent);
    await create(other, email, 'long enough too').expect(201);
    await expectRefused(other.admin.post(`/api/users/${userId}/email-confirmation`), 404);
  });

  it('members cannot confirm their own', async () => {
    const organization = await newOrganization(silent);
    const user = await organization.addUser('member');
    const body = { user_email: newEmail(), current_password: user.password };
    await user.put(`/api/users/${user.userId}`, body).expect(200);
    const session = await signIn(silent, { ...user, email: body.user_email });
    const { data } = (await session.post(`/api/users/${user.userId}/email-confirmation`).expect(200)).body;
    expect(data).toMatchObject({ delivery: 'none', user: { email_confirmed: false } });
  });
});

it('a device that knows an account gets no more guesses for another account with the address', async () => {
  const strict = appOn(database, { RATE_LIMIT_AUTH: '3' });
  const email = newEmail();
  await create(squatter, email, 'password of a squatter').expect(201);
  await create(university, email, 'password of the rector').expect(201);
  const guess = (password: string, cookie: string) =>
    anonymous(strict).post('/api/auth', { action: 'login', email, password }).set('Cookie', cookie);
  const statuses: number[] = [];
  for (let device = 0; device < 3; device += 1) {
    const known = await guess('password of a squatter', '');
    if (known.status !== 200) break;
    const cookie = known
      .get('Set-Cookie')!
      .map((one) => one.split(';')[0])
      .join('; ');
    for (let n = 0; n < 2; n += 1) statuses.push((await guess(`guess ${device} ${n}`, cookie)).status);
  }
  expect(statuses.filter((status) => status === 401)).toHaveLength(3);
});
