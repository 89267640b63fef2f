import type { Caller, UserRole } from '../../domain/access/caller.ts';
import { canGrantRole, inviteStatusAt, PENDING } from '../../domain/access/users.ts';
import type { Clock } from '../../lib/clock.ts';
import { forbidden, gone, invalid, notFound } from '../../lib/errors.ts';
import type { Ids } from '../../lib/ids.ts';
import type { InviteLinkRow } from '../../repositories/organizations.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { UserRow } from '../../repositories/users.ts';
import { type PasswordHasher, refuseCommonPassword } from './passwords.ts';

type Invitation = InviteLinkRow & { organization_name: string };

/** Joining an organization through an invite link. */
export class RegistrationService {
  constructor(
    private readonly store: Store,
    private readonly passwords: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** Returns the invitation of a link. Throws 404 if it does not exist, 410 if it can no longer be used. */
  findInvitation(token: string): Promise<Invitation> {
    return this.requireUsable(this.store.read, token);
  }

  /**
   * Creates a user who waits for approval and counts the use of the link, in one transaction. An address that has an
   * account in another organization is accepted like any other, so that registration does not reveal it; approving
   * such a user fails. Throws 409 `email_taken` if a user of this organization has the address.
   */
  async register(
    input: { token: string; name: string; email: string; password: string },
    from: { address: string; requestId: string },
  ): Promise<UserRow> {
    const { token, name, email } = input;
    // Checked before hashing, to save that work; checked again below.
    await this.requireUsable(this.store.read, token);
    refuseCommonPassword('password', input.password, { name, email });
    const passwordHash = await this.passwords.hash(input.password);
    return this.store.transaction(async (repositories) => {
      const link = await repositories.organizations.useInviteLink(token, this.clock.now());
      if (link === null) return this.throwUnusable(repositories, token);
      const organizationId = link.organization_id;
      const user = await repositories.users.create({
        organizationId,
        email,
        name,
        passwordHash,
        role: link.invite_role,
        status: PENDING,
        inviteId: link.invite_id,
      });
      await repositories.audit.record({
        by: {
          organizationId,
          userId: user.user_id,
          origin: { credential: null, credentialId: null, ...from },
        },
        action: 'user.registered',
        objectType: 'user',
        objectId: user.user_id,
        details: { invite_id: link.invite_id, user_role: link.invite_role },
      });
      return user;
    });
  }

  private async requireUsable(repositories: Repositories, token: string): Promise<Invitation> {
    const link = await repositories.organizations.findInviteLink(token);
    if (link === null) throw notFound('invite link');
    if (link.revoked_at !== null) throw gone('invite_revoked', 'This invite link has been withdrawn');
    const status = inviteStatusAt(link, this.clock.now());
    if (status === 'expired') throw gone('invite_expired', 'This invite link has expired');
    if (status === 'used_up') throw usedUp();
    return link;
  }

  /** Throws the reason why the link could not be used; if it is usable again meanwhile, the client retries. */
  private async throwUnusable(repositories: Repositories, token: string): Promise<never> {
    await this.requireUsable(repositories, token);
    throw usedUp();
  }
}

const usedUp = () => gone('invite_used_up', 'This invite link has reached its maximum number of uses');

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
