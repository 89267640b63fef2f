/** One network holds at most this many places of a limit, or a tenth of them if that is more, but never more than half. */
const MIN_PLACES = 10;
const PLACES_SHARE = 0.1;
const MOST_SHARE = 0.5;
/** Holders that are remembered in all; the oldest are forgotten first. */
const MAX_HOLDERS = 200_000;

interface Holder {
  /** The limit and the network. */
  key: string;
  hasPlace: boolean;
  expiresAtMs: number;
}

/**
 * The places that started responses of one network hold in a limit, so that one network cannot keep a limit closed by starting responses. In
 * the memory of this process only: no address is stored, and a restart resets the count.
 */
export class NetworkPlaces {
  private readonly holders = new Map<string, Holder>();
  private readonly held = new Map<string, Set<string>>();

  /** `ttlMs`: how long a place is held after the last activity. */
  constructor(
    private readonly ttlMs: number,
    private readonly now: () => number,
  ) {}

  /** Returns whether the response may hold a place of the limit of `limit` responses, and remembers the answer. */
  take(
    { limitKey, limit, network }: { limitKey: string; limit: number; network: string },
    token: string,
  ): boolean {
    const key = `${limitKey} ${network}`;
    const tokens = this.held.get(key) ?? new Set<string>();
    const most = placesOf(limit);
    if (tokens.size >= most)
      for (const held of tokens) if (this.isExpired(held, limitKey)) this.release(limitKey, held);
    const hasPlace = tokens.size < most;
    if (hasPlace) this.held.set(key, tokens.add(token));
    this.holders.set(holderKey(limitKey, token), { key, hasPlace, expiresAtMs: this.now() + this.ttlMs });
    for (const oldest of this.holders.keys()) {
      if (this.holders.size <= MAX_HOLDERS) break;
      this.forget(oldest);
    }
    return hasPlace;
  }

  /** Whether the response was started without a place. False for responses that are not known. */
  isWithoutPlace(limitKey: string, token: string): boolean {
    return this.holders.get(holderKey(limitKey, token))?.hasPlace === false;
  }

  /** Keeps the place for another period. */
  touch(limitKey: string, token: string): void {
    const holder = this.holders.get(holderKey(limitKey, token));
    if (holder !== undefined) holder.expiresAtMs = this.now() + this.ttlMs;
  }

  release(limitKey: string, token: string): void {
    this.forget(holderKey(limitKey, token));
  }

  private isExpired(token: string, limitKey: string): boolean {
    return (this.holders.get(holderKey(limitKey, token))?.expiresAtMs ?? 0) <= this.now();
  }

  private forget(key: string): void {
    const holder = this.holders.get(key);
    if (holder === undefined) return;
    this.holders.delete(key);
    const tokens = this.held.get(holder.key);
    tokens?.delete(key.slice(key.indexOf(' ') + 1));
    if (tokens?.size === 0) this.held.delete(holder.key);
  }
}

const holderKey = (limitKey: string, token: string): string => `${limitKey} ${token}`;

function placesOf(limit: number): number {
  return Math.min(Math.max(MIN_PLACES, Math.ceil(limit * PLACES_SHARE)), Math.ceil(limit * MOST_SHARE));
}
