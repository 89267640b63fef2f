import type { Fixtures } from '../../test/support/permission-matrix/fixtures.ts';
import { type Change, cloneDraft, type Draft } from './draft.ts';
import { cloneJsonValue } from './clone-json-value.ts';
import { IN_FORM } from './hostile-forms.ts';
import { HOSTILE_ADDRESS_PARTS, HOSTILE_VALUES } from './hostile-values.ts';
import { RawJson, jsonText, withOwnKey } from './json-text.ts';
import { listObjects, listValueRefs } from './value-paths.ts';
import type { Random } from './random.ts';
import { anySender } from './senders.ts';

/** A valid request into which something was put that means harm. */
export function makeHostile(valid: Draft, random: Random, fixtures: Fixtures): Draft {
  const isForm = valid.body.kind === 'form';
  const isJson = valid.body.kind === 'json';
  const choices = [
    ...ANYWHERE,
    ...(isJson ? [...IN_JSON, ...IN_JSON] : []),
    ...(isForm ? [...IN_FORM, ...IN_FORM] : []),
  ];
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const draft: Draft = { ...cloneDraft(valid), family: 'hostile' };
    const what = random.pick(choices)(draft, random, fixtures);
    if (what === null) continue;
    // Attackers may be authenticated.
    if (random.chance(0.1)) draft.sender = anySender(fixtures, random);
    return { ...draft, what };
  }
  return {
    ...valid,
    family: 'hostile',
    headers: { ...valid.headers, 'X-Forwarded-For': '::1' },
    what: 'a forged address',
  };
}

const truncatedJson = (value: unknown): string => {
  const text = jsonText(value);
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length} characters)` : text;
};

/** Methods that no route supports, except the last, which every reading route supports. */
const METHODS = ['TRACE', 'PROPFIND', 'OPTIONS', 'SEARCH', 'HEAD'];

const ANYWHERE: readonly Change[] = [
  (draft, random) => {
    if (!random.chance(0.3)) return null;
    draft.method = random.pick(METHODS);
    return `by the method ${draft.method}`;
  },
  (draft, random) => {
    const names = Object.keys(draft.params);
    if (names.length === 0) return null;
    const name = random.pick(names);
    draft.params[name] = random.pick(HOSTILE_ADDRESS_PARTS);
    return `${draft.params[name].slice(0, 40)} as :${name}`;
  },
  (draft, random) => {
    const name = random.pick([...Object.keys(draft.route.query.shape), '__proto__', 'constructor']);
    const value = random.pick(HOSTILE_ADDRESS_PARTS);
    draft.query = [`${name}=${value}`];
    return `${value.slice(0, 40)} as ${name} in the query`;
  },
  (draft, random) => {
    const name = random.pick([...Object.keys(draft.route.query.shape), 'a']);
    draft.query = random.pick([
      [`${name}=1`, `${name}=2`],
      [`${name}[x]=1`],
      [`${name}[]=1`, `${name}[]=2`],
      [`${name}[0][x]=1`],
      Array.from({ length: 3_000 }, (_, index) => `a${index}=1`),
      [`${name}`],
      ['=', '&&&', '=1'],
      [`${name}=%EF%BB%BF1`],
    ]);
    return `an odd query: ${draft.query.join('&').slice(0, 40)}`;
  },
  (draft, random) => {
    const [name, value] = random.pick<readonly [string, string]>([
      ['X-Forwarded-For', '127.0.0.1, 10.0.0.1'],
      ['X-Forwarded-Host', 'evil.example'],
      ['X-Forwarded-Proto', 'https'],
      ['Forwarded', 'for=127.0.0.1;host=evil.example'],
      ['Host', 'evil.example'],
      ['Host', ''],
      ['X-Request-Id', '<script>'],
      ['X-Request-Id', 'x'.repeat(5_000)],
      ['Idempotency-Key', ''],
      ['Idempotency-Key', 'x'.repeat(300)],
      ['Idempotency-Key', `key-${random.below(3)}`],
      ['Idempotency-Key', 'caf\xe9'],
      ['If-None-Match', '*'],
      ['If-None-Match', '"'.repeat(3_000)],
      ['Last-Event-ID', '-1'],
      ['Last-Event-ID', '99999999999999999999'],
      ['Prefer', 'respond-async, wait, respond-async=; ; ,,'],
      ['Accept', 'text/html'],
      ['Accept-Encoding', 'gzip;q=9, *;q=x'],
      ['Range', 'bytes=0-0,-1,99999999999999999999-'],
      ['Content-Encoding', 'gzip'],
      ['Transfer-Encoding', 'gzip, chunked'],
      ['Expect', '100-continue'],
      ['X-HTTP-Method-Override', 'DELETE'],
      ['User-Agent', `x\t${'y'.repeat(4_000)}`],
      ['Cookie', `auth_token=${'x'.repeat(4_000)}`],
      ['Cookie', 'auth_token=s%3Ax.y; auth_token=j%3A%7B%7D'],
      ['Stripe-Signature', 't=1,v1=00'],
    ]);
    if (name === 'Transfer-Encoding' && draft.body.kind === 'none') return null;
    draft.headers[name] = value;
    return `the header ${name}: ${value.slice(0, 40)}`;
  },
];

const IN_JSON: readonly Change[] = [
  intoBody,
  intoBody,
  intoBody,
  (draft, random) => {
    if (draft.body.kind !== 'json') return null;
    const target = listObjects(draft.body.value);
    if (target.length === 0) return null;
    const key = random.pick([
      '__proto__',
      'constructor',
      'prototype',
      'toString',
      '',
      'a\0',
      '\ud800',
      "x'--",
      '$where',
      'x'.repeat(9_000),
    ]);
    withOwnKey(random.pick(target), key, random.pick<unknown>([{ isAdmin: true }, 1, null]));
    return `the key ${truncatedJson(key)}`;
  },
  (draft, random) => {
    if (draft.body.kind !== 'json') return null;
    const target = listObjects(draft.body.value);
    if (target.length === 0) return null;
    // Fields that only the server may set.
    const [key, value] = random.pick<readonly [string, unknown]>([
      ['is_test', false],
      ['response_id', 1],
      ['user_role', 'superadmin'],
      ['organization_id', 1],
      ['created_at', '2020-01-01T00:00:00Z'],
      ['completed_at', 'infinity'],
      ['user_id', 1],
      ['workspace_id', 1],
      ['credits', 1e9],
      ['password_hash', 'x'],
    ]);
    random.pick(target)[key] = value;
    return `${key} set by the client`;
  },
  answersForged,
  (draft, random) => {
    const text = random.pick([
      '',
      '{',
      '{"a":1}}',
      '[]',
      'null',
      '1',
      '"x"',
      'NaN',
      '{"a":1,}',
      "{'a':1}",
      '\ufeff{}',
      '{"a":"\u0001"}',
      '{"a":1e400}',
      `{"a":${'9'.repeat(5_000)}}`,
      '['.repeat(5_000),
      `${'{"a":['.repeat(2_500)}1`,
      `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
      `[${'{},'.repeat(50_000)}{}]`,
      '{"a":1}\n{"a":2}',
      '{"__proto__":{"a":1},"constructor":{"prototype":{"a":1}}}',
    ]);
    draft.body = { kind: 'bytes', bytes: Buffer.from(text), contentType: 'application/json' };
    return `${truncatedJson(new RawJson(text))} as body`;
  },
  (draft, random) => {
    if (draft.body.kind !== 'json') return null;
    const bytes = Buffer.from(jsonText(draft.body.value));
    const contentType = random.pick([
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'application/json; charset=utf-16',
      'application/json;;;',
      'application/jsonx',
      '',
      'APPLICATION/JSON',
    ]);
    draft.body = { kind: 'bytes', bytes, contentType };
    return `JSON as ${contentType || 'nothing'}`;
  },
  (draft, random) => {
    if (draft.body.kind !== 'json') return null;
    const bytes = Buffer.from(jsonText(draft.body.value));
    const wrong = random.pick([
      Buffer.concat([bytes, Buffer.from([0])]),
      Buffer.concat([Buffer.from([0xff, 0xfe]), bytes]),
      Buffer.from(`{"a":"x"}`.replace('x', '\xff'), 'latin1'),
      Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
      Buffer.alloc(draft.route.maxBodyBytes + 1, 0x20),
      bytes.subarray(0, bytes.length - 1),
    ]);
    draft.body = { kind: 'bytes', bytes: wrong, contentType: 'application/json' };
    return `bytes that are no JSON in UTF-8 (${wrong.length})`;
  },
];

function intoBody(draft: Draft, random: Random): string | null {
  if (draft.body.kind !== 'json') return null;
  const value = random.pick(HOSTILE_VALUES);
  const places = listValueRefs(draft.body.value);
  if (places.length > 0 && random.chance(0.7)) {
    const place = random.pick(places);
    place.replace(value);
    return `${truncatedJson(value)} as ${place.path}`;
  }
  // A member of the schema that the request omits.
  const { body } = draft.route;
  const names = 'shape' in body ? Object.keys(body.shape as object) : [];
  const target = draft.body.value;
  if (names.length === 0 || typeof target !== 'object' || target === null) return null;
  const name = random.pick(names);
  (target as Record<string, unknown>)[name] = value;
  return `${truncatedJson(value)} as ${name}`;
}

const FORGED_ANSWERS: readonly Record<string, unknown>[] = [
  { Q99: '1' },
  { Q1: '99' },
  { Q1: ['1', '2'] },
  { Q1: { value: '1', other: 'x'.repeat(50_000) } },
  { Q1: { toString: 1 } },
  { Q2: 1e308 },
  { Q2: '١٢' },
  { Q2: new RawJson('9007199254740993') },
  { Q2: 'Infinity' },
  { Q3: '=HYPERLINK("http://evil.example")' },
  { Q3: { value: 'x' } },
  { Q3: 'x'.repeat(200_000) },
  { Q4: ['00000000-0000-4000-8000-000000000000'] },
  { Q4: '../../etc/passwd' },
  { Q6: ['1', '9', '1'] },
  { Q10: { r9: 'Bad', constructor: 'Bad' } },
  { Q11: ['Red', 'Red'] },
  { Q12: '2026-02-30' },
  { Q12: 'infinity' },
  { Q13: 11 },
  { Q9: 99 },
  { q1: '1' },
  { 'Q1 ': '1' },
  { toString: '1', valueOf: '1' },
  { response_id: 1, status: 'complete', is_test: false },
];

function answersForged(draft: Draft, random: Random): string | null {
  if (draft.body.kind !== 'json') return null;
  const places = listValueRefs(draft.body.value).filter(
    ({ name }) => name === 'answers' || name === 'values',
  );
  if (places.length === 0) return null;
  const answers = random.pick(FORGED_ANSWERS);
  random.pick(places).replace(cloneJsonValue(answers));
  return `forged answers ${truncatedJson(answers)}`;
}
