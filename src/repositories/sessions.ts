import type { Database } from '../db/connect.ts';
import { queryRows } from '../db/rows.ts';
import { qualifyColumns } from './tables/table.ts';
import type { SessionTable, UserTable } from './tables/users.ts';

const COLUMNS = ['session_id', 'created_at', 'last_used_at', 'expires_at', 'user_agent', 'address'] as const;

/** The user of a session or API key as stored at this moment. */
export interface CallerRow
  extends Pick<UserTable, 'user_id' | 'user_role' | 'ai_access'>, Pick<SessionTable, 'current_workspace_id'> {
  credential_id: string;
  /** Where the user acts. */
  organization_id: number;
  home_organization_id: number;
}

export type SessionRow = Pick<SessionTable, (typeof COLUMNS)[number]>;

/** Only a superadmin acts in another organization; a user who lost that role acts in their own again. */
export const actingOrganization = (holder: 's' | 'k') =>
  `u.organization_id AS home_organization_id,
   CASE WHEN u.user_role = 'superadmin' THEN coalesce(${holder}.acting_organization_id, u.organization_id)
        ELSE u.organization_id END AS organization_id`;

export class SessionRepository {
  constructor(private readonly db: Database) {}

  async create(session: {
    sessionId: string;
    organizationId: number;
    userId: number;
    tokenVersion: number;
    expiresAt: Date;
    userAgent: string | null;
    address: string;
  }): Promise<void> {
    await this.db('sessions').insert({
      session_id: session.sessionId,
      organization_id: session.organizationId,
      user_id: session.userId,
      token_version: session.tokenVersion,
      expires_at: session.expiresAt,
      user_agent: session.userAgent,
      address: session.address,
    });
  }

  /**
   * Live sessions of active users; a session that began before the user's last token_version is invalid. `use_unnoted`: last_used_at lags
   * by more than a minute.
   */
  async findCallers(sessionIds: string[]): Promise<Map<string, CallerRow & { use_unnoted: boolean }>> {
    // Raw SQL: runs for every request, and most of its columns are expressions.
    const rows = await queryRows<CallerRow & { use_unnoted: boolean }>(
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

  /** The user's valid sessions, the last used first. */
  async listForUser(userId: number): Promise<SessionRow[]> {
    return this.db('sessions')
      .join('users', 'users.user_id', 'sessions.user_id')
      .select<SessionRow[]>(...qualifyColumns('sessions', COLUMNS))
      .where('sessions.user_id', userId)
      .where('sessions.expires_at', '>', this.db.fn.now())
      .where('sessions.token_version', this.db.ref('users.token_version'))
      .orderByRaw('coalesce(sessions.last_used_at, sessions.created_at) DESC, sessions.session_id');
  }

  async recordUse(sessionId: string): Promise<void> {
    await this.db('sessions').where({ session_id: sessionId }).update({ last_used_at: this.db.fn.now() });
  }

  /** False: the user has no such session. */
  async end(userId: number, sessionId: string): Promise<boolean> {
    return (await this.db('sessions').where({ user_id: userId, session_id: sessionId }).delete()) > 0;
  }

  /** Ends all sessions of the user but the kept one. Returns how many ended. */
  async endAll(userId: number, keptSessionId: string | null = null): Promise<number> {
    const query = this.db('sessions').where({ user_id: userId }).delete();
    return keptSessionId === null ? query : query.whereNot({ session_id: keptSessionId });
  }

  /** Gives the session a new id, which invalidates its former tokens. Returns when it expires; null: no such session. */
  async renew(
    userId: number,
    sessionId: string,
    as: { sessionId: string; tokenVersion: number },
  ): Promise<Date | null> {
    const [row] = await this.db('sessions')
      .where({ user_id: userId, session_id: sessionId })
      .update({ session_id: as.sessionId, token_version: as.tokenVersion })
      .returning('expires_at');
    return row?.expires_at ?? null;
  }

  async removeExpired(): Promise<void> {
    await this.db('sessions').where('expires_at', '<', this.db.fn.now()).delete();
  }

  async setCurrentWorkspace(userId: number, sessionId: string, workspaceId: number): Promise<void> {
    await this.db('sessions')
      .where({ user_id: userId, session_id: sessionId })
      .update({ current_workspace_id: workspaceId });
  }

  /** Sets where a superadmin acts from the next request on, and clears the current workspace: it is of the former organization. */
  async setActingOrganization(userId: number, sessionId: string, organizationId: number): Promise<void> {
    await this.db('sessions')
      .where({ user_id: userId, session_id: sessionId })
      .update({ acting_organization_id: organizationId, current_workspace_id: null });
  }
}
