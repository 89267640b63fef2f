import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryRow } from '../db/rows.ts';
import type { UserRole } from '../domain/access/caller.ts';
import { ACTIVE, DELETED, PENDING, type UserStatus } from '../domain/access/user-status.ts';
import type { OrganizationTable, UserTable } from './tables/users.ts';

const COLUMNS = [
  'user_id',
  'organization_id',
  'user_email',
  'user_name',
  'user_role',
  'user_status',
  'ai_access',
  'last_login_at',
  'avatar_version',
] as const;
/** With what no reply contains. */
const ACCOUNT_COLUMNS = [...COLUMNS, 'password_hash', 'token_version'] as const;

export type UserRow = Pick<UserTable, (typeof COLUMNS)[number]>;
export type AccountRow = Pick<UserTable, (typeof ACCOUNT_COLUMNS)[number]>;
export type LoginRow = AccountRow & Pick<OrganizationTable, 'organization_name'>;

export class UserRepository {
  constructor(private readonly db: Database) {}

  async create(user: {
    organizationId: number;
    email: string;
    name: string;
    passwordHash: string;
    role: UserRole;
    /** Default: active. */
    status?: UserStatus;
    /** Default: true. */
    aiAccess?: boolean;
    /** The invite link that the user registered with. */
    inviteId?: number;
  }): Promise<UserRow> {
    const [row] = await this.db('users')
      .insert({
        organization_id: user.organizationId,
        user_email: user.email,
        user_name: user.name,
        password_hash: user.passwordHash,
        user_role: user.role,
        user_status: user.status ?? ACTIVE,
        ai_access: user.aiAccess ?? true,
        invite_id: user.inviteId ?? null,
      })
      .returning(COLUMNS);
    return row!;
  }

  /** Oldest first; without a status, all but deleted users. */
  async ofOrganization(
    organizationId: number,
    only: { status: UserStatus | undefined; role: UserRole | undefined },
  ): Promise<UserRow[]> {
    const query = this.db('users')
      .select(...COLUMNS)
      .where({ organization_id: organizationId })
      .orderBy('user_id');
    if (only.status === undefined) void query.whereNot({ user_status: DELETED });
    else void query.where({ user_status: only.status });
    if (only.role !== undefined) void query.where({ user_role: only.role });
    return query;
  }

  /**
   * Email addresses of active and suspended users are unique over all organizations, so this needs no scope; a pending user comes after
   * these. Matches the address as stored or as lowercased by JavaScript: an address that only the database lowercases to the same text is
   * another one (see foldedAddress).
   */
  forLogin(email: string): Promise<LoginRow | null> {
    const folded = email.toLowerCase();
    const columns = ACCOUNT_COLUMNS.map((column) => `u.${column}`).join(', ');
    // Raw SQL: every condition and the order are expressions, of which the first must match an index on lower(user_email).
    return queryRow(
      this.db,
      `SELECT ${columns}, o.organization_name
       FROM users u JOIN organizations o ON o.organization_id = u.organization_id
       WHERE lower(user_email) IN (lower(?), lower(?)) AND (user_email = ? OR lower(user_email) = lower(?)) AND user_status <> 0
       ORDER BY user_status = 2, user_email = ? DESC LIMIT 1`,
      [folded, email, email, folded, email],
    );
  }

  async byId(organizationId: number, userId: number): Promise<UserRow | null> {
    const row = await this.db('users')
      .first(...COLUMNS)
      .where({ organization_id: organizationId, user_id: userId })
      .whereNot({ user_status: DELETED });
    return row ?? null;
  }

  /** As byId, and a superadmin of any organization. */
  async actingIn(organizationId: number, userId: number): Promise<UserRow | null> {
    const row = await this.db('users')
      .first(...COLUMNS)
      .where({ user_id: userId })
      .where(
        (builder) =>
          void builder.where({ organization_id: organizationId }).orWhere({ user_role: 'superadmin' }),
      )
      .whereNot({ user_status: DELETED });
    return row ?? null;
  }

  /** As byId, with what no reply contains. */
  async account(organizationId: number, userId: number): Promise<AccountRow | null> {
    const row = await this.db('users')
      .first(...ACCOUNT_COLUMNS)
      .where({ organization_id: organizationId, user_id: userId })
      .whereNot({ user_status: DELETED });
    return row ?? null;
  }

  /** As account. Locks the user until the transaction ends. */
  async lock(organizationId: number, userId: number): Promise<AccountRow | null> {
    const row = await this.db('users')
      .first(...ACCOUNT_COLUMNS)
      .where({ organization_id: organizationId, user_id: userId })
      .whereNot({ user_status: DELETED })
      .forNoKeyUpdate();
    return row ?? null;
  }

  /** Those of the ids that belong to users of the organization who are not deleted. */
  async existing(organizationId: number, userIds: readonly number[]): Promise<Set<number>> {
    const ids = await this.db('users')
      .where({ organization_id: organizationId, user_id: anyOf(this.db, userIds) })
      .whereNot({ user_status: DELETED })
      .pluck('user_id');
    return new Set(ids);
  }

  /** Whether an active admin remains without this user. Reliable only while the organization is locked. */
  async hasOtherActiveAdmin(organizationId: number, userId: number): Promise<boolean> {
    const row = await this.db('users')
      .first('user_id')
      .where({ organization_id: organizationId, user_status: ACTIVE })
      .whereNot({ user_id: userId })
      .whereIn('user_role', ['admin', 'superadmin']);
    return row !== undefined;
  }

  /** Changes only what is given. */
  async update(
    userId: number,
    changes: {
      email?: string | undefined;
      name?: string | undefined;
      role?: UserRole | undefined;
      aiAccess?: boolean | undefined;
    },
  ): Promise<UserRow> {
    const [row] = await this.db('users')
      .where({ user_id: userId })
      .update({
        user_email: changes.email ?? this.db.ref('user_email'),
        user_name: changes.name ?? this.db.ref('user_name'),
        user_role: changes.role ?? this.db.ref('user_role'),
        ai_access: changes.aiAccess ?? this.db.ref('ai_access'),
      })
      .returning(COLUMNS);
    return row!;
  }

  async setStatus(userId: number, status: UserStatus): Promise<UserRow> {
    const approvedAt = this.db.raw('CASE WHEN user_status = ? THEN now() ELSE approved_at END', [PENDING]);
    const [row] = await this.db('users')
      .where({ user_id: userId })
      .update({ user_status: status, ...(status === ACTIVE && { approved_at: approvedAt }) })
      .returning(COLUMNS);
    return row!;
  }

  async setPassword(userId: number, passwordHash: string): Promise<void> {
    await this.db('users').where({ user_id: userId }).update({ password_hash: passwordHash });
  }

  /** Replaces the hash of the same password, unless the password was changed meanwhile. */
  async renewHash(userId: number, from: string, to: string): Promise<void> {
    await this.db('users').where({ user_id: userId, password_hash: from }).update({ password_hash: to });
  }

  /** Invalidates all tokens issued so far. Returns the new version. */
  async raiseTokenVersion(userId: number): Promise<number> {
    const [row] = await this.db('users')
      .where({ user_id: userId })
      .increment('token_version')
      .returning('token_version');
    return row!.token_version;
  }

  /** null: no picture any more. */
  async setAvatarVersion(userId: number, version: string | null): Promise<UserRow> {
    const [row] = await this.db('users')
      .where({ user_id: userId })
      .update({ avatar_version: version })
      .returning(COLUMNS);
    return row!;
  }

  async recordLogin(userId: number): Promise<void> {
    await this.db('users').where({ user_id: userId }).update({ last_login_at: this.db.fn.now() });
  }
}
