import type { Database } from '../db/connect.ts';
import { countOf, rowOf, rowsOf } from '../db/rows.ts';
import type { UserRole } from '../domain/access/caller.ts';
import { ACTIVE, PENDING, type UserStatus } from '../domain/access/user-status.ts';

export interface UserRow {
  user_id: number;
  organization_id: number;
  user_email: string;
  user_name: string;
  user_role: UserRole;
  user_status: UserStatus;
  ai_access: boolean;
  last_login_at: Date | null;
  /** Changes with the picture; null: there is none. */
  avatar_version: string | null;
}

/** With what is never shown. */
export interface AccountRow extends UserRow {
  password_hash: string;
  token_version: number;
}

export interface LoginRow extends AccountRow {
  organization_name: string;
}

const COLUMNS =
  'user_id, organization_id, user_email, user_name, user_role, user_status, ai_access, last_login_at, avatar_version';

export class UserRepository {
  private readonly db: Database;

  constructor(db: Database) {
    this.db = db;
  }

  async create(user: {
    organizationId: number;
    email: string;
    name: string;
    passwordHash: string;
    role: UserRole;
    /** Default: active. */
    status?: UserStatus;
    /** Default: yes. */
    aiAccess?: boolean;
    /** The invitation they came by. */
    inviteId?: number;
  }): Promise<UserRow> {
    const row = await rowOf<UserRow>(
      this.db,
      `INSERT INTO users (organization_id, user_email, user_name, password_hash, user_role, user_status, ai_access, invite_id)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
      [
        user.organizationId,
        user.email,
        user.name,
        user.passwordHash,
        user.role,
        user.status ?? ACTIVE,
        user.aiAccess ?? true,
        user.inviteId ?? null,
      ],
    );
    return row!;
  }

  /** Oldest first; deleted ones only where they are asked for. */
  ofOrganization(
    organizationId: number,
    only: { status: UserStatus | undefined; role: UserRole | undefined },
  ): Promise<UserRow[]> {
    return rowsOf(
      this.db,
      `SELECT ${COLUMNS} FROM users
       WHERE organization_id = ? AND CASE WHEN ?::int IS NULL THEN user_status <> 0 ELSE user_status = ? END
         AND coalesce(user_role = ?, true)
       ORDER BY user_id`,
      [organizationId, only.status ?? null, only.status ?? null, only.role ?? null],
    );
  }

  /**
   * E-mails of active and suspended users are unique over all organizations, so this needs no scope; one who waits for approval comes after
   * these. Written as it is stored, or folded by JavaScript: what the database
   * alone folds is another address (see foldedAddress), and what it folds otherwise still finds its account.
   */
  forLogin(email: string): Promise<LoginRow | null> {
    const folded = email.toLowerCase();
    return rowOf(
      this.db,
      `SELECT ${COLUMNS.replaceAll('organization_id', 'u.organization_id')}, password_hash, token_version, organization_name
       FROM users u JOIN organizations o ON o.organization_id = u.organization_id
       WHERE lower(user_email) IN (lower(?), lower(?)) AND (user_email = ? OR lower(user_email) = lower(?)) AND user_status <> 0
       ORDER BY user_status = 2, user_email = ? DESC LIMIT 1`,
      [folded, email, email, folded, email],
    );
  }

  byId(organizationId: number, userId: number): Promise<UserRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS} FROM users WHERE organization_id = ? AND user_id = ? AND user_status <> 0`,
      [organizationId, userId],
    );
  }

  /** As byId, and a superadmin of any organization. */
  actingIn(organizationId: number, userId: number): Promise<UserRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS} FROM users
       WHERE user_id = ? AND (organization_id = ? OR user_role = 'superadmin') AND user_status <> 0`,
      [userId, organizationId],
    );
  }

  /** As byId, with what is never shown. */
  account(organizationId: number, userId: number): Promise<AccountRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS}, password_hash, token_version FROM users
       WHERE organization_id = ? AND user_id = ? AND user_status <> 0`,
      [organizationId, userId],
    );
  }

  /** The same; until the transaction ends nobody else changes this user. */
  lock(organizationId: number, userId: number): Promise<AccountRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS}, password_hash, token_version FROM users
       WHERE organization_id = ? AND user_id = ? AND user_status <> 0 FOR NO KEY UPDATE`,
      [organizationId, userId],
    );
  }

  /** Of these ids, the ones of live users of the organization. */
  async existing(organizationId: number, userIds: readonly number[]): Promise<Set<number>> {
    const rows = await rowsOf<{ user_id: number }>(
      this.db,
      `SELECT user_id FROM users WHERE organization_id = ? AND user_id = ANY(?::bigint[]) AND user_status <> 0`,
      [organizationId, userIds],
    );
    return new Set(rows.map((row) => row.user_id));
  }

  /** Who could still let others in without this one. Means something only while the organization is locked. */
  async hasOtherActiveAdmin(organizationId: number, userId: number): Promise<boolean> {
    const row = await rowOf(
      this.db,
      `SELECT 1 FROM users
       WHERE organization_id = ? AND user_id <> ? AND user_status = ? AND user_role IN ('admin', 'superadmin') LIMIT 1`,
      [organizationId, userId, ACTIVE],
    );
    return row !== null;
  }

  /** Keeps what is absent. */
  async update(
    userId: number,
    changes: {
      email?: string | undefined;
      name?: string | undefined;
      role?: UserRole | undefined;
      aiAccess?: boolean | undefined;
    },
  ): Promise<UserRow> {
    const row = await rowOf<UserRow>(
      this.db,
      `UPDATE users SET user_email = coalesce(?, user_email), user_name = coalesce(?, user_name),
                        user_role = coalesce(?, user_role), ai_access = coalesce(?, ai_access)
       WHERE user_id = ? RETURNING ${COLUMNS}`,
      [changes.email ?? null, changes.name ?? null, changes.role ?? null, changes.aiAccess ?? null, userId],
    );
    return row!;
  }

  async setStatus(userId: number, status: UserStatus): Promise<UserRow> {
    const row = await rowOf<UserRow>(
      this.db,
      `UPDATE users SET user_status = ?, approved_at = CASE WHEN user_status = ? AND ? = ? THEN now() ELSE approved_at END
       WHERE user_id = ? RETURNING ${COLUMNS}`,
      [status, PENDING, status, ACTIVE, userId],
    );
    return row!;
  }

  async setPassword(userId: number, passwordHash: string): Promise<void> {
    await countOf(this.db, `UPDATE users SET password_hash = ? WHERE user_id = ?`, [passwordHash, userId]);
  }

  /** The same password, hashed anew; one that was changed meanwhile stays. */
  async renewHash(userId: number, from: string, to: string): Promise<void> {
    await countOf(this.db, `UPDATE users SET password_hash = ? WHERE user_id = ? AND password_hash = ?`, [
      to,
      userId,
      from,
    ]);
  }

  /** Tokens with an older version are dead. Gives the new one. */
  async raiseTokenVersion(userId: number): Promise<number> {
    const row = await rowOf<{ token_version: number }>(
      this.db,
      `UPDATE users SET token_version = token_version + 1 WHERE user_id = ? RETURNING token_version`,
      [userId],
    );
    return row!.token_version;
  }

  /** null: no picture any more. */
  async setAvatarVersion(userId: number, version: string | null): Promise<UserRow> {
    const row = await rowOf<UserRow>(
      this.db,
      `UPDATE users SET avatar_version = ? WHERE user_id = ? RETURNING ${COLUMNS}`,
      [version, userId],
    );
    return row!;
  }

  async noteLogin(userId: number): Promise<void> {
    await countOf(this.db, `UPDATE users SET last_login_at = now() WHERE user_id = ?`, [userId]);
  }
}
