import type { Database } from '../db/connect.ts';
import { countOf, rowsOf } from '../db/rows.ts';
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

  /** Live sessions of active users; one that began before the user's last token_version is dead. */
  async callers(sessionIds: string[]): Promise<Map<string, CallerRow>> {
    const rows = await rowsOf<CallerRow>(
      this.db,
      `SELECT s.session_id AS credential_id, s.current_workspace_id, u.user_id, ${actingOrganization('s')},
              u.user_role, u.ai_access
       FROM sessions s JOIN users u ON u.user_id = s.user_id
       WHERE s.session_id = ANY(?::uuid[]) AND s.expires_at > now()
         AND u.user_status = 1 AND u.token_version = s.token_version`,
      [sessionIds],
    );
    return new Map(rows.map((row) => [row.credential_id, row]));
  }

  async end(userId: number, sessionId: string): Promise<void> {
    await countOf(this.db, `DELETE FROM sessions WHERE user_id = ? AND session_id = ?`, [userId, sessionId]);
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
}
