import type { Clock } from '../../lib/clock.ts';
import { type AppError, conflict } from '../../lib/errors.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { Entrance } from './entrances.ts';

/** How long a response that was begun holds a place in its link's quota after its last activity. */
export const HOLD_SECONDS = 15 * 60;

/** What of a link's quota is left for a response that comes to its end. */
export type PlaceLeft = 'yes' | 'no' | 'held_by_others';

/** With a link of one's own nobody else is to be kept out: begun twice, on two devices, it is the first to be complete that counts. */
export const holdsPlaces = (entrance: Pick<Entrance, 'limit' | 'linkType'>): boolean =>
  entrance.limit !== null && entrance.linkType !== 'unique';

const keyOf = ({ surveyId, linkId }: Entrance) => ({ surveyId, linkId: linkId! });

/**
 * Places in the quotas of links: whoever begins takes one, keeps it with every page, and gives it back after 15 minutes without one.
 * Completes and places together are never more than the quota. Of links without a quota nothing is read or written.
 */
export class LinkPlaces {
  private readonly clock: Clock;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** The places of links that this transaction holds, for responses about to be written. */
  async opened(repositories: Repositories, linkIds: readonly number[]): Promise<OpenedPlaces> {
    const limits =
      linkIds.length === 0
        ? new Map<number, null>()
        : await repositories.openLinks.lock([...new Set(linkIds)]);
    return new OpenedPlaces(repositories, limits, this.clock.now());
  }

  /** Before a response is locked. False: its place was given back; this transaction then holds the link. */
  async keep(repositories: Repositories, entrance: Entrance, responseToken: string): Promise<boolean> {
    if (!holdsPlaces(entrance)) return true;
    const key = keyOf(entrance);
    if (await repositories.linkPlaces.renew(key, responseToken, untilFrom(this.clock.now()))) return true;
    await repositories.openLinks.lock([key.linkId]);
    return false;
  }

  /** For whoever comes back after `keep` said false. False: the link has all its completes. Throws 409 while others hold the rest. */
  async regain(repositories: Repositories, entrance: Entrance, responseId: number): Promise<boolean> {
    const key = keyOf(entrance);
    const limit = (await repositories.openLinks.lock([key.linkId])).get(key.linkId) ?? null;
    const now = this.clock.now();
    const left = await leftOf(repositories, entrance, limit, false, now);
    if (left === 'held_by_others') throw quotaFull();
    if (left === 'yes' && limit !== null) await repositories.linkPlaces.hold(key, responseId, untilFrom(now));
    return left === 'yes';
  }

  /** Before a response is locked that ends: its place is given back, whatever becomes of it. */
  async release(repositories: Repositories, entrance: Entrance, responseToken: string): Promise<boolean> {
    return holdsPlaces(entrance) && repositories.linkPlaces.release(keyOf(entrance), responseToken);
  }

  /** Before a response is locked that may become complete; the answer holds until the transaction ends. */
  async atEnd(
    repositories: Repositories,
    entrance: Entrance,
    responseToken: string,
  ): Promise<() => Promise<PlaceLeft>> {
    if (entrance.limit === null) return () => Promise.resolve('yes');
    const { linkId } = keyOf(entrance);
    const limit = (await repositories.openLinks.lock([linkId])).get(linkId) ?? null;
    const held = await this.release(repositories, entrance, responseToken);
    return () => leftOf(repositories, entrance, limit, held, this.clock.now());
  }

  /** For a page that says so: nobody may begin. */
  async isFull(repositories: Repositories, entrance: Entrance): Promise<boolean> {
    const { limit } = entrance;
    if (limit === null) return false;
    const { completes, held } = await repositories.linkPlaces.readUsage(keyOf(entrance), this.clock.now());
    return completes + held >= limit;
  }
}

/** Within one transaction, which holds the links. */
export class OpenedPlaces {
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
      const { completes, held } = await this.repositories.linkPlaces.readUsageExactly(
        { surveyId, linkId },
        this.now,
      );
      this.free.set(linkId, limit - completes - held);
    }
    return this.free.get(linkId)! <= 0;
  }

  /** A response was written: complete, it takes a place for good, and begun, it holds one. */
  async noteWritten(
    entrance: { surveyId: number; linkId: number; holds: boolean },
    written: { response_id: number; response_status: string },
  ): Promise<void> {
    const { linkId, holds } = entrance;
    const isBegun = written.response_status === 'partial';
    if (written.response_status !== 'complete' && !(isBegun && holds)) return;
    const free = this.free.get(linkId);
    if (free === undefined) return;
    this.free.set(linkId, free - 1);
    if (isBegun) await this.repositories.linkPlaces.hold(entrance, written.response_id, untilFrom(this.now));
  }
}

async function leftOf(
  repositories: Repositories,
  entrance: Entrance,
  limit: number | null,
  held: boolean,
  now: Date,
): Promise<PlaceLeft> {
  if (limit === null) return 'yes';
  const taken = await repositories.linkPlaces.readUsageExactly(keyOf(entrance), now);
  if (taken.completes >= limit) return 'no';
  return held || taken.completes + taken.held < limit ? 'yes' : 'held_by_others';
}

const untilFrom = (now: Date): Date => new Date(now.getTime() + HOLD_SECONDS * 1000);

export const quotaFull = (): AppError =>
  conflict(
    'quota_full',
    'This link has all the responses it may have, or others have just begun the last of them: a place they give up is free after 15 minutes',
  );
