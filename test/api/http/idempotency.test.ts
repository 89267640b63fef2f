import { beforeAll, describe, expect, it } from 'vitest';
import { IdempotentRequests } from '../../../src/repositories/idempotent-requests.ts';
import { Store } from '../../../src/repositories/store.ts';
import { type Actor, signIn, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const test = useApp();
const organization = useOrganization(test);
let ada: Actor;
beforeAll(async () => {
  ada = await organization.addUser('member');
});

const create = (by: Actor, key: string, body: object = { workspace_name: key }) =>
  by.post('/api/workspaces', body).set('Idempotency-Key', key);

async function countNamed(name: string): Promise<number> {
  const { rows } = await test.database.db.raw(
    'SELECT count(*)::int AS n FROM workspaces WHERE workspace_name = ?',
    [name],
  );
  return rows[0].n;
}

it('repeats the first reply for the same request and key without running it again', async () => {
  const first = await create(ada, 'replayed').expect(201);
  const repeated = await create(ada, 'replayed').expect(201);
  expect(repeated.body).toEqual(first.body);
  expect(await countNamed('replayed')).toBe(1);
  // The order of fields is no difference once they are validated.
  const body = { workspace_visibility: 2, workspace_name: 'order' };
  const { workspace_visibility, workspace_name } = body;
  await create(ada, 'order', body).expect(201);
  await create(ada, 'order', { workspace_name, workspace_visibility }).expect(201);
  expect(await countNamed('order')).toBe(1);
});

it('returns a clash for the same key with another body', async () => {
  await create(ada, 'clash').expect(201);
  await expectRefused(create(ada, 'clash', { workspace_name: 'other' }), 409, 'idempotency_clash');
  expect(await countNamed('other')).toBe(0);
});

it('runs one of many concurrent requests; the others get its reply or 409', async () => {
  const replies = await Promise.all(Array.from({ length: 8 }, () => create(ada, 'at-once')));
  expect(await countNamed('at-once')).toBe(1);
  const createdReplies = replies.filter((reply) => reply.status === 201);
  expect(createdReplies.length).toBeGreaterThan(0);
  expect(new Set(createdReplies.map((reply) => reply.body.data.workspace_id)).size).toBe(1);
  for (const reply of replies.filter((each) => each.status !== 201))
    expect(reply).toMatchObject({ status: 409, body: { code: 'idempotency_in_progress' } });
});

it('frees the key of a failed request', async () => {
  const guest = await organization.addUser('member');
  const { workspace_id: id } = (await create(ada, 'failing').expect(201)).body.data;
  const invite = () =>
    ada
      .post(`/api/workspaces/${id}/members`, { user_id: guest.userId, role: 'viewer' })
      .set('Idempotency-Key', 'invite');
  await test.database.db.raw('UPDATE users SET user_status = 3 WHERE user_id = ?', [guest.userId]);
  await expectRefused(invite(), 409, 'user_not_active');
  await test.database.db.raw('UPDATE users SET user_status = 1 WHERE user_id = ?', [guest.userId]);
  await invite().expect(201);
  // A first invitation says 201, a second 200: this is the first one's reply.
  await invite().expect(201);
});

it('keeps keys separate per caller, and per API key of a user', async () => {
  const bob = await organization.addUser('member');
  const session = await signIn(test, ada);
  for (const actor of [ada, bob, session]) await create(actor, 'shared-key').expect(201);
  expect(await countNamed('shared-key')).toBe(3);
});

it('keeps keys separate per URL with its query', async () => {
  const [one, two] = await Promise.all(
    ['A', 'B'].map(
      async (name) => (await create(ada, `address-${name}`).expect(201)).body.data.workspace_id as number,
    ),
  );
  const guest = await organization.addUser('member');
  const invite = (id: number, query = {}) =>
    ada
      .post(`/api/workspaces/${id}/members`, { user_id: guest.userId, role: 'viewer' })
      .query(query)
      .set('Idempotency-Key', 'one-key');
  await invite(one!).expect(201);
  await invite(two!).expect(201);
  expect((await ada.get(`/api/workspaces/${two}/members`)).body.meta.total).toBe(1);
  await expectRefused(invite(two!, { workspace_id: two }), 409, 'idempotency_clash');
});

it('keeps keys separate per route family', async () => {
  await create(ada, 'family').expect(201);
  await ada.post('/api/surveys', { survey_name: 'family' }).set('Idempotency-Key', 'family').expect(201);
});

it('does not repeat a reply to a caller who lost access', async () => {
  const { workspace_id: id } = (await create(ada, 'lost').expect(201)).body.data;
  const guest = await organization.addUser('member');
  const invite = () =>
    ada
      .post(`/api/workspaces/${id}/members`, { user_id: guest.userId, role: 'viewer' })
      .set('Idempotency-Key', 'lost-invite');
  await invite().expect(201);
  await ada.delete(`/api/workspaces/${id}`).expect(204);
  await expectRefused(invite(), 404, 'not_found');
});

it.each(['', 'a b', 'é', 'x'.repeat(256)])('rejects the key %j', async (key) => {
  const bytes = Buffer.from(key).toString('latin1');
  await expectInvalidField(create(ada, bytes, { workspace_name: 'bad key' }), 'Idempotency-Key');
  expect(await countNamed('bad key')).toBe(0);
});

it('ignores logins and API keys: each request creates its own', async () => {
  const session = await signIn(test, ada);
  const body = { key_name: 'k', current_password: session.password };
  const make = () => session.post('/api/api-keys', body).set('Idempotency-Key', 'key');
  const [one, two] = [await make().expect(201), await make().expect(201)];
  expect(one.body.data.api_key).not.toBe(two.body.data.api_key);
  const { rows } = await test.database.db.raw(
    'SELECT count(*)::int AS n FROM idempotency_keys WHERE position(? IN reply) > 0',
    ['cvs_'],
  );
  expect(rows[0].n).toBe(0);
});

it('deletes a key and its reply after 24 hours', async () => {
  const { db } = test.database;
  await create(ada, 'old').expect(201);
  await db.raw(`UPDATE idempotency_keys SET created_at = now() - interval '25 hours'`);
  const second = await create(ada, 'old').expect(201);
  expect(await countNamed('old')).toBe(2);
  expect((await create(ada, 'old').expect(201)).body).toEqual(second.body);
  await db.raw(`UPDATE idempotency_keys SET created_at = now() - interval '25 hours'`);
  await create(ada, 'young').expect(201);
  await test.container.services.idempotencySweep.run();
  const { rows } = await db.raw('SELECT count(*)::int AS n FROM idempotency_keys');
  expect(rows[0].n).toBe(1);
});

const NO_STEPS = { onOpen: () => Promise.resolve(), beforeCommit: () => Promise.resolve() };

describe('the key, the work and the reply', () => {
  /** Until what is returned is called, the reply of no request can be stored. */
  async function holdReplies(): Promise<() => Promise<void>> {
    const blocker = await test.database.db.transaction();
    await blocker.raw('LOCK TABLE idempotency_keys IN SHARE MODE');
    return async () => void (await blocker.rollback());
  }
  const writers = async (): Promise<number[]> => {
    const { rows } = await test.database.db.raw(
      `SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE 'insert into "idempotency_keys"%'
         AND datname = current_database()`,
    );
    return rows.map(({ pid }: { pid: number }) => pid);
  };

  it('share one transaction: without a stored reply nothing is done, and the key is free immediately', async () => {
    const release = await holdReplies();
    const cutOff = create(ada, 'one-transaction').then((reply) => reply);
    await expect.poll(writers).toHaveLength(1);
    expect(await countNamed('one-transaction')).toBe(0);
    // As when the process dies: its connection ends.
    await test.database.db.raw('SELECT pg_terminate_backend(?::integer)', [(await writers())[0]!]);
    expect((await cutOff).status).toBe(503);
    await release();
    expect(await countNamed('one-transaction')).toBe(0);
    await create(ada, 'one-transaction').expect(201);
    await create(ada, 'one-transaction').expect(201);
    expect(await countNamed('one-transaction')).toBe(1);
  });

  it('exclude a second request with the key in another process', async () => {
    const other = new IdempotentRequests(new Store(test.database.db));
    const request = { keyHash: 'key', bodyHash: 'body' };
    const reply = { status: 201, body: '{}' };
    const store = new Store(test.database.db);
    const nothing = () => store.transaction(() => Promise.resolve());
    const first = await new IdempotentRequests(store).run(request, async () => {
      await nothing();
      expect(await other.run(request, () => Promise.resolve(reply))).toBeNull();
      return reply;
    });
    expect(first).toEqual({ bodyHash: 'body', reply });
    const second = await other.run(request, () => Promise.reject(new Error('ran a second time')));
    expect(second).toEqual(first);
  });

  it('roll back every transaction of a request that fails at the end', async () => {
    const store = new Store(test.database.db);
    const reply = { status: 201, body: '{}' };
    const add = (keyHash: string) =>
      store.transaction(({ idempotencyKeys }) => idempotencyKeys.add({ keyHash, bodyHash: '' }, reply));
    const find = (keyHash: string) => store.read.idempotencyKeys.find(keyHash);
    const failing = store.join(NO_STEPS, async () => {
      await add('written-first');
      await Promise.all([add('written-second'), add('written-third')]);
      // It sees what it wrote; others do not.
      expect(await find('written-second')).not.toBeNull();
      expect(await store.detached(() => find('written-second'))).toBeNull();
      throw new Error('at the end');
    });
    await expect(failing).rejects.toThrow('at the end');
    for (const key of ['written-first', 'written-second', 'written-third'])
      expect(await find(key)).toBeNull();
  });

  it('fail if the commit fails', async () => {
    const { db } = test.database;
    await db.raw(`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused at the commit'; END $$`);
    await db.raw(`CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON idempotency_keys DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW WHEN (NEW.body_hash = 'refused') EXECUTE FUNCTION refuse()`);
    const store = new Store(db);
    const request = { keyHash: 'refused', bodyHash: 'refused' };
    const reply = { status: 201, body: '{}' };
    const run = () => new IdempotentRequests(store).run(request, () => Promise.resolve(reply));
    await expect(run()).rejects.toThrow('refused at the commit');
    await db.raw('DROP FUNCTION refuse() CASCADE');
    expect(await run()).toEqual({ bodyHash: 'refused', reply });
  });

  it('continue after a transaction that failed within the request', async () => {
    const store = new Store(test.database.db);
    const reply = { status: 201, body: '{}' };
    const add = (keyHash: string, fails: boolean) =>
      store.transaction(async ({ idempotencyKeys }) => {
        await idempotencyKeys.add({ keyHash, bodyHash: '' }, reply);
        if (fails) throw new Error('within');
      });
    await store.join(NO_STEPS, async () => {
      await expect(add('failed', true)).rejects.toThrow('within');
      await add('succeeded', false);
    });
    expect(await store.read.idempotencyKeys.find('failed')).toBeNull();
    expect(await store.read.idempotencyKeys.find('succeeded')).not.toBeNull();
  });
});
