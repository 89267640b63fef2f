import type { Repositories } from '../../repositories/repositories.ts';

/**
 * Ends every session of a user with this transaction: earlier tokens and logins in progress become invalid
 * immediately. API keys stay valid. Returns the token_version that new sessions must carry. `renewedSessionId`: a
 * session that is kept, so that its user can continue under a new id.
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
