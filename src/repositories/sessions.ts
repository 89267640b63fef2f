import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { UserRole } from '../domain/access/caller.ts';

/** What a session or key says of its user at this moment. */
export interface CallerRow {
  credential_id: string;
  user_id: number;
  /** Where they act. */
  organization_id: number;
  home_organization_id: number;
  user_role: UserRole;
  ai_access: boolean;
  current_workspace_id: number | null;
}

export interface SessionRow {
  session_id: string;
  created_at: Date;
  /** To the minute; null: not since the login. */
  last_used_at: Date | null;
  expires_at: Date;
  user_agent: string | null;
  address: string | null;
}

/** Only a superadmin acts elsewhere; one who is none any more is at home again. */
export const actingOrganization = (holder: 's' | 'k') =>
  `u.organization_id AS home_organization_id,
   CASE WHEN u.user_role = 'superadmin' THEN coalesce(${holder}.acting_organization_id, u.organization_id)
        ELSE u.organization_id END AS organization_id`;

export class SessionRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async create(session: {
    sessionId: string;
    organizationId: number;
    userId: number;
    tokenVersion: number;
    expiresAt: Date;
    userAgent: string | null;
    address: string;
  }): Promise<void> {
    await countOf(
      this.db,
      `INSERT INTO sessions (session_id, organization_id, user_id, token_version, expires_at, user_agent, address)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      [
        session.sessionId,
        session.organizationId,
        session.userId,
        session.tokenVersion,
        session.expiresAt,
        session.userAgent,
        session.address,
      ],
    );
  }

  /**
   * Live sessions of active users; one that began before the user's last token_version is dead. `use_unnoted`: last_used_at lags by
   * more than a minute.
   */
  async callers(sessionIds: string[]): Promise<Map<string, CallerRow & { use_unnoted: boolean }>> {
    const rows = await rowsOf<CallerRow & { use_unnoted: boolean }>(
      this.db,
      `SELECT s.session_id AS credential_id, s.current_workspace_id, u.user_id, ${actingOrganization('s')},
              u.user_role, u.ai_access,
              coalesce(s.last_used_at, s.created_at) < now() - interval '1 minute' AS use_unnoted
       FROM sessions s JOIN users u ON u.user_id = s.user_id
       WHERE s.session_id = ANY(?::uuid[]) AND s.expires_at > now()
         AND u.user_status = 1 AND u.token_version = s.token_version`,
      [sessionIds],
    );
    return new Map(rows.map((row) => [row.credential_id, row]));
  }

  /** The user's own that still count, the one used last first. */
  ofUser(userId: number): Promise<SessionRow[]> {
    return rowsOf(
      this.db,
      `SELECT s.session_id, s.created_at, s.last_used_at, s.expires_at, s.user_agent, s.address
       FROM sessions s JOIN users u ON u.user_id = s.user_id
       WHERE s.user_id = ? AND s.expires_at > now() AND u.token_version = s.token_version
       ORDER BY coalesce(s.last_used_at, s.created_at) DESC, s.session_id`,
      [userId],
    );
  }

  async noteUse(sessionId: string): Promise<void> {
    await countOf(this.db, `UPDATE sessions SET last_used_at = now() WHERE session_id = ?`, [sessionId]);
  }

  /** False: this user has no such session. */
  async end(userId: number, sessionId: string): Promise<boolean> {
    const count = await countOf(this.db, `DELETE FROM sessions WHERE user_id = ? AND session_id = ?`, [
      userId,
      sessionId,
    ]);
    return count > 0;
  }

  /** All but the kept one; how many ended. */
  endAll(userId: number, keptSessionId: string | null = null): Promise<number> {
    return countOf(
      this.db,
      `DELETE FROM sessions WHERE user_id = ? AND session_id IS DISTINCT FROM ?::uuid`,
      [userId, keptSessionId],
    );
  }

  /** The session goes on under another id, so that its tokens of before are dead. Gives its end; null: it is gone. */
  async renew(
    userId: number,
    sessionId: string,
    as: { sessionId: string; tokenVersion: number },
  ): Promise<Date | null> {
    const row = await rowOf<{ expires_at: Date }>(
      this.db,
      `UPDATE sessions SET session_id = ?, token_version = ? WHERE user_id = ? AND session_id = ? RETURNING expires_at`,
      [as.sessionId, as.tokenVersion, userId, sessionId],
    );
    return row?.expires_at ?? null;
  }

  async removeExpired(): Promise<void> {
    await countOf(this.db, `DELETE FROM sessions WHERE expires_at < now()`);
  }

  async setCurrentWorkspace(userId: number, sessionId: string, workspaceId: number): Promise<void> {
    await countOf(
      this.db,
      `UPDATE sessions SET current_workspace_id = ? WHERE user_id = ? AND session_id = ?`,
      [workspaceId, userId, sessionId],
    );
  }

  /** Where a superadmin acts from the next request on; their current workspace was of the other organization. */
  async setActingOrganization(userId: number, sessionId: string, organizationId: number): Promise<void> {
    await countOf(
      this.db,
      `UPDATE sessions SET acting_organization_id = ?, current_workspace_id = NULL WHERE user_id = ? AND session_id = ?`,
      [organizationId, userId, sessionId],
    );
  }
}
