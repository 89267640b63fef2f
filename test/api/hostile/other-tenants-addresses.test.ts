import { beforeAll, describe, expect, it } from 'vitest';
import supertest from 'supertest';
import { randomIds } from '../../../src/lib/ids.ts';
import { newOrganization, type Organization, signIn } from '../../support/actors.ts';
import { appOn, type TestApp, useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';

const test = useApp();
let organization: Organization;
let other: Organization;
beforeAll(async () => {
  organization = await newOrganization(test);
  other = await newOrganization(test);
});

const newEmail = () => `${randomIds.token(10).toLowerCase()}@addresses.example`;
const newLink = async (maxUses = 10) =>
  (await organization.admin.post('/api/invite-links', { invite_max_uses: maxUses }).expect(201)).body
    .data as {
    invite_id: number;
    invite_token: string;
  };
const join = (token: string, email: string, on: TestApp = test) =>
  supertest(on.app).post('/api/auth').send({
    action: 'register',
    invite_token: token,
    user_name: 'Jo Joining',
    email,
    password: 'long enough',
  });
const create = (email: string) => ({ user_email: email, user_name: 'New', user_password: 'long enough' });

describe('an email address in use in another organization', () => {
  it('cannot be distinguished from a new one by a person who joins', async () => {
    const link = await newLink();
    const victim = await other.addUser('member');
    const listed = [];
    for (const email of [newEmail(), victim.email, victim.email.toUpperCase()]) {
      const single = await newLink(1);
      const reply = await join(single.invite_token, email).expect(201);
      const repeated = await join(link.invite_token, email);
      const used = await join(single.invite_token, newEmail());
      const login = await supertest(test.app)
        .post('/api/auth')
        .send({ action: 'login', email: newEmail(), password: 'long enough' });
      listed.push({
        body: { ...reply.body.data, user_id: typeof reply.body.data.user_id },
        headers: Object.keys(reply.headers).sort(),
        again: [repeated.status, repeated.body.code, repeated.body.message],
        used: [used.status, used.body.code],
        login: login.status,
      });
      // The next spelling is the same address: the first of them must not be in the way.
      await organization.admin.post(`/api/users/${reply.body.data.user_id}/reject`).expect(200);
    }
    expect(listed[1]).toEqual(listed[0]);
    expect(listed[2]).toEqual(listed[0]);
    // Its owner is not affected.
    await signIn(test, victim);
  });

  it('cannot be distinguished by an admin who invites people', async () => {
    const victim = await other.addUser('member');
    const waiting = [];
    for (const email of [newEmail(), victim.email]) {
      const link = await newLink();
      const { user_id: userId } = (await join(link.invite_token, email).expect(201)).body.data;
      const listed = (await organization.admin.get(`/api/users/${userId}`).expect(200)).body.data;
      const links = (await organization.admin.get('/api/invite-links').expect(200)).body.data as {
        invite_id: number;
        invite_uses: number;
      }[];
      const audit = (
        await organization.admin.get(`/api/audit?object_type=user&object_id=${userId}`).expect(200)
      ).body;
      waiting.push({
        shown: { ...listed, user_id: 0, user_email: '' },
        uses: links.find(({ invite_id: id }) => id === link.invite_id)!.invite_uses,
        audit: audit.data.map(({ action }: { action: string }) => action),
      });
    }
    expect(waiting[1]).toEqual(waiting[0]);
    expect(waiting[0]).toMatchObject({ shown: { user_status: 2 }, uses: 1, audit: ['user.registered'] });
  });

  it('remains with its owner: approving the new user fails, and they get no login or reset', async () => {
    const victim = await other.addUser('member');
    const { user_id: userId } = (await join((await newLink()).invite_token, victim.email).expect(201)).body
      .data;
    await expectRefused(organization.admin.post(`/api/users/${userId}/approve`), 409, 'email_taken');
    expect((await organization.admin.get(`/api/users/${userId}`).expect(200)).body.data.user_status).toBe(2);
    const login = (password: string) =>
      supertest(test.app).post('/api/auth').send({ action: 'login', email: victim.email, password });
    await expectRefused(login('long enough'), 403, 'account_pending');
    expect((await login(victim.password).expect(200)).body.data.user_id).toBe(victim.userId);
    const session = await signIn(test, await organization.addUser('admin'));
    const body = { user_email: newEmail(), current_password: session.password };
    await session.put(`/api/users/${userId}`, body).expect(200);
    await organization.admin.post(`/api/users/${userId}/approve`).expect(200);
  });

  it('returns the same reply as one of the own organization when an admin creates or changes a user', async () => {
    const [own, foreign] = [await organization.addUser('member'), await other.addUser('member')];
    const subject = await organization.addUser('member');
    const session = await signIn(test, await organization.addUser('admin'));
    const strict = (reply: { message: string; code: string; details: unknown[] }) => [
      reply.code,
      reply.message,
      reply.details,
    ];
    const createdWith = async (email: string) =>
      strict(await expectRefused(organization.admin.post('/api/users', create(email)), 409, 'email_taken'));
    expect(await createdWith(foreign.email)).toEqual(await createdWith(own.email));
    const changedTo = async (user_email: string) =>
      strict(
        await expectRefused(
          session.put(`/api/users/${subject.userId}`, { user_email, current_password: session.password }),
          409,
          'email_taken',
        ),
      );
    expect(await changedTo(foreign.email)).toEqual(await changedTo(own.email));
  });

  it('cannot be searched in bulk by an admin: after RATE_LIMIT_AUTH conflicts the organization gets 429', async () => {
    const strict = appOn(test.database, { RATE_LIMIT_AUTH: '3' });
    const spy = await newOrganization(strict);
    const victims = [];
    for (let n = 0; n < 4; n += 1) victims.push(await other.addUser('client'));
    const burst = await Promise.all(
      [...victims, ...victims].map(({ email }, index) => {
        const sent = spy.admin.post('/api/users', create(email));
        // The transaction of a request with a key is rolled back; what was refused stays in the audit log.
        return index % 2 === 0 ? sent : sent.set('Idempotency-Key', `guess-${index}`);
      }),
    );
    expect(burst.filter(({ status }) => status === 409)).toHaveLength(3);
    expect(burst.filter(({ status }) => status === 429)).toHaveLength(5);
    await expectRefused(spy.admin.post('/api/users', create(newEmail())), 429, 'too_many_requests');
    const { data } = (await spy.admin.get('/api/audit?action=user.address_refused').expect(200)).body;
    expect(data).toHaveLength(3);
    // Conflicts within the organization and unused addresses are not counted.
    const quiet = await newOrganization(strict);
    for (let n = 0; n < 5; n += 1) {
      await expectRefused(quiet.admin.post('/api/users', create(quiet.admin.email)), 409, 'email_taken');
      await quiet.admin.post('/api/users', create(newEmail())).expect(201);
    }
  });
});
