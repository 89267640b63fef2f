import type { Repositories } from '../../repositories/repositories.ts';

/**
 * Ends every session of a user with this transaction: earlier tokens, copies of them and logins in progress are worthless at once. API keys
 * stay. Returns the token_version that a session must carry from now on. `renewedSessionId`: a session that is not removed, for its user to
 * go on with under another id.
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
