import { randomUUID } from 'node:crypto';
import supertest from 'supertest';
import { describe, expect, it, test } from 'vitest';
import { type Actor, newOrganization, signIn, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const home = useOrganization(app);

interface ListedSession {
  session_id: string;
  current: boolean;
  last_used_at: string | null;
}
const listSessions = async (actor: Actor): Promise<ListedSession[]> =>
  (await actor.get('/api/sessions').expect(200)).body.data;
const findCurrentId = async (actor: Actor): Promise<string> =>
  (await listSessions(actor)).find((session) => session.current)!.session_id;
const changePassword = (actor: Actor, body: object, id = actor.userId) =>
  actor.put(`/api/users/${id}/change-password`, body);

describe('sessions of the current user', () => {
  it('are listed with browser, address and dates, and mark the current one, also for clients', async () => {
    const user = await home.addUser('client');
    const login = await supertest(app.app)
      .post('/api/auth')
      .set('User-Agent', 'Mobile browser')
      .send({ action: 'login', email: user.email, password: user.password, remember_me: true });
    expect(login.status).toBe(200);
    const session = await signIn(app, user);
    const { data, meta } = (await session.get('/api/sessions').expect(200)).body;
    expect(meta.total).toBe(2);
    expect(data).toContainEqual({
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      expires_at: expect.stringMatching(/Z$/),
      user_agent: 'Mobile browser',
      address: expect.stringContaining('127.0.0.1'),
      current: false,
    });
    expect(data.filter((session: ListedSession) => session.current)).toHaveLength(1);
    expect(JSON.stringify(data)).not.toContain(session.token.split('.')[2]);
  });

  it('exclude expired ones and those of other users', async () => {
    const user = await home.addUser('member');
    const [session, otherAdmin] = [await signIn(app, user), await signIn(app, home.admin)];
    await signIn(app, user);
    await app.database.db.raw(
      `UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = ? AND session_id <> ?`,
      [user.userId, await findCurrentId(session)],
    );
    expect((await listSessions(session)).map((session) => session.current)).toEqual([true]);
    expect((await listSessions(otherAdmin)).map((session) => session.session_id)).not.toContain(
      await findCurrentId(session),
    );
  });

  it('show when they were last used, to the minute', async () => {
    const session = await signIn(app, await home.addUser('member'));
    const id = await findCurrentId(session);
    expect((await listSessions(session))[0]!.last_used_at).toBeNull();
    await app.database.db.raw(
      `UPDATE sessions SET created_at = now() - interval '1 hour' WHERE session_id = ?`,
      [id],
    );
    await session.get('/api/users/me').expect(200);
    const [used] = await listSessions(session);
    expect(Date.now() - Date.parse(used!.last_used_at!)).toBeLessThan(30_000);
  });

  it('can be ended one by one, immediately', async () => {
    const user = await home.addUser('member');
    const [current, other] = [await signIn(app, user), await signIn(app, user)];
    await current.delete(`/api/sessions/${(await findCurrentId(other)).toUpperCase()}`).expect(204);
    await expectRefused(other.get('/api/users/me'), 401);
    await current.get('/api/users/me').expect(200);
  });

  it('can be ended all except the current one', async () => {
    const user = await home.addUser('member');
    const [current, other, third] = [
      await signIn(app, user),
      await signIn(app, user),
      await signIn(app, user),
    ];
    await current.delete('/api/sessions').expect(204);
    for (const ended of [other, third]) await expectRefused(ended.get('/api/users/me'), 401);
    expect(await listSessions(current)).toHaveLength(1);
    await current.delete('/api/sessions').expect(204);
    await user.get('/api/users/me').expect(200);
    const { rows } = await app.database.db.raw<{ rows: { details: unknown }[] }>(
      `SELECT details FROM audit_log WHERE action = 'session.others_ended' AND user_id = ?`,
      [user.userId],
    );
    expect(rows).toEqual([{ details: { sessions: 2 } }]);
  });

  it('delete the cookie when the current one is ended', async () => {
    const session = await signIn(app, await home.addUser('member'));
    const id = await findCurrentId(session);
    const reply = await supertest(app.app)
      .delete(`/api/sessions/${id}`)
      .set('Cookie', session.cookie)
      .expect(204);
    expect(reply.headers['set-cookie']?.[0]).toMatch(/^auth_token=;/);
    await expectRefused(session.get('/api/sessions'), 401);
  });

  it('return 404 for other users', async () => {
    const [session, otherSession] = [
      await signIn(app, await home.addUser('member')),
      await signIn(app, home.admin),
    ];
    const id = await findCurrentId(otherSession);
    const missing = await expectRefused(session.delete(`/api/sessions/${randomUUID()}`), 404);
    expect((await expectRefused(session.delete(`/api/sessions/${id}`), 404)).message).toBe(missing.message);
    await otherSession.get('/api/users/me').expect(200);
    for (const bad of ['1', 'current', '%00', `${id}'--`, '0'.repeat(36)])
      await expectRefused(session.delete(`/api/sessions/${bad}`), 400);
  });

  it('cannot be managed with an API key', async () => {
    await expectRefused(home.admin.get('/api/sessions'), 403, 'session_required');
    await expectRefused(home.admin.delete('/api/sessions'), 403, 'session_required');
    await expectRefused(home.admin.delete(`/api/sessions/${randomUUID()}`), 403, 'session_required');
  });
});

describe('changing the password', () => {
  const NEW = 'another passphrase';

  it('ends every session and renews the current one', async () => {
    const user = await home.addUser('client');
    const [current, other] = [await signIn(app, user), await signIn(app, user)];
    expect(await listSessions(current)).toHaveLength(2);
    const reply = await changePassword(current, {
      current_password: user.password,
      new_password: NEW,
    }).expect(200);
    expect(reply.body.data).toEqual({ password_changed: true, access_token: expect.any(String) });
    expect(reply.headers['set-cookie']).toBeUndefined();
    for (const ended of [current, other]) await expectRefused(ended.get('/api/users/me'), 401);
    const repeated = await supertest(app.app)
      .get('/api/sessions')
      .set('Authorization', `Bearer ${reply.body.data.access_token}`)
      .expect(200);
    expect(repeated.body.data).toMatchObject([{ current: true }]);
    await expect(signIn(app, user)).rejects.toThrow('401');
    await signIn(app, { ...user, password: NEW });
    await user.get('/api/users/me').expect(200);
  });

  it('sets a new cookie with the remaining lifetime of the session', async () => {
    const user = await home.addUser('member');
    const login = await supertest(app.app)
      .post('/api/auth')
      .send({ action: 'login', email: user.email, password: user.password, remember_me: true });
    const cookie = login.headers['set-cookie']![0]!.split(';')[0]!;
    const reply = await supertest(app.app)
      .put(`/api/users/${user.userId}/change-password`)
      .set('Cookie', cookie)
      .send({ current_password: user.password, new_password: NEW })
      .expect(200);
    expect(reply.body.data).toEqual({ password_changed: true });
    const next = reply.headers['set-cookie']![0]!;
    expect(next).toMatch(/HttpOnly/i);
    const seconds = Number(/Max-Age=(\d+)/.exec(next)?.[1]);
    expect(seconds).toBeGreaterThan(29 * 86_400);
    expect(seconds).toBeLessThanOrEqual(30 * 86_400);
    await expectRefused(supertest(app.app).get('/api/users/me').set('Cookie', cookie), 401);
    await supertest(app.app).get('/api/users/me').set('Cookie', next.split(';')[0]!).expect(200);
  });

  it('keeps the current workspace of the session', async () => {
    const session = await signIn(app, home.admin);
    const workspace = await session.post('/api/workspaces', { workspace_name: 'Second' }).expect(201);
    const { workspace_id: id } = workspace.body.data;
    await session.put(`/api/workspaces/current/${id}`).expect(200);
    const body = { current_password: home.admin.password, new_password: home.admin.password };
    const { access_token: token } = (await changePassword(session, body).expect(200)).body.data;
    const current = await supertest(app.app)
      .get('/api/workspaces/current')
      .set('Authorization', `Bearer ${token}`);
    expect(current.body.data.workspace_id).toBe(id);
  });

  it('is recorded without passwords', async () => {
    const user = await home.addUser('member');
    const session = await signIn(app, user);
    await changePassword(session, { current_password: user.password, new_password: NEW }).expect(200);
    const { rows } = await app.database.db.raw<{ rows: { action: string; details: unknown }[] }>(
      `SELECT action, details FROM audit_log WHERE user_id = ? ORDER BY audit_id DESC LIMIT 1`,
      [user.userId],
    );
    expect(rows).toEqual([{ action: 'user.password_changed', details: null }]);
  });

  test.each<[object, string]>([
    [{ current_password: 'wrong', new_password: NEW }, 'current_password'],
    [{ new_password: NEW }, 'current_password'],
    [{ current_password: '', new_password: NEW }, 'current_password'],
    [{ current_password: { $ne: '' }, new_password: NEW }, 'current_password'],
    [{ current_password: 'x', new_password: 'short77' }, 'new_password'],
    [{ current_password: 'x', new_password: '👍'.repeat(257) }, 'new_password'],
    [{ current_password: 'x', new_password: ['long enough'] }, 'new_password'],
    [{ current_password: 'x', new_password: NEW, password: NEW }, 'password'],
  ])('rejects %j and ends no session', async (body, field) => {
    const user = await home.addUser('member');
    const session = await signIn(app, user);
    await expectInvalidField(changePassword(session, body), field);
    await session.get('/api/users/me').expect(200);
  });

  it('is allowed only for the current user, in a session', async () => {
    const session = await signIn(app, home.admin);
    const member = await home.addUser('member');
    const other = await newOrganization(app);
    const body = { current_password: member.password, new_password: NEW };
    for (const id of [member.userId, other.admin.userId, MISSING_ID])
      await expectRefused(changePassword(session, body, id), 403);
    await expectRefused(changePassword(member, body), 403, 'session_required');
    await expectRefused(
      supertest(app.app).put(`/api/users/${member.userId}/change-password`).send(body),
      401,
    );
  });

  it('is rate limited', async () => {
    const limitedApp = appOn(app.database, { RATE_LIMIT_AUTH: '3' });
    const organization = await newOrganization(limitedApp);
    const session = await signIn(limitedApp, await organization.addUser('member'));
    const guess = () => changePassword(session, { current_password: 'guess', new_password: NEW });
    for (let n = 0; n < 3; n += 1) await expectRefused(guess(), 400);
    await expectRefused(guess(), 429);
    await session.get('/api/users/me').expect(200);
    await expectRefused(
      changePassword(await signIn(limitedApp, organization.admin), {
        current_password: 'x',
        new_password: NEW,
      }),
      400,
    );
  });

  it('succeeds for one of several concurrent requests', async () => {
    const user = await home.addUser('member');
    const session = await signIn(app, user);
    const passwords = ['first passphrase', 'second passphrase', 'third passphrase'];
    const replies = await Promise.all(
      passwords.map((password) =>
        changePassword(session, { current_password: user.password, new_password: password }),
      ),
    );
    const succeeded = replies.map(({ status }) => status === 200);
    expect(succeeded.filter(Boolean)).toHaveLength(1);
    for (const [index, password] of passwords.entries()) {
      const attempt = signIn(app, { ...user, password });
      if (succeeded[index]) await attempt;
      else await expect(attempt).rejects.toThrow('401');
    }
  });
});
