import { describe, expect, it, test } from 'vitest';
import type { StatusAction } from '../../../src/domain/access/users.ts';
import { type Actor, newOrganization, signIn, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { INVALID_IDS, MISSING_ID, expectRefused } from '../../support/refusals.ts';

const app = useApp();
const home = useOrganization(app);
const { admin } = home;

const postAction = (id: number, action: string, by: Actor = admin) => by.post(`/api/users/${id}/${action}`);
const setStatus = (id: number, status: number) =>
  app.database.db.raw('UPDATE users SET user_status = ? WHERE user_id = ?', [status, id]);

/** Returns a user with an API key and a session, and a function that returns the reply status of each. */
async function createSignedInUser(
  role: 'admin' | 'member' | 'client',
  organization: Pick<typeof home, 'addUser'> = home,
) {
  const user = await organization.addUser(role);
  const session = await signIn(app, user);
  const statuses = async () => [
    (await user.get('/api/users/me')).status,
    (await session.get('/api/users/me')).status,
  ];
  expect(await statuses()).toEqual([200, 200]);
  return { user, session, statuses };
}

describe('a status change', () => {
  const ALLOWED: [StatusAction, number, number][] = [
    ['approve', 2, 1],
    ['reject', 2, 0],
    ['suspend', 1, 3],
    ['reactivate', 3, 1],
  ];
  test.each(ALLOWED)('%s changes status %i to %i and is recorded', async (action, from, to) => {
    const user = await home.addUser('member');
    await setStatus(user.userId, from);
    const { data } = (await postAction(user.userId, action).expect(200)).body;
    expect(data).toMatchObject({ user_id: user.userId, user_status: to });
    const { rows } = await app.database.db.raw<{
      rows: { action: string; user_id: number; address: string }[];
    }>(`SELECT action, user_id, address FROM audit_log WHERE object_type = 'user' AND object_id = ?`, [
      String(user.userId),
    ]);
    expect(rows).toEqual([
      {
        action: expect.stringMatching(`^user.${action.slice(0, 6)}`),
        user_id: admin.userId,
        address: expect.any(String),
      },
    ]);
  });

  const NAMES = new Map([
    [1, 'Active'],
    [2, 'Pending'],
    [3, 'Suspended'],
  ]);
  const refusedActions = [1, 2, 3].flatMap((status) =>
    ALLOWED.filter(([, from]) => from !== status).map(([action]) => [action, status] as const),
  );
  test.each(refusedActions)(
    '%s is rejected for status %i with the name of the status',
    async (action, status) => {
      const user = await home.addUser('client');
      await setStatus(user.userId, status);
      const body = await expectRefused(postAction(user.userId, action), 409, 'illegal_transition');
      expect(body.message).toContain(`is ${NAMES.get(status)}`);
      expect((await admin.get(`/api/users/${user.userId}`)).body.data.user_status).toBe(status);
    },
  );

  test.each(ALLOWED.map(([action]) => action))(
    '%s is only for admins, within their organization',
    async (action) => {
      const [member, other] = [await home.addUser('member'), await newOrganization(app)];
      for (const id of [admin.userId, member.userId, MISSING_ID])
        await expectRefused(postAction(id, action, member), 403);
      const missing = await expectRefused(postAction(MISSING_ID, action), 404);
      expect((await expectRefused(postAction(other.admin.userId, action), 404)).message).toBe(
        missing.message,
      );
      const deletedUser = await home.addUser('member');
      await admin.delete(`/api/users/${deletedUser.userId}`).expect(204);
      expect((await expectRefused(postAction(deletedUser.userId, action), 404)).message).toBe(
        missing.message,
      );
      await expectRefused(admin.post(`/api/users/${member.userId}/${action}`, { user_status: 1 }), 400);
    },
  );

  it.each(INVALID_IDS)('returns 400 for the id %s', async (id) => {
    await expectRefused(admin.post(`/api/users/${id}/suspend`), 400);
    await expectRefused(admin.delete(`/api/users/${id}`), 400);
  });

  it('is applied once for concurrent requests', async () => {
    const user = await home.addUser('member');
    await setStatus(user.userId, 2);
    const replies = await Promise.all(
      ['approve', 'reject', 'approve'].map((action) => postAction(user.userId, action)),
    );
    const statuses = replies.map((reply) => reply.status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409 || status === 404)).toHaveLength(2);
  });
});

describe('revoked access takes effect at the next request', () => {
  it('when a user is suspended; reactivation restores neither API key nor sessions', async () => {
    const { user, session, statuses } = await createSignedInUser('member');
    await postAction(user.userId, 'suspend').expect(200);
    expect(await statuses()).toEqual([401, 401]);
    await expect(signIn(app, user)).rejects.toThrow('account_suspended');
    await postAction(user.userId, 'reactivate').expect(200);
    expect(await statuses()).toEqual([401, 401]);
    await expectRefused(session.get('/api/workspaces'), 401);
    await signIn(app, user);
  });

  it('when a user is suspended with revoke_api_keys=false; the keys work again after reactivation', async () => {
    const { user, statuses } = await createSignedInUser('member');
    await admin.post(`/api/users/${user.userId}/suspend`, { revoke_api_keys: false }).expect(200);
    expect(await statuses()).toEqual([401, 401]);
    await postAction(user.userId, 'reactivate').expect(200);
    expect(await statuses()).toEqual([200, 401]);
    await expectRefused(admin.post(`/api/users/${user.userId}/suspend`, { revoke_api_keys: 'no' }), 400);
  });

  it('when a user is deleted; the email address can be used again, without the old key', async () => {
    const { user, statuses } = await createSignedInUser('admin');
    await admin.delete(`/api/users/${user.userId}`).expect(204);
    expect(await statuses()).toEqual([401, 401]);
    await expectRefused(admin.get(`/api/users/${user.userId}`), 404);
    await expectRefused(admin.delete(`/api/users/${user.userId}`), 404);
    const sameAddress = {
      user_email: user.email.toUpperCase(),
      user_name: 'Another',
      user_password: 'long enough',
    };
    const { data } = (await admin.post('/api/users', sameAddress).expect(201)).body;
    expect(data.user_id).not.toBe(user.userId);
    expect(await statuses()).toEqual([401, 401]);
  });

  it('when a pending user is rejected; the email address can be used again', async () => {
    const user = await home.addUser('member');
    await setStatus(user.userId, 2);
    await expectRefused(user.get('/api/users/me'), 401);
    await postAction(user.userId, 'reject').expect(200);
    await expectRefused(user.get('/api/users/me'), 401);
    await admin
      .post('/api/users', { user_email: user.email, user_name: 'Again', user_password: 'long enough' })
      .expect(201);
  });

  it('when an admin becomes a member; sessions end, and the API key has the rights of a member', async () => {
    const { user, statuses } = await createSignedInUser('admin');
    await user.get('/api/users').expect(200);
    await admin.put(`/api/users/${user.userId}`, { user_type: 2 }).expect(200);
    expect(await statuses()).toEqual([200, 401]);
    await expectRefused(user.get('/api/users'), 403);
    await user.get('/api/workspaces').expect(200);
  });

  it('when a member becomes a client, or a client an admin', async () => {
    const { user, statuses } = await createSignedInUser('member');
    await admin.put(`/api/users/${user.userId}`, { user_role: 'client' }).expect(200);
    expect(await statuses()).toEqual([200, 401]);
    await expectRefused(user.get('/api/workspaces'), 403);
    const session = await signIn(app, user);
    await admin.put(`/api/users/${user.userId}`, { user_role: 'admin' }).expect(200);
    await expectRefused(session.get('/api/users/me'), 401);
    await user.get('/api/users').expect(200);
  });

  it('but name, email address and AI access can change without it', async () => {
    const { user, statuses } = await createSignedInUser('member');
    const session = await signIn(app, await home.addUser('admin'));
    const body = { user_name: 'Renamed', user_email: `x-${user.email}`, ai_access: false };
    const confirmed = { ...body, current_password: session.password };
    await session.put(`/api/users/${user.userId}`, confirmed).expect(200);
    expect(await statuses()).toEqual([200, 200]);
  });

  it('also for a concurrent sign-in', async () => {
    const user = await home.addUser('member');
    const [session] = await Promise.allSettled([signIn(app, user), postAction(user.userId, 'suspend')]);
    if (session.status === 'fulfilled') await expectRefused(session.value.get('/api/users/me'), 401);
    await postAction(user.userId, 'reactivate').expect(200);
    if (session.status === 'fulfilled') await expectRefused(session.value.get('/api/users/me'), 401);
  });
});

describe('the last active admin', () => {
  it('cannot be suspended, deleted or demoted, not even by themselves', async () => {
    const organization = await newOrganization(app);
    const lastAdmin = organization.admin;
    const superadmin = await home.addUser('superadmin');
    await superadmin.put(`/api/organizations/current/${organization.organizationId}`).expect(200);
    await organization.addUser('member');
    const second = await organization.addUser('admin');
    await postAction(second.userId, 'suspend', lastAdmin).expect(200);
    const at = `/api/users/${lastAdmin.userId}`;
    for (const by of [lastAdmin, superadmin]) {
      await expectRefused(by.post(`${at}/suspend`), 409, 'last_admin');
      await expectRefused(by.delete(at), 409, 'last_admin');
      await expectRefused(by.put(at, { user_type: 2 }), 409, 'last_admin');
      await expectRefused(by.put(at, { user_role: 'client', user_name: 'x' }), 409, 'last_admin');
    }
    expect((await lastAdmin.get(at).expect(200)).body.data).toMatchObject({
      user_name: 'Ada Admin',
      user_type: 1,
    });
    await lastAdmin.put(at, { user_name: 'Still here', user_type: 1 }).expect(200);
    // Inactive admins neither count nor are protected.
    await lastAdmin.put(`/api/users/${second.userId}`, { user_type: 3 }).expect(200);
    await lastAdmin.delete(`/api/users/${second.userId}`).expect(204);
  });

  type Attack = [name: string, attack: (by: Actor, victim: Actor) => PromiseLike<{ status: number }>];
  const suspend: Attack = ['suspend', (by, victim) => postAction(victim.userId, 'suspend', by)];
  const demote: Attack = ['demote', (by, victim) => by.put(`/api/users/${victim.userId}`, { user_type: 2 })];
  const remove: Attack = ['delete', (by, victim) => by.delete(`/api/users/${victim.userId}`)];
  const leave: Attack = ['step down from', (by) => by.put(`/api/users/${by.userId}`, { user_type: 3 })];
  const pairs: [Attack, Attack][] = [
    [suspend, suspend],
    [demote, demote],
    [suspend, demote],
    [remove, suspend],
    [leave, leave],
  ];

  test.each(pairs.map(([attack, two]) => [attack[0], two[0], attack[1], two[1]] as const))(
    'remains when two admins %s and %s each other concurrently',
    async (_one, _two, first, second) => {
      const organization = await newOrganization(app);
      let [ann, bob] = [organization.admin, await organization.addUser('admin')];
      for (let round = 0; round < 10; round += 1) {
        const replies = await Promise.all([first(ann, bob), second(bob, ann)]);
        const { rows } = await app.database.db.raw<{ rows: { user_id: number }[] }>(
          `SELECT user_id FROM users WHERE organization_id = ? AND user_role = 'admin' AND user_status = 1`,
          [organization.organizationId],
        );
        expect(rows).toHaveLength(1);
        // One request succeeded; the other was refused, or its caller was no longer an admin.
        expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
        expect([401, 403, 409]).toContain(replies.find(({ status }) => status >= 300)?.status);
        ann = rows[0]!.user_id === ann.userId ? ann : bob;
        bob = await organization.addUser('admin');
      }
    },
  );
});
