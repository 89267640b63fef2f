import { beforeAll, describe, expect, it } from 'vitest';
import { repositoriesOn } from '../../../src/repositories/repositories.ts';
import { createOneTimeToken } from '../../../src/services/auth/one-time-tokens.ts';
import { anonymous } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused } from '../../support/refusals.ts';

const test = useApp();
const EMAIL = 'first@research.example';
let signInToken: string;
let organizationId: number;

beforeAll(async () => {
  const { setup } = test.container.services;
  const administrator = await setup.firstStart({ email: EMAIL, password: null, apiKey: null });
  signInToken = administrator!.signInToken!;
  organizationId = administrator!.organizationId;
});

const signIn = (token: string) =>
  anonymous(test).post('/api/auth', { action: 'login_with_link', sign_in_token: token });

describe('the link of the first start', () => {
  // The texts that are hashed for links of the other kind.
  it.each(['', 'sign-in ', 'reset '])('does not set a password as "%s<token>"', async (before) => {
    const reset_token = before + signInToken;
    const reset = { action: 'reset', reset_token, new_password: 'another long password' };
    await expectRefused(anonymous(test).post('/api/auth', reset), 410, 'reset_link_over');
  });

  it.each(['', 'sign-in ', 'reset '])('is not a link for a password as "%s<token>"', async (before) => {
    const { user_id: userId, token_version: tokenVersion } = (await test.database.db('users').first())!;
    const reset = await createOneTimeToken(repositoriesOn(test.database.db), test.container.ids, {
      purpose: 'reset',
      isMailed: false,
      userId,
      tokenVersion,
      lifetimeSeconds: 60,
    });
    await expectRefused(signIn(before + reset), 410, 'sign_in_link_over');
  });

  it('signs the first administrator in, once', async () => {
    expect(signInToken).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const reply = await signIn(signInToken).expect(200);
    expect(reply.body.data).toMatchObject({ user_email: EMAIL, user_role: 'admin' });
    expect(reply.body.data).not.toHaveProperty('access_token');
    const [cookie] = reply.get('Set-Cookie')!.filter((one) => one.startsWith('auth_token='));
    const me = await anonymous(test).get('/api/users/me').set('Cookie', cookie!.split(';')[0]!).expect(200);
    expect(me.body.data.user_email).toBe(EMAIL);
    await expectRefused(signIn(signInToken), 410, 'sign_in_link_over');
  });

  it('is stored only as a hash, and its use is in the audit log', async () => {
    const { rows } = await test.database.db.raw<{ rows: { token_hash: string }[] }>(
      'SELECT token_hash FROM password_resets',
    );
    expect(rows.map(({ token_hash: hash }) => hash)).not.toContain(signInToken);
    const log = await test.database.db.raw<{ rows: { details: object }[] }>(
      `SELECT details FROM audit_log WHERE action = 'user.logged_in' AND organization_id = ?`,
      [organizationId],
    );
    expect(log.rows.map(({ details }) => details)).toEqual([{ by: 'sign_in_link' }]);
  });

  it('does not work after a day, after a change of the password, or for an unknown token', async () => {
    const { db } = test.database;
    await db.raw(`UPDATE password_resets SET used_at = NULL, expires_at = now() - interval '1 second'`);
    await expectRefused(signIn(signInToken), 410, 'sign_in_link_over');
    await db.raw(`UPDATE password_resets SET expires_at = now() + interval '1 hour'`);
    await db.raw('UPDATE users SET token_version = token_version + 1 WHERE user_email = ?', [EMAIL]);
    await expectRefused(signIn(signInToken), 410, 'sign_in_link_over');
    await expectRefused(signIn('x'.repeat(43)), 410, 'sign_in_link_over');
  });
});
