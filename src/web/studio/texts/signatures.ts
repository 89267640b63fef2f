import { counted } from './counts.ts';

export const signatureTexts = {
  title: 'Signatures',
  about:
    'With a key that only you and the panel have, the panel signs the address of each member, so that IDs cannot be invented. Your redirects are signed for the panel too.',
  noKey: 'No key: signatures are not checked.',
  keyCreated: 'Key created',
  required: 'Respondents without a valid signature are refused.',
  optional: 'Respondents without a valid signature are accepted and counted as mismatches.',
  refusesAll:
    'Signatures are required, but there is no key, so all new respondents are refused. Create a key.',
  create: 'Create key',
  created: (name: string) => `Key of ${name} created`,
  rotate: 'Replace key',
  rotateTitle: 'Replace the key?',
  rotateAbout: 'Signatures with the current key become invalid at once. Give the new key to the panel.',
  revoke: 'Revoke key',
  revokeTitle: 'Revoke the key?',
  revokeAbout:
    'Signatures with it become invalid at once. If the link requires signatures, it refuses all new respondents until it has a new key.',
  revoked: (name: string) => `Key of ${name} revoked`,
  require: 'Require signatures',
  requiredNow: (name: string) => `${name} requires signatures`,
  makeOptional: 'Stop requiring signatures',
  optionalNow: (name: string) => `${name} no longer requires signatures`,
  copyNow: 'Copy the key now. It is not shown again.',
  key: 'Key',
  exampleTitle: 'Example for the panel (Node.js)',
  example: (address: string) => `const { createHmac } = require('node:crypto');

const signedAt = Math.floor(Date.now() / 1000);
const text = ['entry', '${address.split('/').at(-1) ?? ''}', externalId, signedAt].join('\\n');
const signature = createHmac('sha256', key).update(text, 'utf8').digest('hex');
const address = '${address}?' +
  new URLSearchParams({ external_id: externalId, signed_at: signedAt, signature });`,
  noMismatches: 'No mismatches.',
  mismatches: (entries: number, exits: number) =>
    `${counted(entries, 'entry', 'entries')} and ${counted(exits, 'exit', 'exits')} did not match`,
  latest: 'Latest mismatches',
  noId: 'no ID',
  reasons: {
    missing: 'Entry without ID, time or signature',
    invalid: 'Entry with a wrong signature',
    expired: 'Entry with an old signature',
    used: 'Entry with a used signature',
    no_key: 'Entry while the link had no key',
    without_entry: 'Exit without a signed entry',
    repeated: 'Exit of a member who had left before',
  },
};
