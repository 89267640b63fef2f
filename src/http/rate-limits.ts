import type { Request, Response } from 'express';
import { ipKeyGenerator, MemoryStore, type Options } from 'express-rate-limit';
import type { Caller } from '../domain/access/caller.ts';
import { AppError } from '../lib/errors.ts';
import type { WindowCounters } from '../lib/window-counter.ts';
import type { RateLimitClass } from './route.ts';

const WINDOW_MS = 15 * 60 * 1000;
/** A network rather than a single address of an IPv6 customer. */
const IPV6_PREFIX_BITS = 56;

export interface RateLimits {
  /** Counts the request and sets the RateLimit headers; throws 429. */
  count(kind: RateLimitClass, request: Request, response: Response, caller: Caller | null): Promise<void>;
  /** Counts against an account besides the address, without touching the headers of the other count. */
  brake(key: string): Promise<void>;
}

/** `counters`: where it is counted; by this process for itself unless something else is said. */
export function createRateLimits(
  limits: Record<RateLimitClass, number>,
  counters: WindowCounters = ownCounters,
): RateLimits {
  const of = {
    general: counters('general', WINDOW_MS),
    auth: counters('auth', WINDOW_MS),
    public: counters('public', WINDOW_MS),
  };
  const accounts = counters('account', WINDOW_MS);
  return {
    async count(kind, request, response, caller) {
      const key = kind === 'general' ? keyOf(request, caller) : addressKey(request);
      const limit = limits[kind];
      const { totalHits, resetTime } = await of[kind].increment(key);
      const resetSeconds = secondsUntil(resetTime);
      // draft-ietf-httpapi-ratelimit-headers-06
      response.setHeader('RateLimit-Policy', `${limit};w=${WINDOW_MS / 1000}`);
      response.setHeader('RateLimit-Limit', String(limit));
      response.setHeader('RateLimit-Remaining', String(Math.max(0, limit - totalHits)));
      response.setHeader('RateLimit-Reset', String(resetSeconds));
      if (totalHits > limit) throw tooManyRequests(resetSeconds);
    },
    async brake(key) {
      const { totalHits } = await accounts.increment(key);
      if (totalHits > limits.auth) throw tooManyRequests(WINDOW_MS / 1000);
    },
  };
}

/** In the memory of this process. The library's store alone: its middleware costs more than the rest of a small request. */
export const ownCounters: WindowCounters = (_name, windowMs) => {
  const store = new MemoryStore();
  store.init({ windowMs } as Options);
  return store;
};

const secondsUntil = (moment: Date | undefined): number =>
  moment === undefined ? WINDOW_MS / 1000 : Math.max(0, Math.ceil((moment.getTime() - Date.now()) / 1000));

/** A verified key, else the user, else the address. */
function keyOf(request: Request, caller: Caller | null): string {
  if (caller === null) return addressKey(request);
  return caller.credential === 'api_key' ? `key:${caller.credentialId}` : `user:${caller.userId}`;
}

const addressKey = (request: Request): string =>
  `address:${ipKeyGenerator(request.ip ?? '', IPV6_PREFIX_BITS)}`;

function tooManyRequests(retryAfterSeconds: number): AppError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  return new AppError(
    'too_many_requests',
    'too_many_requests',
    `Too many requests; try again in ${seconds} seconds`,
    [],
    { 'Retry-After': String(seconds) },
  );
}
