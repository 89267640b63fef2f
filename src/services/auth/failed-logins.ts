import type { Store } from '../../repositories/store.ts';
import type { UserRow } from '../../repositories/users.ts';

/**
 * Writes the audit entries of failed logins after the reply, so that its time does not reveal whether the account
 * exists.
 */
export class FailedLogins {
  private readonly pending = new Set<Promise<void>>();

  /** `reportFailure`: called when an entry could not be written. */
  constructor(
    private readonly store: Store,
    private readonly reportFailure: (action: string, error: unknown) => void,
  ) {}

  record(
    user: Pick<UserRow, 'user_id' | 'organization_id'>,
    from: { requestId: string; address: string },
  ): void {
    const write = new Promise((resolve) => setImmediate(resolve))
      .then(() =>
        this.store.read.audit.record({
          by: {
            organizationId: user.organization_id,
            userId: null,
            origin: { credential: null, credentialId: null, ...from },
          },
          action: 'user.login_failed',
          objectType: 'user',
          objectId: user.user_id,
        }),
      )
      .catch((error: unknown) => this.reportFailure('a failed login could not be recorded', error))
      .finally(() => this.pending.delete(write));
    this.pending.add(write);
  }

  /** Resolves when every entry is written. */
  async drain(): Promise<void> {
    await Promise.all(this.pending);
  }
}
