import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Caller } from '../../domain/access/caller.ts';
import type { Clock } from '../../lib/clock.ts';
import { notFound, unauthenticated } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { SessionRow } from '../../repositories/sessions.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccountMails } from './account-mails.ts';
import { type PasswordConfirmation, type PasswordHasher, refuseCommonPassword } from './passwords.ts';

const TOKEN = { algorithm: 'HS256', issuer: 'canvass', audience: 'canvass-api', purpose: 'session' } as const;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Tokens of logins. A token identifies a session but contains no role or organization, which may change. */
export class SessionTokens {
  /** A KeyObject, because the library would first try to parse a string as a public key on each request. */
  private readonly secret: KeyObject;

  constructor(
    secret: string,
    private readonly clock: Clock,
  ) {
    this.secret = createSecretKey(secret, 'utf8');
  }

  sign(session: { sessionId: string; userId: number; tokenVersion: number; expiresAt: Date }): string {
    const claims = {
      sub: String(session.userId),
      tv: session.tokenVersion,
      purpose: TOKEN.purpose,
      iat: this.nowSeconds(),
      exp: Math.floor(session.expiresAt.getTime() / 1000),
    };
    return jwt.sign(claims, this.secret, {
      algorithm: TOKEN.algorithm,
      issuer: TOKEN.issuer,
      audience: TOKEN.audience,
      jwtid: session.sessionId,
    });
  }

  /** Returns null if the token is invalid or expired. */
  sessionIdOf(token: string): string | null {
    try {
      const claims = jwt.verify(token, this.secret, {
        algorithms: [TOKEN.algorithm],
        issuer: TOKEN.issuer,
        audience: TOKEN.audience,
        clockTimestamp: this.nowSeconds(),
      });
      if (typeof claims === 'string' || claims.purpose !== TOKEN.purpose || claims.exp === undefined)
        return null;
      return typeof claims.jti === 'string' && UUID.test(claims.jti) ? claims.jti : null;
    } catch {
      // Any invalid token is no credential; the caller gets 401.
      return null;
    }
  }

  private nowSeconds(): number {
    return Math.floor(this.clock.now().getTime() / 1000);
  }
}

/** The sessions and the password of the current user. */
export class OwnSessionService {
  private readonly store: Store;
  private readonly passwords: PasswordHasher;
  private readonly confirmation: PasswordConfirmation;
  private readonly tokens: SessionTokens;
  private readonly accountMails: AccountMails;
  private readonly strictPasswords: boolean;
  private readonly clock: Clock;
  private readonly ids: Ids;

  constructor(dependencies: {
    store: Store;
    passwords: PasswordHasher;
    confirmation: PasswordConfirmation;
    tokens: SessionTokens;
    accountMails: AccountMails;
    /** Whether common passwords are refused, whatever the request asks for. */
    strictPasswords: boolean;
    clock: Clock;
    ids: Ids;
  }) {
    this.store = dependencies.store;
    this.passwords = dependencies.passwords;
    this.confirmation = dependencies.confirmation;
    this.tokens = dependencies.tokens;
    this.accountMails = dependencies.accountMails;
    this.strictPasswords = dependencies.strictPasswords;
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
    {
      currentPassword,
      newPassword,
      refuseCommon,
    }: { currentPassword: string; newPassword: string; refuseCommon: boolean },
  ): Promise<{ token: string; lifetimeSeconds: number }> {
    const account = await this.confirmation.confirm(caller, currentPassword);
    if (refuseCommon || this.strictPasswords)
      refuseCommonPassword('new_password', newPassword, {
        name: account.user_name,
        email: account.user_email,
      });
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
      await this.accountMails.enqueue(repositories, caller.origin.requestId, {
        mail: 'password_changed',
        user_id: caller.userId,
        at: this.clock.now().toISOString(),
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
  const tokenVersion = await repositories.users.incrementTokenVersion(userId);
  await repositories.sessions.endAll(userId, renewedSessionId);
  return tokenVersion;
}
