import { type Express, Router } from 'express';
import { AppError } from '../lib/errors.ts';
import { handle, type KernelOptions } from './kernel.ts';
import type { Route } from './route.ts';

/** Literal segments before parameters, so that `/surveys/links` is never taken for a survey's id. */
export function inMatchingOrder<R extends Pick<Route, 'path'>>(routes: readonly R[]): R[] {
  return [...routes].sort((a, b) => {
    const [left, right] = [a.path.split('/'), b.path.split('/')];
    for (let i = 0; i < Math.min(left.length, right.length); i += 1) {
      const [l, r] = [left[i]!, right[i]!];
      const isParameter = l.startsWith(':');
      if (isParameter !== r.startsWith(':')) return isParameter ? 1 : -1;
      if (!isParameter && l !== r) return l < r ? -1 : 1;
    }
    return left.length - right.length;
  });
}

/** Mounts the routes by their first two segments, so that a request is only matched against its own family's. */
export function mountRoutes<Services>(
  app: Express,
  routes: readonly Route<Services>[],
  options: KernelOptions<Services>,
) {
  const routers = new Map<string, Router>();
  const methods = new Map<string, string[]>();
  for (const route of routes) {
    const shape = shapeOf(route.path);
    methods.set(shape, [...(methods.get(shape) ?? []), route.method.toUpperCase()]);
  }
  const ordered = inMatchingOrder(routes);
  ordered.forEach((route, index) => {
    const { family, rest } = split(route.path);
    const router = routers.get(family) ?? Router({ caseSensitive: true });
    routers.set(family, router);
    router[route.method](rest, (request, response) => handle(route, options, request, response));
    const shape = shapeOf(route.path);
    const last = !ordered.slice(index + 1).some((later) => shapeOf(later.path) === shape);
    if (last) router.all(rest, refuseMethod(methods.get(shape)!));
  });
  // One look-up, and then as `app.use(family, router)` does it: Express itself would try the families one after the other.
  app.use((request, response, next) => {
    const { family, rest } = split(request.path);
    const router = routers.get(family);
    if (router === undefined) return next();
    const { url, path } = request;
    request.baseUrl = family;
    request.url = rest + url.slice(path.length);
    router(request, response, (error: unknown) => {
      request.baseUrl = '';
      request.url = url;
      next(error);
    });
  });
}

function refuseMethod(allowed: string[]) {
  const allow = [...new Set(allowed.includes('GET') ? [...allowed, 'HEAD'] : allowed)].join(', ');
  return () => {
    throw new AppError('method_not_allowed', 'method_not_allowed', `Allowed here: ${allow}`, [], {
      Allow: allow,
    });
  };
}

const shapeOf = (path: string): string => path.replace(/:[A-Za-z]+/g, ':');

/** `/api/surveys` and `/7/pages` of `/api/surveys/7/pages`. */
function split(path: string): { family: string; rest: string } {
  const segments = path.split('/');
  return { family: segments.slice(0, 3).join('/'), rest: `/${segments.slice(3).join('/')}` };
}
