import { createSecretKey, type KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import type { Clock } from '../../lib/clock.ts';

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
