import { addressTaken } from '../../db/errors.ts';
import { type Caller, isAdmin, type UserRole } from '../../domain/access/caller.ts';
import {
  ACTIVE,
  EMAIL_ADDRESS_EXPECTED,
  type GrantableRole,
  isEmailAddress,
  requestedRole,
  type UserStatus,
} from '../../domain/access/users.ts';
import { notAllowedWith, onlyPermittedTo, requiredField, unknownObject } from '../../lib/error-messages.ts';
import { conflict, forbidden, invalid, invalidFields, notFound } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { GrantHolder, GrantReplacement, UserDashboardRow } from '../../repositories/dashboard-shares.ts';
import type { OrganizationRow } from '../../repositories/organizations.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { AccountRow, UserRow } from '../../repositories/users.ts';
import type { AccessService } from '../access.ts';
import type { GuessLimits } from '../auth/guess-limits.ts';
import type { AccountMails } from '../auth/account-mails.ts';
import { type PasswordConfirmation, type PasswordHasher, refuseCommonPassword } from '../auth/passwords.ts';
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
  /** Of the caller; confirms a change of an address. */
  currentPassword?: string | undefined;
  /** Both may be there: see roleMeant. */
  role: { byType: GrantableRole | undefined; byWord: UserRole | undefined };
  aiAccess?: boolean | undefined;
}

const byText = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

export class UserService {
  private readonly store: Store;
  private readonly passwords: PasswordHasher;
  private readonly confirmation: PasswordConfirmation;
  private readonly addresses: AddressClaims;
  private readonly access: AccessService;
  private readonly accountMails: AccountMails;
  private readonly strictPasswords: boolean;

  constructor(dependencies: {
    store: Store;
    passwords: PasswordHasher;
    confirmation: PasswordConfirmation;
    addresses: AddressClaims;
    access: AccessService;
    accountMails: AccountMails;
    /** Whether common passwords are refused, whatever the request asks for. */
    strictPasswords: boolean;
  }) {
    this.store = dependencies.store;
    this.passwords = dependencies.passwords;
    this.confirmation = dependencies.confirmation;
    this.addresses = dependencies.addresses;
    this.access = dependencies.access;
    this.accountMails = dependencies.accountMails;
    this.strictPasswords = dependencies.strictPasswords;
  }

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

  /**
   * Creates a user with direct grants of dashboards, and mails them a link that confirms their address. Throws 400 if the caller cannot see
   * one of the dashboards.
   */
  async create(
    by: Caller,
    input: {
      email: string;
      name: string;
      password: string;
      role: UserRole;
      aiAccess: boolean;
      dashboardIds: readonly number[];
      refuseCommonPassword: boolean;
    },
  ): Promise<UserRow> {
    if (input.role === 'superadmin') throw superadminRefused();
    if (input.refuseCommonPassword || this.strictPasswords)
      refuseCommonPassword('user_password', input.password, input);
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
      await this.accountMails.enqueue(repositories, by.origin.requestId, {
        mail: 'confirm_address',
        user_id: user.user_id,
      });
      return user;
    };
    return this.addresses.claim({ by, email: input.email, userId: null }, () =>
      this.store.transaction(create),
    );
  }

  /**
   * Updates a user. Users may change their own name; only admins change role and AI access. An address is changed with the password of the
   * caller, for another user in a session only; both addresses are told. A new type ends every session of the user.
   */
  async update(scope: UserScope, changes: UserChanges): Promise<UserRow> {
    const { by, userId } = scope;
    const confirmed = await this.confirmedAccount(scope, changes);

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

      const fields = [...FIELDS].filter(([part]) => after[part] !== undefined).map(([, field]) => field);
      if (fields.length === 0) return before;
      const user = await repositories.users.update(userId, after);
      if (after.email !== undefined) {
        await repositories.users.removePasswordResets(userId);
        await this.mailChangedAddress(repositories, by, { user, former: before.user_email });
      }
      if (after.role !== undefined) await endEverySession(repositories, userId);
      const details = { fields, ...(after.role === undefined ? {} : { user_role: after.role }) };
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
    return changes.email === undefined
      ? commit()
      : this.addresses.claim({ by, email: changes.email, userId }, commit);
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

  private async mailChangedAddress(
    repositories: Repositories,
    by: Caller,
    { user, former }: { user: UserRow; former: string },
  ): Promise<void> {
    const changed = { user_id: user.user_id, former, changed_to: user.user_email };
    await this.accountMails.enqueue(
      repositories,
      by.origin.requestId,
      { mail: 'address_changed', ...changed, to: former },
      { mail: 'address_changed', ...changed, to: user.user_email },
      { mail: 'confirm_address', user_id: user.user_id },
    );
  }

  /**
   * Confirms a change of an address by the caller's password. Returns null if the address does not change. Throws 403 for an API key that
   * changes another user's address.
   */
  private async confirmedAccount(
    { by, userId, isSelf }: UserScope,
    { email, currentPassword }: UserChanges,
  ): Promise<AccountRow | null> {
    if (email === undefined) return null;
    const user = await this.store.read.users.findById(by.organizationId, userId);
    if (user === null) throw notFound('user');
    if (user.user_email === email) return null;
    refuseSuperadmin(by, user);
    if (!isEmailAddress(email)) throw invalid('user_email', EMAIL_ADDRESS_EXPECTED);
    if (!isSelf && by.credential !== 'session')
      throw forbidden(
        "Changing another user's address needs a session with your password; an API key cannot do it",
        'session_required',
      );
    if (currentPassword === undefined)
      throw invalid('current_password', requiredField('to change user_email: your own password'));
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
 * Keeps an address that its owner has proved from being given to users of other organizations, and limits how often an organization finds
 * out about it. The error is the same as within the organization; to keep lists of addresses from being tried, such failures are counted
 * for the organization (`RATE_LIMIT_AUTH` in 15 minutes, then 429) and written to its audit log.
 */
export class AddressClaims {
  constructor(
    private readonly store: Store,
    private readonly guessLimits: GuessLimits,
  ) {}

  /**
   * Runs `work`, which gives an address to a user (`userId`: null: to a new one). Throws 409 `email_taken` if a user of another
   * organization has proved that the address is theirs, and what `work` throws.
   */
  async claim<T>(
    { by, email, userId }: { by: Caller; email: string; userId: number | null },
    work: () => Promise<T>,
  ): Promise<T> {
    const organization = `organization ${by.organizationId}`;
    const attempt = {
      target: `address ${organization}`,
      address: by.origin.address,
      knownClient: organization,
    };
    const claimed = await this.guessLimits.attempt(attempt, async () =>
      (await this.isTakenElsewhere(by, email, userId)) ? null : { result: await work() },
    );
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
    throw addressTaken();
  }

  /** False for an address of another user of the organization, which `work` refuses without being counted. */
  private async isTakenElsewhere(by: Caller, email: string, userId: number | null): Promise<boolean> {
    const { users } = this.store.read;
    if (!(await users.isAddressProvedElsewhere(by.organizationId, email))) return false;
    return !(await users.hasAddress(by.organizationId, email, userId));
  }
}

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
