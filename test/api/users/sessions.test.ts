import { randomUUID } from 'node:crypto';
import supertest from 'supertest';
import { describe, expect, it, test } from 'vitest';
import { type Actor, newOrganization, signIn, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const home = useOrganization(app);

interface Shown {
  session_id: string;
  current: boolean;
  last_used_at: string | null;
}
const sessionsOf = async (actor: Actor): Promise<Shown[]> =>
  (await actor.get('/api/sessions').expect(200)).body.data;
const currentOf = async (actor: Actor): Promise<string> =>
  (await sessionsOf(actor)).find((session) => session.current)!.session_id;
const changePassword = (actor: Actor, body: object, id = actor.userId) =>
  actor.put(`/api/users/${id}/change-password`, body);

describe('the user’s sessions', () => {
  it('are listed with what tells them apart, for clients too, and say which one asks', async () => {
    const person = await home.person('client');
    const login = await supertest(app.app)
      .post('/api/auth')
      .set('User-Agent', 'A telephone')
      .send({ action: 'login', email: person.email, password: person.password, remember_me: true });
    expect(login.status).toBe(200);
    const session = await signIn(app, person);
    const { data, meta } = (await session.get('/api/sessions').expect(200)).body;
    expect(meta.total).toBe(2);
    expect(data).toContainEqual({
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      expires_at: expect.stringMatching(/Z$/),
      user_agent: 'A telephone',
      address: expect.stringContaining('127.0.0.1'),
      current: false,
    });
    expect(data.filter((one: Shown) => one.current)).toHaveLength(1);
    expect(JSON.stringify(data)).not.toContain(session.token.split('.')[2]);
  });

  it('exclude expired ones and those of other users', async () => {
    const person = await home.person('member');
    const [session, stranger] = [await signIn(app, person), await signIn(app, home.admin)];
    await signIn(app, person);
    await app.database.db.raw(
      `UPDATE sessions SET expires_at = now() - interval '1 second' WHERE user_id = ? AND session_id <> ?`,
      [person.userId, await currentOf(session)],
    );
    expect((await sessionsOf(session)).map((one) => one.current)).toEqual([true]);
    expect((await sessionsOf(stranger)).map((one) => one.session_id)).not.toContain(await currentOf(session));
  });

  it('say when they were last used, to the minute', async () => {
    const session = await signIn(app, await home.person('member'));
    const id = await currentOf(session);
    expect((await sessionsOf(session))[0]!.last_used_at).toBeNull();
    await app.database.db.raw(
      `UPDATE sessions SET created_at = now() - interval '1 hour' WHERE session_id = ?`,
      [id],
    );
    await session.get('/api/users/me').expect(200);
    const [used] = await sessionsOf(session);
    expect(Date.now() - Date.parse(used!.last_used_at!)).toBeLessThan(30_000);
  });

  it('can be ended one by one, immediately', async () => {
    const person = await home.person('member');
    const [here, there] = [await signIn(app, person), await signIn(app, person)];
    await here.delete(`/api/sessions/${(await currentOf(there)).toUpperCase()}`).expect(204);
    await expectRefused(there.get('/api/users/me'), 401);
    await here.get('/api/users/me').expect(200);
  });

  it('end all but the one that asks', async () => {
    const person = await home.person('member');
    const [here, there, elsewhere] = [
      await signIn(app, person),
      await signIn(app, person),
      await signIn(app, person),
    ];
    await here.delete('/api/sessions').expect(204);
    for (const gone of [there, elsewhere]) await expectRefused(gone.get('/api/users/me'), 401);
    expect(await sessionsOf(here)).toHaveLength(1);
    await here.delete('/api/sessions').expect(204);
    await person.get('/api/users/me').expect(200);
    const { rows } = await app.database.db.raw<{ rows: { details: unknown }[] }>(
      `SELECT details FROM audit_log WHERE action = 'session.others_ended' AND user_id = ?`,
      [person.userId],
    );
    expect(rows).toEqual([{ details: { sessions: 2 } }]);
  });

  it('end with the cookie where it is the one that asks', async () => {
    const session = await signIn(app, await home.person('member'));
    const id = await currentOf(session);
    const reply = await supertest(app.app)
      .delete(`/api/sessions/${id}`)
      .set('Cookie', session.cookie)
      .expect(204);
    expect(reply.headers['set-cookie']?.[0]).toMatch(/^auth_token=;/);
    await expectRefused(session.get('/api/sessions'), 401);
  });

  it('return 404 for other users', async () => {
    const [mine, theirs] = [await signIn(app, await home.person('member')), await signIn(app, home.admin)];
    const id = await currentOf(theirs);
    const missing = await expectRefused(mine.delete(`/api/sessions/${randomUUID()}`), 404);
    expect((await expectRefused(mine.delete(`/api/sessions/${id}`), 404)).message).toBe(missing.message);
    await theirs.get('/api/users/me').expect(200);
    for (const bad of ['1', 'current', '%00', `${id}'--`, '0'.repeat(36)])
      await expectRefused(mine.delete(`/api/sessions/${bad}`), 400);
  });

  it('cannot be managed with a key', async () => {
    await expectRefused(home.admin.get('/api/sessions'), 403, 'session_required');
    await expectRefused(home.admin.delete('/api/sessions'), 403, 'session_required');
    await expectRefused(home.admin.delete(`/api/sessions/${randomUUID()}`), 403, 'session_required');
  });
});

describe('changing the password', () => {
  const NEW = 'another passphrase';

  it('ends every session and renews the current one', async () => {
    const person = await home.person('client');
    const [here, there] = [await signIn(app, person), await signIn(app, person)];
    expect(await sessionsOf(here)).toHaveLength(2);
    const reply = await changePassword(here, { current_password: person.password, new_password: NEW }).expect(
      200,
    );
    expect(reply.body.data).toEqual({ password_changed: true, access_token: expect.any(String) });
    expect(reply.headers['set-cookie']).toBeUndefined();
    for (const dead of [here, there]) await expectRefused(dead.get('/api/users/me'), 401);
    const again = await supertest(app.app)
      .get('/api/sessions')
      .set('Authorization', `Bearer ${reply.body.data.access_token}`)
      .expect(200);
    expect(again.body.data).toMatchObject([{ current: true }]);
    await expect(signIn(app, person)).rejects.toThrow('401');
    await signIn(app, { ...person, password: NEW });
    await person.get('/api/users/me').expect(200);
  });

  it('gives a browser its next cookie, for as long as the session had left', async () => {
    const person = await home.person('member');
    const login = await supertest(app.app)
      .post('/api/auth')
      .send({ action: 'login', email: person.email, password: person.password, remember_me: true });
    const cookie = login.headers['set-cookie']![0]!.split(';')[0]!;
    const reply = await supertest(app.app)
      .put(`/api/users/${person.userId}/change-password`)
      .set('Cookie', cookie)
      .send({ current_password: person.password, new_password: NEW })
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

  it('keeps the workspace that the session works in', async () => {
    const session = await signIn(app, home.admin);
    const made = await session.post('/api/workspaces', { workspace_name: 'Second' }).expect(201);
    const { workspace_id: id } = made.body.data;
    await session.put(`/api/workspaces/current/${id}`).expect(200);
    const body = { current_password: home.admin.password, new_password: home.admin.password };
    const { access_token: token } = (await changePassword(session, body).expect(200)).body.data;
    const current = await supertest(app.app)
      .get('/api/workspaces/current')
      .set('Authorization', `Bearer ${token}`);
    expect(current.body.data.workspace_id).toBe(id);
  });

  it('is recorded without passwords', async () => {
    const person = await home.person('member');
    const session = await signIn(app, person);
    await changePassword(session, { current_password: person.password, new_password: NEW }).expect(200);
    const { rows } = await app.database.db.raw<{ rows: { action: string; details: unknown }[] }>(
      `SELECT action, details FROM audit_log WHERE user_id = ? ORDER BY audit_id DESC LIMIT 1`,
      [person.userId],
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
  ])('refuses %j and ends nothing', async (body, field) => {
    const person = await home.person('member');
    const session = await signIn(app, person);
    await expectInvalidField(changePassword(session, body), field);
    await session.get('/api/users/me').expect(200);
  });

  it('is allowed only for the current user, in a session', async () => {
    const session = await signIn(app, home.admin);
    const member = await home.person('member');
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
    const braked = appOn(app.database, { RATE_LIMIT_AUTH: '3' });
    const organization = await newOrganization(braked);
    const session = await signIn(braked, await organization.person('member'));
    const guess = () => changePassword(session, { current_password: 'guess', new_password: NEW });
    for (let n = 0; n < 3; n += 1) await expectRefused(guess(), 400);
    await expectRefused(guess(), 429);
    await session.get('/api/users/me').expect(200);
    await expectRefused(
      changePassword(await signIn(braked, organization.admin), { current_password: 'x', new_password: NEW }),
      400,
    );
  });

  it('succeeds for one of several concurrent requests', async () => {
    const person = await home.person('member');
    const session = await signIn(app, person);
    const wishes = ['first wish', 'second wish', 'third wish'];
    const replies = await Promise.all(
      wishes.map((wish) =>
        changePassword(session, { current_password: person.password, new_password: wish }),
      ),
    );
    const won = replies.map(({ status }) => status === 200);
    expect(won.filter(Boolean)).toHaveLength(1);
    for (const [index, wish] of wishes.entries()) {
      const tried = signIn(app, { ...person, password: wish });
      if (won[index]) await tried;
      else await expect(tried).rejects.toThrow('401');
    }
  });
});
