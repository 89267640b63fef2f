import type { Clock } from '../../lib/clock.ts';
import { type AppError, conflict } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { WrittenResponse } from '../../repositories/responses.ts';
import type { ResolvedLink } from './link-resolver.ts';

/** How long a partial response keeps its reservation in the link's quota after its last activity. */
export const RESERVATION_TTL_SECONDS = 15 * 60;

/** Whether the link's quota has room for a response that ends. */
export type LinkAvailability = 'yes' | 'no' | 'reserved_by_others';

/** A unique link needs no reservations: if it is started on two devices, the first complete response counts. */
export const usesReservations = (link: Pick<ResolvedLink, 'limit' | 'linkType'>): boolean =>
  link.limit !== null && link.linkType !== 'unique';

const keyOf = ({ surveyId, linkId }: ResolvedLink) => ({
  surveyId,
  linkId: requireValue(linkId, 'link of a response'),
});

/**
 * Reservations in the quotas of links. Starting a response makes one, each page renews it, and it expires after 15
 * minutes without activity. Completes and reservations together never exceed the quota. Links without a quota cause
 * no reads or writes.
 */
export class LinkReservations {
  constructor(private readonly clock: Clock) {}

  /** Locks the links of responses that are about to be written. */
  async lock(repositories: Repositories, surveyId: number, linkIds: readonly number[]): Promise<LockedLinks> {
    const limits =
      linkIds.length === 0
        ? new Map<number, number>()
        : await repositories.linkReservations.lockLimits(surveyId, [...new Set(linkIds)]);
    return new LockedLinks(repositories, limits, this.clock.now());
  }

  /**
   * Renews the reservation; called before the response is locked. Returns false if it has expired; the transaction
   * then holds the link's lock.
   */
  async renew(repositories: Repositories, link: ResolvedLink, responseToken: string): Promise<boolean> {
    if (!usesReservations(link)) return true;
    const key = keyOf(link);
    if (await repositories.linkReservations.renew(key, responseToken, expiryFrom(this.clock.now())))
      return true;
    await lockLimit(repositories, key);
    return false;
  }

  /**
   * Makes a new reservation after `renew` returned false. Returns false if the link has all its completes. Throws 409
   * while others hold the remaining reservations.
   */
  async reacquire(repositories: Repositories, link: ResolvedLink, responseId: number): Promise<boolean> {
    const key = keyOf(link);
    const limit = await lockLimit(repositories, key);
    const now = this.clock.now();
    const left = await readAvailability({ repositories, link, limit, hadReservation: false, now });
    if (left === 'reserved_by_others') throw quotaFull();
    if (left === 'yes' && limit !== null)
      await repositories.linkReservations.reserve(key, responseId, expiryFrom(now));
    return left === 'yes';
  }

  /** Deletes the reservation of a response that ends; called before the response is locked. */
  async release(repositories: Repositories, link: ResolvedLink, responseToken: string): Promise<boolean> {
    return usesReservations(link) && repositories.linkReservations.release(keyOf(link), responseToken);
  }

  /**
   * Locks the link for a response that may become complete; called before the response is locked. The returned
   * function tells the availability until the transaction ends.
   */
  async lockForCompletion(
    repositories: Repositories,
    link: ResolvedLink,
    responseToken: string,
  ): Promise<() => Promise<LinkAvailability>> {
    if (link.limit === null) return () => Promise.resolve('yes');
    const limit = await lockLimit(repositories, keyOf(link));
    const hadReservation = await this.release(repositories, link, responseToken);
    return () => readAvailability({ repositories, link, limit, hadReservation, now: this.clock.now() });
  }

  /** Whether no further response can start; for display. */
  async isFull(repositories: Repositories, link: ResolvedLink): Promise<boolean> {
    const { limit } = link;
    if (limit === null) return false;
    const { completes, reserved: hadReservation } = await repositories.linkReservations.readUsage(
      keyOf(link),
      this.clock.now(),
    );
    return completes + hadReservation >= limit;
  }
}

/** Locks the limit of a link. Returns it; null: none. */
async function lockLimit(
  { linkReservations }: Repositories,
  { surveyId, linkId }: { surveyId: number; linkId: number },
): Promise<number | null> {
  return (await linkReservations.lockLimits(surveyId, [linkId])).get(linkId) ?? null;
}

/** Links that the transaction has locked. */
export class LockedLinks {
  private readonly free = new Map<number, number>();

  constructor(
    private readonly repositories: Repositories,
    private readonly limits: ReadonlyMap<number, number>,
    private readonly now: Date,
  ) {}

  async isFull(surveyId: number, linkId: number): Promise<boolean> {
    const limit = this.limits.get(linkId) ?? null;
    if (limit === null) return false;
    let free = this.free.get(linkId);
    if (free === undefined) {
      const { completes, reserved: hadReservation } =
        await this.repositories.linkReservations.readUsageExactly({ surveyId, linkId }, this.now);
      free = limit - completes - hadReservation;
      this.free.set(linkId, free);
    }
    return free <= 0;
  }

  /** Counts a written response: a complete one permanently, a partial one as a reservation. */
  async recordWrite(
    link: { surveyId: number; linkId: number; usesReservations: boolean },
    written: Pick<WrittenResponse, 'response_id' | 'response_status'>,
  ): Promise<void> {
    const { linkId, usesReservations } = link;
    const isPartial = written.response_status === 'partial';
    if (written.response_status !== 'complete' && !(isPartial && usesReservations)) return;
    const free = this.free.get(linkId);
    if (free === undefined) return;
    this.free.set(linkId, free - 1);
    if (isPartial)
      await this.repositories.linkReservations.reserve(link, written.response_id, expiryFrom(this.now));
  }
}

async function readAvailability({
  repositories,
  link,
  limit,
  hadReservation,
  now,
}: {
  repositories: Repositories;
  link: ResolvedLink;
  limit: number | null;
  hadReservation: boolean;
  now: Date;
}): Promise<LinkAvailability> {
  if (limit === null) return 'yes';
  const usage = await repositories.linkReservations.readUsageExactly(keyOf(link), now);
  if (usage.completes >= limit) return 'no';
  return hadReservation || usage.completes + usage.reserved < limit ? 'yes' : 'reserved_by_others';
}

const expiryFrom = (now: Date): Date => new Date(now.getTime() + RESERVATION_TTL_SECONDS * 1000);

export const quotaFull = (): AppError =>
  conflict(
    'quota_full',
    'The quota of this link is full, or started responses have reserved the rest of it: a reservation expires after 15 minutes without activity',
  );
