import { expect, it } from 'vitest';
import { inviteStatusAt } from '../../../../src/domain/access/users.ts';

const NOW = new Date('2030-01-31T12:00:00Z');
const at = (text: string) => new Date(`2030-01-31T${text}Z`);

it.each([
  ['without expiry or limit', null, 1_000_000, null, 'active'],
  ['with one use left', 3, 2, null, 'active'],
  ['with no uses left', 3, 3, null, 'used_up'],
  ['that expires in the future', null, 0, at('12:00:00.001'), 'active'],
  ['that expires at this moment', null, 0, at('12:00:00.000'), 'expired'],
  ['that is expired and used up', 1, 1, at('11:59:59.999'), 'expired'],
] as const)('status of an invite link %s', (_, maxUses, uses, expiresAt, status) => {
  const link = { invite_max_uses: maxUses, invite_uses: uses, expires_at: expiresAt };
  expect(inviteStatusAt(link, NOW)).toBe(status);
});
