import { describe, expect, it } from 'vitest';
import { WatchedChanges, findForbiddenChanges } from '../../../fuzz/checks/changes.ts';
import { findSecret } from '../../../fuzz/checks/planted.ts';
import { findReplyProblems } from '../../../fuzz/checks/reply.ts';
import { formatCurl, type Draft, serializeDraft } from '../../../fuzz/requests/draft.ts';
import { RawJson, withOwnKey } from '../../../fuzz/requests/json-text.ts';
import { simpler } from '../../../fuzz/shrink.ts';
import { routes } from '../../../src/routes/index.ts';
import { useDatabase } from '../../support/database.ts';

/** That the fuzzer sees what it is there to see. */

const draftOf = (operationId: string, value: unknown = {}): Draft => ({
  route: routes.find((route) => route.operationId === operationId)!,
  family: 'valid',
  what: 'as it should be',
  sender: { name: 'somebody', headers: { 'X-API-Key': "it's" }, mustNotRead: null },
  params: {},
  query: [],
  body: { kind: 'json', value },
  headers: {},
});

const replied = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  ms: 1,
  wasLeft: false,
});

const refusal = (more: object = {}) => ({
  error: 1,
  message: 'm',
  code: 'validation_failed',
  details: [],
  request_id: 'r',
  ...more,
});
const complaint = (field: string) => refusal({ details: [{ field, message: 'is wrong' }] });

describe('findReplyProblems', () => {
  const create = draftOf('createSurvey', { survey_name: 'x' });
  it.each([
    ['an undocumented status', replied(410, refusal()), 'status 410 is not documented'],
    ['an internal error', replied(500, refusal({ code: 'internal_error' })), 'an internal error'],
    ['an error without its envelope', replied(400, { error: 'no' }), 'not in its envelope'],
    ['an envelope with additional fields', replied(400, refusal({ stack: 'x' })), 'not in its envelope'],
    ['an unknown field in the details', replied(400, complaint('surprise')), 'an unknown field'],
    [
      'a database statement',
      replied(400, refusal({ message: 'select a from b: syntax error at' })),
      'says too much',
    ],
    ['a reply that violates its schema', replied(201, { success: 1, data: {} }), 'breaks its schema'],
    ['a reply that is not JSON', replied(201, 'x', { 'content-type': 'text/html' }), 'not JSON'],
  ])('reports %s', (_what, reply, description) => {
    expect(findReplyProblems(create, reply).join('\n')).toContain(description);
  });

  it('reports nothing for a valid reply', () => {
    expect(findReplyProblems(create, replied(400, complaint('survey_name')))).toEqual([]);
    expect(
      findReplyProblems(draftOf('deleteSurvey'), { ...replied(204, ''), body: Buffer.alloc(0) }),
    ).toEqual([]);
  });
});

describe('changes of a rejected request', () => {
  const database = useDatabase();

  it('are reported if committed, except rolled back ones and expected writes', async () => {
    const { db } = database;
    const changes = new WatchedChanges(db);
    await changes.begin();
    const insert = `INSERT INTO organizations (organization_name, organization_slug) VALUES ('A', 'a')`;
    await db.raw(`BEGIN; ${insert}; ROLLBACK`);
    expect(findForbiddenChanges(await changes.since())).toEqual([]);
    await db.raw(insert);
    expect(findForbiddenChanges(await changes.since())).toEqual(['INSERT organizations']);
    await db.raw(`UPDATE organizations SET organization_name = 'A'`);
    expect(findForbiddenChanges(await changes.since())).toEqual([]);
    await db.raw(`UPDATE organizations SET organization_name = 'B'`);
    expect(findForbiddenChanges(await changes.since())).toEqual(['UPDATE organizations (organization_name)']);
    expect(
      findForbiddenChanges([{ table: 'api_keys', operation: 'UPDATE', columns: ['last_used_at'] }]),
    ).toEqual([]);
  });
});

it('finds a leaked secret without repeating it', () => {
  expect(findSecret('… cvs_0123456789 …', ['other', 'cvs_0123456789'])).toBe('cvs_0123…');
  expect(findSecret('…', ['cvs_0123456789'])).toBeNull();
});

it('sends JSON values that JavaScript cannot represent unchanged', () => {
  const value: Record<string, unknown> = { a: new RawJson('1e400'), b: ['\ud800'] };
  withOwnKey(value, '__proto__', { c: 1 });
  const { body } = serializeDraft(draftOf('createSurvey', value));
  expect(body!.toString()).toBe('{"a":1e400,"b":["\\ud800"],"__proto__":{"c":1}}');
});

it('formats a minimized request as a curl command', async () => {
  const draft = draftOf('createSurvey', { survey_name: 'x', survey_settings: { color: '#fff' }, a: [1, 2] });
  draft.headers.Prefer = 'wait';
  const small = await simpler(draft, (tried) =>
    Promise.resolve(tried.body.kind === 'json' && JSON.stringify(tried.body.value).includes('#fff')),
  );
  expect(formatCurl(serializeDraft(small), 'http://127.0.0.1:1')).toBe(
    `curl -sS --globoff --path-as-is -X POST 'http://127.0.0.1:1/api/surveys' -H 'Content-Type: application/json' ` +
      `-H 'X-API-Key: it'\\''s' --data-binary '{"survey_settings":{"color":"#fff"}}'`,
  );
});
