import { createHash } from 'node:crypto';
import type { Ids } from '../../lib/ids.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { LinkPurpose } from '../../repositories/tables/users.ts';

const TOKEN_CHARACTERS = 43;

const hashToken = (purpose: LinkPurpose, token: string): string =>
  createHash('sha256').update(`${purpose} ${token}`).digest('hex');

/** Creates a link for this user that works once, and returns its token; only a hash of it is stored. */
export async function createOneTimeToken(
  { users }: Pick<Repositories, 'users'>,
  ids: Ids,
  {
    purpose,
    ...link
  }: {
    purpose: LinkPurpose;
    /** Whether the link is mailed to the user's address, so that using it proves whose the address is. */
    isMailed: boolean;
    userId: number;
    tokenVersion: number;
    lifetimeSeconds: number;
  },
): Promise<string> {
  const token = ids.token(TOKEN_CHARACTERS);
  await users.createPasswordReset({ ...link, purpose, tokenHash: hashToken(purpose, token) });
  return token;
}

/**
 * Uses a one-time link up. Returns null if it does not work. Locks the user before the link, in the same order as changes to users, which
 * invalidate links.
 */
export async function useOneTimeToken(
  { users }: Pick<Repositories, 'users'>,
  purpose: LinkPurpose,
  token: string,
) {
  const tokenHash = hashToken(purpose, token);
  const owner = await users.findPasswordResetOwner(tokenHash);
  if (owner === null || (await users.lock(owner.organization_id, owner.user_id)) === null) return null;
  return users.usePasswordReset(tokenHash);
}
