import { describe, expect, test } from 'vitest';
import { type Actor, newOrganization, useOrganization } from '../../support/actors.ts';
import { useApp } from '../../support/app.ts';
import { INVALID_IDS, MISSING_ID, expectRefused, expectInvalidField } from '../../support/refusals.ts';

const app = useApp();
const organization = useOrganization(app);
const author = organization.admin;
const PATH = '/api/surveys/respondents';

let names = 0;
/** An address that no other respondent has. */
const address = () => `person${(names += 1)}@example.org`;

async function added(fields: object = {}, by: Actor = author) {
  const { body } = await by.post(PATH, { email: address(), ...fields }).expect(201);
  return body.data as { respondent_id: number; email: string; [field: string]: unknown };
}

async function audited(objectId: number) {
  const { rows } = await app.database.db.raw(
    `SELECT action, details FROM audit_log WHERE object_type = 'respondent' AND object_id = ? ORDER BY audit_id`,
    [String(objectId)],
  );
  return rows as { action: string; details: unknown }[];
}

describe('a respondent', () => {
  test('is created and read back unchanged', async () => {
    const given = {
      email: ' Ada@Example.org ',
      name: 'Ada =SUM(A1) Ünïcode',
      external_id: 'P-1',
      language: 'pt-BR',
      attributes: { segment: 'A', age: 42, vip: false, formula: '=1+1', Größe: 1.5 },
    };
    const { body } = await author.post(PATH, given).expect(201);
    expect(body.data).toEqual({
      ...given,
      email: 'Ada@Example.org',
      respondent_id: expect.any(Number),
      opted_out: false,
      last_invited_at: null,
      completed_count: 0,
      created_at: expect.any(String),
    });
    const read = await author.get(`${PATH}/${body.data.respondent_id}`).expect(200);
    expect(read.body.data).toEqual(body.data);
    expect(await audited(body.data.respondent_id)).toEqual([{ action: 'respondent.created', details: null }]);
  });

  test('requires an email or external_id, on creation and update', async () => {
    await expectInvalidField(author.post(PATH, { name: 'Nobody' }), 'email');
    const { respondent_id: id } = await added({ email: undefined, external_id: 'only-this' });
    await expectInvalidField(author.put(`${PATH}/${id}`, { external_id: null }), 'email');
    const reply = await author.put(`${PATH}/${id}`, { external_id: null, email: address() }).expect(200);
    expect(reply.body.data.external_id).toBeNull();
  });

  test('has a unique address (ignoring case) and external_id in the workspace', async () => {
    const first = await added({ external_id: 'X-1' });
    await expectRefused(author.post(PATH, { email: first.email.toUpperCase() }), 409, 'email_taken');
    await expectRefused(author.post(PATH, { external_id: 'X-1' }), 409, 'external_id_taken');
    const second = await added({ external_id: 'x-1' });
    await expectRefused(
      author.put(`${PATH}/${second.respondent_id}`, { email: first.email }),
      409,
      'email_taken',
    );
    const elsewhere = await author.post('/api/workspaces', { workspace_name: 'Another' }).expect(201);
    const there = { workspace_id: elsewhere.body.data.workspace_id };
    await author.post(PATH, { ...there, email: first.email, external_id: 'X-1' }).expect(201);
  });

  test('is updated by field: absent keeps, null clears, attributes are replaced as a whole', async () => {
    const { respondent_id: id, ...before } = await added({ name: 'Ada', attributes: { a: 1, b: 2 } });
    const named = await author.put(`${PATH}/${id}`, { name: null, language: 'de' }).expect(200);
    expect(named.body.data).toEqual({ ...before, respondent_id: id, name: null, language: 'de' });
    const reply = await author.put(`${PATH}/${id}`, { attributes: { b: 3 } }).expect(200);
    expect(reply.body.data.attributes).toEqual({ b: 3 });
    const cleared = await author.put(`${PATH}/${id}`, { attributes: null }).expect(200);
    expect(cleared.body.data.attributes).toEqual({});
    expect(await audited(id)).toEqual([
      { action: 'respondent.created', details: null },
      { action: 'respondent.updated', details: { fields: ['name', 'language'] } },
      { action: 'respondent.updated', details: { fields: ['attributes'] } },
      { action: 'respondent.updated', details: { fields: ['attributes'] } },
    ]);
  });

  test('accepts an unchanged copy without a change', async () => {
    const { respondent_id: id, ...rest } = await added({ attributes: { a: 'b' } });
    const reply = await author.put(`${PATH}/${id}`, { respondent_id: 7, ...rest }).expect(200);
    expect(reply.body.data).toEqual({ respondent_id: id, ...rest });
    expect(await audited(id)).toHaveLength(1);
  });

  test('opts out and in again, by the endpoints or the field', async () => {
    const { respondent_id: id } = await added();
    const out = await author.post(`${PATH}/${id}/opt-out`).expect(200);
    expect(out.body.data).toMatchObject({ respondent_id: id, opted_out: true });
    await author.post(`${PATH}/${id}/opt-out`).expect(200);
    await author.put(`${PATH}/${id}`, { name: 'Ada' }).expect(200);
    expect((await author.get(`${PATH}/${id}`)).body.data.opted_out).toBe(true);
    expect((await author.post(`${PATH}/${id}/opt-in`).expect(200)).body.data.opted_out).toBe(false);
    expect((await author.put(`${PATH}/${id}`, { opted_out: true })).body.data.opted_out).toBe(true);
    const actions = (await audited(id)).map(({ action }) => action.replace('respondent.', ''));
    expect(actions).toEqual(['created', 'opted_out', 'updated', 'opted_in', 'opted_out']);
  });

  test('keeps both of two concurrent changes', async () => {
    const { respondent_id: id } = await added();
    const changes = [
      { name: 'Ada' },
      { language: 'en' },
      { attributes: { a: 1 } },
      { external_id: 'same-1' },
    ];
    await Promise.all(changes.map((change) => author.put(`${PATH}/${id}`, change).expect(200)));
    const { body } = await author.get(`${PATH}/${id}`);
    expect(body.data).toMatchObject(Object.assign({}, ...changes));
  });
});

describe('invalid input', () => {
  test.each([
    ['email', { email: 'nobody' }],
    ['email', { email: 'a@example.org\r\nBcc: all@example.org' }],
    ['email', { email: '"a\nb"@example.org' }],
    ['email', { email: { $ne: 1 } }],
    ['email', { email: `${'a'.repeat(250)}@example.org` }],
    ['name', { name: 'Ada\r\nBcc: all@example.org' }],
    ['name', { name: 'Ada\u2028Bcc' }],
    ['name', { name: 'Ada\u0000' }],
    ['name', { name: 'A'.repeat(201) }],
    ['external_id', { external_id: 'a\tb' }],
    ['external_id', { external_id: '' }],
    ['language', { language: 'english please' }],
    ['opted_out', { opted_out: 'yes' }],
    ['attributes', { attributes: ['a'] }],
    ['attributes.a', { attributes: { a: { b: 1 } } }],
    ['attributes.a', { attributes: { a: null } }],
    ['attributes.a', { attributes: { a: 'x\ny' } }],
    ['attributes.a', { attributes: { a: 'x'.repeat(1_001) } }],
    ['attributes.constructor', { attributes: { constructor: 'x' } }],
    ['attributes.Email', { attributes: { Email: 'x' } }],
    ['attributes.a:b', { attributes: { 'a:b': 'x' } }],
    ['attributes.{{a}}', { attributes: { '{{a}}': 'x' } }],
    ['phone', { phone: '1' }],
  ])('is rejected by field: %s of %j', async (field, body) => {
    await expectInvalidField(author.post(PATH, { external_id: 'bad', ...body }), field);
  });

  test('rejects __proto__ as an attribute', async () => {
    const raw = author.post(PATH).set('Content-Type', 'application/json');
    await expectRefused(raw.send('{"external_id":"bad","attributes":{"__proto__":"x"}}'), 400);
  });

  test('rejects 5,000 attributes, and 100 long ones, with one message', async () => {
    const many = (count: number, value: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`a${index}`, value]));
    const tooMany = await expectRefused(
      author.post(PATH, { external_id: 'b', attributes: many(5_000, 'x') }),
      400,
    );
    expect(tooMany.details[0]).toEqual({
      field: 'attributes',
      message: 'has 5000 attributes; at most 100 are kept',
    });
    await expectInvalidField(
      author.post(PATH, { external_id: 'b', attributes: many(100, 'x'.repeat(500)) }),
      'attributes',
    );
    await author.post(PATH, { external_id: 'many', attributes: many(100, 'x') }).expect(201);
  });

  test('rejects invalid ids with 400 and stores nothing', async () => {
    for (const id of INVALID_IDS) await expectRefused(author.get(`${PATH}/${id}`), 400);
    const { body } = await author.get(`${PATH}/count?search=bad`).expect(200);
    expect(body.data).toEqual({ count: 0 });
  });
});

describe('callers without access', () => {
  test('of another organization get the same 404 as for a missing respondent', async () => {
    const { respondent_id: id } = await added({ name: 'Hidden' });
    const { admin: otherAdmin } = await newOrganization(app);
    const calls = (by: Actor, at: number) => [
      by.get(`${PATH}/${at}`),
      by.get(`${PATH}/${at}/export`),
      by.put(`${PATH}/${at}`, { name: 'Mine' }),
      by.post(`${PATH}/${at}/opt-out`),
      by.post(`${PATH}/${at}/opt-in`),
      by.delete(`${PATH}/${at}`),
    ];
    for (const call of calls(otherAdmin, id))
      expect((await expectRefused(call, 404)).message).toBe('No such respondent');
    for (const call of calls(author, MISSING_ID))
      expect((await expectRefused(call, 404)).message).toBe('No such respondent');
    const there = `workspace_id=${organization.workspaceId}`;
    await expectRefused(otherAdmin.get(`${PATH}?${there}`), 404);
    await expectRefused(otherAdmin.get(`${PATH}/count?${there}`), 404);
    await expectRefused(otherAdmin.post(`${PATH}?${there}`, { email: address() }), 404);
    await expectRefused(
      otherAdmin.post(PATH, { workspace_id: organization.workspaceId, email: address() }),
      404,
    );
    expect((await author.get(`${PATH}/${id}`)).body.data).toMatchObject({ name: 'Hidden', opted_out: false });
  });

  test('get 404 in another workspace of their own', async () => {
    const { respondent_id: id } = await added();
    const other = await author.post('/api/workspaces', { workspace_name: 'Other' }).expect(201);
    await expectRefused(author.get(`${PATH}/${id}?workspace_id=${other.body.data.workspace_id}`), 404);
    await author.get(`${PATH}/${id}?workspace_id=${organization.workspaceId}`).expect(200);
  });

  test('with the role viewer can read but not change', async () => {
    const owner = await organization.addUser('member');
    const viewer = await organization.addUser('member');
    const shared = { workspace_name: 'Shared', workspace_visibility: 3 };
    const created = await owner.post('/api/workspaces', shared).expect(201);
    const workspaceId: number = created.body.data.workspace_id;
    const member = { user_id: viewer.userId, role: 'viewer' };
    await owner.post(`/api/workspaces/${workspaceId}/members`, member).expect(201);
    const { respondent_id: id } = await added({ workspace_id: workspaceId }, owner);
    await viewer.get(`${PATH}/${id}`).expect(200);
    await viewer.get(`${PATH}?workspace_id=${workspaceId}`).expect(200);
    await expectRefused(viewer.put(`${PATH}/${id}`, { name: 'x' }), 403);
    await expectRefused(viewer.post(`${PATH}/${id}/opt-out`), 403);
    await expectRefused(viewer.delete(`${PATH}/${id}`), 403);
    await expectRefused(viewer.post(PATH, { workspace_id: workspaceId, email: address() }), 403);
    await owner.delete(`/api/workspaces/${workspaceId}`).expect(204);
    await expectRefused(owner.get(`${PATH}/${id}`), 404);
  });
});
