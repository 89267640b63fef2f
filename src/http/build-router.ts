import { type Request, type RequestHandler, Router } from 'express';
import type { z } from 'zod';
import type { IdempotencyStore } from '../lib/idempotency-store.ts';
import { authenticate, requireSameSite } from '../middleware/authenticate.ts';
import { envelope, type EnvelopeOptions } from '../middleware/envelope.ts';
import { extraRateLimit, type RateLimits } from '../middleware/rate-limit.ts';
import { idempotency } from '../middleware/idempotency.ts';
import { jsonBody, readSignedBody, receiveUpload } from '../middleware/read-body.ts';
import { methodNotAllowed } from '../middleware/error-handler.ts';
import { requestContext } from '../middleware/request-context.ts';
import { requireRole } from '../middleware/require-role.ts';
import { respondAsync } from '../middleware/respond-async.ts';
import { validateBody, validatePathAndQuery } from '../middleware/validate.ts';
import {
  takesWorkspaceIdInBody,
  workspaceContext,
  workspaceIdFromBody,
} from '../middleware/workspace-context.ts';
import { noScope } from './access.ts';
import { type DiskUse, type ObjectSchema, type Route, SignedBody } from './define-route.ts';
import { isFormRequest, Multipart, MultipartOrJson } from './multipart.ts';

/** Dependencies of the middleware of a route. */
export interface RouterDependencies<Services> extends EnvelopeOptions<Services> {
  rateLimits: RateLimits;
  idempotency: IdempotencyStore;
  /** Throws 503 `storage_low` while the disk has too little free space for this use. */
  checkFreeDisk: (use: DiskUse) => Promise<void>;
  /** The public origin, scheme://host[:port]; null: taken from the request. */
  publicUrl: string | null;
  allowedOrigins: readonly string[];
}

/**
 * Builds the Express router of declared routes, to be mounted at `mountPath`, with which all their paths begin. Literal segments are
 * matched before parameters; other methods of a declared path are 405.
 */
export function buildRouter<Services>(
  mountPath: string,
  routes: readonly Route<Services>[],
  dependencies: RouterDependencies<Services>,
): Router {
  const router = Router({ caseSensitive: true });
  for (const [path, routesOfPath] of groupByPath(sortByMatchOrder(routes))) {
    const atPath = router.route(pathBelow(mountPath, path));
    for (const route of routesOfPath) atPath[route.method](...stepsOf(route, dependencies));
    atPath.all(methodNotAllowed(routesOfPath.map(({ method }) => method.toUpperCase())));
  }
  return router;
}

/** Returns the middleware of a route in order, without steps that the route does not need. */
function stepsOf<Services>(
  route: Route<Services>,
  dependencies: RouterDependencies<Services>,
): RequestHandler[] {
  const { access, background, needsFreeDisk, extraRateLimitKey } = route;
  const { services, rateLimits, checkFreeDisk } = dependencies;
  const takesCredential = access.credential !== 'none';
  const takesKey = takesCredential && (route.idempotent || background !== undefined);
  const steps: (RequestHandler | false)[] = [
    requestContext(route, dependencies.publicUrl),
    takesCredential && authenticate(dependencies.authenticate),
    rateLimits[route.rateLimit],
    takesCredential && route.method !== 'get' && requireSameSite(dependencies.allowedOrigins),
    takesCredential && requireRole(access),
    needsFreeDisk !== undefined && requireFreeDisk(needsFreeDisk, checkFreeDisk),
    ...inputSteps(route),
    extraRateLimitKey !== undefined && extraRateLimit(extraRateLimitKey, rateLimits.extra),
    access.authorize !== noScope && workspaceContext(access, services),
    background !== undefined && respondAsync(route, services, checkFreeDisk),
    takesKey && idempotency(route, dependencies.idempotency),
    envelope(route, dependencies),
  ];
  return steps.filter((step) => step !== false);
}

/** Reading and validating path, query and body. The path of an upload is validated before its file is read. */
function inputSteps<Services>(route: Route<Services>): RequestHandler[] {
  const { method, body, maxBodyBytes } = route;
  const validateUrl = validatePathAndQuery(route);
  if (method === 'get' || method === 'delete') return [validateUrl];
  if (body instanceof Multipart) return [validateUrl, receiveUpload(body, maxBodyBytes)];
  if (body instanceof SignedBody) return [validateUrl, readSignedBody(body, maxBodyBytes)];
  if (body instanceof MultipartOrJson) {
    const { form, json } = body;
    return [
      onlyIf(isJsonRequest, jsonBody(maxBodyBytes)),
      validateUrl,
      onlyIf(isFormRequest, receiveUpload(form, maxBodyBytes)),
      ...jsonInputSteps({ query: route.query, body: json }).map((step) => onlyIf(isJsonRequest, step)),
    ];
  }
  return [jsonBody(maxBodyBytes), validateUrl, ...jsonInputSteps({ query: route.query, body })];
}

function jsonInputSteps(input: { query: ObjectSchema; body: z.ZodType }): RequestHandler[] {
  return [...(takesWorkspaceIdInBody(input) ? [workspaceIdFromBody(input)] : []), validateBody(input.body)];
}

const isJsonRequest = (request: Request): boolean => !isFormRequest(request);

/** Applies a step only to requests that match the condition. */
function onlyIf(condition: (request: Request) => boolean, step: RequestHandler): RequestHandler {
  return (request, response, next) => (condition(request) ? step(request, response, next) : next());
}

/** Literal segments before parameters, so that `/surveys/links` is never read as a survey id. */
export function sortByMatchOrder<R extends Pick<Route, 'path'>>(routes: readonly R[]): R[] {
  return [...routes].sort((a, b) => {
    const [left, right] = [a.path.split('/'), b.path.split('/')];
    for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
      const [l = '', r = ''] = [left[i], right[i]];
      const isParameter = l.startsWith(':');
      if (isParameter !== r.startsWith(':')) return isParameter ? 1 : -1;
      if (!isParameter && l !== r) return l < r ? -1 : 1;
    }
    return left.length - right.length;
  });
}

/** Groups routes by path, in order. Throws if two paths differ only in parameter names, because the second would never match. */
function groupByPath<R extends Pick<Route, 'path'>>(routes: readonly R[]): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  const pathOfShape = new Map<string, string>();
  for (const route of routes) {
    const shape = route.path.replace(/:[A-Za-z]+/g, ':');
    const path = pathOfShape.get(shape) ?? route.path;
    if (path !== route.path) throw new Error(`${route.path} names its parameters differently than ${path}`);
    pathOfShape.set(shape, path);
    groups.set(path, [...(groups.get(path) ?? []), route]);
  }
  return groups;
}

function pathBelow(mountPath: string, path: string): string {
  if (path !== mountPath && !path.startsWith(`${mountPath}/`))
    throw new Error(`${path} does not begin with ${mountPath}, where its router is mounted`);
  return path.slice(mountPath.length) || '/';
}

/** Refuses the request with 503 `storage_low` while the disk has too little free space for `use`. */
function requireFreeDisk(use: DiskUse, check: (use: DiskUse) => Promise<void>): RequestHandler {
  return async (_request, _response, next) => {
    await check(use);
    next();
  };
}
