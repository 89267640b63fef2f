import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, rateLimit, type Options } from 'express-rate-limit';
import type { Caller } from '../domain/access/caller.ts';
import { AppError } from '../lib/errors.ts';
import type { RateLimitClass } from './route.ts';

const WINDOW_MS = 15 * 60 * 1000;
/** A network rather than a single address of an IPv6 customer. */
const IPV6_PREFIX_BITS = 56;

export interface RateLimits {
  /** Counts the request and sets the RateLimit headers; throws 429. */
  count(kind: RateLimitClass, request: Request, response: Response, caller: Caller | null): Promise<void>;
  /** Counts against an account besides the address, without touching the headers of the other count. */
  brake(request: Request, response: Response, key: string): Promise<void>;
}

export function createRateLimits(limits: Record<RateLimitClass, number>): RateLimits {
  const keys = new WeakMap<Request, string>();
  const base: Partial<Options> = {
    windowMs: WINDOW_MS,
    keyGenerator: (request) => keys.get(request) ?? 'unknown',
    handler: (_request, response) => {
      throw tooManyRequests(Number(response.getHeader('RateLimit-Reset') ?? WINDOW_MS / 1000));
    },
    legacyHeaders: false,
    // The key is made below from the address, IPv6 by network.
    validate: { keyGeneratorIpFallback: false, xForwardedForHeader: false, trustProxy: false },
  };
  const counting = (limit: number) => rateLimit({ ...base, limit, standardHeaders: 'draft-6' });
  const limiters: Record<RateLimitClass, RequestHandler> = {
    general: counting(limits.general),
    auth: counting(limits.auth),
    public: counting(limits.public),
  };
  const accounts = rateLimit({
    ...base,
    limit: limits.auth,
    standardHeaders: false,
    handler: () => {
      throw tooManyRequests(WINDOW_MS / 1000);
    },
  });

  const run = (limiter: RequestHandler, request: Request, response: Response) =>
    new Promise<void>((resolve, reject) => {
      const done = (error?: unknown) => {
        if (error === undefined) resolve();
        else reject(error instanceof Error ? error : new Error('The rate limiter failed', { cause: error }));
      };
      // The limiter answers with a promise that carries what its handler throws.
      void Promise.resolve(limiter(request, response, done)).catch(reject);
    });

  return {
    async count(kind, request, response, caller) {
      keys.set(request, kind === 'general' ? keyOf(request, caller) : addressKey(request));
      await run(limiters[kind], request, response);
    },
    async brake(request, response, key) {
      keys.set(request, key);
      await run(accounts, request, response);
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
