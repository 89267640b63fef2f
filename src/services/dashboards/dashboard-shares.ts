import { type Caller, isAdmin } from '../../domain/access/caller.ts';
import type { DashboardScope } from '../../domain/access/scopes.ts';
import { unknownObject } from '../../lib/error-messages.ts';
import { conflict, forbidden, invalid, notFound } from '../../lib/errors.ts';
import type { DashboardShareRow, NewShare } from '../../repositories/dashboard-shares.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { PasswordHasher } from '../auth/passwords.ts';
import { dashboardObject } from './dashboards.ts';

export type ShareInput =
  | { type: 'public' }
  | { type: 'password'; password: string }
  | { type: 'user'; userId: number }
  | { type: 'group'; groupId: number };

/** Access to a dashboard beyond the members of its workspace. A removed share has no effect from the next request on. */
export class DashboardShareService {
  constructor(
    private readonly store: Store,
    private readonly passwords: PasswordHasher,
    private readonly adminsPublish: boolean,
  ) {}

  /** Whether the user may open dashboards that they edit to people who are not signed in (setting `ADMINS_PUBLISH_DASHBOARDS`). */
  canPublish(caller: Pick<Caller, 'role'>): boolean {
    return !this.adminsPublish || isAdmin(caller);
  }

  /** Oldest first. */
  list(scope: DashboardScope): Promise<DashboardShareRow[]> {
    return this.store.read.dashboardShares.list(scope);
  }

  /** A second password share replaces the password of the first; viewers with the old password must enter the new one. */
  async create(
    caller: Pick<Caller, 'role'>,
    scope: DashboardScope,
    input: ShareInput,
  ): Promise<{ share: DashboardShareRow; isNew: boolean }> {
    if ((input.type === 'public' || input.type === 'password') && !this.canPublish(caller))
      throw forbidden(
        `share_type: "${input.type}" is reserved for admins here; ask an admin, or share the dashboard with a user or a group`,
        'admins_publish_dashboards',
      );
    const share: NewShare =
      input.type === 'password'
        ? { type: 'password', passwordHash: await this.passwords.hash(input.password) }
        : input;
    return this.store.transaction(async (repositories) => {
      await dashboardObject.lock(repositories, scope);
      const { dashboardShares } = repositories;
      const before = await dashboardShares.list(scope);
      await refuseUnknownRecipient(repositories, scope, share);
      const existingShare = before.find((one) => isSameRecipient(one, share));
      if (existingShare !== undefined && share.type === 'password') {
        await dashboardShares.setPassword(scope, existingShare.share_id, share.passwordHash);
        await repositories.audit.record(
          dashboardObject.auditEntry(scope, 'password_changed', auditDetails(existingShare)),
        );
        return { share: existingShare, isNew: false };
      }
      if (existingShare !== undefined) throw alreadySharedError(share);
      refuseSecondOpenShare(before, share);
      const created = await dashboardShares.find(scope, await dashboardShares.add(scope, share));
      await repositories.audit.record(dashboardObject.auditEntry(scope, 'shared', auditDetails(created)));
      return { share: created, isNew: true };
    });
  }

  async delete(scope: DashboardScope, shareId: number): Promise<void> {
    await this.store.transaction(async (repositories) => {
      await dashboardObject.lock(repositories, scope);
      const removed = await repositories.dashboardShares.remove(scope, shareId);
      if (removed === null) throw notFound('share');
      await repositories.audit.record(
        dashboardObject.auditEntry(scope, 'unshared', auditDetails({ ...removed, share_id: shareId })),
      );
    });
  }
}

/** Removes the public or password share, if the dashboard has one. The caller of this function holds the lock of the dashboard. */
export async function removeOpenShare(repositories: Repositories, scope: DashboardScope): Promise<void> {
  for (const share of await repositories.dashboardShares.list(scope)) {
    if (share.share_type !== 'public' && share.share_type !== 'password') continue;
    await repositories.dashboardShares.remove(scope, share.share_id);
    await repositories.audit.record(dashboardObject.auditEntry(scope, 'unshared', auditDetails(share)));
  }
}

type ShareIdentity = Pick<DashboardShareRow, 'share_id' | 'share_type' | 'user_id' | 'group_id'>;

const auditDetails = ({ share_id, share_type, user_id, group_id }: ShareIdentity) => ({
  share_id,
  share_type,
  ...(user_id === null ? {} : { user_id }),
  ...(group_id === null ? {} : { group_id }),
});

function isSameRecipient(one: ShareIdentity, share: NewShare): boolean {
  if (one.share_type !== share.type) return false;
  if (share.type === 'user') return one.user_id === share.userId;
  return share.type === 'group' ? one.group_id === share.groupId : true;
}

async function refuseUnknownRecipient(
  { users, groups }: Repositories,
  { organizationId }: DashboardScope,
  share: NewShare,
): Promise<void> {
  if (
    share.type === 'user' &&
    !(await users.filterExisting(organizationId, [share.userId])).has(share.userId)
  )
    throw invalid(
      'user_id',
      unknownObject({ kind: 'user', idOrCode: share.userId, scope: 'in this organization' }),
    );
  if (share.type === 'group' && (await groups.lock({ organizationId, groupId: share.groupId })) === null)
    throw invalid(
      'group_id',
      unknownObject({ kind: 'group', idOrCode: share.groupId, scope: 'in this organization' }),
    );
}

const alreadySharedError = ({ type }: NewShare) =>
  conflict(
    'already_shared',
    `The dashboard is already shared ${type === 'public' ? 'publicly' : `with this ${type}`}`,
  );

/** Next to a public share a password would protect nothing, which an author might not notice. */
function refuseSecondOpenShare(before: readonly DashboardShareRow[], { type }: NewShare): void {
  if (type !== 'public' && type !== 'password') return;
  const open = before.find((one) => one.share_type === 'public' || one.share_type === 'password');
  if (open === undefined) return;
  const now = open.share_type === 'public' ? 'publicly' : 'with a password';
  throw conflict(
    'shared_otherwise',
    `The dashboard is shared ${now}; delete that share (${open.share_id}) first`,
  );
}
