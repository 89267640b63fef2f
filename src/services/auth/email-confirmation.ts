import { isAdmin, type Origin } from '../../domain/access/caller.ts';
import { ACTIVE } from '../../domain/access/users.ts';
import { conflict, gone } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';
import type { UserRow } from '../../repositories/users.ts';
import type { AccountMails } from './account-mails.ts';
import { useOneTimeToken } from './one-time-tokens.ts';
import { lockUser, type UserScope } from '../users/users.ts';

/** Confirms that an email address belongs to the user: by a link mailed to it, or by an administrator if no email is sent. */
export class EmailConfirmationService {
  constructor(
    private readonly store: Store,
    private readonly accountMails: AccountMails,
  ) {}

  /**
   * Sends the user a confirmation link. Without a mail server an administrator confirms the address, which counts within the organization
   * only; the request of another user changes nothing. Throws 409 if the user is not active.
   */
  async request({ by, userId }: UserScope): Promise<{ delivery: 'smtp' | 'none'; user: UserRow }> {
    return this.store.transaction(async (repositories) => {
      const user = await lockUser(repositories, by, userId);
      if (user.user_status !== ACTIVE)
        throw conflict('illegal_transition', 'Only the address of an active user can be confirmed');
      if (this.accountMails.isConfigured) {
        if (user.email_confirmed_by !== 'mail')
          await this.accountMails.enqueue(repositories, by.origin.requestId, {
            mail: 'confirm_address',
            user_id: userId,
          });
        return { delivery: 'smtp', user };
      }
      if (!isAdmin(by) || user.email_confirmed_by !== null) return { delivery: 'none', user };
      await repositories.audit.record({
        by,
        action: 'user.address_confirmed',
        objectType: 'user',
        objectId: userId,
        details: { by: 'admin' },
      });
      return { delivery: 'none', user: await repositories.users.confirmEmail(userId, 'admin') };
    });
  }

  /**
   * Confirms an address with the link that was mailed to it. Throws 410 for an unknown, used or expired link, and 409 `email_taken` if a
   * user of another organization has proved that the address is theirs.
   */
  async confirm(token: string, from: Pick<Origin, 'requestId' | 'address'>): Promise<void> {
    await this.store.transaction(async (repositories) => {
      const used = await useOneTimeToken(repositories, 'confirm', token);
      if (used === null)
        throw gone('confirmation_link_over', 'This link was used or has expired; request a new one');
      await repositories.users.confirmEmail(used.user_id, 'mail');
      await repositories.audit.record({
        by: {
          organizationId: used.organization_id,
          userId: used.user_id,
          origin: { credential: null, credentialId: null, ...from },
        },
        action: 'user.address_confirmed',
        objectType: 'user',
        objectId: used.user_id,
        details: { by: 'mail' },
      });
    });
  }

  /** Removes all confirmations of an address, for a mailbox that has another owner now. Returns the number of users. */
  async release(email: string): Promise<number> {
    return this.store.transaction(async ({ users, audit }) => {
      const released = await users.releaseAddress(email);
      for (const user of released)
        await audit.record({
          by: { organizationId: user.organization_id, userId: null },
          action: 'user.address_released',
          objectType: 'user',
          objectId: user.user_id,
        });
      return released.length;
    });
  }
}
