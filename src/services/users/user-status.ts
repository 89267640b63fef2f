import type { Caller } from '../../domain/access/caller.ts';
import {
  ACTIVE,
  DELETED,
  type StatusAction,
  statusAfter,
  requiredStatus,
  USER_STATUS_NAMES,
} from '../../domain/access/users.ts';
import { conflict } from '../../lib/errors.ts';
import type { Store } from '../../repositories/store.ts';
import type { UserRow } from '../../repositories/users.ts';
import type { AccountMails } from '../auth/account-mails.ts';
import { endEverySession } from '../auth/sessions.ts';
import { type AddressClaims, lockUser, requireAnotherAdmin } from './users.ts';

const PAST_TENSE: Readonly<Record<StatusAction, string>> = {
  approve: 'approved',
  reject: 'rejected',
  suspend: 'suspended',
  reactivate: 'reactivated',
};

interface StatusChange {
  by: Caller;
  userId: number;
  action: StatusAction;
  /** Also revokes the user's keys, so that reactivating does not restore them. */
  revokeApiKeys: boolean;
}

/** Approves, rejects, suspends, reactivates and deletes users. */
export class UserStatusService {
  constructor(
    private readonly store: Store,
    private readonly addresses: AddressClaims,
    private readonly accountMails: AccountMails,
  ) {}

  /**
   * Changes the status of a user. Users who become inactive lose access with this transaction: their sessions end and
   * their keys stop working.
   */
  async change(statusChange: StatusChange): Promise<UserRow> {
    const change = () => this.applyChange(statusChange);
    if (statusChange.action !== 'approve') return change();
    const { by, userId } = statusChange;
    const user = await this.store.read.users.findById(by.organizationId, userId);
    return user === null ? change() : this.addresses.claim({ by, email: user.user_email, userId }, change);
  }

  private applyChange({ by, userId, action, revokeApiKeys }: StatusChange): Promise<UserRow> {
    return this.store.transaction(async (repositories) => {
      await repositories.organizations.lock(by.organizationId);
      const user = await lockUser(repositories, by, userId);
      const status = statusAfter(action, user.user_status);
      if (status === null) {
        const is = USER_STATUS_NAMES[user.user_status];
        const needed = USER_STATUS_NAMES[requiredStatus(action)];
        throw conflict(
          'illegal_transition',
          `User ${userId} is ${is}; to ${action} a user, the user must be ${needed}`,
        );
      }
      if (status !== ACTIVE) {
        await requireAnotherAdmin(repositories, user);
        await endEverySession(repositories, userId);
      }
      const revoked = revokeApiKeys ? await repositories.apiKeys.revokeAll(userId) : null;
      const changed = await repositories.users.setStatus(userId, status);
      await repositories.audit.record({
        by,
        action: `user.${PAST_TENSE[action]}`,
        objectType: 'user',
        objectId: userId,
        ...(revoked === null ? {} : { details: { revoked_api_keys: revoked } }),
      });
      // Users who wait for approval get no email, because anyone with an invite link can enter any address.
      if (action === 'approve')
        await this.accountMails.enqueue(repositories, by.origin.requestId, {
          mail: 'confirm_address',
          user_id: userId,
        });
      return changed;
    });
  }

  /** Deletes a user. Their data stay, and their address becomes available again. */
  async delete(by: Caller, userId: number): Promise<void> {
    await this.store.transaction(async (repositories) => {
      await repositories.organizations.lock(by.organizationId);
      const user = await lockUser(repositories, by, userId);
      await requireAnotherAdmin(repositories, user);
      await endEverySession(repositories, userId);
      await repositories.apiKeys.revokeAll(userId);
      await repositories.users.setStatus(userId, DELETED);
      await repositories.audit.record({ by, action: 'user.deleted', objectType: 'user', objectId: userId });
    });
  }
}
