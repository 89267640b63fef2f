import type { Request, Response } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import type { Caller } from '../domain/access/caller.ts';
import { tooManyRequests } from '../lib/errors.ts';
import {
  LIMIT_WINDOW_MS,
  ownCounters,
  secondsUntilReset,
  type WindowCounters,
} from '../lib/window-counter.ts';
import type { RateLimitClass } from './route.ts';

/** A network rather than a single address of an IPv6 customer. */
const IPV6_PREFIX_BITS = 56;

export interface RateLimits {
  /** Counts the request and sets the RateLimit headers; throws 429. */
  count(kind: RateLimitClass, request: Request, response: Response, caller: Caller | null): Promise<void>;
  /** Counts the request under another key too, `limits.auth` times at most, without touching the headers; throws 429. */
  brake(key: string): Promise<void>;
}

/**
 * `counters`: where requests are counted; by default by this process alone. Requests of the class `auth` have a counter of their own with
 * the limit of `general`: what bounds logins is the number of wrong ones (services/auth/guess-limits.ts).
 */
export function createRateLimits(
  limits: Record<RateLimitClass, number>,
  counters: WindowCounters = ownCounters,
): RateLimits {
  const classes = {
    general: { limit: limits.general, counter: counters('general', LIMIT_WINDOW_MS) },
    auth: { limit: limits.general, counter: counters('auth', LIMIT_WINDOW_MS) },
    public: { limit: limits.public, counter: counters('public', LIMIT_WINDOW_MS) },
    upload: { limit: limits.upload, counter: counters('upload', LIMIT_WINDOW_MS) },
  };
  const brakes = counters('brake', LIMIT_WINDOW_MS);
  return {
    async count(kind, request, response, caller) {
      const key = kind === 'general' ? keyOf(request, caller) : addressKey(request);
      const { limit, counter } = classes[kind];
      const count = await counter.increment(key);
      const resetSeconds = secondsUntilReset(count);
      // draft-ietf-httpapi-ratelimit-headers-06
      response.setHeader('RateLimit-Policy', `${limit};w=${LIMIT_WINDOW_MS / 1000}`);
      response.setHeader('RateLimit-Limit', String(limit));
      response.setHeader('RateLimit-Remaining', String(Math.max(0, limit - count.totalHits)));
      response.setHeader('RateLimit-Reset', String(resetSeconds));
      if (count.totalHits > limit) throw tooManyRequests(resetSeconds);
    },
    async brake(key) {
      const count = await brakes.increment(key);
      if (count.totalHits > limits.auth) throw tooManyRequests(secondsUntilReset(count));
    },
  };
}

/** A verified key, else the user, else the address. */
function keyOf(request: Request, caller: Caller | null): string {
  if (caller === null) return addressKey(request);
  return caller.credential === 'api_key' ? `key:${caller.credentialId}` : `user:${caller.userId}`;
}

const addressKey = (request: Request): string =>
  `address:${ipKeyGenerator(request.ip ?? '', IPV6_PREFIX_BITS)}`;
