import type { Caller, UserRole } from '../../domain/access/caller.ts';
import { mayGrant } from '../../domain/access/user-type.ts';
import type { Clock } from '../../lib/clock.ts';
import { forbidden, invalid, notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { InviteLinkRow } from '../../repositories/invite-links.ts';
import type { Store } from '../../repositories/store.ts';

/** 142 bits: nobody finds a link by trying. */
const INVITE_TOKEN_CHARACTERS = 24;

/** Times on the wire have years of four digits. */
const LAST_YEAR = 9999;

/** Links through which people join an organization; joining itself is in auth/registration.ts. */
export class InviteLinkService {
  private readonly store: Store;
  private readonly clock: Clock;
  private readonly ids: Ids;

  constructor(store: Store, clock: Clock, ids: Ids) {
    this.store = store;
    this.clock = clock;
    this.ids = ids;
  }

  /** The moment at which links are judged. */
  now(): Date {
    return this.clock.now();
  }

  /** Oldest first, revoked ones left out. */
  list({ organizationId }: Pick<Caller, 'organizationId'>): Promise<InviteLinkRow[]> {
    return this.store.read.inviteLinks.ofOrganization(organizationId);
  }

  async create(
    caller: Caller,
    input: { role: UserRole; maxUses: number | null; expiresAt: Date | null },
  ): Promise<InviteLinkRow> {
    const { role, maxUses, expiresAt } = input;
    if (role === 'superadmin' || !mayGrant(caller.role, role))
      throw forbidden('Nobody grants more than they have; a superadmin is made by the command line alone');
    if (expiresAt !== null && expiresAt <= this.clock.now())
      throw invalid('expires_at', 'must be in the future');
    if (expiresAt !== null && expiresAt.getUTCFullYear() > LAST_YEAR)
      throw invalid('expires_at', `must be before the end of ${LAST_YEAR}; null is for ever`);
    const token = this.ids.token(INVITE_TOKEN_CHARACTERS);
    return this.store.transaction(async (repositories) => {
      const link = await repositories.inviteLinks.create({
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

  /** Nobody joins through it any more; who did stays. */
  async revoke(caller: Caller, inviteId: number): Promise<void> {
    await this.store.transaction(async (repositories) => {
      if (!(await repositories.inviteLinks.revoke(caller.organizationId, inviteId)))
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
