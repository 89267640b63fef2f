import { beforeAll, describe, expect, it } from 'vitest';
import { type Actor, anonymous, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { BAD_IDS, MISSING_ID, refused, refusedFor } from '../../support/refusals.ts';

const test = useApp();
const home = useOrganization(test);
const admin = home.admin;
let id: number;
beforeAll(() => {
  id = home.workspaceId;
});

/** Every operation, with a body it would accept. */
const OPERATIONS: ['get' | 'post' | 'put' | 'delete', string, object?][] = [
  ['get', '/api/workspaces'],
  ['post', '/api/workspaces', { workspace_name: 'Never made' }],
  ['get', '/api/workspaces/current'],
  ['put', '/api/workspaces/current/:id'],
  ['get', '/api/workspaces/:id'],
  ['put', '/api/workspaces/:id', { workspace_name: 'Never named' }],
  ['delete', '/api/workspaces/:id'],
  ['post', '/api/workspaces/:id/restore'],
  ['get', '/api/workspaces/:id/members'],
  ['post', '/api/workspaces/:id/members', { user_id: 1, role: 'viewer' }],
  ['delete', '/api/workspaces/:id/members/:userId'],
];

const filled = (path: string, workspace: string | number = id) =>
  path.replace(':userId', '1').replace(':id', String(workspace));

async function everything(): Promise<unknown> {
  const { rows } = await test.database.db.raw(
    `SELECT (SELECT json_agg(w ORDER BY workspace_id) FROM workspaces w) AS workspaces,
            (SELECT json_agg(m) FROM workspace_members m) AS members,
            (SELECT count(*) FROM audit_log) AS audited,
            (SELECT json_agg(current_workspace_id) FROM api_keys) AS current`,
  );
  return rows;
}

describe.each(OPERATIONS)('%s %s', (method, path, body) => {
  const call = (actor: Actor, workspace?: string | number) =>
    method === 'get' || method === 'delete'
      ? actor[method](filled(path, workspace))
      : actor[method](filled(path, workspace), body);

  it('asks who it is: 401 with nothing, a bad key and a bad token, and changes nothing', async () => {
    const before = await everything();
    const replies = await Promise.all([
      call(anonymous(test)),
      call(anonymous(test)).set('X-API-Key', `cvs_${'x'.repeat(48)}`),
      call(anonymous(test)).set('Authorization', 'Bearer nonsense'),
    ]);
    for (const reply of replies) {
      expect(reply.status).toBe(401);
      expect(reply.headers['www-authenticate']).toBe('Bearer');
    }
    expect(new Set(replies.map((reply) => reply.body.message)).size).toBe(1);
    expect(await everything()).toEqual(before);
  });

  it('is closed to clients', async () => {
    const client = await home.person('client');
    const before = await everything();
    await refused(call(client), 403, 'forbidden');
    expect(await everything()).toEqual(before);
  });

  it('refuses an unknown query field by name', async () => {
    const before = await everything();
    await refusedFor(call(admin).query({ worksapce_id: 1 }), 'worksapce_id');
    expect(await everything()).toEqual(before);
  });

  if (path.includes(':id')) {
    it('refuses what is no id, with 400', async () => {
      const before = await everything();
      for (const bad of BAD_IDS) await refusedFor(call(admin, bad), 'id');
      await refused(call(admin, '%ff'), 400);
      expect(await everything()).toEqual(before);
    });

    it('says 404 for a missing and for a foreign workspace, in the same words', async () => {
      const other = await newOrganization(test);
      const before = await everything();
      const missing = await refused(call(admin, MISSING_ID), 404, 'not_found');
      const foreign = await refused(call(admin, other.workspaceId), 404, 'not_found');
      expect(foreign.message).toBe(missing.message);
      expect(await everything()).toEqual(before);
    });
  }

  if (path.includes('/:id') && !path.includes('current') && !path.includes('restore')) {
    it('takes workspace_id of the same workspace, and finds nothing for another', async () => {
      const other = await newOrganization(test);
      const before = await everything();
      await refused(call(admin).query({ workspace_id: other.workspaceId }), 404, 'not_found');
      await refusedFor(call(admin).query({ workspace_id: '1.5' }), 'workspace_id');
      expect(await everything()).toEqual(before);
      if (method === 'get') await call(admin).query({ workspace_id: id }).expect(200);
    });
  }

  if (body !== undefined) {
    it('refuses an unknown field, a list and null in the place of the body', async () => {
      const before = await everything();
      await refusedFor(admin[method as 'post'](filled(path), { ...body, nmae: 1 }), 'nmae');
      await refusedFor(admin[method as 'post'](filled(path), { ...body, deleted_at: null }), 'deleted_at');
      await refused(admin[method as 'post'](filled(path), [body]), 400, 'validation_failed');
      for (const text of ['null', '1', '"text"', '[]', '{"a":']) {
        await refused(
          admin[method as 'post'](filled(path)).set('Content-Type', 'application/json').send(text),
          400,
        );
      }
      expect(await everything()).toEqual(before);
    });
  }
});

describe('the fields of a workspace', () => {
  const WRONG: [string, unknown][] = [
    ['workspace_name', 1],
    ['workspace_name', null],
    ['workspace_name', '   '],
    ['workspace_name', { $ne: 1 }],
    ['workspace_name', ['a']],
    ['workspace_name', 'x'.repeat(201)],
    ['workspace_name', 'a\0b'],
    ['workspace_color', 'red'],
    ['workspace_color', '#12345'],
    ['workspace_color', '#ggg'],
    ['workspace_color', '#fff; background: url(//evil)'],
    ['workspace_color', 255],
    ['workspace_visibility', 0],
    ['workspace_visibility', 4],
    ['workspace_visibility', '2'],
    ['workspace_visibility', null],
    ['workspace_visibility', true],
    ['workspace_visibility', { $gt: 0 }],
    ['workspace_visibility', [2]],
  ];

  it.each(WRONG)('%s may not be %j', async (field, value) => {
    const before = await everything();
    const body = { workspace_name: 'Fine', [field]: value };
    await refusedFor(admin.post('/api/workspaces', body), field);
    await refusedFor(admin.put(`/api/workspaces/${id}`, body), field);
    expect(await everything()).toEqual(before);
  });

  it('a name is required to make one', async () => {
    const { details } = await refused(admin.post('/api/workspaces', {}), 400);
    expect(details).toEqual([{ field: 'workspace_name', message: 'is required' }]);
  });
});

it.each([
  ['user_id', '1'],
  ['user_id', -1],
  ['user_id', 1.5],
  ['user_id', null],
  ['user_id', { $ne: 1 }],
  ['user_id', [1]],
  ['user_id', 2 ** 60],
  ['role', 'owner'],
  ['role', 'Viewer'],
  ['role', null],
  ['role', ['viewer']],
  ['role', { constructor: 'editor' }],
])('a member’s %s may not be %j', async (field, value) => {
  const before = await everything();
  const body = { user_id: 1, role: 'viewer', [field]: value };
  const { details } = await refused(admin.post(`/api/workspaces/${id}/members`, body), 400);
  expect(details[0]!.field.startsWith(field)).toBe(true);
  expect(await everything()).toEqual(before);
});

it.each([
  ['limit=0', 'limit'],
  ['limit=1001', 'limit'],
  ['limit=ten', 'limit'],
  ['limit=1&limit=2', 'limit'],
  ['page=0', 'page'],
  ['page=1&cursor=MQ', 'page'],
  ['cursor=nonsense', 'cursor'],
  ['sort=owner_id', 'sort'],
  ['sort=workspace_name;--', 'sort'],
  ['sort=constructor', 'sort'],
  ['sort[0][x]=workspace_name', 'sort[0][x]'],
  ['search=a&search=b', 'search'],
  ['search=%00', 'search'],
  ['search=%ff', 'query'],
  ['search=%ed%a0%80', 'query'],
  ['__proto__=1', '__proto__'],
])('a list is not cut by %s', async (query, field) => {
  await refusedFor(admin.get(`/api/workspaces?${query}`), field);
});
