import { expect, it } from 'vitest';
import { inviteStatusAt } from '../../../../src/domain/access/invite-status.ts';

const NOW = new Date('2030-01-31T12:00:00Z');
const at = (text: string) => new Date(`2030-01-31T${text}Z`);

it.each([
  ['for ever, unlimited', null, 1_000_000, null, 'active'],
  ['with a use left', 3, 2, null, 'active'],
  ['without a use left', 3, 3, null, 'used_up'],
  ['until a moment from now', null, 0, at('12:00:00.001'), 'active'],
  ['until this very moment', null, 0, at('12:00:00.000'), 'expired'],
  ['over, and used up as well', 1, 1, at('11:59:59.999'), 'expired'],
] as const)('an invite link %s', (_, maxUses, uses, expiresAt, status) => {
  const link = { invite_max_uses: maxUses, invite_uses: uses, expires_at: expiresAt };
  expect(inviteStatusAt(link, NOW)).toBe(status);
});
