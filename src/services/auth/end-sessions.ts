import type { Repositories } from '../../repositories/store.ts';

/**
 * With this transaction every session of a user ends: the tokens of before are worthless at once, copies and logins that are on their
 * way included. Keys are not touched: they follow their user's status and role on each call. Gives the token_version
 * that a session must carry from now on. `renewedSessionId`: one that is not removed, for its user to go on with under another id.
 */
export async function endEverySession(
  repositories: Pick<Repositories, 'users' | 'sessions'>,
  userId: number,
  renewedSessionId: string | null = null,
): Promise<number> {
  const tokenVersion = await repositories.users.raiseTokenVersion(userId);
  await repositories.sessions.endAll(userId, renewedSessionId);
  return tokenVersion;
}
