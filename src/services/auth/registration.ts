import { inviteStatusAt, PENDING } from '../../domain/access/users.ts';
import type { Clock } from '../../lib/clock.ts';
import { gone, notFound } from '../../lib/errors.ts';
import type { InviteLinkRow } from '../../repositories/organizations.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Store } from '../../repositories/store.ts';
import type { UserRow } from '../../repositories/users.ts';
import type { PasswordHasher } from './password-hasher.ts';

export type Invitation = InviteLinkRow & { organization_name: string };

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
