import type { Request, RequestHandler, Response } from 'express';
import { type AugmentedRequest, type Options, rateLimit, type Store } from 'express-rate-limit';
import type { Caller } from '../domain/access/caller.ts';
import type { RateLimitClass, Route } from '../http/define-route.ts';
import { addressNetwork, clientAddress } from '../lib/address-network.ts';
import { tooManyRequests } from '../lib/errors.ts';
import {
  inProcessCounters,
  LIMIT_WINDOW_MS,
  type WindowCounter,
  type WindowCounters,
} from '../lib/window-counter.ts';

/** One middleware per class; each counts a request, sets the RateLimit headers and refuses with 429. */
export interface RateLimits extends Record<RateLimitClass, RequestHandler> {
  /** Counts under the key that `extraRateLimit` set, without headers. */
  extra: RequestHandler;
}

/** A network rather than a single address of an IPv6 customer. */
const IPV6_PREFIX_BITS = 56;

/**
 * Limits requests in windows of 15 minutes. `counters`: where requests are counted; by default in this process alone. Requests of the
 * class `auth` have a counter of their own with the limit of `general`: failed logins are limited by services/auth/guess-limits.ts.
 */
export function createRateLimits(
  limits: Record<RateLimitClass, number>,
  counters: WindowCounters = inProcessCounters,
): RateLimits {
  const limiter = (name: string, limit: number, options: Partial<Options>): RequestHandler =>
    rateLimit({
      windowMs: LIMIT_WINDOW_MS,
      limit,
      store: new CounterStore(name, counters(name, LIMIT_WINDOW_MS)),
      legacyHeaders: false,
      handler: (request, _response, next) => {
        const resetTime = (request as AugmentedRequest).rateLimit?.resetTime;
        const waitMs = resetTime === undefined ? LIMIT_WINDOW_MS : resetTime.getTime() - Date.now();
        next(tooManyRequests(Math.ceil(Math.max(0, waitMs) / 1000)));
      },
      ...options,
    });
  const byAddress = { standardHeaders: 'draft-6', keyGenerator: addressKey } as const;
  return {
    general: limiter('general', limits.general, { standardHeaders: 'draft-6', keyGenerator: callerKey }),
    auth: limiter('auth', limits.general, byAddress),
    public: limiter('public', limits.public, byAddress),
    upload: limiter('upload', limits.upload, byAddress),
    extra: limiter('extra', limits.auth, {
      standardHeaders: false,
      keyGenerator(_request, response) {
        const { extraRateLimitKey } = response.locals;
        if (typeof extraRateLimitKey !== 'string') throw new Error('the route has no extra rate limit');
        return extraRateLimitKey;
      },
    }),
  };
}

/** express-rate-limit's view of one of our counters, which count in this process or in Redis. */
class CounterStore implements Store {
  readonly prefix: string;

  constructor(
    name: string,
    private readonly counter: WindowCounter,
  ) {
    this.prefix = `${name}:`;
  }

  async increment(key: string): Promise<{ totalHits: number; resetTime: Date }> {
    const { totalHits, endsAtMs } = await this.counter.increment(key);
    return { totalHits, resetTime: new Date(Date.now() + endsAtMs - performance.now()) };
  }

  decrement(key: string): Promise<void> {
    return this.counter.decrement(key);
  }

  resetKey(key: string): Promise<void> {
    return this.counter.reset(key);
  }
}

/** The user, whose sessions and API keys count together, else the address: a request without a valid credential is counted by it. */
function callerKey(request: Request, response: Response): string {
  const caller = response.locals.caller as Caller | null | undefined;
  return caller === null || caller === undefined ? addressKey(request, response) : `user:${caller.userId}`;
}

/** Requests that no declared route serves have no facts. */
function addressKey(request: Request, { locals }: Response): string {
  const facts = locals.facts as Express.Locals['facts'] | undefined;
  return `address:${addressNetwork(facts?.address ?? clientAddress(request), IPV6_PREFIX_BITS)}`;
}

/** Counts the request a second time, under the key that the route declares: per account, for example. A null key is not counted. */
export function extraRateLimit(
  keyOf: NonNullable<Route['extraRateLimitKey']>,
  limit: RequestHandler,
): RequestHandler {
  return (request, response, next) => {
    const { body, caller, params, facts } = response.locals;
    const key = keyOf(body, caller, { params, address: facts.address });
    if (key === null) return next();
    response.locals.extraRateLimitKey = key;
    return limit(request, response, next);
  };
}
