import { describe, expect, it } from 'vitest';
import { WatchedChanges, findForbiddenChanges } from '../../../fuzz/checks/changes.ts';
import { findSecret } from '../../../fuzz/checks/planted.ts';
import { findReplyProblems } from '../../../fuzz/checks/reply.ts';
import { formatCurl, type Draft, serializeDraft } from '../../../fuzz/requests/draft.ts';
import { RawJson, withOwnKey } from '../../../fuzz/requests/json-text.ts';
import { simpler } from '../../../fuzz/shrink.ts';
import { routes } from '../../../src/routes/index.ts';
import { useDatabase } from '../../support/database.ts';

/** Checks that the fuzzer detects the defects that it looks for. */

const draftOf = (operationId: string, value: unknown = {}): Draft => ({
  route: routes.find((route) => route.operationId === operationId)!,
  family: 'valid',
  what: 'a valid request',
  sender: { name: 'a user', headers: { 'X-API-Key': "it's" }, mustNotRead: null },
  params: {},
  query: [],
  body: { kind: 'json', value },
  headers: {},
});

const replyWith = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  ms: 1,
  wasLeft: false,
});

const errorBody = (fields: object = {}) => ({
  error: 1,
  message: 'm',
  code: 'validation_failed',
  details: [],
  request_id: 'r',
  ...fields,
});
const fieldError = (field: string) => errorBody({ details: [{ field, message: 'is wrong' }] });

describe('findReplyProblems', () => {
  const create = draftOf('createSurvey', { survey_name: 'x' });
  it.each([
    ['an undocumented status', replyWith(410, errorBody()), 'status 410 is not documented'],
    ['an internal error', replyWith(500, errorBody({ code: 'internal_error' })), 'an error of ours'],
    ['an error without its envelope', replyWith(400, { error: 'no' }), 'not in its envelope'],
    ['an envelope with an extra field', replyWith(400, errorBody({ stack: 'x' })), 'not in its envelope'],
    ['an error about an unknown field', replyWith(400, fieldError('surprise')), 'a field that is nowhere'],
    [
      'an SQL statement in a message',
      replyWith(400, errorBody({ message: 'select a from b: syntax error at' })),
      'says too much',
    ],
    ['a reply that breaks its schema', replyWith(201, { success: 1, data: {} }), 'breaks its schema'],
    ['a reply that is not JSON', replyWith(201, 'x', { 'content-type': 'text/html' }), 'not JSON'],
  ])('reports %s', (_what, reply, problem) => {
    expect(findReplyProblems(create, reply).join('\n')).toContain(problem);
  });

  it('reports nothing for a correct reply', () => {
    expect(findReplyProblems(create, replyWith(400, fieldError('survey_name')))).toEqual([]);
    expect(
      findReplyProblems(draftOf('deleteSurvey'), { ...replyWith(204, ''), body: Buffer.alloc(0) }),
    ).toEqual([]);
  });
});

describe('findForbiddenChanges', () => {
  const database = useDatabase();

  it('reports committed changes, except allowed ones', async () => {
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

it('finds a secret and prints only its start', () => {
  expect(findSecret('… cvs_0123456789 …', ['other', 'cvs_0123456789'])).toBe('cvs_0123…');
  expect(findSecret('…', ['cvs_0123456789'])).toBeNull();
});

it('serializes JSON that JavaScript values cannot represent', () => {
  const value: Record<string, unknown> = { a: new RawJson('1e400'), b: ['\ud800'] };
  withOwnKey(value, '__proto__', { c: 1 });
  const { body } = serializeDraft(draftOf('createSurvey', value));
  expect(body!.toString()).toBe('{"a":1e400,"b":["\\ud800"],"__proto__":{"c":1}}');
});

it('prints a request as a shell command without the parts that a finding does not need', async () => {
  const draft = draftOf('createSurvey', { survey_name: 'x', survey_settings: { color: '#fff' }, a: [1, 2] });
  draft.headers.Prefer = 'wait';
  const shrunk = await simpler(draft, (candidate) =>
    Promise.resolve(candidate.body.kind === 'json' && JSON.stringify(candidate.body.value).includes('#fff')),
  );
  expect(formatCurl(serializeDraft(shrunk), 'http://127.0.0.1:1')).toBe(
    `curl -sS --globoff --path-as-is -X POST 'http://127.0.0.1:1/api/surveys' -H 'Content-Type: application/json' ` +
      `-H 'X-API-Key: it'\\''s' --data-binary '{"survey_settings":{"color":"#fff"}}'`,
  );
});
