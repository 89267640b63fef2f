import type { Caller } from '../../domain/access/caller.ts';
import { invalid, notFound, unauthenticated } from '../../lib/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../lib/ids.ts';
import type { SessionRow } from '../../repositories/sessions.ts';
import type { Store } from '../../repositories/store.ts';
import { endEverySession } from './end-sessions.ts';
import type { Passwords } from './passwords.ts';
import type { SessionTokens } from './session-tokens.ts';

/** Where somebody is signed in, and the password they do it with. */
export class OwnSessionService {
  private readonly store: Store;
  private readonly passwords: Passwords;
  private readonly tokens: SessionTokens;
  private readonly clock: Clock;
  private readonly ids: Ids;

  constructor(store: Store, passwords: Passwords, tokens: SessionTokens, clock: Clock, ids: Ids) {
    this.store = store;
    this.passwords = passwords;
    this.tokens = tokens;
    this.clock = clock;
    this.ids = ids;
  }

  /** The one used last first. */
  list(caller: Caller): Promise<SessionRow[]> {
    return this.store.read.sessions.ofUser(caller.userId);
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

  /** Ends every session of the caller but goes on with this one, under a token that those who have the old one do not have. */
  async changePassword(
    caller: Caller,
    { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
  ): Promise<{ token: string; lifetimeSeconds: number }> {
    const account = await this.store.read.users.account(caller.organizationId, caller.userId);
    if (account === null) throw unauthenticated();
    if (!(await this.passwords.matches(currentPassword, account.password_hash))) throw wrongPassword();
    const passwordHash = await this.passwords.hash(newPassword);
    const session = { sessionId: this.ids.uuid(), userId: caller.userId };

    const renewed = await this.store.transaction(async (repositories) => {
      const before = await repositories.users.lock(caller.organizationId, caller.userId);
      // Changed by somebody else in between: what was right is not any more.
      if (before?.password_hash !== account.password_hash) throw wrongPassword();
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

const wrongPassword = () => invalid('current_password', 'is wrong');
