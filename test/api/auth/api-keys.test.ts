import { beforeAll, describe, expect, it } from 'vitest';
import supertest from 'supertest';
import { type Actor, newOrganization, signIn, useOrganization } from '../../support/actors.ts';
import { appOn, useApp } from '../../support/app.ts';
import { INVALID_IDS, MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const test = useApp();
const organization = useOrganization(test);
let user: Actor;
let session: Actor & { cookie: string };
beforeAll(async () => {
  user = await organization.addUser('member');
  session = await signIn(test, user);
});

interface Key {
  api_key_id: number;
  key_name: string;
  key_start: string;
  api_key: string;
}
const make = async (by: Actor, name = 'My key'): Promise<Key> =>
  (await by.post('/api/api-keys', { key_name: name, current_password: by.password }).expect(201)).body.data;
const listed = async (by: Actor): Promise<Record<string, unknown>[]> =>
  (await by.get('/api/api-keys').expect(200)).body.data;

describe('creating a key', () => {
  it('shows it once: cvs_ and 48 letters or digits', async () => {
    const key = await make(session, '  Dashboard sync ');
    expect(key).toEqual({
      api_key_id: expect.any(Number),
      key_name: 'Dashboard sync',
      key_start: key.api_key.slice(0, 8),
      created_at: expect.stringMatching(/Z$/),
      last_used_at: null,
      expires_at: null,
      api_key: expect.stringMatching(/^cvs_[A-Za-z0-9]{48}$/),
    });
    const again = (await listed(session)).find((each) => each.api_key_id === key.api_key_id);
    expect(again).not.toHaveProperty('api_key');
    expect(JSON.stringify(await listed(session))).not.toContain(key.api_key);
  });

  it.each([
    ['key_name', 1],
    ['key_name', null],
    ['key_name', ''],
    ['key_name', '  '],
    ['key_name', 'x'.repeat(101)],
    ['key_name', { $ne: 1 }],
    ['api_key', 'cvs_mine'],
    ['user_id', 1],
    ['current_password', undefined],
    ['current_password', ''],
    ['current_password', 'wrong'],
    ['current_password', { $ne: 1 }],
    ['expires_at', 'tomorrow'],
    ['expires_at', '2020-01-01'],
    ['expires_at', '2020-01-01T00:00:00'],
    ['expires_at', 4102444800],
  ])('rejects %s %j', async (field, value) => {
    const before = await listed(session);
    await expectInvalidField(
      session.post('/api/api-keys', {
        key_name: 'x',
        current_password: session.password,
        [field]: value,
      }),
      field,
    );
    expect(await listed(session)).toEqual(before);
  });
});

describe('a user', () => {
  it('has at most 50 keys, also if requests arrive at once, and can replace a revoked one', async () => {
    const { apiKeys } = test.container.services;
    const busy = await organization.addUser('member');
    const owner = { organizationId: busy.organizationId, userId: busy.userId };
    const keysOfUser = () => apiKeys.list(owner);
    const before = (await keysOfUser()).length;
    const made = await Promise.allSettled(
      Array.from({ length: 60 }, (_, index) => apiKeys.create(owner, `Key ${index}`)),
    );
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(50 - before);
    expect(await keysOfUser()).toHaveLength(50);

    const own = await signIn(test, busy);
    const create = () => own.post('/api/api-keys', { key_name: 'One more', current_password: own.password });
    await expectRefused(create(), 409, 'too_many_api_keys');
    expect((await create()).body.message).toContain('at most 50 API keys');
    const [first] = await listed(own);
    await own.delete(`/api/api-keys/${first!.api_key_id as number}`).expect(204);
    await create().expect(201);
    await expectRefused(create(), 409, 'too_many_api_keys');
  });
});

describe('a key', () => {
  it("has its user's permissions with either header", async () => {
    const { api_key: key } = await make(session);
    const mine = await session.post('/api/workspaces', { workspace_name: 'Private' }).expect(201);
    const path = `/api/workspaces/${mine.body.data.workspace_id}`;
    await supertest(test.app).get(path).set('X-API-Key', key).expect(200);
    await supertest(test.app).get(path).set('Authorization', `Bearer ${key}`).expect(200);
    await supertest(test.app).get(path).set('authorization', `bearer ${key}`).expect(200);
    await expectRefused(
      supertest(test.app)
        .get(path)
        .set('Cookie', `auth_token=${key.slice(0, -1)}`),
      401,
    );
  });

  it.each(['cvs_', `cvs_${'A'.repeat(48)}`, 'x', '%00', `CVS_${'A'.repeat(48)}`])(
    'that is invented is rejected: %s',
    async (key) => {
      await expectRefused(
        supertest(test.app).get('/api/workspaces').set('X-API-Key', key),
        401,
        'unauthenticated',
      );
    },
  );

  it('shows when it was last used, to the minute', async () => {
    const { api_key: key, api_key_id: id } = await make(session);
    await supertest(test.app).get('/api/workspaces').set('X-API-Key', key).expect(200);
    const [shown] = (await listed(session)).filter((each) => each.api_key_id === id);
    expect(Math.abs(Date.parse(shown!.last_used_at as string) - Date.now())).toBeLessThan(60_000);
  });

  it('cannot manage keys, not even itself', async () => {
    const key = await make(session);
    const before = await listed(session);
    const by = (method: 'get' | 'post' | 'delete', path: string) =>
      supertest(test.app)[method](path).set('X-API-Key', key.api_key).send({ key_name: 'child' });
    await expectRefused(by('get', '/api/api-keys'), 403, 'session_required');
    await expectRefused(by('post', '/api/api-keys'), 403, 'session_required');
    await expectRefused(by('delete', `/api/api-keys/${key.api_key_id}`), 403, 'session_required');
    expect((await listed(session)).length).toBe(before.length);
  });

  it('does not get administrator rights from its organization', async () => {
    await expectRefused(user.post(`/api/workspaces/${MISSING_ID}/restore`), 403, 'forbidden');
  });
});

describe('revoking', () => {
  it('invalidates a key immediately, and removes it from the list', async () => {
    const key = await make(session);
    const use = () => supertest(test.app).get('/api/workspaces').set('X-API-Key', key.api_key);
    await use().expect(200);
    await session.delete(`/api/api-keys/${key.api_key_id}`).expect(204);
    await expectRefused(use(), 401, 'unauthenticated');
    expect((await listed(session)).map((each) => each.api_key_id)).not.toContain(key.api_key_id);
    await expectRefused(session.delete(`/api/api-keys/${key.api_key_id}`), 404, 'not_found');
  });

  it('returns 404 for keys of other users, even for an admin', async () => {
    const key = await make(session);
    const others = [
      organization.admin,
      await organization.addUser('member'),
      (await newOrganization(test)).admin,
    ];
    const missing = await expectRefused(session.delete(`/api/api-keys/${MISSING_ID}`), 404);
    for (const other of others) {
      const signed = await signIn(test, other);
      const foreign = await expectRefused(signed.delete(`/api/api-keys/${key.api_key_id}`), 404, 'not_found');
      expect(foreign.message).toBe(missing.message);
      expect((await listed(signed)).map((each) => each.api_key_id)).not.toContain(key.api_key_id);
    }
    await supertest(test.app).get('/api/workspaces').set('X-API-Key', key.api_key).expect(200);
  });

  it('rejects an invalid id', async () => {
    for (const id of INVALID_IDS) await expectInvalidField(session.delete(`/api/api-keys/${id}`), 'id');
  });
});

it('rejects unauthenticated callers and clients', async () => {
  for (const request of [
    supertest(test.app).get('/api/api-keys'),
    supertest(test.app).post('/api/api-keys').send({ key_name: 'x' }),
    supertest(test.app).delete('/api/api-keys/1'),
  ])
    await expectRefused(request, 401, 'unauthenticated');
  const client = await signIn(test, await organization.addUser('client'));
  await expectRefused(client.get('/api/api-keys'), 403, 'forbidden');
  await expectRefused(
    client.post('/api/api-keys', { key_name: 'x', current_password: client.password }),
    403,
    'forbidden',
  );
});

it('returns the list in pages', async () => {
  const collector = await signIn(test, await organization.addUser('member'));
  for (const name of ['b', 'a']) await make(collector, name);
  const first = await collector.get('/api/api-keys?limit=2').expect(200);
  expect(first.body.data.map((key: Key) => key.key_name)).toEqual(['Test key', 'b']);
  const rest = await collector.get(`/api/api-keys?limit=2&cursor=${first.body.meta.next_cursor}`).expect(200);
  expect(rest.body.data.map((key: Key) => key.key_name)).toEqual(['a']);
  expect(rest.body.meta).toEqual({ limit: 2, next_cursor: null, total: 3 });
});

it('stores no key, password or token as plain text in the database or the log', async () => {
  const lines: string[] = [];
  const on = appOn(test.database, {}, { logLine: (line) => lines.push(line) });
  const secret = `pass-${'word'.repeat(5)}`;
  const email = `secret@${organization.slug}.example`;
  const { setup } = on.container.services;
  const newUser = {
    organizationId: organization.organizationId,
    email,
    userName: 'S',
    role: 'member' as const,
    password: secret,
  };
  const { userId } = await setup.createUser(newUser);
  const login = await signIn(on, { ...user, userId, email, password: secret });
  const { api_key: key } = await make(login);
  await supertest(on.app).get('/api/workspaces?search=hidden-words').set('X-API-Key', key).expect(200);
  await supertest(on.app).get('/api/workspaces').set('X-API-Key', `${key}x`).expect(401);
  await supertest(on.app).get(`/api/workspaces/${key}`).set('X-API-Key', key).expect(400);
  await supertest(on.app).get(`/api/${key}`).expect(404);
  await supertest(on.app)
    .post('/api/auth')
    .send({ action: 'login', email, password: `${secret}!` })
    .expect(401);
  // A bug of ours: the statement fails, and is logged without its values.
  await expect(on.container.db.raw('SELECT ?::int', [secret])).rejects.toSatisfy(
    (error: Error) => !error.message.startsWith(`SELECT '${secret}'`),
  );

  const log = lines.join('');
  expect(log).toContain('"route":"/api/workspaces"');
  const { rows: tables } = await test.database.db.raw(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`,
  );
  const contents: string[] = [];
  for (const { table_name } of tables as { table_name: string }[]) {
    const { rows } = await test.database.db.raw(`SELECT t::text AS row FROM ${table_name} t`);
    contents.push(...(rows as { row: string }[]).map((each) => each.row));
  }
  const database = contents.join('\n');
  expect(database).toContain(email);
  for (const hidden of [key, key.slice(12), secret, login.token, login.token.split('.')[2]!]) {
    expect(database.includes(hidden)).toBe(false);
    expect(log.includes(hidden)).toBe(false);
  }
  expect(log).not.toContain('hidden-words');
});

it('rejects a key in the cookie', async () => {
  const { api_key: key } = await make(session);
  const inCookie = supertest(test.app).get('/api/users/me').set('Cookie', `auth_token=${key}`);
  await expectRefused(inCookie, 401, 'unauthenticated');
  await supertest(test.app).get('/api/users/me').set('X-API-Key', key).expect(200);
});
