import type { Clock } from '../../lib/clock.ts';
import { type AppError, conflict } from '../../lib/errors.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { ResolvedLink } from './link-resolver.ts';

/** How long a response that was begun usesReservations a place in its link's quota after its last activity. */
export const RESERVATION_TTL_SECONDS = 15 * 60;

/** What of a link's quota is left for a response that comes to its end. */
export type LinkAvailability = 'yes' | 'no' | 'held_by_others';

/** With a link of one's own nobody else is to be kept out: begun twice, on two devices, it is the first to be complete that counts. */
export const usesReservations = (link: Pick<ResolvedLink, 'limit' | 'linkType'>): boolean =>
  link.limit !== null && link.linkType !== 'unique';

const keyOf = ({ surveyId, linkId }: ResolvedLink) => ({ surveyId, linkId: linkId! });

/**
 * Places in the quotas of links: whoever begins takes one, keeps it with every page, and gives it back after 15 minutes without one.
 * Completes and places together are never more than the quota. Of links without a quota nothing is read or written.
 */
export class LinkReservations {
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** The places of links that this transaction usesReservations, for responses about to be written. */
  async lock(repositories: Repositories, linkIds: readonly number[]): Promise<LockedLinks> {
    const limits =
      linkIds.length === 0
        ? new Map<number, null>()
        : await repositories.openLinks.lock([...new Set(linkIds)]);
    return new LockedLinks(repositories, limits, this.clock.now());
  }

  /** Before a response is locked. False: its place was given back; this transaction then usesReservations the link. */
  async renew(repositories: Repositories, link: ResolvedLink, responseToken: string): Promise<boolean> {
    if (!usesReservations(link)) return true;
    const key = keyOf(link);
    if (await repositories.linkReservations.renew(key, responseToken, expiryFrom(this.clock.now())))
      return true;
    await repositories.openLinks.lock([key.linkId]);
    return false;
  }

  /** For whoever comes back after `keep` said false. False: the link has all its completes. Throws 409 while others hold the rest. */
  async reacquire(repositories: Repositories, link: ResolvedLink, responseId: number): Promise<boolean> {
    const key = keyOf(link);
    const limit = (await repositories.openLinks.lock([key.linkId])).get(key.linkId) ?? null;
    const now = this.clock.now();
    const left = await readAvailability(repositories, link, limit, false, now);
    if (left === 'held_by_others') throw quotaFull();
    if (left === 'yes' && limit !== null)
      await repositories.linkReservations.reserve(key, responseId, expiryFrom(now));
    return left === 'yes';
  }

  /** Before a response is locked that ends: its place is given back, whatever becomes of it. */
  async release(repositories: Repositories, link: ResolvedLink, responseToken: string): Promise<boolean> {
    return usesReservations(link) && repositories.linkReservations.release(keyOf(link), responseToken);
  }

  /** Before a response is locked that may become complete; the answer usesReservations until the transaction ends. */
  async lockForCompletion(
    repositories: Repositories,
    link: ResolvedLink,
    responseToken: string,
  ): Promise<() => Promise<LinkAvailability>> {
    if (link.limit === null) return () => Promise.resolve('yes');
    const { linkId } = keyOf(link);
    const limit = (await repositories.openLinks.lock([linkId])).get(linkId) ?? null;
    const held = await this.release(repositories, link, responseToken);
    return () => readAvailability(repositories, link, limit, held, this.clock.now());
  }

  /** For a page that says so: nobody may begin. */
  async isFull(repositories: Repositories, link: ResolvedLink): Promise<boolean> {
    const { limit } = link;
    if (limit === null) return false;
    const { completes, held } = await repositories.linkReservations.readUsage(keyOf(link), this.clock.now());
    return completes + held >= limit;
  }
}

/** Within one transaction, which usesReservations the links. */
export class LockedLinks {
  private readonly repositories: Repositories;
  private readonly limits: ReadonlyMap<number, number | null>;
  private readonly now: Date;
  private readonly free = new Map<number, number>();

  constructor(repositories: Repositories, limits: ReadonlyMap<number, number | null>, now: Date) {
    this.repositories = repositories;
    this.limits = limits;
    this.now = now;
  }

  async isFull(surveyId: number, linkId: number): Promise<boolean> {
    const limit = this.limits.get(linkId) ?? null;
    if (limit === null) return false;
    if (!this.free.has(linkId)) {
      const { completes, held } = await this.repositories.linkReservations.readUsageExactly(
        { surveyId, linkId },
        this.now,
      );
      this.free.set(linkId, limit - completes - held);
    }
    return this.free.get(linkId)! <= 0;
  }

  /** A response was written: complete, it takes a place for good, and begun, it usesReservations one. */
  async recordWrite(
    link: { surveyId: number; linkId: number; usesReservations: boolean },
    written: { response_id: number; response_status: string },
  ): Promise<void> {
    const { linkId, usesReservations } = link;
    const isBegun = written.response_status === 'partial';
    if (written.response_status !== 'complete' && !(isBegun && usesReservations)) return;
    const free = this.free.get(linkId);
    if (free === undefined) return;
    this.free.set(linkId, free - 1);
    if (isBegun)
      await this.repositories.linkReservations.reserve(link, written.response_id, expiryFrom(this.now));
  }
}

async function readAvailability(
  repositories: Repositories,
  link: ResolvedLink,
  limit: number | null,
  held: boolean,
  now: Date,
): Promise<LinkAvailability> {
  if (limit === null) return 'yes';
  const taken = await repositories.linkReservations.readUsageExactly(keyOf(link), now);
  if (taken.completes >= limit) return 'no';
  return held || taken.completes + taken.held < limit ? 'yes' : 'held_by_others';
}

const expiryFrom = (now: Date): Date => new Date(now.getTime() + RESERVATION_TTL_SECONDS * 1000);

export const quotaFull = (): AppError =>
  conflict(
    'quota_full',
    'This link has all the responses it may have, or others have just begun the last of them: a place they give up is free after 15 minutes',
  );
