import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, newOrganization, signIn } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';

type Person =
  | 'owner'
  | 'admin'
  | 'member'
  | 'invited viewer'
  | 'invited editor'
  | 'invited admin'
  | 'client'
  | 'foreign admin'
  | 'anonymous';

/** The role of each person in a private (1), team (2) and shared (3) workspace, or the HTTP status if it is hidden. */
const EXPECTED_ROLES: [Person, 1 | 2 | 3, 'viewer' | 'editor' | 'owner' | 401 | 403 | 404][] = [
  ['owner', 1, 'owner'],
  ['owner', 2, 'owner'],
  ['owner', 3, 'owner'],
  ['admin', 1, 404],
  ['admin', 2, 'owner'],
  ['admin', 3, 404],
  ['member', 1, 404],
  ['member', 2, 'editor'],
  ['member', 3, 404],
  ['invited viewer', 1, 404],
  ['invited viewer', 2, 'editor'],
  ['invited viewer', 3, 'viewer'],
  ['invited editor', 1, 404],
  ['invited editor', 2, 'editor'],
  ['invited editor', 3, 'editor'],
  ['invited admin', 1, 404],
  ['invited admin', 2, 'owner'],
  ['invited admin', 3, 'viewer'],
  ['client', 1, 403],
  ['client', 2, 403],
  ['client', 3, 403],
  ['foreign admin', 1, 404],
  ['foreign admin', 2, 404],
  ['foreign admin', 3, 404],
  ['anonymous', 1, 401],
  ['anonymous', 2, 401],
  ['anonymous', 3, 401],
];

const test = useApp();
let actors: Record<Person, Actor>;
const workspaces = new Map<number, string>();

beforeAll(async () => {
  const organization = await newOrganization(test);
  const owner = await organization.addUser('member');
  actors = {
    owner,
    admin: organization.admin,
    member: await organization.addUser('member'),
    'invited viewer': await organization.addUser('member'),
    'invited editor': await organization.addUser('member'),
    'invited admin': await organization.addUser('admin'),
    client: await organization.addUser('client'),
    'foreign admin': (await newOrganization(test)).admin,
    anonymous: { ...owner, ...withoutCredential(owner) },
  };
  for (const visibility of [1, 2, 3]) {
    const body = { workspace_name: `Level ${visibility}`, workspace_visibility: visibility };
    const path = `/api/workspaces/${(await owner.post('/api/workspaces', body).expect(201)).body.data.workspace_id}`;
    workspaces.set(visibility, path);
    for (const [person, role] of [
      ['invited viewer', 'viewer'],
      ['invited editor', 'editor'],
      ['invited admin', 'viewer'],
    ] as const) {
      await owner.post(`${path}/members`, { user_id: actors[person].userId, role }).expect(201);
    }
  }
});

function withoutCredential(actor: Actor): Pick<Actor, 'get' | 'put' | 'post' | 'delete'> {
  const strip = (request: ReturnType<Actor['get']>) => request.unset('X-API-Key');
  return {
    get: (path) => strip(actor.get(path)),
    put: (path, body) => strip(actor.put(path, body)),
    post: (path, body) => strip(actor.post(path, body)),
    delete: (path) => strip(actor.delete(path)),
  };
}

describe.each(EXPECTED_ROLES)('%s in a workspace with visibility %i', (user, visibility, outcome) => {
  const canOwn = outcome === 'owner';
  const isHidden = typeof outcome === 'number';
  const refusal = isHidden ? outcome : 403;

  it(isHidden ? `gets ${outcome}` : `has role ${outcome}`, async () => {
    const path = workspaces.get(visibility)!;
    const actor = actors[user];
    const found = await actor.get(path);
    expect(found.status).toBe(isHidden ? outcome : 200);
    if (!isHidden) expect(found.body.data.my_role).toBe(outcome);

    const readReplies = [
      await actor.get(`${path}/members`),
      await actor.put(path.replace('workspaces/', 'workspaces/current/')),
    ];
    expect(readReplies.map((reply) => reply.status)).toEqual(isHidden ? [outcome, outcome] : [200, 200]);

    const list = await actor.get('/api/workspaces');
    const listed = ((list.body.data ?? []) as { workspace_id: number }[]).map(
      (workspace) => workspace.workspace_id,
    );
    expect(listed.includes(Number(path.split('/').at(-1)))).toBe(!isHidden);

    const before = await actors.owner.get(path);
    const ownerReplies = [
      await actor.put(path, { workspace_name: before.body.data.workspace_name }),
      await actor.post(`${path}/members`, { user_id: actors['invited viewer'].userId, role: 'viewer' }),
      await actor.delete(`${path}/members/99999999999999`),
    ];
    expect(ownerReplies.map((reply) => reply.status)).toEqual(
      canOwn ? [200, 200, 404] : [refusal, refusal, refusal],
    );
    if (!canOwn) expect((await actor.delete(path)).status).toBe(refusal);
    expect((await actors.owner.get(path)).body).toEqual(before.body);
  });
});

it('returns the same 404 for a hidden workspace, one of another organization and a missing one', async () => {
  const messages = await Promise.all(
    [
      actors.member.get(workspaces.get(1)!),
      actors['foreign admin'].get(workspaces.get(2)!),
      actors.member.get('/api/workspaces/99999999999999'),
    ].map(async (request) => {
      const { status, body } = await request;
      return JSON.stringify({ status, ...body, request_id: '' });
    }),
  );
  expect(new Set(messages).size).toBe(1);
});

it('revokes access immediately when an admin becomes a client', async () => {
  const { admin } = await newOrganization(test);
  const session = await signIn(test, admin);
  const setRole = (role: string) =>
    test.database.db.raw('UPDATE users SET user_role = ? WHERE user_id = ?', [role, admin.userId]);
  await setRole('client');
  expect([
    (await session.get('/api/workspaces')).status,
    (await admin.get('/api/workspaces')).status,
  ]).toEqual([403, 403]);
  await setRole('admin');
  await session.get('/api/workspaces').expect(200);
});
