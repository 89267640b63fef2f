import { beforeAll, describe, expect, it } from 'vitest';
import { useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { useUnchangedCheck } from '../../support/permission-matrix/unchanged-check.ts';
import { expectRefused, expectInvalidField } from '../../support/refusals.ts';

const test = useApp();
const organization = useOrganization(test);
const admin = organization.admin;
let id: number;
beforeAll(async () => {
  id = organization.workspaceId;
  // The first use of a key from a network is recorded in the audit log.
  await admin.get('/api/users/me').expect(200);
});
const stored = useUnchangedCheck(test);

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

  it.each(WRONG)('%s cannot be %j', async (field, value) => {
    const body = { workspace_name: 'Fine', [field]: value };
    await expectInvalidField(admin.post('/api/workspaces', body), field);
    await expectInvalidField(admin.put(`/api/workspaces/${id}`, body), field);
    await stored.expectUnchanged();
  });

  it('workspace_name is required', async () => {
    const { details } = await expectRefused(admin.post('/api/workspaces', {}), 400);
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
])('%s of a member cannot be %j', async (field, value) => {
  const body = { user_id: 1, role: 'viewer', [field]: value };
  const { details } = await expectRefused(admin.post(`/api/workspaces/${id}/members`, body), 400);
  expect(details[0]!.field.startsWith(field)).toBe(true);
  await stored.expectUnchanged();
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
])('the list rejects ?%s', async (query, field) => {
  await expectInvalidField(admin.get(`/api/workspaces?${query}`), field);
});
