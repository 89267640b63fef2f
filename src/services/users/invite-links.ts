import type { Caller, UserRole } from '../../domain/access/caller.ts';
import { canGrantRole } from '../../domain/access/users.ts';
import type { Clock } from '../../lib/clock.ts';
import { forbidden, invalid, notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { InviteLinkRow } from '../../repositories/organizations.ts';
import type { Store } from '../../repositories/store.ts';

/** 142 bits, so tokens cannot be guessed. */
const INVITE_TOKEN_CHARACTERS = 24;

/** Timestamps in the API have four-digit years. */
const LAST_YEAR = 9999;

/** Links to join an organization; auth/registration.ts uses them. */
export class InviteLinkService {
  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  /** The current time, which determines the status of links. */
  now(): Date {
    return this.clock.now();
  }

  /** Returns links, oldest first, without revoked ones. */
  list({ organizationId }: Pick<Caller, 'organizationId'>): Promise<InviteLinkRow[]> {
    return this.store.read.organizations.listInviteLinks(organizationId);
  }

  async create(
    caller: Caller,
    input: { role: UserRole; maxUses: number | null; expiresAt: Date | null },
  ): Promise<InviteLinkRow> {
    const { role, maxUses, expiresAt } = input;
    if (role === 'superadmin' || !canGrantRole(caller.role, role))
      throw forbidden('You can only grant roles up to your own; superadmins are created on the command line');
    if (expiresAt !== null && expiresAt <= this.clock.now())
      throw invalid('expires_at', 'must be in the future');
    if (expiresAt !== null && expiresAt.getUTCFullYear() > LAST_YEAR)
      throw invalid('expires_at', `must be before the end of ${LAST_YEAR}; use null for no expiry`);
    const token = this.ids.token(INVITE_TOKEN_CHARACTERS);
    return this.store.transaction(async (repositories) => {
      const link = await repositories.organizations.createInviteLink({
        organizationId: caller.organizationId,
        createdBy: caller.userId,
        token,
        role,
        maxUses,
        expiresAt,
      });
      await repositories.audit.record({
        by: caller,
        action: 'invite_link.created',
        objectType: 'invite_link',
        objectId: link.invite_id,
        details: { user_role: role, invite_max_uses: maxUses },
      });
      return link;
    });
  }

  /** Revokes a link; users who joined through it stay. */
  async revoke(caller: Caller, inviteId: number): Promise<void> {
    await this.store.transaction(async (repositories) => {
      if (!(await repositories.organizations.revokeInviteLink(caller.organizationId, inviteId)))
        throw notFound('invite link');
      await repositories.audit.record({
        by: caller,
        action: 'invite_link.revoked',
        objectType: 'invite_link',
        objectId: inviteId,
      });
    });
  }
}
