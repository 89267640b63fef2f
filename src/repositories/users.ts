import { anyOf } from '../db/any-of.ts';
import type { Database } from '../db/connect.ts';
import { queryRow, queryRows } from '../db/rows.ts';
import type { UserRole } from '../domain/access/caller.ts';
import { ACTIVE, DELETED, PENDING, SUSPENDED, type UserStatus } from '../domain/access/users.ts';
import { requireRow } from '../lib/require-value.ts';
import type {
  EmailConfirmation,
  LinkPurpose,
  OrganizationTable,
  UserAvatarTable,
  UserTable,
} from './tables/users.ts';

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
  'email_confirmed_at',
  'email_confirmed_by',
] as const;
/** With what no reply contains. */
const ACCOUNT_COLUMNS = [...COLUMNS, 'password_hash', 'token_version'] as const;

export type UserRow = Pick<UserTable, (typeof COLUMNS)[number]>;
export type AccountRow = Pick<UserTable, (typeof ACCOUNT_COLUMNS)[number]>;
export type LoginRow = AccountRow & Pick<OrganizationTable, 'organization_name' | 'organization_slug'>;

export type AvatarRow = Pick<UserAvatarTable, 'content_type' | 'picture'> & { avatar_version: string };

/** The owner of a one-time link, and what using the link proves. */
type ResetOwner = Pick<UserTable, 'user_id' | 'organization_id'> & { is_mailed: boolean };

/** Accounts of one address that a sign-in tries; each costs one password hash. */
const MAX_ACCOUNTS_OF_ADDRESS = 10;

/** Ways of confirming an address that prove whose it is. */
const PROOFS: readonly EmailConfirmation[] = ['mail', 'operator'];

/** The names of users, by user_id. For rows that can be on another server than users. */
export async function findUserNames(db: Database, userIds: readonly number[]): Promise<Map<number, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await db('users')
    .select('user_id', 'user_name')
    .where({ user_id: anyOf(db, [...new Set(userIds)]) });
  return new Map(rows.map((row) => [row.user_id, row.user_name]));
}

/** Users with their pictures and the links of forgotten passwords, of which only hashes are stored. */
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
    /** Whether the operator of the server vouches for the address. Default: it is not confirmed. */
    confirmedByOperator?: boolean;
  }): Promise<UserRow> {
    const rows = await this.db('users')
      .insert({
        organization_id: user.organizationId,
        user_email: user.email,
        user_name: user.name,
        password_hash: user.passwordHash,
        user_role: user.role,
        user_status: user.status ?? ACTIVE,
        ai_access: user.aiAccess ?? true,
        invite_id: user.inviteId ?? null,
        ...(user.confirmedByOperator === true
          ? { email_confirmed_at: this.db.fn.now(), email_confirmed_by: 'operator' as const }
          : {}),
      })
      .returning(COLUMNS);
    return requireRow(rows, 'users');
  }

  /** Oldest first; without a status, all but deleted users. */
  async listByOrganization(
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
   * The accounts with this address, in any organization: the one whose owner has proved the address first, users who wait for approval
   * last. Matches the address as stored or as lowercased by JavaScript: an address that only the database lowercases to the same text is
   * another one (see normalizeEmail).
   */
  findForLogin(email: string): Promise<LoginRow[]> {
    const folded = email.toLowerCase();
    const columns = ACCOUNT_COLUMNS.map((column) => `u.${column}`).join(', ');
    // Raw SQL: every condition and the order are expressions, of which the first must match an index on lower(user_email).
    return queryRows(
      this.db,
      `SELECT ${columns}, o.organization_name, o.organization_slug
       FROM users u JOIN organizations o ON o.organization_id = u.organization_id
       WHERE lower(user_email) IN (lower(?), lower(?)) AND (user_email = ? OR lower(user_email) = lower(?)) AND user_status <> 0
       ORDER BY user_status = 2, (email_confirmed_by = ANY(?)) IS TRUE DESC, user_email = ? DESC, user_id LIMIT ?`,
      [folded, email, email, folded, PROOFS, email, MAX_ACCOUNTS_OF_ADDRESS],
    );
  }

  /** Whether a user of another organization has proved that the address is theirs. */
  async isAddressProvedElsewhere(organizationId: number, email: string): Promise<boolean> {
    const row = await this.db('users')
      .first('user_id')
      .whereRaw('lower(user_email) = lower(?)', [email])
      .whereNot({ organization_id: organizationId })
      .whereIn('user_status', [ACTIVE, SUSPENDED])
      .whereIn('email_confirmed_by', PROOFS);
    return row !== undefined;
  }

  /** Whether the organization has a user with the address who is not deleted, other than `exceptUserId`. */
  async hasAddress(organizationId: number, email: string, exceptUserId: number | null): Promise<boolean> {
    const row = await this.db('users')
      .whereRaw('user_id IS DISTINCT FROM ?', [exceptUserId])
      .first('user_id')
      .whereRaw('lower(user_email) = lower(?)', [email])
      .where({ organization_id: organizationId })
      .whereNot({ user_status: DELETED });
    return row !== undefined;
  }

  /** Never weakens a confirmation: an address that its owner has proved stays so. */
  async confirmEmail(userId: number, by: EmailConfirmation): Promise<UserRow> {
    const keeps = by === 'admin' ? 'email_confirmed_by IS NOT NULL' : `email_confirmed_by = 'mail'`;
    const rows = await this.db('users')
      .where({ user_id: userId })
      .update({
        email_confirmed_at: this.db.raw(`CASE WHEN ${keeps} THEN email_confirmed_at ELSE now() END`),
        email_confirmed_by: this.db.raw(`CASE WHEN ${keeps} THEN email_confirmed_by ELSE ? END`, [by]),
      })
      .returning(COLUMNS);
    return requireRow(rows, 'users');
  }

  /** Returns the users of an address whose confirmation it removed. */
  async releaseAddress(email: string): Promise<Pick<UserTable, 'user_id' | 'organization_id'>[]> {
    return this.db('users')
      .whereRaw('lower(user_email) = lower(?)', [email])
      .whereNotNull('email_confirmed_by')
      .update({ email_confirmed_at: null, email_confirmed_by: null })
      .returning(['user_id', 'organization_id']);
  }

  /** The account of a user who has proved by a one-time link that it is theirs. */
  async findByOneTimeLink({ user_id: userId }: Pick<UserTable, 'user_id'>): Promise<LoginRow | null> {
    const row = await this.db('users')
      .join('organizations', 'organizations.organization_id', 'users.organization_id')
      .first<LoginRow | undefined>(
        ...ACCOUNT_COLUMNS.map((column) => `users.${column}` as const),
        'organizations.organization_name',
        'organizations.organization_slug',
      )
      .where('users.user_id', userId);
    return row ?? null;
  }

  async findById(organizationId: number, userId: number): Promise<UserRow | null> {
    const row = await this.db('users')
      .first(...COLUMNS)
      .where({ organization_id: organizationId, user_id: userId })
      .whereNot({ user_status: DELETED });
    return row ?? null;
  }

  /** As byId, and a superadmin of any organization. */
  async findActingUser(organizationId: number, userId: number): Promise<UserRow | null> {
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
  async findAccount(organizationId: number, userId: number): Promise<AccountRow | null> {
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

  /**
   * Locks what a limit of a user counts, such as their unfinished jobs, until the transaction ends: what the transaction then counts and
   * inserts is exact, however many requests arrive at once. The user can act in another organization than their own.
   */
  async lockLimit(limit: 'jobs' | 'api_keys', userId: number): Promise<void> {
    // Raw SQL: an advisory lock.
    await this.db.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [`${limit} of user ${userId}`]);
  }

  /** Those of the ids that belong to users of the organization who are not deleted. */
  async filterExisting(organizationId: number, userIds: readonly number[]): Promise<Set<number>> {
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

  /** Changes only what is given. Another address is not confirmed; a different case is the same address. */
  async update(
    userId: number,
    changes: {
      email?: string | undefined;
      name?: string | undefined;
      role?: UserRole | undefined;
      aiAccess?: boolean | undefined;
    },
  ): Promise<UserRow> {
    const rows = await this.db('users')
      .where({ user_id: userId })
      .update({
        ...(changes.email === undefined ? {} : this.changedAddress(changes.email)),
        user_name: changes.name ?? this.db.ref('user_name'),
        user_role: changes.role ?? this.db.ref('user_role'),
        ai_access: changes.aiAccess ?? this.db.ref('ai_access'),
      })
      .returning(COLUMNS);
    return requireRow(rows, 'users');
  }

  private changedAddress(email: string) {
    const isSame = 'lower(user_email) = lower(?)';
    return {
      user_email: email,
      email_confirmed_at: this.db.raw(`CASE WHEN ${isSame} THEN email_confirmed_at END`, [email]),
      email_confirmed_by: this.db.raw(`CASE WHEN ${isSame} THEN email_confirmed_by END`, [email]),
    };
  }

  async setStatus(userId: number, status: UserStatus): Promise<UserRow> {
    const approvedAt = this.db.raw('CASE WHEN user_status = ? THEN now() ELSE approved_at END', [PENDING]);
    const rows = await this.db('users')
      .where({ user_id: userId })
      .update({ user_status: status, ...(status === ACTIVE && { approved_at: approvedAt }) })
      .returning(COLUMNS);
    return requireRow(rows, 'users');
  }

  async setPassword(userId: number, passwordHash: string): Promise<void> {
    await this.db('users').where({ user_id: userId }).update({ password_hash: passwordHash });
  }

  /** Replaces the hash of the same password, unless the password was changed meanwhile. */
  async renewHash(userId: number, from: string, to: string): Promise<void> {
    await this.db('users').where({ user_id: userId, password_hash: from }).update({ password_hash: to });
  }

  /** Invalidates all tokens issued so far. Returns the new version. */
  async incrementTokenVersion(userId: number): Promise<number> {
    const rows = await this.db('users')
      .where({ user_id: userId })
      .increment('token_version')
      .returning('token_version');
    return requireRow(rows, 'users').token_version;
  }

  /** null: no picture any more. */
  async setAvatarVersion(userId: number, version: string | null): Promise<UserRow> {
    const rows = await this.db('users')
      .where({ user_id: userId })
      .update({ avatar_version: version })
      .returning(COLUMNS);
    return requireRow(rows, 'users');
  }

  async recordLogin(userId: number): Promise<void> {
    await this.db('users').where({ user_id: userId }).update({ last_login_at: this.db.fn.now() });
  }

  /** null: the organization has no such user, or the user has no picture. */
  async findAvatar(organizationId: number, userId: number): Promise<AvatarRow | null> {
    const row = await this.db('user_avatars')
      .join('users', 'users.user_id', 'user_avatars.user_id')
      .first<AvatarRow | undefined>(
        'user_avatars.content_type',
        'user_avatars.picture',
        'users.avatar_version',
      )
      .where('users.organization_id', organizationId)
      .where('users.user_id', userId)
      .whereNot('users.user_status', 0)
      .whereNotNull('users.avatar_version');
    return row ?? null;
  }

  async saveAvatar(userId: number, contentType: AvatarRow['content_type'], picture: Buffer): Promise<void> {
    await this.db('user_avatars')
      .insert({ user_id: userId, content_type: contentType, picture })
      .onConflict('user_id')
      .merge(['content_type', 'picture']);
  }

  /** False: the user had no picture. */
  async removeAvatar(userId: number): Promise<boolean> {
    return (await this.db('user_avatars').where({ user_id: userId }).delete()) > 0;
  }

  async createPasswordReset(reset: {
    tokenHash: string;
    userId: number;
    tokenVersion: number;
    lifetimeSeconds: number;
    purpose: LinkPurpose;
    isMailed: boolean;
  }): Promise<void> {
    await this.db('password_resets').insert({
      token_hash: reset.tokenHash,
      user_id: reset.userId,
      token_version: reset.tokenVersion,
      purpose: reset.purpose,
      is_mailed: reset.isMailed,
      expires_at: this.db.raw("now() + ? * interval '1 second'", [reset.lifetimeSeconds]),
    });
  }

  /** How many links of the user for this purpose still work. */
  async countLivePasswordResets(userId: number, purpose: LinkPurpose): Promise<number> {
    const row = await this.db('password_resets')
      .join('users', 'users.user_id', 'password_resets.user_id')
      .where('password_resets.user_id', userId)
      .where('password_resets.purpose', purpose)
      .whereNull('password_resets.used_at')
      .where('password_resets.expires_at', '>', this.db.fn.now())
      .where('password_resets.token_version', this.db.ref('users.token_version'))
      .count({ count: '*' })
      .first();
    return row?.count ?? 0;
  }

  /** The user whom the link was sent to, whether or not it still works. */
  async findPasswordResetOwner(
    tokenHash: string,
  ): Promise<Pick<UserTable, 'user_id' | 'organization_id'> | null> {
    const row = await this.db('password_resets')
      .join('users', 'users.user_id', 'password_resets.user_id')
      .first<Pick<UserTable, 'user_id' | 'organization_id'> | undefined>(
        'users.user_id',
        'users.organization_id',
      )
      .where('password_resets.token_hash', tokenHash);
    return row ?? null;
  }

  /**
   * Uses the link up. null: no such link, used, expired, the password was changed since, or the user is not active.
   * The caller holds the user's lock; otherwise two links of one user could both work.
   */
  usePasswordReset(tokenHash: string): Promise<ResetOwner | null> {
    // Raw SQL: the builder types an update with a joined table by the columns of the joined one.
    return queryRow(
      this.db,
      `UPDATE password_resets r SET used_at = now() FROM users u
       WHERE r.token_hash = ? AND r.used_at IS NULL AND r.expires_at > now()
         AND u.user_id = r.user_id AND u.user_status = 1 AND u.token_version = r.token_version
       RETURNING u.user_id, u.organization_id, r.is_mailed`,
      [tokenHash],
    );
  }

  /** Removes links that were sent to a former address of the user. */
  async removePasswordResets(userId: number): Promise<void> {
    await this.db('password_resets').where({ user_id: userId }).delete();
  }

  async removeExpiredPasswordResets(): Promise<void> {
    await this.db('password_resets').where('expires_at', '<', this.db.fn.now()).delete();
  }
}
