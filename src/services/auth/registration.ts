import { inviteStatusAt } from '../../domain/access/invite-status.ts';
import { PENDING } from '../../domain/access/user-status.ts';
import type { Clock } from '../../lib/clock.ts';
import { conflict, gone, notFound } from '../../lib/errors.ts';
import type { InviteLinkRow } from '../../repositories/invite-links.ts';
import type { Repositories, Store } from '../../repositories/store.ts';
import type { UserRow } from '../../repositories/users.ts';
import type { Passwords } from './passwords.ts';

export type Invitation = InviteLinkRow & { organization_name: string };

/** Joining an organization through an invite link. */
export class RegistrationService {
  private readonly store: Store;
  private readonly passwords: Passwords;
  private readonly clock: Clock;

  constructor(store: Store, passwords: Passwords, clock: Clock) {
    this.store = store;
    this.passwords = passwords;
    this.clock = clock;
  }

  /** What a link invites to: 404 when there is none, 410 when nobody can join through it any more. */
  invitation(token: string): Promise<Invitation> {
    return this.usable(this.store.read, token);
  }

  /**
   * Makes a user who waits for an admin's approval. The use of the link and the user are there together or not at all, however many
   * join at the same moment.
   */
  async register(
    input: { token: string; name: string; email: string; password: string },
    from: { address: string; requestId: string },
  ): Promise<UserRow> {
    const { token, name, email } = input;
    // Both are judged again below: here, so that only who could join learns about addresses, and a hash is not made in vain.
    await this.usable(this.store.read, token);
    await refuseTaken(this.store.read, email);
    const passwordHash = await this.passwords.hash(input.password);
    return this.store.transaction(async (repositories) => {
      const link = await repositories.inviteLinks.use(token, this.clock.now());
      if (link === null) return this.whyNot(repositories, token);
      await refuseTaken(repositories, email);
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

  private async usable(repositories: Repositories, token: string): Promise<Invitation> {
    const link = await repositories.inviteLinks.byToken(token);
    if (link === null) throw notFound('invite link');
    if (link.revoked_at !== null) throw gone('invite_revoked', 'This invite link has been withdrawn');
    const status = inviteStatusAt(link, this.clock.now());
    if (status === 'expired') throw gone('invite_expired', 'This invite link has expired');
    if (status === 'used_up') throw usedUp();
    return link;
  }

  /** The link had no use left a moment ago; should it be usable again now, the client simply tries again. */
  private async whyNot(repositories: Repositories, token: string): Promise<never> {
    await this.usable(repositories, token);
    throw usedUp();
  }
}

async function refuseTaken({ users }: Repositories, email: string): Promise<void> {
  if ((await users.forLogin(email)) !== null)
    throw conflict('email_taken', 'email: this address already has an account');
}

const usedUp = () => gone('invite_used_up', 'This invite link has been used as often as it may be');
