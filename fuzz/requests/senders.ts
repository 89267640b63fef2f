import { credentialHeaders } from '../../test/support/permission-matrix/operation.ts';
import type { Kind } from '../../test/support/permission-matrix/callers.ts';
import type { CredentialKind, Fixtures } from '../../test/support/permission-matrix/fixtures.ts';
import type { Sender } from './draft.ts';
import type { Random } from './random.ts';

/** A sender from the fixtures. */
export function senderOf(fixtures: Fixtures, kind: Kind, credential: CredentialKind): Sender {
  return {
    name: kind === 'anonymous' ? 'anonymous' : `${kind} by ${credential}`,
    headers: credentialHeaders(fixtures.callers[kind][credential]),
    // A superadmin may look into every organization.
    mustNotRead: kind === 'superadmin' ? null : kind === 'foreign' ? 'home' : 'foreign',
  };
}

const KINDS: readonly Kind[] = [
  'anonymous',
  'suspended',
  'foreign',
  'client',
  'otherMember',
  'viewer',
  'editor',
  'owner',
  'admin',
];

/** Anybody, those with credentials that are none among them. */
export function anySender(fixtures: Fixtures, random: Random): Sender {
  if (random.chance(0.15)) return badSender(fixtures, random);
  return senderOf(fixtures, random.pick(KINDS), random.pick(['key', 'session']));
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
/** An unsigned token with the claims of another user's session. */
const unsigned = (header: object, userId: number): string =>
  `${encoded(header)}.${encoded({ sub: String(userId), user_id: userId, purpose: 'session', iat: 1 })}.`;

function badSender(fixtures: Fixtures, random: Random): Sender {
  const admin = fixtures.callers.admin.key;
  const token = credentialHeaders(fixtures.callers.admin.session).Authorization!.slice('Bearer '.length);
  const [header = '', claims = '', signature = ''] = token.split('.');
  const credentials: Record<string, Record<string, string>> = {
    'a key that is none': { 'X-API-Key': `cvs_${'x'.repeat(48)}` },
    'half a key': { 'X-API-Key': admin.apiKey!.slice(0, 20) },
    'a long key': { 'X-API-Key': 'cvs_'.padEnd(8_000, 'x') },
    'alg none': { Authorization: `Bearer ${unsigned({ alg: 'none', typ: 'JWT' }, admin.userId)}` },
    'a kid with a path': {
      Authorization: `Bearer ${unsigned({ alg: 'HS256', kid: '../../../../dev/null' }, admin.userId)}`,
    },
    'a signature of others': {
      Authorization: `Bearer ${header}.${claims}.${[...signature].reverse().join('')}`,
    },
    'other claims': {
      Authorization: `Bearer ${header}.${encoded({ sub: '1', exp: 9_999_999_999 })}.${signature}`,
    },
    'no scheme': { Authorization: token },
    basic: { Authorization: `Basic ${Buffer.from(`${admin.email}:${admin.password}`).toString('base64')}` },
    'a bad header beside a good cookie': { Authorization: 'Bearer x', Cookie: `auth_token=${token}` },
    'a cookie from another site': { Cookie: `auth_token=${token}`, Origin: 'https://evil.example' },
    'a cookie, said to be cross-site': { Cookie: `auth_token=${token}`, 'Sec-Fetch-Site': 'cross-site' },
    'a broken cookie': { Cookie: 'auth_token=%E0%A4%A; auth_token=j:{"a":1}; =; ;;' },
  };
  const name = random.pick(Object.keys(credentials));
  return { name, headers: credentials[name]!, mustNotRead: 'foreign' };
}
