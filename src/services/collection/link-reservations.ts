import type { Clock } from '../../lib/clock.ts';
import { type AppError, conflict } from '../../lib/errors.ts';
import { requireValue } from '../../lib/require-value.ts';
import { WHOLE_SURVEY } from '../../repositories/reservations.ts';
import type { Repositories } from '../../repositories/repositories.ts';
import type { WrittenResponse } from '../../repositories/responses.ts';
import type { ResolvedLink } from './link-resolver.ts';
import { NetworkPlaces } from './network-places.ts';

/** How long a partial response keeps its reservation in the link's quota after its last activity. */
export const RESERVATION_TTL_SECONDS = 15 * 60;

/** Whether the limits have room for a response that ends. */
export type LinkAvailability = 'yes' | 'no' | 'reserved_by_others';

/** A limit that a response counts in: the quota of its link, or the response limit of its survey. */
export interface ResponseLimit {
  /** Or WHOLE_SURVEY. */
  linkId: number;
  /** Whether a partial response makes a reservation. */
  usesReservations: boolean;
}

/** A unique link needs no reservations: if it is started on two devices, the first complete response counts. */
export function limitsOf({ linkId, linkType, limit, surveyLimit }: ResolvedLink): ResponseLimit[] {
  const limits: ResponseLimit[] = [];
  if (surveyLimit !== null) limits.push({ linkId: WHOLE_SURVEY, usesReservations: true });
  if (limit !== null)
    limits.push({
      linkId: requireValue(linkId, 'link with a quota'),
      usesReservations: linkType !== 'unique',
    });
  return limits;
}

const idsOf = (limits: readonly ResponseLimit[]): number[] => limits.map(({ linkId }) => linkId);
const reservationIdsOf = (link: ResolvedLink): number[] =>
  idsOf(limitsOf(link).filter(({ usesReservations }) => usesReservations));

/** The limits in which a response has no reservation any more. */
export type ExpiredReservations = readonly number[];

/**
 * Reservations in the quotas of links and the response limits of surveys. Starting a response makes one in each, each page renews them,
 * and they expire after 15 minutes without activity. Completes and reservations together never exceed a limit. Links without limits cause
 * no reads or writes.
 */
export class LinkReservations {
  private readonly places: NetworkPlaces;

  constructor(private readonly clock: Clock) {
    this.places = new NetworkPlaces(RESERVATION_TTL_SECONDS * 1000, () => this.clock.now().getTime());
  }

  /** Locks the limits of responses that are about to be written. */
  async lock(repositories: Repositories, surveyId: number, linkIds: readonly number[]): Promise<LockedLinks> {
    const limits =
      linkIds.length === 0
        ? new Map<number, number>()
        : await repositories.linkReservations.lockLimits(surveyId, [...new Set(linkIds)]);
    return new LockedLinks({ repositories, limits, places: this.places, now: this.clock.now() });
  }

  /**
   * Renews the reservations; called before the response is locked. Returns those that have expired; the transaction
   * then holds the locks of all limits.
   */
  async renew(
    repositories: Repositories,
    link: ResolvedLink,
    responseToken: string,
  ): Promise<ExpiredReservations> {
    const linkIds = reservationIdsOf(link);
    if (linkIds.length === 0) return [];
    const { surveyId } = link;
    // Limits are locked before reservations. If there is only one reservation, this can wait until it is known to be missing.
    if (linkIds.length > 1) await repositories.linkReservations.lockLimits(surveyId, linkIds);
    const until = expiryFrom(this.clock.now());
    const renewed = await repositories.linkReservations.renew({ surveyId, linkIds }, responseToken, until);
    for (const linkId of renewed) this.places.touch(limitKeyOf(surveyId, linkId), responseToken);
    const expired = linkIds.filter(
      (linkId) =>
        !renewed.has(linkId) && !this.places.isWithoutPlace(limitKeyOf(surveyId, linkId), responseToken),
    );
    if (expired.length > 0 && linkIds.length === 1)
      await repositories.linkReservations.lockLimits(surveyId, linkIds);
    return expired;
  }

  /**
   * Makes new reservations for those that `renew` returned. Returns false if a limit has all its completes. Throws 409
   * while others hold the remaining reservations.
   */
  async reacquire({
    repositories,
    link: { surveyId },
    responseId,
    expired,
  }: {
    repositories: Repositories;
    link: ResolvedLink;
    responseId: number;
    expired: ExpiredReservations;
  }): Promise<boolean> {
    if (expired.length === 0) return true;
    const limits = await repositories.linkReservations.lockLimits(surveyId, expired);
    const now = this.clock.now();
    const left = await readAvailabilityOf(
      expired.map((linkId) => ({ repositories, surveyId, linkId, limits, hadReservation: false, now })),
    );
    if (left === 'reserved_by_others') throw quotaFull();
    if (left === 'no') return false;
    for (const linkId of limits.keys())
      await repositories.linkReservations.reserve({ surveyId, linkId }, responseId, expiryFrom(now));
    return true;
  }

  /** Deletes the reservations of a response that ends; called before the response is locked. Returns their limits. */
  async release(
    repositories: Repositories,
    link: ResolvedLink,
    responseToken: string,
  ): Promise<ReadonlySet<number>> {
    const linkIds = reservationIdsOf(link);
    if (linkIds.length === 0) return new Set();
    for (const linkId of linkIds) this.places.release(limitKeyOf(link.surveyId, linkId), responseToken);
    return repositories.linkReservations.release({ surveyId: link.surveyId, linkIds }, responseToken);
  }

  /**
   * Locks the limits for a response that may become complete; called before the response is locked. The returned
   * function tells the availability until the transaction ends.
   */
  async lockForCompletion(
    repositories: Repositories,
    link: ResolvedLink,
    responseToken: string,
  ): Promise<() => Promise<LinkAvailability>> {
    const linkIds = idsOf(limitsOf(link));
    if (linkIds.length === 0) return () => Promise.resolve('yes');
    const { surveyId } = link;
    const limits = await repositories.linkReservations.lockLimits(surveyId, linkIds);
    const released = await this.release(repositories, link, responseToken);
    return () =>
      readAvailabilityOf(
        linkIds.map((linkId) => ({
          repositories,
          surveyId,
          linkId,
          limits,
          hadReservation: released.has(linkId),
          now: this.clock.now(),
        })),
      );
  }

  /** Returns the limit that prevents further responses from starting; null: none. For display. */
  async findFullLimit(repositories: Repositories, link: ResolvedLink): Promise<'link' | 'survey' | null> {
    const { surveyId, limit, surveyLimit } = link;
    for (const { linkId } of limitsOf(link)) {
      const isSurvey = linkId === WHOLE_SURVEY;
      const key = { surveyId, linkId };
      const { completes, reserved } = await repositories.linkReservations.readUsage(key, this.clock.now());
      if (completes + reserved >= requireValue(isSurvey ? surveyLimit : limit, 'limit'))
        return isSurvey ? 'survey' : 'link';
    }
    return null;
  }
}

/** Limits that the transaction has locked. */
export class LockedLinks {
  private readonly free = new Map<number, number>();

  private readonly repositories: Repositories;
  private readonly limits: ReadonlyMap<number, number>;
  private readonly places: NetworkPlaces;
  private readonly now: Date;

  constructor(locked: {
    repositories: Repositories;
    limits: ReadonlyMap<number, number>;
    places: NetworkPlaces;
    now: Date;
  }) {
    ({ repositories: this.repositories, limits: this.limits, places: this.places, now: this.now } = locked);
  }

  async isFull(surveyId: number, linkId: number): Promise<boolean> {
    const limit = this.limits.get(linkId) ?? null;
    if (limit === null) return false;
    let free = this.free.get(linkId);
    if (free === undefined) {
      const { completes, reserved } = await this.repositories.linkReservations.readUsageExactly(
        { surveyId, linkId },
        this.now,
      );
      free = limit - completes - reserved;
      this.free.set(linkId, free);
    }
    return free <= 0;
  }

  /**
   * Counts a written response: a complete one permanently, a partial one as a reservation. A partial response of a network that holds its
   * share of the limit gets no reservation: it can be completed while the limit has room.
   */
  async recordWrite(
    link: ResponseLimit & { surveyId: number; network: string },
    written: Pick<WrittenResponse, 'response_id' | 'response_status' | 'response_token'>,
  ): Promise<void> {
    const { linkId, usesReservations } = link;
    const isPartial = written.response_status === 'partial';
    if (written.response_status !== 'complete' && !(isPartial && usesReservations)) return;
    const free = this.free.get(linkId);
    const limit = this.limits.get(linkId);
    if (free === undefined || limit === undefined) return;
    if (isPartial) {
      const place = { limitKey: limitKeyOf(link.surveyId, linkId), limit, network: link.network };
      if (!this.places.take(place, written.response_token)) return;
    }
    this.free.set(linkId, free - 1);
    if (isPartial)
      await this.repositories.linkReservations.reserve(link, written.response_id, expiryFrom(this.now));
  }
}

const limitKeyOf = (surveyId: number, linkId: number): string => `${surveyId}:${linkId}`;

interface LimitState {
  repositories: Repositories;
  surveyId: number;
  linkId: number;
  /** The locked limits. */
  limits: ReadonlyMap<number, number>;
  hadReservation: boolean;
  now: Date;
}

/** Returns the availability in all limits together. */
async function readAvailabilityOf(states: readonly LimitState[]): Promise<LinkAvailability> {
  const found: LinkAvailability[] = [];
  for (const state of states) found.push(await readAvailability(state));
  return found.find((one) => one === 'no') ?? found.find((one) => one === 'reserved_by_others') ?? 'yes';
}

async function readAvailability({
  repositories,
  surveyId,
  linkId,
  limits,
  hadReservation,
  now,
}: LimitState): Promise<LinkAvailability> {
  const limit = limits.get(linkId);
  if (limit === undefined) return 'yes';
  const usage = await repositories.linkReservations.readUsageExactly({ surveyId, linkId }, now);
  if (usage.completes >= limit) return 'no';
  return hadReservation || usage.completes + usage.reserved < limit ? 'yes' : 'reserved_by_others';
}

const expiryFrom = (now: Date): Date => new Date(now.getTime() + RESERVATION_TTL_SECONDS * 1000);

export const quotaFull = (): AppError =>
  conflict(
    'quota_full',
    'This link or survey has all its responses, or started responses have reserved the rest: a reservation expires after 15 minutes without activity',
  );
