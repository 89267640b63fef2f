import type { Database } from '../db/connect.ts';
import { countOf, rowOf } from '../db/rows.ts';
import type { UserRole } from '../domain/access/caller.ts';

export interface UserRow {
  user_id: number;
  organization_id: number;
  user_email: string;
  user_name: string;
  user_role: UserRole;
  user_status: number;
  ai_access: boolean;
}

export interface LoginRow extends UserRow {
  organization_name: string;
  password_hash: string;
  token_version: number;
}

const COLUMNS = 'user_id, organization_id, user_email, user_name, user_role, user_status, ai_access';

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
  }): Promise<UserRow> {
    const row = await rowOf<UserRow>(
      this.db,
      `INSERT INTO users (organization_id, user_email, user_name, password_hash, user_role)
       VALUES (?, ?, ?, ?, ?) RETURNING ${COLUMNS}`,
      [user.organizationId, user.email, user.name, user.passwordHash, user.role],
    );
    return row!;
  }

  /** E-mails are unique over all organizations, so this needs no scope. */
  forLogin(email: string): Promise<LoginRow | null> {
    return rowOf(
      this.db,
      `SELECT ${COLUMNS.replaceAll('organization_id', 'u.organization_id')}, password_hash, token_version, organization_name
       FROM users u JOIN organizations o ON o.organization_id = u.organization_id
       WHERE lower(user_email) = lower(?) AND user_status <> 0`,
      [email],
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

  async noteLogin(userId: number): Promise<void> {
    await countOf(this.db, `UPDATE users SET last_login_at = now() WHERE user_id = ?`, [userId]);
  }
}
