import type { Caller } from '../../domain/access/caller.ts';
import { notFound, unauthenticated } from '../../lib/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/ids.ts';
import type { SessionRow } from '../../repositories/sessions.ts';
import type { Store } from '../../repositories/store.ts';
import { endEverySession } from './end-sessions.ts';
import type { PasswordConfirmation } from './password-confirmation.ts';
import type { PasswordHasher } from './password-hasher.ts';
import type { SessionTokens } from './session-tokens.ts';

/** The sessions and the password of the current user. */
export class OwnSessionService {
  private readonly store: Store;
  private readonly passwords: PasswordHasher;
  private readonly confirmation: PasswordConfirmation;
  private readonly tokens: SessionTokens;
  private readonly clock: Clock;
  private readonly ids: Ids;

  constructor(dependencies: {
    store: Store;
    passwords: PasswordHasher;
    confirmation: PasswordConfirmation;
    tokens: SessionTokens;
    clock: Clock;
    ids: Ids;
  }) {
    this.store = dependencies.store;
    this.passwords = dependencies.passwords;
    this.confirmation = dependencies.confirmation;
    this.tokens = dependencies.tokens;
    this.clock = dependencies.clock;
    this.ids = dependencies.ids;
  }

  /** Returns the sessions, last used first. */
  list(caller: Caller): Promise<SessionRow[]> {
    return this.store.read.sessions.listForUser(caller.userId);
  }

  async end(caller: Caller, sessionId: string): Promise<void> {
    await this.store.transaction(async (repositories) => {
      if (!(await repositories.sessions.end(caller.userId, sessionId))) throw notFound('session');
      await repositories.audit.record({
        by: caller,
        action: 'session.ended',
        objectType: 'session',
        objectId: sessionId,
      });
    });
  }

  async endOthers(caller: Caller): Promise<void> {
    await this.store.transaction(async (repositories) => {
      const ended = await repositories.sessions.endAll(caller.userId, caller.credentialId);
      if (ended === 0) return;
      await repositories.audit.record({
        by: caller,
        action: 'session.others_ended',
        objectType: 'user',
        objectId: caller.userId,
        details: { sessions: ended },
      });
    });
  }

  /**
   * Changes the password and ends every session of the caller. The current session continues under a new token, which
   * holders of the old token do not have.
   */
  async changePassword(
    caller: Caller,
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  ): Promise<{ token: string; lifetimeSeconds: number }> {
    const account = await this.confirmation.confirm(caller, currentPassword);
    const passwordHash = await this.passwords.hash(newPassword);
    const session = { sessionId: this.ids.uuid(), userId: caller.userId };

    const renewed = await this.store.transaction(async (repositories) => {
      await this.confirmation.lockConfirmed(repositories, account);
      await repositories.users.setPassword(caller.userId, passwordHash);
      const tokenVersion = await endEverySession(repositories, caller.userId, caller.credentialId);
      const expiresAt = await repositories.sessions.renew(caller.userId, caller.credentialId, {
        sessionId: session.sessionId,
        tokenVersion,
      });
      if (expiresAt === null) throw unauthenticated();
      await repositories.audit.record({
        by: caller,
        action: 'user.password_changed',
        objectType: 'user',
        objectId: caller.userId,
      });
      return { tokenVersion, expiresAt };
    });
    const lifetimeMs = renewed.expiresAt.getTime() - this.clock.now().getTime();
    return {
      token: this.tokens.sign({ ...session, ...renewed }),
      lifetimeSeconds: Math.max(1, Math.floor(lifetimeMs / 1000)),
    };
  }
}
