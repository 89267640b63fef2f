import type { RequestHandler } from 'express';
import type { Caller } from '../domain/access/caller.ts';
import type { Route } from '../http/define-route.ts';
import { forbidden, unauthenticated } from '../lib/errors.ts';

type RoleRequirement = Pick<Route['access'], 'credential' | 'roles'>;

/** Refuses requests without a caller (401), API keys where a session is required, and roles that may not call the route (403). */
export function requireRole(access: RoleRequirement): RequestHandler {
  return (_request, response, next) => {
    checkRole(access, response.locals.caller);
    next();
  };
}

/** Throws 401 or 403, as `requireRole` refuses a request. */
export function checkRole({ credential, roles }: RoleRequirement, caller: Caller | null): void {
  if (caller === null) {
    if (credential === 'none' || credential === 'optional') return;
    throw unauthenticated();
  }
  if (credential === 'session' && caller.credential !== 'session')
    throw forbidden('This needs a login; an API key cannot do it', 'session_required');
  if (roles !== null && !roles.includes(caller.role)) throw forbidden();
}
