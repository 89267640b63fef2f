import { violatedConstraint } from '../../db/errors.ts';
import { type Caller, isAdmin, type UserRole } from '../../domain/access/caller.ts';
import {
  ACTIVE,
  EMAIL_ADDRESS_EXPECTED,
  type GrantableRole,
  isEmailAddress,
  requestedRole,
  type UserStatus,
} from '../../domain/access/users.ts';
import {
  notAllowedWith,
  onlyAllowed,
  onlyPermittedTo,
  requiredField,
  unknownObject,
} from '../../lib/error-messages.ts';
import { conflict, forbidden, invalid, invalidFields, notFound } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { GrantHolder, GrantReplacement, UserDashboardRow } from '../../repositories/dashboard-shares.ts';
import type { OrganizationRow } from '../../repositories/organizations.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccountRow, UserRow } from '../../repositories/users.ts';
import type { AccessService } from '../access.ts';
import type { GuessLimits } from '../auth/guess-limits.ts';
import type { PasswordConfirmation, PasswordHasher } from '../auth/passwords.ts';
import { endEverySession } from '../auth/sessions.ts';

/** The dashboards that a user may view through direct grants or groups. */
export class UserDashboardService {
  constructor(
    private readonly store: Store,
    private readonly access: AccessService,
  ) {}

  /** Returns all of one's own dashboards; for another user, those that the admin can see. */
  async list({ by, userId, isSelf }: UserScope): Promise<UserDashboardRow[]> {
    const { users, dashboardShares } = this.store.read;
    if ((await users.findById(by.organizationId, userId)) === null) throw notFound('user');
    const workspaceIds = isSelf ? null : await this.visibleWorkspaceIds(by);
    return dashboardShares.listGrantsOfUser(by.organizationId, userId, workspaceIds);
  }

  /** Replaces the direct grants of dashboards that the admin can see; others stay unchanged. */
  async set(by: Caller, userId: number, dashboardIds: readonly number[]): Promise<UserDashboardRow[]> {
    const { organizationId } = by;
    const workspaceIds = await this.visibleWorkspaceIds(by);
    return this.store.transaction(async (repositories) => {
      await lockUser(repositories, by, userId);
      const holder = { type: 'user', id: userId } as const;
      await replaceDashboardGrants({ repositories, by, holder, workspaceIds, dashboardIds });
      return repositories.dashboardShares.listGrantsOfUser(organizationId, userId, workspaceIds);
    });
  }

  private async visibleWorkspaceIds(caller: Caller): Promise<number[]> {
    return (await this.access.listVisibleWorkspaces(caller)).map(({ row }) => row.workspace_id);
  }
}

/**
 * Replaces the direct grants of a user, or the grants of a group, within the workspaces, and records the change. Returns the ids of the
 * dashboards that were not granted before. Throws 400 where a dashboard is not in the workspaces.
 */
export async function replaceDashboardGrants({
  repositories: { dashboardShares, audit },
  by,
  holder,
  ...replacement
}: GrantReplacement & { repositories: Repositories; by: Caller; holder: GrantHolder }): Promise<number[]> {
  const { organizationId } = by;
  const { workspaceIds, dashboardIds } = replacement;
  const known = await dashboardShares.listGrantable(organizationId, workspaceIds, dashboardIds);
  refuseUnknownIds({ field: 'dashboard_ids', kind: 'dashboard', ids: dashboardIds, known });
  const change = await dashboardShares.replaceGrants(organizationId, holder, replacement);
  const { granted, withdrawn } = requireValue(change, holder.type);
  if (granted.length + withdrawn.length > 0)
    await audit.record({
      by,
      action: `${holder.type}.dashboards_set`,
      objectType: holder.type,
      objectId: holder.id,
      details: { granted, withdrawn },
    });
  return granted;
}

interface UserListing {
  status: UserStatus | undefined;
  role: UserRole | undefined;
  search: string | undefined;
  sort: { field: 'user_id' | 'user_name' | 'user_email' | 'last_login_at'; descending: boolean } | undefined;
}

/** undefined: unchanged. */
interface UserChanges {
  name?: string | undefined;
  email?: string | undefined;
  /** Confirms a change of one's own address. */
  currentPassword?: string | undefined;
  newPassword?: string | undefined;
  /** With a new password; undefined: true. */
  revokeApiKeys?: boolean | undefined;
  /** Both may be there: see roleMeant. */
  role: { byType: GrantableRole | undefined; byWord: UserRole | undefined };
  aiAccess?: boolean | undefined;
}

const byText = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export class UserService {
  constructor(
    private readonly store: Store,
    private readonly passwords: PasswordHasher,
    private readonly confirmation: PasswordConfirmation,
    private readonly addresses: AddressClaims,
    private readonly access: AccessService,
  ) {}

  /** Returns the current user and the organization in which they act. */
  async getOwnAccount(caller: Caller): Promise<{ user: UserRow; organization: OrganizationRow }> {
    const [user, organization] = await Promise.all([
      this.store.read.users.findById(caller.homeOrganizationId, caller.userId),
      this.store.read.organizations.findById(caller.organizationId),
    ]);
    if (user === null || organization === null) throw notFound('user');
    return { user, organization };
  }

  /** Returns users, oldest first by default; deleted ones only if that status is requested. */
  async list(caller: Caller, { status, role, search, sort }: UserListing): Promise<UserRow[]> {
    const rows = await this.store.read.users.listByOrganization(caller.organizationId, { status, role });
    const searchText = search?.normalize().toLowerCase() ?? '';
    const has = (text: string) => text.normalize().toLowerCase().includes(searchText);
    const found = rows.filter((row) => has(row.user_name) || has(row.user_email));
    if (sort === undefined) return found;
    return found.sort((a, b) => compare(sort.field, a, b) * (sort.descending ? -1 : 1));
  }

  async get({ by, userId }: UserScope): Promise<UserRow> {
    const user = await this.store.read.users.findById(by.organizationId, userId);
    if (user === null) throw notFound('user');
    return user;
  }

  /** Creates a user with direct grants of dashboards. Throws 400 if the caller cannot see one of them. */
  async create(
    by: Caller,
    input: {
      email: string;
      name: string;
      password: string;
      role: UserRole;
      aiAccess: boolean;
      dashboardIds: readonly number[];
    },
  ): Promise<UserRow> {
    if (input.role === 'superadmin') throw superadminRefused();
    const workspaceIds = (await this.access.listVisibleWorkspaces(by)).map(({ row }) => row.workspace_id);
    const passwordHash = await this.passwords.hash(input.password);
    const create = async (repositories: Repositories) => {
      const user = await repositories.users.create({
        organizationId: by.organizationId,
        email: input.email,
        name: input.name,
        passwordHash,
        role: input.role,
        aiAccess: input.aiAccess,
      });
      await repositories.audit.record({
        by,
        action: 'user.created',
        objectType: 'user',
        objectId: user.user_id,
        details: { user_role: user.user_role },
      });
      await replaceDashboardGrants({
        repositories,
        by,
        holder: { type: 'user', id: user.user_id },
        workspaceIds,
        dashboardIds: input.dashboardIds,
      });
      return user;
    };
    return this.addresses.claim(by, () => this.store.transaction(create));
  }

  /**
   * Updates a user. Users may change their own name, and their address with their password; only admins change the
   * rest. A new type or password ends every session of the user; a new password also revokes their API keys unless
   * `revokeApiKeys` is false.
   */
  async update(scope: UserScope, changes: UserChanges): Promise<UserRow> {
    const { by, userId, isSelf } = scope;
    if (isSelf && changes.newPassword !== undefined)
      throw invalid('user_password', 'cannot be your own; use PUT /api/users/:id/change-password');
    if (changes.revokeApiKeys !== undefined && changes.newPassword === undefined)
      throw invalid('revoke_api_keys', onlyAllowed('with user_password'));
    const confirmed = await this.confirmedAccount(scope, changes);
    const passwordHash =
      changes.newPassword === undefined ? null : await this.passwords.hash(changes.newPassword);

    const update = async (repositories: Repositories) => {
      const asksForRole = changes.role.byType !== undefined || changes.role.byWord !== undefined;
      if (asksForRole) await repositories.organizations.lock(by.organizationId);
      const before = await lockUser(repositories, by, userId);
      if (confirmed !== null) await this.confirmation.lockConfirmed(repositories, confirmed);
      const after = findChanges(before, changes);
      if (!isAdmin(by) && (after.role !== undefined || after.aiAccess !== undefined))
        throw onlyPermittedTo('an admin', 'change user_type, user_role and ai_access');
      if (after.role === 'superadmin') throw superadminRefused();
      if (after.role !== undefined && after.role !== 'admin') await requireAnotherAdmin(repositories, before);

      const fields = [...FIELDS]
        .filter(([part]) => after[part] !== undefined)
        .map(([, field]) => field)
        .concat(passwordHash === null ? [] : ['user_password']);
      if (fields.length === 0) return before;
      const user = await repositories.users.update(userId, after);
      if (after.email !== undefined) await repositories.users.removePasswordResets(userId);
      if (passwordHash !== null) await repositories.users.setPassword(userId, passwordHash);
      if (passwordHash !== null || after.role !== undefined) await endEverySession(repositories, userId);
      const revoked =
        passwordHash !== null && changes.revokeApiKeys !== false
          ? await repositories.apiKeys.revokeAll(userId)
          : null;
      const details = {
        fields,
        ...(after.role === undefined ? {} : { user_role: after.role }),
        ...(revoked === null ? {} : { revoked_api_keys: revoked }),
      };
      await repositories.audit.record({
        by,
        action: 'user.updated',
        objectType: 'user',
        objectId: userId,
        details,
      });
      return user;
    };
    const commit = () => this.store.transaction(update);
    return changes.email === undefined ? commit() : this.addresses.claim(by, commit);
  }

  async setAiAccess(by: Caller, userId: number, aiAccess: boolean): Promise<UserRow> {
    return this.store.transaction(async (repositories) => {
      const before = await lockUser(repositories, by, userId);
      if (before.ai_access === aiAccess) return before;
      await repositories.audit.record({
        by,
        action: 'user.ai_access_set',
        objectType: 'user',
        objectId: userId,
        details: { ai_access: aiAccess },
      });
      return repositories.users.update(userId, { aiAccess });
    });
  }

  /** Confirms a change of one's own address by password. Returns null if no confirmation is needed. */
  private async confirmedAccount(
    { by, userId, isSelf }: UserScope,
    { email, currentPassword }: UserChanges,
  ): Promise<AccountRow | null> {
    if (!isSelf || email === undefined) return null;
    const user = await this.store.read.users.findById(by.organizationId, userId);
    if (user === null) throw notFound('user');
    if (user.user_email === email) return null;
    if (!isEmailAddress(email)) throw invalid('user_email', EMAIL_ADDRESS_EXPECTED);
    if (currentPassword === undefined)
      throw invalid('current_password', requiredField('to change your own user_email'));
    return this.confirmation.confirm(by, currentPassword);
  }
}

interface ChangedParts {
  name: string | undefined;
  email: string | undefined;
  role: UserRole | undefined;
  aiAccess: boolean | undefined;
}

const FIELDS = new Map<keyof ChangedParts, string>([
  ['name', 'user_name'],
  ['email', 'user_email'],
  ['role', 'user_type'],
  ['aiAccess', 'ai_access'],
]);

/** Values that equal the current ones are not changes. */
function findChanges(before: AccountRow, changes: UserChanges): ChangedParts {
  const role = requestedRole(before.user_role, changes.role);
  if (role === null) throw invalid('user_role', notAllowedWith('a user_type of another role'));
  const email = changes.email === before.user_email ? undefined : changes.email;
  if (email !== undefined && !isEmailAddress(email)) throw invalid('user_email', EMAIL_ADDRESS_EXPECTED);
  return {
    name: changes.name === before.user_name ? undefined : changes.name,
    email,
    role,
    aiAccess: changes.aiAccess === before.ai_access ? undefined : changes.aiAccess,
  };
}

const superadminRefused = () => forbidden('Superadmins can only be created on the command line');

function compare(field: NonNullable<UserListing['sort']>['field'], a: UserRow, b: UserRow): number {
  const idDifference = a.user_id - b.user_id;
  switch (field) {
    case 'user_id':
      return idDifference;
    case 'user_name':
    case 'user_email':
      return byText.compare(a[field], b[field]) || idDifference;
    case 'last_login_at':
      // Users who never logged in sort first.
      return (a.last_login_at?.getTime() ?? 0) - (b.last_login_at?.getTime() ?? 0) || idDifference;
  }
}

/**
 * Limits how often an organization finds out that an address has an account in another one. Addresses are unique over all organizations, so
 * giving a user one that is taken must fail; the error is the same as within the organization. To keep lists of addresses from being
 * tried, such failures are counted for the organization (`RATE_LIMIT_AUTH` in 15 minutes, then 429) and written to its audit log.
 */
export class AddressClaims {
  constructor(
    private readonly store: Store,
    private readonly guessLimits: GuessLimits,
  ) {}

  /**
   * Runs `work`, which assigns an address to a user. Passes on what `work` throws: 409 `email_taken` for a taken
   * address.
   */
  async claim<T>(by: Caller, work: () => Promise<T>): Promise<T> {
    const organization = `organization ${by.organizationId}`;
    const attempt = {
      target: `address ${organization}`,
      address: by.origin.address,
      knownClient: organization,
    };
    let refusal: unknown = null;
    const claimed = await this.guessLimits.attempt(attempt, async () => {
      try {
        return { result: await work() };
      } catch (error) {
        if (violatedConstraint(error) !== TAKEN_ELSEWHERE) throw error;
        refusal = error;
        return null;
      }
    });
    if (claimed !== null) return claimed.result;
    // Written outside the request's transaction, so that a rollback keeps the entry.
    await this.store.detached(() =>
      this.store.read.audit.record({
        by,
        action: 'user.address_refused',
        objectType: 'organization',
        objectId: by.organizationId,
      }),
    );
    throw refusal;
  }
}

const TAKEN_ELSEWHERE = 'users_email_unique';

/**
 * Locks a user for a change until the transaction ends. Throws 404, or 403 for a superadmin that the caller may not
 * change.
 */
export async function lockUser(repositories: Repositories, by: Caller, userId: number): Promise<AccountRow> {
  const user = await repositories.users.lock(by.organizationId, userId);
  if (user === null) throw notFound('user');
  refuseSuperadmin(by, user);
  return user;
}

/** Throws 403 if an admin tries to change a superadmin. */
export function refuseSuperadmin(by: Caller, user: UserRow): void {
  if (user.user_role === 'superadmin' && by.role !== 'superadmin')
    throw onlyPermittedTo('a superadmin', 'change a superadmin');
}

/**
 * Throws 409 if no other active admin would remain. The caller locks the organization before the user: otherwise two
 * admins who suspend each other at once would both find the other still active.
 */
export async function requireAnotherAdmin(repositories: Repositories, user: UserRow): Promise<void> {
  if (user.user_status !== ACTIVE || !isAdmin({ role: user.user_role })) return;
  if (await repositories.users.hasOtherActiveAdmin(user.organization_id, user.user_id)) return;
  throw conflict(
    'last_admin',
    'This is the last active admin of the organization; make another user an admin first',
  );
}

/** Throws 400 naming each id that does not exist, is deleted or belongs to another organization. */
export function refuseUnknownIds({
  field,
  kind,
  ids,
  known,
}: {
  field: string;
  kind: string;
  ids: readonly number[];
  known: ReadonlySet<number>;
}): void {
  const details = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [
          {
            field: `${field}[${index}]`,
            message: unknownObject({ kind, idOrCode: id, scope: 'in this organization' }),
          },
        ],
  );
  if (details.length > 0) throw invalidFields(details);
}

/** A user that the caller may act on; the user may not exist. */
export interface UserScope {
  userId: number;
  /** The caller. For their own account, in their home organization. */
  by: Caller;
  isSelf: boolean;
}
