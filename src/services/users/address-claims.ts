import type { Caller } from '../../domain/access/caller.ts';
import { violatedConstraint } from '../../db/errors.ts';
import type { Store } from '../../repositories/store.ts';
import type { GuessLimits } from '../auth/guess-limits.ts';

/**
 * Limits how often an organization finds out that an address has an account in another one. Addresses are unique over all organizations, so
 * giving a user one that is taken must fail; the error is the same as within the organization. To keep lists of addresses from being
 * tried, such failures are counted for the organization (`RATE_LIMIT_AUTH` in 15 minutes, then 429) and written to its audit log.
 */
export class AddressClaims {
  constructor(
    private readonly store: Store,
    private readonly guessLimits: GuessLimits,
  ) {}

  /**
   * Runs `work`, which assigns an address to a user. Passes on what `work` throws: 409 `email_taken` for a taken
   * address.
   */
  async claim<T>(by: Caller, work: () => Promise<T>): Promise<T> {
    const organization = `organization ${by.organizationId}`;
    const attempt = {
      target: `address ${organization}`,
      address: by.origin.address,
      knownClient: organization,
    };
    let refusal: unknown = null;
    const claimed = await this.guessLimits.attempt(attempt, async () => {
      try {
        return { result: await work() };
      } catch (error) {
        if (violatedConstraint(error) !== TAKEN_ELSEWHERE) throw error;
        refusal = error;
        return null;
      }
    });
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
    throw refusal;
  }
}

const TAKEN_ELSEWHERE = 'users_email_unique';
